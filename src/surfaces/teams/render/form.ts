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
  shownParts,
  shownText,
} from '../../forms/index.ts';
import { shortLine } from '../../wording/index.ts';
import { bytesOf, CARD_BYTES, dialogCard, type Element, lines, note, run, secondary } from './elements.ts';

type Input = ITextInput | INumberInput | IDateInput | ITimeInput | IChoiceSetInput;

/** The value for "nothing chosen" in an optional list. */
const NOTHING = '-';
/** Marks the id of a multi-select, whose values arrive as one text. */
const SEVERAL = '[]';
/** A dialog's card has the same size limit as a message's; a longer text is kept unchanged instead. */
const LONGEST_INPUT = 4_000;
const EXCERPT = 300;
const LONGEST_LABEL = 150;
const LONGEST_CHOICE = 100;

type Select = Extract<FormField, { kind: 'select' | 'multi-select' }>;

function choiceSet(field: Select): IChoiceSetInput {
  const { id, choices, none } = field;
  const several = field.kind === 'multi-select';
  const all = several || none === undefined ? choices : [{ id: NOTHING, title: none }, ...choices];
  const initial =
    field.kind === 'multi-select' ? field.initial?.join(',') : (field.initial ?? (none && NOTHING));
  return {
    type: 'Input.ChoiceSet',
    id: several ? `${id}${SEVERAL}` : id,
    ...(several && field.people === true
      ? {
          style: 'compact' as const,
          'choices.data': { type: 'Data.Query' as const, dataset: 'graph.microsoft.com/users' },
        }
      : {}),
    choices: all.map((choice) => ({ title: shortLine(choice.title, LONGEST_CHOICE), value: choice.id })),
    style: 'compact',
    ...(several ? { isMultiSelect: true, placeholder: none ?? '' } : {}),
    ...(initial === undefined || initial === '' ? {} : { value: initial }),
  };
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
  return [
    {
      ...inputOf(part),
      label: shortLine(label, LONGEST_LABEL),
      ...(required === undefined ? {} : { isRequired: true, errorMessage: required }),
    },
    ...(hint === undefined ? [] : [note(hint)]),
    ...(error === undefined ? [] : [lines(run(`⚠️ ${error}`, { color: 'Attention' }))]),
  ];
}

type FormData = Readonly<Record<string, string>>;

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
    ...more.map((button) => secondary({ type: 'Action.Submit' as const, ...button })),
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
    if (id.endsWith(SEVERAL))
      filledIn[id.slice(0, -SEVERAL.length)] = text.split(',').filter((one) => one !== '');
    else filledIn[id] = text === '' || text === NOTHING ? null : text;
  }
  return filledIn;
}
