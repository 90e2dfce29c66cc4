import type {
  IAdaptiveCard,
  IChoiceSetInput,
  IDateInput,
  INumberInput,
  ITextInput,
  ITimeInput,
} from '@microsoft/teams.cards';
import * as z from 'zod';
import { grouped } from '../../../common/text.ts';
import { type FilledIn, type Form, type FormField, type FormPart, shownText } from '../../form.ts';
import { shortLine } from '../../safe-text.ts';
import { bytesOf, type Element, lines, note, run } from './elements.ts';

type Input = ITextInput | INumberInput | IDateInput | ITimeInput | IChoiceSetInput;

/** What no choice stands for, in a list of which nothing has to be chosen. */
const NOTHING = '-';
/** A dialog's card is limited like a message's; a longer text is kept as it was pasted. */
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
    id,
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

/** A dialog's card has this much room. */
const FORM_BYTES = 26_000;

/**
 * A form as the card of a dialog. Fields that do not fit are left out and counted: what was pasted for them is kept.
 *
 * @param data what comes back with the answers
 */
export function formCard(
  form: Form,
  data: { do: string; id?: string; [key: string]: unknown },
): IAdaptiveCard {
  const body: Element[] = [];
  let left = 0;
  for (const part of form.parts) {
    const elements = partElements(part);
    if (bytesOf([body, elements]) > FORM_BYTES) left += 1;
    else body.push(...elements);
  }
  return {
    type: 'AdaptiveCard',
    version: '1.5',
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    body: [
      ...body,
      ...(left === 0 ? [] : [note(`${left} more fields do not fit here; what was pasted for them is kept.`)]),
    ],
    actions: [{ type: 'Action.Submit', title: form.send, data }],
  };
}

const Answers = z.record(z.string(), z.unknown());

/** What a form was filled in with: a dialog gives all values as texts, several choices with commas between them. */
export function readFormData(form: Pick<Form, 'parts'>, data: unknown): FilledIn {
  const answers = Answers.safeParse(data).data ?? {};
  const fields = form.parts.filter(
    (part): part is FormField => part.kind !== 'note' && part.kind !== 'paragraph',
  );
  const filledIn: Record<string, string | readonly string[] | null> = {};
  for (const field of fields) {
    if (!Object.hasOwn(answers, field.id)) continue;
    const value = answers[field.id];
    const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
    if (field.kind === 'multi-select') filledIn[field.id] = text.split(',').filter((id) => id !== '');
    else filledIn[field.id] = text === '' || (field.kind === 'select' && text === NOTHING) ? null : text;
  }
  return filledIn;
}
