import { type CaseFormat, knownPart } from '../../case/format/index.ts';
import { type EvalCase, missingFields } from '../../case/index.ts';
import type { ReadPaste, Understood } from '../../case/paste/index.ts';
import { JuryError } from '../../common/index.ts';
import { type JudgeRequest, planCase } from '../../judging/index.ts';
import type { Rubric } from '../../judging/standards/index.ts';
import type { Library } from '../../prompting/index.ts';
import {
  type AskedCase,
  addWishLines,
  askedCase,
  MAX_CASES,
  type NamedMethods,
  wishIn,
} from '../../requests/index.ts';
import { type Language, type Words, wordsIn } from '../../words/index.ts';
import { shortened, shortLine } from '../wording/index.ts';
import { type AskedField, caseFieldId, fieldsFor, textOfField, valueAt } from './case-fields.ts';
import {
  type FilledIn,
  type Form,
  type FormErrors,
  type FormField,
  type FormPart,
  readForm,
  shownErrors,
  shownText,
} from './form.ts';
import {
  formWords,
  type JudgingChoices,
  judging,
  judgingFields,
  readJudging,
  rubricField,
} from './judging-fields.ts';

export interface AskFormInput {
  /** The case as far as it is known: a partly read paste, a case to judge again, or nothing. */
  understood: Understood;
  /** How to judge, as requested or by the channel's defaults. */
  wish: JudgeRequest;
  rubrics: ReadonlyMap<string, Rubric>;
  choices: JudgingChoices;
  /** The contract for cases, with declared fields. */
  format: CaseFormat;
  /** Shown above the fields, such as why a paste could not be judged. */
  problem?: string | undefined;
  /** The text to judge; it is shown in one field, and there are no fields for parts of the case. */
  paste?: string | undefined;
  /** Judges a case again: the settings come first, and the case is under *Advanced*. Default: false. */
  again?: boolean;
}

/** Id of the field for the whole text. */
export const PASTE = 'paste';

/** The most case fields in a form; values without a field stay as pasted. */
const MOST_FIELDS = 60;
const MOST_NAMED = 10;
const LONGEST_NAME = 100;
const LONGEST_PROBLEM = 1_000;
const LONGEST_ERROR = 500;

type AskWords = Words['forms']['ask'];

function requiredText(path: string, words: AskWords): string {
  if (path === 'conversation') return words.conversationRequired;
  if (path === 'response') return words.responseRequired;
  return words.fieldRequired;
}

function pasteField(initial: string, words: AskWords): FormField {
  return {
    kind: 'long-text',
    id: PASTE,
    label: words.what,
    hint: words.whatHint,
    required: words.whatRequired,
    initial: initial === '' ? undefined : initial,
  };
}

function formField(asked: AskedField, understood: Understood, words: AskWords): FormField {
  const { path, label, needed, neededFor } = asked;
  const lost = needed !== null || neededFor.length === 0 ? '' : words.without(neededFor.join(', '));
  const hint = [asked.hint ?? '', lost].filter((part) => part !== '').join(' ');
  const initial = textOfField(understood, asked);
  const field = {
    id: caseFieldId(path),
    label,
    ...(hint === '' ? {} : { hint }),
    ...(needed === null ? {} : { required: requiredText(needed, words) }),
    initial,
  };
  if (asked.kind === 'number') return { ...field, kind: 'number', min: 0 };
  const isLong = asked.kind === 'text' && (shownText(initial) ?? '').includes('\n');
  return { ...field, kind: isLong ? 'long-text' : asked.kind };
}

/** The fields that fit into a form. Required fields take precedence; the order stays. */
function shownFields(fields: readonly AskedField[]): AskedField[] {
  const byNeed = [...fields].sort((a, b) => Number(b.needed !== null) - Number(a.needed !== null));
  const chosen = new Set(byNeed.slice(0, MOST_FIELDS));
  return fields.filter((field) => chosen.has(field));
}

/** Notes on what the form cannot show: undeclared fields, and fields without room. */
function leftOut(unknown: readonly string[], left: number, forms: Words['forms']): FormPart[] {
  const named = unknown.slice(0, MOST_NAMED).map((path) => shortLine(path, LONGEST_NAME));
  const more = Math.max(0, unknown.length - MOST_NAMED);
  const gone = forms.ask.notDeclared({ names: named.join(', '), more });
  const kept = forms.moreFields(left);
  return [
    ...(unknown.length === 0 ? [] : [{ kind: 'note' as const, text: gone }]),
    ...(left === 0 ? [] : [{ kind: 'note' as const, text: kept }]),
  ];
}

/** The form for a pasted text, or for a case with one field for each value that its rubric needs or uses. */
export function askForm(input: AskFormInput): Form {
  const { understood, wish, rubrics, choices, format, problem, paste, again = false } = input;
  const rubric = rubrics.get(wish.rubric ?? understood.rubric ?? '') ?? null;
  const problemText = `🤔 ${shortLine(problem ?? '', LONGEST_PROBLEM)}`;
  const forms = formWords(choices);
  const frame = { title: forms.ask.title, send: forms.judge, cancel: forms.cancel };
  const first: FormPart[] = problem === undefined ? [] : [{ kind: 'paragraph', text: problemText }];
  if (paste !== undefined)
    return {
      ...frame,
      parts: [
        ...first,
        pasteField(paste, forms.ask),
        rubricField(choices, rubric?.id),
        ...judgingFields(choices, wish),
      ],
    };
  const { known, unknown } = knownPart(understood, format);
  const fields = fieldsFor(rubric, known, format, choices.language ?? 'en');
  const shown = shownFields(fields);
  const isGiven = ({ path }: AskedField) => valueAt(known, path) !== undefined;
  const caseParts: FormPart[] = [
    ...(rubric === null ? [{ kind: 'note' as const, text: forms.ask.chooseRubric }] : []),
    ...shown.map((field) => ({
      ...formField(field, known, forms.ask),
      advanced: again && (field.needed === null || isGiven(field)),
    })),
    ...leftOut(unknown, fields.length - shown.length, forms),
  ];
  const how = judgingFields(choices, wish).map((field) =>
    again && field.id === judging.method ? { ...field, advanced: false } : field,
  );
  return {
    ...frame,
    parts: [
      ...first,
      { ...rubricField(choices, rubric?.id), reshapes: true },
      ...(again ? [...how, ...caseParts] : [...caseParts, ...how]),
    ],
  };
}

/** Adds a value to a case at a path of at most two keys; `undefined` changes nothing. */
function withValue(whole: Record<string, unknown>, path: string, value: unknown): Record<string, unknown> {
  if (value === undefined) return whole;
  const [outer = path, inner] = path.split('.');
  const held = whole[outer];
  const around = typeof held === 'object' && held !== null ? held : {};
  return { ...whole, [outer]: inner === undefined ? value : { ...around, [inner]: value } };
}

/** The id of the form field for a path; the rubric's field if no other matches. */
function fieldAt(path: string, fields: readonly AskedField[]): string {
  const field = fields.find(
    (one) => path === one.path || path.startsWith(`${one.path}.`) || one.path.startsWith(`${path}.`),
  );
  return field === undefined ? judging.rubric : caseFieldId(field.path);
}

/** How to read a pasted text, and the person who sent it. */
interface PasteReading {
  readPaste: ReadPaste;
  /** The methods that a paste may name; in a form, its fields say how to judge. */
  methods: NamedMethods;
  format: CaseFormat;
  who: string;
  /** Theirs; default: English. */
  language?: Language;
}

/** Reads the form with one field for the whole text. @param paste the text that the form opened with */
async function readPasteForm(
  filledIn: FilledIn,
  paste: string,
  { readPaste, methods, who, language = 'en' }: PasteReading,
  notes: readonly string[] = [],
): Promise<{ cases: AskedCase[] } | { errors: FormErrors }> {
  const read = readForm({ parts: [pasteField(paste, wordsIn(language).forms.ask)] }, filledIn);
  if ('errors' in read) return read;
  const asked = wishIn(read.values.text(PASTE) ?? '', methods);
  const unused = Object.entries(asked.wish).map(
    ([name, value]) => `not used: ${name} “${String(value)}”, since the form says how to judge`,
  );
  const items = await readPaste(asked.text, who);
  const refuse = (message: string) => ({ errors: { [PASTE]: shortened(message, LONGEST_ERROR) } });
  const cases: AskedCase[] = [];
  addWishLines(items, asked.lines, 'the form says how to judge');
  const pasteNotes = [...(read.values.isUntouched(PASTE) ? notes : []), ...unused, ...asked.ignored];
  for (const [index, item] of items.entries()) {
    const which = items.length > 1 ? `Case ${index + 1}: ` : '';
    if ('problem' in item) return refuse(`${which}${item.problem}`);
    cases.push(askedCase({ ...item, assumed: [...pasteNotes, ...item.assumed] }));
  }
  return cases.length > MAX_CASES ? refuse(`At most ${MAX_CASES} cases at once.`) : { cases };
}

/**
 * Reads either kind of form.
 *
 * @param filledIn includes hidden fields
 * @param draft what the form opened with
 */
export async function readAsked(
  filledIn: FilledIn,
  {
    understood,
    paste,
    notes,
  }: { understood: Understood; paste?: string | undefined; notes?: string[] | undefined },
  rubrics: ReadonlyMap<string, Rubric>,
  reading: PasteReading,
): Promise<{ cases: AskedCase[]; wish: JudgeRequest } | { errors: FormErrors }> {
  if (paste !== undefined) {
    const read = await readPasteForm(filledIn, paste, reading, notes);
    return 'errors' in read ? read : { ...read, wish: readJudging(filledIn) };
  }
  const read = readAskForm(filledIn, understood, rubrics, reading.format, reading.language);
  return 'errors' in read ? read : { cases: [{ evalCase: read.evalCase, assumed: [] }], wish: read.wish };
}

/** The draft for a form whose advanced fields are opened: a text that reads as one clear case becomes fields; any other stays. */
export async function opened<D extends { understood: Understood; paste?: string | undefined }>(
  draft: D,
  filledIn: FilledIn,
  { readPaste, who }: PasteReading,
): Promise<D> {
  if (draft.paste === undefined) return draft;
  const read = readForm({ parts: [pasteField(draft.paste, wordsIn('en').forms.ask)] }, filledIn);
  const text = 'values' in read ? (read.values.text(PASTE) ?? '') : '';
  if (text.trim() === '') return { ...draft, paste: undefined, understood: {} };
  const [item, ...others] = await readPaste(text, who);
  const isWhole =
    others.length === 0 &&
    item !== undefined &&
    'case' in item &&
    item.assumed.length === 0 &&
    item.unsure === undefined;
  return isWhole ? { ...draft, paste: undefined, understood: item.case } : { ...draft, paste: text };
}

/** A case and how to judge it, or errors by field. */
export type AskFormResult = { evalCase: EvalCase; wish: JudgeRequest } | { errors: FormErrors };

/**
 * Reads the form. Untouched values, and values without room in the form, stay exactly as pasted.
 *
 * @param draft what the form opened with
 */
export function readAskForm(
  filledIn: FilledIn,
  draft: Understood,
  rubrics: ReadonlyMap<string, Rubric>,
  format: CaseFormat,
  language: Language = 'en',
): AskFormResult {
  const words = wordsIn(language).forms.ask;
  const wish = readJudging(filledIn);
  const rubric = rubrics.get(wish.rubric ?? '') ?? null;
  const { known } = knownPart(draft, format);
  const fields = fieldsFor(rubric, known, format, language);
  const refuse = (errors: FormErrors) => ({ errors: shownErrors(errors, filledIn, judging.rubric) });
  const read = readForm({ parts: fields.map((field) => formField(field, known, words)) }, filledIn);
  if ('errors' in read) return refuse(read.errors);

  let whole: Record<string, unknown> = {};
  for (const key of ['id', 'label', 'alternative', 'answerNames'] as const)
    whole = withValue(whole, key, known[key]);
  const errors: Record<string, string> = {};
  const add = (path: string, message: string): void => {
    errors[fieldAt(path, fields)] = shortened(message, LONGEST_ERROR);
  };
  for (const field of fields) {
    const id = caseFieldId(field.path);
    const text = read.values.text(id);
    if (read.values.isUntouched(id)) whole = withValue(whole, field.path, valueAt(known, field.path));
    else if (text !== undefined) {
      const value = field.read(text, format);
      if ('error' in value) add(field.path, value.error);
      else whole = withValue(whole, field.path, value.value);
    }
  }
  if (Object.keys(errors).length > 0) return refuse(errors);
  const checked = format.schema.safeParse(whole);
  if (!checked.success) {
    for (const { path, message } of checked.error.issues) add(path.join('.'), `${path.join('.')} ${message}`);
    return refuse(errors);
  }
  for (const path of missingFields(checked.data, rubric?.needs ?? [])) add(path, requiredText(path, words));
  return Object.keys(errors).length > 0 ? refuse(errors) : { evalCase: checked.data, wish };
}

interface Judging {
  library: Library;
  /** Available models, the default first. */
  models: readonly string[];
  /** @throws JuryError if a model is not available */
  requireModel: (id: string) => void;
}

/**
 * Why a case cannot be judged as requested, or null. Model errors are shown at the models; other errors at the rubric or the
 * method.
 */
export function planErrors(
  { library, models: offered, requireModel }: Judging,
  evalCase: EvalCase,
  wish: JudgeRequest,
): FormErrors | null {
  const models = wish.models ?? offered.slice(0, 1);
  const at = (id: string, { message }: JuryError): FormErrors => ({
    [id]: shortened(message, LONGEST_ERROR),
  });
  try {
    for (const model of models) requireModel(model);
  } catch (thrown) {
    if (!(thrown instanceof JuryError)) throw thrown;
    return at(judging.models, thrown);
  }
  try {
    planCase(library, evalCase, { ...wish, models });
    return null;
  } catch (thrown) {
    if (!(thrown instanceof JuryError)) throw thrown;
    return at(thrown.code === 'bad-input' ? judging.rubric : judging.method, thrown);
  }
}
