import type {
  IAdaptiveCard,
  IChoiceSetInput,
  IDateInput,
  INumberInput,
  ITextInput,
  ITimeInput,
} from '@microsoft/teams.cards';
import * as z from 'zod';
import { grouped } from '../../../common/text/index.ts';
import {
  type FilledIn,
  type Form,
  type FormField,
  type FormPart,
  isField,
  severalIn,
  shownParts,
  shownText,
} from '../../forms/index.ts';
import { shortLine } from '../../wording/index.ts';
import { bytesOf, CARD_BYTES, dialogCard, type Element, lines, note, run, secondary } from './elements.ts';

type Input = ITextInput | INumberInput | IDateInput | ITimeInput | IChoiceSetInput;

/** The value for "nothing chosen" in an optional list. */
const NOTHING = '-';
/** Marks the id of a multi-select, whose values arrive as one text. Pickers for one field also have a number: `models[]2`. */
const SEVERAL = '[]';
const IS_SEVERAL = /^(?<id>.+)\[\]\d?$/;
/** A longer list is searched: clients show each choice of a multi-select as a checkbox. */
const LONGEST_LIST = 10;
/** How many pickers a list gets, by how much they take up. */
const PICKERS = { usual: 3, most: 9, bytes: 9_000 } as const;
/** A dialog's card has the same size limit as a message's; a longer text is kept unchanged instead. */
const LONGEST_INPUT = 4_000;
const EXCERPT = 300;
const LONGEST_LABEL = 150;
const LONGEST_CHOICE = 100;

/** What the button *Options* asks for: the fields that few people change. */
export const EXPAND = 'expand';

type Select = Extract<FormField, { kind: 'select' | 'multi-select' }>;
type Several = Extract<FormField, { kind: 'multi-select' }>;

const choicesOf = (choices: Select['choices']): NonNullable<IChoiceSetInput['choices']> =>
  choices.map(({ id, title }) => ({ title: shortLine(title, LONGEST_CHOICE), value: id }));

/** Teams looks people up as they are typed. */
const PEOPLE = {
  'choices.data': { type: 'Data.Query' as const, dataset: 'graph.microsoft.com/users' },
};

function choiceSet(field: Select): IChoiceSetInput {
  const { id, choices, none } = field;
  const several = field.kind === 'multi-select';
  const isSearched = !several && choices.length > LONGEST_LIST;
  // What is searched can be left empty.
  const hasNothing = !several && !isSearched && none !== undefined;
  const all = hasNothing ? [{ id: NOTHING, title: none }, ...choices] : choices;
  const initial =
    field.kind === 'multi-select'
      ? field.initial?.join(',')
      : (field.initial ?? (hasNothing ? NOTHING : undefined));
  return {
    type: 'Input.ChoiceSet',
    id: several ? `${id}${SEVERAL}` : id,
    ...(field.kind === 'multi-select' && field.people === true ? PEOPLE : {}),
    choices: choicesOf(all),
    style: isSearched ? 'filtered' : 'compact',
    ...(several ? { isMultiSelect: true } : {}),
    ...(several || isSearched ? { placeholder: none ?? '' } : {}),
    ...(initial === undefined || initial === '' ? {} : { value: initial }),
  };
}

/** A long list of which several may be chosen: searchable pickers of one choice each, and one more than are chosen. */
function pickers({ id, choices: all, none, initial = [] }: Several): IChoiceSetInput[] {
  const choices = choicesOf(all);
  const room = Math.floor(PICKERS.bytes / bytesOf(choices));
  const count = Math.max(initial.length + 1, Math.min(PICKERS.usual, room));
  return Array.from({ length: Math.min(count, PICKERS.most, all.length) }, (_, n) => ({
    type: 'Input.ChoiceSet',
    id: `${id}${SEVERAL}${n + 1}`,
    choices,
    style: 'filtered',
    placeholder: n === 0 ? (none ?? 'Choose') : 'Another one',
    ...(initial[n] === undefined ? {} : { value: initial[n] }),
  }));
}

function inputOf(field: FormField): Input {
  switch (field.kind) {
    case 'text':
    case 'long-text': {
      const { id, initial, maxLength } = field;
      return {
        type: 'Input.Text',
        id,
        value: shownText(initial) ?? '',
        ...(field.kind === 'long-text' ? { isMultiline: true } : {}),
        ...(maxLength === undefined ? {} : { maxLength }),
      };
    }
    case 'number':
      return {
        type: 'Input.Number',
        id: field.id,
        ...(field.initial === undefined ? {} : { value: Number(field.initial) }),
        ...(field.min === undefined ? {} : { min: field.min }),
        ...(field.max === undefined ? {} : { max: field.max }),
      };
    case 'date':
    case 'time':
      return {
        type: field.kind === 'date' ? 'Input.Date' : 'Input.Time',
        id: field.id,
        ...(field.initial === undefined ? {} : { value: field.initial }),
      };
    case 'select':
      // There are too many choices for a dialog, so people type one; an unknown value is refused with a hint.
      if (field.search === true) return { type: 'Input.Text', id: field.id, value: field.initial ?? '' };
      return choiceSet(field);
    case 'multi-select':
      return choiceSet(field);
  }
}

function partElements(part: FormPart): Element[] {
  if (part.kind === 'note') return [note(part.text)];
  if (part.kind === 'paragraph') return [lines(run(part.text))];
  const { label, hint, error, required } = part;
  const text = part.kind === 'text' || part.kind === 'long-text' ? (shownText(part.initial) ?? '') : '';
  if (text.length > LONGEST_INPUT)
    return [
      note(
        `${shortLine(label, LONGEST_LABEL)}: kept as it was pasted, ${grouped(text.length)} characters, more than a form can hold. ${shortLine(text, EXCERPT)}`,
      ),
    ];
  const isPicked = part.kind === 'multi-select' && part.choices.length > LONGEST_LIST;
  const [first, ...others] = isPicked ? pickers(part) : [inputOf(part)];
  return [
    {
      ...(first ?? inputOf(part)),
      label: shortLine(label, LONGEST_LABEL),
      ...(required === undefined ? {} : { isRequired: true, errorMessage: required }),
    },
    ...others,
    ...(hint === undefined ? [] : [note(hint)]),
    ...(error === undefined ? [] : [lines(run(`⚠️ ${error}`, { color: 'Attention' }))]),
  ];
}

export type FormData = Readonly<Record<string, string>>;

/** What a dialog would send of a field that is not touched; null for a text, of which the form keeps what it began with. */
function untouched(field: FormField): readonly [id: string, value: string] | null {
  if (field.kind === 'select') return [field.id, field.initial ?? ''];
  return field.kind === 'multi-select' ? [`${field.id}${SEVERAL}`, (field.initial ?? []).join(',')] : null;
}

/** A form that shows some fields and what is wrong in others; `rest` is sent along for those that are not shown. */
export function briefForm(
  form: Form,
  isShown: (field: FormField) => boolean,
): { form: Form; rest: FormData } {
  if (form.expanded === true) return { form, rest: {} };
  const isLeftOut = (part: FormPart): part is FormField =>
    isField(part) && !isShown(part) && part.error === undefined;
  const rest = form.parts.flatMap((part) => (isLeftOut(part) ? [untouched(part) ?? []] : []));
  return {
    form: {
      ...form,
      parts: form.parts.map((part) => (isField(part) ? { ...part, advanced: isLeftOut(part) } : part)),
    },
    rest: Object.fromEntries(rest.filter((entry) => entry.length > 0)),
  };
}

/**
 * A form as a dialog's card. Fields that do not fit are left out and counted; the text pasted for them is kept.
 *
 * @param data submitted along with the answers
 * @param more other buttons that send the form
 */
export function formDialog(
  form: Form,
  data: FormData,
  more: readonly { title: string; data: FormData }[] = [],
): { title: string; card: IAdaptiveCard } {
  const buttons = [
    { type: 'Action.Submit' as const, title: form.send, data },
    ...more.map((one) => {
      const button = { type: 'Action.Submit' as const, ...one };
      return one.data.next === EXPAND ? button : secondary(button);
    }),
  ];
  const body: Element[] = [];
  let left = 0;
  for (const part of shownParts(form)) {
    const elements = partElements(part);
    if (bytesOf([body, elements, buttons]) > CARD_BYTES - 300) left += 1;
    else body.push(...elements);
  }
  const leftOut = `${left} more fields do not fit here; what was pasted for them is kept.`;
  return { title: form.title, card: dialogCard([...body, ...(left === 0 ? [] : [note(leftOut)])], buttons) };
}

/** The button that shows the advanced fields of a form, if it has any that are not shown. */
export const optionsOf = (form: Form, data: FormData): { title: string; data: FormData }[] =>
  shownParts(form).length < form.parts.length ? [{ title: 'Options', data: { ...data, next: EXPAND } }] : [];

/** A form with that button. */
export const optionalDialog = (form: Form, data: FormData): ReturnType<typeof formDialog> =>
  formDialog(form, data, optionsOf(form, data));

const Answers = z.record(z.string(), z.unknown());

/**
 * The values entered in a form, by field id. A dialog submits all values as text by input id, multiple choices separated by
 * commas, along with the button's data.
 */
export function readFormData(data: unknown): FilledIn {
  const filledIn: Record<string, string | string[] | null> = {};
  for (const [id, value] of Object.entries(Answers.safeParse(data).data ?? {})) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const text = String(value);
    const several = IS_SEVERAL.exec(id)?.groups?.id;
    if (several !== undefined) {
      const chosen = [...severalIn(filledIn, several), ...text.split(',').filter((one) => one !== '')];
      filledIn[several] = [...new Set(chosen)];
    } else filledIn[id] = text === '' || text === NOTHING ? null : text;
  }
  return filledIn;
}
