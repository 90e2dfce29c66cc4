import * as z from 'zod';
import { safeText } from '../../common/text/index.ts';

/** One of several options. */
export interface Choice {
  id: string;
  title: string;
}

interface FieldBase {
  id: string;
  label: string;
  hint?: string;
  /** The message if it is left empty; a field without it is optional. */
  required?: string;
  /** What is wrong with what was filled in. */
  error?: string;
  /** Shown only after a click on *Advanced*. */
  advanced?: boolean;
}

/** One question of a form, with its initial value. */
export type FormField = FieldBase &
  (
    | { kind: 'text' | 'long-text'; initial?: string | undefined; maxLength?: number }
    | { kind: 'number'; initial?: string | undefined; min?: number; max?: number }
    /** `2026-03-02` and `20:35`. */
    | { kind: 'date' | 'time'; initial?: string | undefined }
    | {
        kind: 'select';
        choices: readonly Choice[];
        initial?: string | undefined;
        /** What choosing nothing means; without it, a choice is required. */
        none?: string;
        /** Can be searched; for long lists. */
        search?: boolean;
        /** Shown side by side; for a few choices. */
        inline?: boolean;
        /** The other fields depend on the choice, so a change redraws the form. */
        reshapes?: boolean;
      }
    | {
        kind: 'multi-select';
        choices: readonly Choice[];
        initial?: readonly string[] | undefined;
        /** What choosing nothing means. */
        none?: string;
        /** The choices are the platform's people, by their ids there. */
        people?: true;
      }
  );

/** A field, or something to read between fields: a paragraph, or a note in small print. */
export type FormPart = FormField | { kind: 'paragraph'; text: string } | { kind: 'note'; text: string };

export type SelectField = Extract<FormField, { kind: 'select' }>;

/** A form as data. Each surface has one function that shows forms and one that reads them. */
export interface Form {
  title: string;
  parts: readonly FormPart[];
  /** The labels of the two buttons. */
  send: string;
  cancel: string;
  /** Whether the advanced fields are shown. */
  expanded?: boolean;
}

/**
 * The values of a filled-in form by field id: a text, a number as typed, the id of a choice or the ids of several; null for an
 * empty field. A missing field was not shown.
 */
export type FilledIn = Readonly<Record<string, string | readonly string[] | null>>;

/** Error messages by field id. */
export type FormErrors = Readonly<Record<string, string>>;

export interface FormValues {
  /** The text or choice of any field but a multi-select; undefined if empty. */
  text: (id: string) => string | undefined;
  number: (id: string) => number | undefined;
  several: (id: string) => readonly string[];
  /** Whether a field still has its initial value or was not shown. */
  isUntouched: (id: string) => boolean;
}

/** A field's initial text as shown, without invisible characters; the text itself keeps them. */
export const shownText = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : safeText(text).trim();

const plain = (text: string): string => text.replaceAll('\r\n', '\n').trim();
const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** Compares two texts despite what chat platforms may do to one: change its line ends and escape `&<>`. */
const isSame = (text: string, shown: string): boolean =>
  plain(text) === plain(shown) || unescaped(plain(text)) === plain(shown);

/** A field's text or choice, read without its form; undefined if empty. */
export function textIn(filledIn: FilledIn, id: string): string | undefined {
  const value = filledIn[id];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** The choices of a multi-select, read without its form. */
export function severalIn(filledIn: FilledIn, id: string): readonly string[] {
  const value = filledIn[id] ?? [];
  return typeof value === 'string' ? [value] : value;
}

/** Whether a part is a field to fill in. */
export const isField = (part: FormPart): part is FormField =>
  part.kind !== 'paragraph' && part.kind !== 'note';

const fieldsOf = ({ parts }: Pick<Form, 'parts'>): FormField[] => parts.filter(isField);

const isAdvanced = (part: FormPart): boolean => 'advanced' in part && part.advanced === true;

/** The parts that are shown. */
export const shownParts = ({ parts, expanded }: Form): readonly FormPart[] =>
  expanded === true ? parts : parts.filter((part) => !isAdvanced(part));

/** Whether the advanced fields were shown when a form was filled in. */
const wasExpanded = ({ parts }: Form, filledIn: FilledIn): boolean =>
  fieldsOf({ parts }).some((field) => isAdvanced(field) && Object.hasOwn(filledIn, field.id));

/** Adds the initial choices of advanced lists that were not shown. */
export const withHidden = (form: Pick<Form, 'parts'>, filledIn: FilledIn): FilledIn => ({
  ...Object.fromEntries(
    fieldsOf(form)
      .filter((field) => isAdvanced(field) && (field.kind === 'select' || field.kind === 'multi-select'))
      .map((field) => [field.id, field.initial ?? null]),
  ),
  ...filledIn,
});

const bare = (text: string): string => text.toLowerCase().replaceAll(/[\s_]+/g, ' ');

/** The choices that contain the typed text, those that start with it first. */
export function matchingChoices(choices: readonly Choice[], typedText: string): Choice[] {
  const sought = bare(typedText.trim());
  const place = ({ title }: Choice) => bare(title).indexOf(sought);
  return choices.filter((one) => place(one) >= 0).sort((a, b) => place(a) - place(b));
}

const isChoice = (choices: readonly Choice[], id: string): boolean => choices.some((one) => one.id === id);

/** A selected choice that does not exist or no longer exists. */
export interface VanishedChoice {
  label: string;
  id: string;
}

/** Drops choices that no longer exist, so that the rest of the form can still be used. */
export function withoutVanished(
  form: Pick<Form, 'parts'>,
  shown: FilledIn,
): { filledIn: FilledIn; vanished: VanishedChoice[] } {
  const filledIn = { ...withHidden(form, shown) };
  const vanished: VanishedChoice[] = [];
  for (const field of fieldsOf(form)) {
    if (field.kind !== 'select' && field.kind !== 'multi-select') continue;
    const chosen = severalIn(filledIn, field.id);
    const left = chosen.filter((id) => isChoice(field.choices, id));
    if (left.length === chosen.length) continue;
    vanished.push(...chosen.filter((id) => !left.includes(id)).map((id) => ({ label: field.label, id })));
    filledIn[field.id] = field.kind === 'select' ? null : left;
  }
  return { filledIn, vanished };
}

function isUntouched(field: FormField, filledIn: FilledIn): boolean {
  if (!Object.hasOwn(filledIn, field.id)) return true;
  if (field.kind === 'multi-select') return false;
  return isSame(textIn(filledIn, field.id) ?? '', shownText(field.initial) ?? '');
}

const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

type Texts = Exclude<FormField, { kind: 'multi-select' }>;

/** Why a text or choice is not valid; null if it is. */
function textProblem(field: Texts, text: string): string | null {
  switch (field.kind) {
    case 'text':
    case 'long-text': {
      const { maxLength = Number.POSITIVE_INFINITY } = field;
      return text.length > maxLength ? `At most ${maxLength} characters.` : null;
    }
    case 'number': {
      const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = field;
      const number = Number(text);
      if (!Number.isFinite(number)) return 'Give a number.';
      if (number < min) return `Give ${min} or more.`;
      return number > max ? `Give ${max} or less.` : null;
    }
    case 'date':
      return z.iso.date().safeParse(text).success ? null : 'Give a date such as 2026-03-02.';
    case 'time':
      return Time.safeParse(text).success ? null : 'Give a time such as 20:35.';
    case 'select':
      return isChoice(field.choices, text) ? null : 'Choose from the list.';
  }
}

/** @param text undefined if empty */
function problemOf(field: FormField, text: string | undefined, several: readonly string[]): string | null {
  const isEmpty = field.kind === 'multi-select' ? several.length === 0 : text === undefined;
  if (isEmpty) return field.required ?? null;
  if (field.kind !== 'multi-select') return textProblem(field, text ?? '');
  const isKnown = field.people === true || several.every((id) => isChoice(field.choices, id));
  return isKnown ? null : 'Choose from the list.';
}

/**
 * Reads a filled-in form. An untouched or hidden text keeps its exact initial value. A hidden list counts as empty, unless it is
 * advanced: then it keeps its initial choices.
 */
export function readForm(
  form: Pick<Form, 'parts'>,
  shown: FilledIn,
): { values: FormValues } | { errors: FormErrors } {
  const filledIn = withHidden(form, shown);
  const texts = new Map<string, string>();
  const errors: Record<string, string> = {};
  const untouched = new Set<string>();
  for (const field of fieldsOf(form)) {
    const same = isUntouched(field, filledIn);
    if (same) untouched.add(field.id);
    const isList = field.kind === 'select' || field.kind === 'multi-select';
    const text = same && !isList ? field.initial : textIn(filledIn, field.id);
    if (text !== undefined) texts.set(field.id, text);
    const problem = problemOf(field, text, severalIn(filledIn, field.id));
    if (problem !== null) errors[field.id] = problem;
  }
  if (Object.keys(errors).length > 0) return { errors };
  return {
    values: {
      text: (id) => texts.get(id),
      number: (id) => (texts.has(id) ? Number(texts.get(id)) : undefined),
      several: (id) => severalIn(filledIn, id),
      isUntouched: (id) => untouched.has(id),
    },
  };
}

/** Moves errors of fields that were not shown to the field `elsewhere`. */
export const shownErrors = (
  errors: FormErrors,
  filledIn: FilledIn,
  elsewhere: string,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(errors).map(([id, error]) => [Object.hasOwn(filledIn, id) ? id : elsewhere, error]),
  );

/** A form with the values that people entered and the errors in them; advanced fields that were open stay open. */
export const refilled = (form: Form, filledIn: FilledIn, errors: FormErrors = {}): Form => ({
  ...form,
  expanded: form.expanded === true || wasExpanded(form, filledIn),
  parts: form.parts.map((part) => {
    if (part.kind === 'paragraph' || part.kind === 'note') return part;
    const error = errors[part.id];
    const field: FormField = error === undefined ? part : { ...part, error };
    if (isUntouched(part, filledIn)) return field;
    return field.kind === 'multi-select'
      ? { ...field, initial: severalIn(filledIn, field.id) }
      : { ...field, initial: textIn(filledIn, field.id) };
  }),
});
