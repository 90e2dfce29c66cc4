import type { InputBlock, KnownBlock, ModalView, PlainTextOption, StaticSelect } from '@slack/types';
import * as z from 'zod';
import { grouped, readJson } from '../../../common/text/index.ts';
import {
  type Choice,
  type FilledIn,
  type Form,
  type FormField,
  type FormPart,
  type SelectField,
  shownParts,
  shownText,
} from '../../forms/index.ts';
import { shortLine } from '../../wording/index.ts';
import { actions, callbacks } from '../ids.ts';
import { bold, button, buttonRow, context, limits, paragraph, plain, words } from './blocks.ts';

/** The value for "nothing chosen"; no id equals it. */
const NOTHING = '*';

const optionOf = ({ id, title }: Choice): PlainTextOption => ({
  text: plain(title, limits.optionText),
  value: id,
});

/** Options for a search, limited to what one response may hold. */
export const optionsFor = (choices: readonly Choice[]): PlainTextOption[] =>
  offered(choices).slice(0, limits.options).map(optionOf);

/** Slack cannot offer ids longer than an option's value. */
const offered = (choices: readonly Choice[]): Choice[] =>
  choices.filter(({ id }) => id.length <= limits.optionValue);

/** Split into groups if there are too many for one list. */
function optionsOf(choices: readonly Choice[]): Pick<StaticSelect, 'options' | 'option_groups'> {
  const all = offered(choices).map(optionOf);
  if (all.length <= limits.options) return { options: all };
  const groups = Array.from({ length: Math.ceil(all.length / limits.options) }, (_, index) => {
    const from = index * limits.options;
    const options = all.slice(from, from + limits.options);
    return { label: plain(`${from + 1} to ${from + options.length}`, limits.optionText), options };
  });
  return { option_groups: groups.slice(0, limits.optionGroups) };
}

function selectElement(field: SelectField, action_id: string): InputBlock['element'] {
  const { choices, none, initial } = field;
  const all = none === undefined ? choices : [{ id: NOTHING, title: none }, ...choices];
  const chosen = offered(all).find(({ id }) => id === initial) ?? all.find(({ id }) => id === NOTHING);
  const begins = chosen === undefined ? {} : { initial_option: optionOf(chosen) };
  if (field.search === true)
    return { type: 'external_select', action_id: actions.formSearch, min_query_length: 2, ...begins };
  return field.inline === true
    ? { type: 'radio_buttons', action_id, options: all.map(optionOf), ...begins }
    : { type: 'static_select', action_id, ...optionsOf(all), ...begins };
}

function severalElement(
  field: Extract<FormField, { kind: 'multi-select' }>,
  action_id: string,
): InputBlock['element'] {
  if (field.people === true) return { type: 'multi_users_select', action_id };
  const initial = offered(field.choices)
    .filter(({ id }) => field.initial?.includes(id) === true)
    .slice(0, limits.options);
  return {
    type: 'multi_static_select',
    action_id,
    ...optionsOf(field.choices),
    ...(field.none === undefined ? {} : { placeholder: plain(field.none, limits.placeholder) }),
    ...(initial.length === 0 ? {} : { initial_options: initial.map(optionOf) }),
  };
}

function elementOf(field: FormField, action_id: string): InputBlock['element'] {
  switch (field.kind) {
    case 'text':
    case 'long-text': {
      const text = shownText(field.initial) ?? '';
      return {
        type: 'plain_text_input',
        action_id,
        multiline: field.kind === 'long-text',
        max_length: Math.min(limits.inputText, field.maxLength ?? limits.inputText),
        ...(text === '' ? {} : { initial_value: text }),
      };
    }
    case 'number': {
      const { initial, min, max } = field;
      return {
        type: 'number_input',
        action_id,
        is_decimal_allowed: true,
        ...(min === undefined ? {} : { min_value: String(min) }),
        ...(max === undefined ? {} : { max_value: String(max) }),
        ...(initial === undefined ? {} : { initial_value: initial }),
      };
    }
    case 'date': {
      const { initial } = field;
      return { type: 'datepicker', action_id, ...(initial === undefined ? {} : { initial_date: initial }) };
    }
    case 'time': {
      const { initial } = field;
      return { type: 'timepicker', action_id, ...(initial === undefined ? {} : { initial_time: initial }) };
    }
    case 'select':
      return selectElement(field, action_id);
    case 'multi-select':
      return severalElement(field, action_id);
  }
}

const EXCERPT = 300;
const LONGEST_NAME = 100;

/** Shown in place of an input whose initial text is too long for Slack. The text is kept, because no field overwrites it. */
const keptBlock = (label: string, text: string): KnownBlock =>
  paragraph(
    bold(shortLine(label, LONGEST_NAME)),
    words(
      `: kept as it was pasted, ${grouped(text.length)} characters, more than a form can hold.\n${shortLine(text, EXCERPT)}`,
    ),
  );

function partBlock(part: FormPart): KnownBlock {
  if (part.kind === 'note') return context(part.text);
  if (part.kind === 'paragraph') return paragraph(words(part.text));
  const { id, label, required } = part;
  if (part.kind === 'text' || part.kind === 'long-text') {
    const text = shownText(part.initial) ?? '';
    if (text.length > limits.inputText) return keptBlock(label, text);
  }
  const hint = [part.error ?? '', part.hint ?? ''].filter((text) => text !== '').join(' ');
  // Slack notifies the app at once if a choice changes the form's fields.
  const reshapes = part.kind === 'select' && part.reshapes === true;
  return {
    type: 'input',
    block_id: id,
    optional: required === undefined && part.kind !== 'select',
    label: plain(label, limits.inputLabel),
    ...(hint === '' ? {} : { hint: plain(hint, limits.inputLabel) }),
    ...(reshapes ? { dispatch_action: true } : {}),
    element: elementOf(part, reshapes ? actions.formRubric : id),
  };
}

/** A kind of form: its callback id and the schema of its metadata, which Slack stores with the form and returns. */
export interface FormKind<About> {
  callback: string;
  about: z.ZodType<About>;
}

const aboutVerdict = z.strictObject({ verdict: z.string() });

export const forms = {
  /** `draft`: the id of the draft that the form was opened with. */
  ask: { callback: callbacks.judgeForm, about: z.strictObject({ draft: z.string() }) },
  correction: { callback: callbacks.correctionForm, about: aboutVerdict },
  set: { callback: callbacks.setForm, about: aboutVerdict },
  rule: { callback: callbacks.ruleForm, about: aboutVerdict },
  'known-answer': { callback: callbacks.knownAnswerForm, about: aboutVerdict },
  'start-study': { callback: callbacks.startStudyForm, about: aboutVerdict },
  settings: { callback: callbacks.settingsForm, about: z.strictObject({ channel: z.string() }) },
  schedule: {
    callback: callbacks.scheduleForm,
    about: z.strictObject({
      channel: z.string(),
      channelName: z.string().nullable(),
      team: z.string(),
      timezone: z.string(),
    }),
  },
  /** A case in a study. Slack does not display this; it contains no case or label ids. */
  study: {
    callback: callbacks.studyForm,
    about: z.strictObject({
      study: z.string(),
      at: z.number(),
      /** Position in the annotator's order. */
      place: z.int().min(0),
      /** When it was shown, in milliseconds: the answers get this time, whenever and however often they arrive. */
      opened: z.number(),
      /** The message that shows the annotator's progress, if known. */
      message: z.strictObject({ channel: z.string(), ts: z.string() }).nullable(),
    }),
  },
} as const;

/** The metadata of a kind of form. */
export type AboutForm<Kind extends keyof typeof forms> = z.infer<(typeof forms)[Kind]['about']>;

/** The conversation that a view was opened in. What Slack sends of a view names none. */
const OpenedIn = z.looseObject({ openedIn: z.string().nullish() });

const metadataOf = ({ private_metadata: text }: { private_metadata?: string | undefined }) =>
  readJson(OpenedIn, text ?? '')?.value ?? {};

/** Null where Slack did not say when the view was opened. */
export const openedIn = (view: { private_metadata?: string | undefined }): string | null =>
  metadataOf(view).openedIn ?? null;

/** The view with the conversation that it is opened in. */
export const openedFrom = (channel: string | null, view: ModalView): ModalView =>
  channel === null
    ? view
    : { ...view, private_metadata: JSON.stringify({ ...metadataOf(view), openedIn: channel }) };

/**
 * Reads the metadata of an open form.
 * @throws z.ZodError if the form is of another kind
 */
export function readAbout<About>({ about }: FormKind<About>, view: { private_metadata: string }): About {
  const { openedIn: _channel, ...metadata } = metadataOf(view);
  return about.parse(metadata);
}

const advancedButton = buttonRow(button({ text: 'Advanced', action: actions.formAdvanced, value: 'open' }));

/**
 * A form as a modal.
 * @param above blocks above the fields
 */
export const formView = <About>(
  { callback }: FormKind<About>,
  about: About,
  form: Form,
  above: readonly KnownBlock[] = [],
): ModalView => ({
  type: 'modal',
  callback_id: callback,
  title: plain(form.title, limits.viewTitle),
  submit: plain(form.send, limits.viewButton),
  close: plain(form.cancel, limits.viewButton),
  private_metadata: JSON.stringify(about),
  blocks: [
    ...above,
    ...shownParts(form).map(partBlock),
    ...(shownParts(form).length < form.parts.length ? [advancedButton] : []),
  ],
});

const Chosen = z.object({ value: z.string() });

/** The state of one input; only the fields in use. */
const InputState = z.object({
  value: z.string().nullish(),
  selected_date: z.string().nullish(),
  selected_time: z.string().nullish(),
  selected_option: Chosen.nullish(),
  selected_options: z.array(Chosen).nullish(),
  selected_users: z.array(z.string()).nullish(),
});
type InputState = z.infer<typeof InputState>;

/** `view.state`: values by block id and action id. */
const FormState = z.object({ values: z.record(z.string(), z.record(z.string(), InputState)) });

function filledIn({
  selected_options,
  selected_users,
  selected_option,
  value,
  selected_date,
  selected_time,
}: InputState) {
  if (selected_users) return selected_users;
  if (selected_options) return selected_options.map((option) => option.value);
  if (selected_option) return selected_option.value === NOTHING ? null : selected_option.value;
  return value ?? selected_date ?? selected_time ?? null;
}

/**
 * The values entered in a form, by field id. Each input block holds one input, so the block id is the field id.
 *
 * @param state `view.state`
 * @throws z.ZodError if it is not a form's state
 */
export const readFormState = (state: unknown): FilledIn =>
  Object.fromEntries(
    Object.entries(FormState.parse(state).values).flatMap(([id, inputs]) =>
      Object.values(inputs)
        .slice(0, 1)
        .map((input) => [id, filledIn(input)]),
    ),
  );
