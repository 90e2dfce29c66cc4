import { type EvalCase, missingFields } from '../../../case/case.ts';
import { type CaseFormat, knownPart } from '../../../case/case-format.ts';
import type { Understood } from '../../../case/paste/draft.ts';
import type { JudgeRequest } from '../../../judging/ports.ts';
import type { Rubric } from '../../../judging/rubric.ts';
import { shortened } from '../../safe-text.ts';
import { type AskedInput, inputsFor } from './asked-inputs.ts';
import { inputId } from './case-inputs.ts';
import { type Filled, readState } from './form-state.ts';
import { valueAt } from './input-text.ts';
import { isKept, shownText } from './judge-form.ts';
import { type ReadField, readField } from './read-field.ts';
import { readWish, wishBlocks } from './wish-inputs.ts';

/** A case and how to judge it, or what is wrong, by block id, for `response_action: 'errors'`. */
export type JudgeFormResult = { evalCase: EvalCase; wish: JudgeRequest } | { errors: Record<string, string> };

const LONGEST_ERROR = 500;

const plainOf = (text: string): string => text.replaceAll('\r\n', '\n').trim();
const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** Whether an input still holds what it was given. Slack escapes its three control characters in some texts it sends. */
const untouched = (text: string, shown: string | undefined): boolean =>
  shown !== undefined && (plainOf(text) === plainOf(shown) || unescaped(plainOf(text)) === plainOf(shown));

/**
 * What an input says; a text that nobody touched, that the form could not hold, or for which it had no room, is what was
 * pasted to the letter.
 */
function readInput(input: AskedInput, understood: Understood, filled: Filled, format: CaseFormat): ReadField {
  const shown = shownText(understood, input);
  const text = filled.text(inputId(input.path));
  const isGone = !filled.has(inputId(input.path));
  if (isGone || isKept(shown) || (text !== undefined && untouched(text, shown)))
    return { value: valueAt(understood, input.path) };
  return text === undefined ? { value: undefined } : readField(input, text, format);
}

/** A case with one more value in it, at most one object deep. */
function withValue(whole: Record<string, unknown>, path: string, value: unknown): Record<string, unknown> {
  if (value === undefined) return whole;
  const [outer = path, inner] = path.split('.');
  const held = whole[outer];
  const around = typeof held === 'object' && held !== null ? held : {};
  return { ...whole, [outer]: inner === undefined ? value : { ...around, [inner]: value } };
}

/** The block that an error at a path belongs to; Slack takes errors at inputs only, so others go to the rubric's. */
function blockFor(path: string, inputs: readonly AskedInput[], filled: Filled): string {
  const input = inputs.find(
    (one) => path === one.path || path.startsWith(`${one.path}.`) || one.path.startsWith(`${path}.`),
  );
  const block = input === undefined ? wishBlocks.rubric : inputId(input.path);
  return filled.has(block) ? block : wishBlocks.rubric;
}

/**
 * Reads the submitted form.
 *
 * @param state `view.state`
 * @param draft what the form was opened with
 */
export function readJudgeForm(
  state: unknown,
  draft: Understood,
  rubrics: ReadonlyMap<string, Rubric>,
  format: CaseFormat,
): JudgeFormResult {
  const filled = readState(state);
  const wish = readWish(filled);
  const rubric = wish.rubric === undefined ? null : (rubrics.get(wish.rubric) ?? null);
  const { known } = knownPart(draft, format);
  const inputs = inputsFor(rubric, known, format);
  let whole = withValue(withValue({}, 'id', known.id), 'label', known.label);
  const errors: Record<string, string> = {};
  const tell = (path: string, message: string): void => {
    errors[blockFor(path, inputs, filled)] = shortened(message, LONGEST_ERROR);
  };
  for (const input of inputs) {
    const read = readInput(input, known, filled, format);
    if ('error' in read) tell(input.path, read.error);
    else whole = withValue(whole, input.path, read.value);
  }
  if (Object.keys(errors).length > 0) return { errors };
  const checked = format.schema.safeParse(whole);
  if (!checked.success) {
    for (const { path, message } of checked.error.issues)
      tell(path.join('.'), `${path.join('.')} ${message}`);
    return { errors };
  }
  for (const path of missingFields(checked.data, rubric?.needs ?? []))
    tell(path, `This rubric needs ${path}: fill it in, or choose another rubric.`);
  return Object.keys(errors).length > 0 ? { errors } : { evalCase: checked.data, wish };
}
