import { EvalCase, missingFields } from '../../../core/case.ts';
import type { Understood } from '../../../core/paste/draft.ts';
import type { Rubric } from '../../../core/rubric.ts';
import type { JudgeWish } from '../../../core/spot-check.ts';
import { type AskedInput, inputId, inputsFor, valueAt } from './case-inputs.ts';
import { type Filled, readState } from './form-state.ts';
import { isKept, shownText } from './judge-form.ts';
import { type ReadField, readField } from './read-field.ts';
import { shortened } from './safe-text.ts';
import { readWish, wishBlocks } from './wish-inputs.ts';

/** A case and how to judge it, or what is wrong, by block id, for `response_action: 'errors'`. */
export type JudgeFormResult = { evalCase: EvalCase; wish: JudgeWish } | { errors: Record<string, string> };

const LONGEST_ERROR = 500;

const plainOf = (text: string): string => text.replaceAll('\r\n', '\n').trim();
const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** Whether an input still holds what it was given. Slack escapes its three control characters in some texts it sends. */
const untouched = (text: string, shown: string | undefined): boolean =>
  shown !== undefined && (plainOf(text) === plainOf(shown) || unescaped(plainOf(text)) === plainOf(shown));

/** What an input says; a text that nobody touched, or that the form could not hold, is what was pasted to the letter. */
function readInput(input: AskedInput, understood: Understood, filled: Filled): ReadField {
  const shown = shownText(understood, input);
  const text = filled.text(inputId(input.path));
  if (isKept(shown) || (text !== undefined && untouched(text, shown)))
    return { part: pasted(understood, input) };
  return text === undefined ? { part: {} } : readField(input.path, text);
}

function pasted(understood: Understood, { path }: AskedInput): Partial<EvalCase> {
  const value = valueAt(understood, path);
  const [outer = path, inner] = path.split('.');
  return inner === undefined ? { [outer]: value } : { [outer]: { [inner]: value } };
}

/** Parts of a case put together; context comes from several inputs. */
const joined = (a: Partial<EvalCase>, b: Partial<EvalCase>): Partial<EvalCase> => ({
  ...a,
  ...b,
  ...(a.context === undefined && b.context === undefined ? {} : { context: { ...a.context, ...b.context } }),
});

/** The input that an error at a path belongs to; Slack takes errors at inputs only, so others go to the rubric's. */
function blockFor(path: string, rubric: Rubric | null, understood: Understood): string {
  const input = inputsFor(rubric, understood).find(
    (one) => path === one.path || path.startsWith(`${one.path}.`) || one.path.startsWith(`${path}.`),
  );
  return input === undefined || isKept(shownText(understood, input))
    ? wishBlocks.rubric
    : inputId(input.path);
}

const lackOf = (evalCase: EvalCase, rubric: Rubric | null, understood: Understood): Record<string, string> =>
  Object.fromEntries(
    missingFields(evalCase, rubric?.needs ?? []).map((path) => [
      blockFor(path, rubric, understood),
      `This rubric needs ${path}: fill it in, or choose another rubric.`,
    ]),
  );

/**
 * Reads the submitted form.
 *
 * @param state `view.state`
 * @param understood the draft that the form was opened with
 */
export function readJudgeForm(
  state: unknown,
  understood: Understood,
  rubrics: ReadonlyMap<string, Rubric>,
): JudgeFormResult {
  const filled = readState(state);
  const wish = readWish(filled);
  const rubric = wish.rubric === undefined ? null : (rubrics.get(wish.rubric) ?? null);
  const { id, label } = understood;
  let whole: Partial<EvalCase> = {
    ...(id === undefined ? {} : { id }),
    ...(label === undefined ? {} : { label }),
  };
  const errors: Record<string, string> = {};
  for (const input of inputsFor(rubric, understood)) {
    const read = readInput(input, understood, filled);
    if ('error' in read) errors[inputId(input.path)] = shortened(read.error, LONGEST_ERROR);
    else whole = joined(whole, read.part);
  }
  if (Object.keys(errors).length > 0) return { errors };
  const checked = EvalCase.safeParse(whole);
  if (!checked.success) {
    const problems = checked.error.issues.map(({ path, message }): [string, string] => [
      blockFor(path.join('.'), rubric, understood),
      shortened(`${path.join('.')} ${message}`, LONGEST_ERROR),
    ]);
    return { errors: Object.fromEntries(problems) };
  }
  const lack = lackOf(checked.data, rubric, understood);
  return Object.keys(lack).length > 0 ? { errors: lack } : { evalCase: checked.data, wish };
}
