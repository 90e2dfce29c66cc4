import type { InputBlock, KnownBlock, ModalView, PlainTextOption, StaticSelect } from '@slack/types';
import * as z from 'zod';
import { grouped } from '../../../common/text.ts';
import {
  type Choice,
  type FilledIn,
  type Form,
  type FormField,
  type FormPart,
  type SelectField,
  shownParts,
  shownText,
} from '../../form.ts';
import { shortLine } from '../../safe-text.ts';
import { actions, callbacks } from '../ids.ts';
import { bold, button, buttonRow, context, limits, paragraph, plain, words } from './blocks.ts';

/** The value that stands for "nothing chosen"; no id of ours can be this. */
const NOTHING = '*';

const optionOf = ({ id, title }: Choice): PlainTextOption => ({
  text: plain(title, limits.optionText),
  value: id,
});

/** Choices that were looked up, as many as one answer may hold. */
export const optionsFor = (choices: readonly Choice[]): PlainTextOption[] =>
  offered(choices).slice(0, limits.options).map(optionOf);

/** An id that is too long to be a value cannot be offered. */
const offered = (choices: readonly Choice[]): Choice[] =>
  choices.filter(({ id }) => id.length <= limits.optionValue);

/** Groups where there are more than Slack takes in one list. */
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
    case 'multi-select': {
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
  }
}

const EXCERPT = 300;
const LONGEST_NAME = 100;

/** In place of an input that cannot hold what it would begin with: that is kept, as the field is not shown. */
const keptBlock = (label: string, text: string): KnownBlock =>
  paragraph(
    bold(shortLine(label, LONGEST_NAME)),
    words(
      `: kept as it was pasted, ${grouped(text.length)} characters, more than a form can hold.\n${shortLine(text, EXCERPT)}`,
    ),
  );

function partBlock(part: FormPart, reshape: string | undefined): KnownBlock {
  if (part.kind === 'note') return context(part.text);
  if (part.kind === 'paragraph') return paragraph(words(part.text));
  const { id, label, required } = part;
  if (part.kind === 'text' || part.kind === 'long-text') {
    const text = shownText(part.initial) ?? '';
    if (text.length > limits.inputText) return keptBlock(label, text);
  }
  const hint = [part.error ?? '', part.hint ?? ''].filter((text) => text !== '').join(' ');
  const reshapes = part.kind === 'select' && part.reshapes === true && reshape !== undefined;
  return {
    type: 'input',
    block_id: id,
    optional: required === undefined && part.kind !== 'select',
    label: plain(label, limits.inputLabel),
    ...(hint === '' ? {} : { hint: plain(hint, limits.inputLabel) }),
    ...(reshapes ? { dispatch_action: true } : {}),
    element: elementOf(part, reshapes ? reshape : id),
  };
}

interface ModalParts {
  callback: string;
  /** What the form is about; Slack gives it back with the answers. */
  metadata: object;
  /** The action that Slack calls back with at once when a choice reshapes the form. */
  reshape?: string;
  /** What stands above the fields. */
  above?: readonly KnownBlock[];
}

const advancedButton = buttonRow(button({ text: 'Advanced', action: actions.formAdvanced, value: 'open' }));

/** A form as a modal view. */
export const formView = (form: Form, { callback, metadata, reshape, above = [] }: ModalParts): ModalView => ({
  type: 'modal',
  callback_id: callback,
  title: plain(form.title, limits.viewTitle),
  submit: plain(form.send, limits.viewButton),
  close: plain(form.cancel, limits.viewButton),
  private_metadata: JSON.stringify(metadata),
  blocks: [
    ...above,
    ...shownParts(form).map((part) => partBlock(part, reshape)),
    ...(shownParts(form).length < form.parts.length ? [advancedButton] : []),
  ],
});

const Chosen = z.object({ value: z.string() });

/** What Slack says of one input: only what we use of it. */
const InputState = z.object({
  value: z.string().nullish(),
  selected_date: z.string().nullish(),
  selected_time: z.string().nullish(),
  selected_option: Chosen.nullish(),
  selected_options: z.array(Chosen).nullish(),
});
type InputState = z.infer<typeof InputState>;

/** `view.state`: values by block id and action id. */
const FormState = z.object({ values: z.record(z.string(), z.record(z.string(), InputState)) });

function filledIn({ selected_options, selected_option, value, selected_date, selected_time }: InputState) {
  if (selected_options) return selected_options.map((option) => option.value);
  if (selected_option) return selected_option.value === NOTHING ? null : selected_option.value;
  return value ?? selected_date ?? selected_time ?? null;
}

/**
 * What a form was filled in with. Each input block holds one input, so the block id names it.
 *
 * @param state `view.state`
 * @throws z.ZodError where it is no state of a form
 */
export const readFormState = (state: unknown): FilledIn =>
  Object.fromEntries(
    Object.entries(FormState.parse(state).values).flatMap(([id, inputs]) =>
      Object.values(inputs)
        .slice(0, 1)
        .map((input) => [id, filledIn(input)]),
    ),
  );

/** What the forms are about: Slack keeps it with the view and gives it back. */
export const AskMetadata = z.strictObject({ draft: z.string() });
/** Of every form about a verdict. */
export const VerdictMetadata = z.strictObject({ verdict: z.string() });
export const ScheduleMetadata = z.strictObject({
  channel: z.string(),
  channelName: z.string().nullable(),
  team: z.string(),
  timezone: z.string(),
});
export type DigestMetadata = z.infer<typeof ScheduleMetadata>;
export const SettingsMetadata = z.strictObject({ channel: z.string() });

/** @param draft id of the draft that the form was opened with, kept in the store */
export const askView = (draft: string, form: Form): ModalView =>
  formView(form, {
    callback: callbacks.judgeForm,
    metadata: { draft } satisfies z.infer<typeof AskMetadata>,
    reshape: actions.formRubric,
  });

export const correctionView = (verdict: string, form: Form): ModalView =>
  formView(form, {
    callback: callbacks.correctionForm,
    metadata: { verdict } satisfies z.infer<typeof VerdictMetadata>,
  });

export const setView = (verdict: string, form: Form): ModalView =>
  formView(form, {
    callback: callbacks.setForm,
    metadata: { verdict } satisfies z.infer<typeof VerdictMetadata>,
  });

export const settingsView = (channel: string, form: Form): ModalView =>
  formView(form, {
    callback: callbacks.settingsForm,
    metadata: { channel } satisfies z.infer<typeof SettingsMetadata>,
  });

export const digestView = (metadata: DigestMetadata, form: Form): ModalView =>
  formView(form, { callback: callbacks.scheduleForm, metadata });
