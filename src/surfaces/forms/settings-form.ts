import type { ChannelSettings } from '../../labels/channel-settings.ts';
import { type FilledIn, type Form, type FormErrors, readForm } from '../form.ts';
import { type JudgingChoices, judgingFields, readJudging, rubricField } from './judging-fields.ts';

const ids = { shown: 'settings_shown', gold: 'settings_gold' } as const;

const BLIND = 'blind';
/** Every how many-th case of the queue can be one with a known answer. */
const GOLD = [20, 10, 5];

/** How cases of a conversation are judged and shown where a request says nothing else. */
export function settingsForm(settings: ChannelSettings, choices: JudgingChoices): Form {
  const { wish, blind, goldEvery } = settings;
  const every = [...new Set([...GOLD, ...(goldEvery === undefined ? [] : [goldEvery])])];
  return {
    title: 'Settings',
    send: 'Save',
    cancel: 'Cancel',
    parts: [
      { kind: 'note', text: 'How cases of this conversation are judged unless a request says otherwise.' },
      rubricField(choices, wish.rubric),
      ...judgingFields(choices, wish),
      {
        kind: 'select',
        id: ids.shown,
        label: 'Verdicts and votes are shown',
        hint: 'Applies to verdicts asked for from now on. Earlier ones stay as they are.',
        none: 'To everyone, at once',
        choices: [{ id: BLIND, title: 'To each person, after their own vote' }],
        initial: blind === true ? BLIND : undefined,
      },
      {
        kind: 'select',
        id: ids.gold,
        label: 'Cases with a known answer, in the queue',
        hint: 'They look like all the others and show how reliable votes are.',
        none: 'None',
        choices: every
          .sort((a, b) => b - a)
          .map((count) => ({ id: String(count), title: `About 1 in ${count}` })),
        initial: goldEvery === undefined ? undefined : String(goldEvery),
      },
    ],
  };
}

/** @param form the form that was shown */
export function readSettingsForm(
  form: Form,
  filledIn: FilledIn,
): { settings: ChannelSettings } | { errors: FormErrors } {
  const read = readForm(form, filledIn);
  if ('errors' in read) return read;
  const goldEvery = read.values.number(ids.gold);
  return {
    settings: {
      wish: readJudging(filledIn),
      ...(read.values.text(ids.shown) === BLIND ? { blind: true } : {}),
      ...(goldEvery === undefined ? {} : { goldEvery }),
    },
  };
}
