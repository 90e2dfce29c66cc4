import type { ModalView } from '@slack/types';
import * as z from 'zod';
import type { ChannelSettings } from '../../../labels/channel-settings.ts';
import { callbacks } from '../ids.ts';
import { context, limits, plain } from './blocks.ts';
import { readState } from './form-state.ts';
import { named, selectInput } from './options.ts';
import { type Choices, readWish, rubricInput, wishInputs } from './wish-inputs.ts';

export const SettingsMetadata = z.strictObject({ channel: z.string() });

const blocks = { shown: 'settings_shown', gold: 'settings_gold' } as const;

const BLIND = 'blind';
/** Every how many-th case of the queue can be one with a known answer. */
const GOLD = [20, 10, 5];

/** What a channel takes where a request names nothing else. */
export const settingsForm = (channel: string, settings: ChannelSettings, choices: Choices): ModalView => ({
  type: 'modal',
  callback_id: callbacks.settingsForm,
  title: plain('Settings', limits.viewTitle),
  submit: plain('Save', limits.viewButton),
  close: plain('Cancel', limits.viewButton),
  private_metadata: JSON.stringify({ channel } satisfies z.infer<typeof SettingsMetadata>),
  blocks: [
    context('How cases of this conversation are judged where nobody says otherwise.'),
    rubricInput(choices, settings.wish.rubric),
    ...wishInputs(choices, settings.wish),
    selectInput({
      id: blocks.shown,
      label: 'Verdicts and votes are shown',
      hint: 'For verdicts that are asked for from now on. Those that are there stay as they are.',
      none: 'To everybody, at once',
      choices: [{ id: BLIND, title: 'To each person, after their own vote' }],
      chosen: settings.blind === true ? BLIND : undefined,
    }),
    selectInput({
      id: blocks.gold,
      label: 'Cases with a known answer, in the queue',
      hint: 'They look like all others and tell how reliable votes are.',
      none: 'None',
      choices: [...new Set([...GOLD, ...(settings.goldEvery === undefined ? [] : [settings.goldEvery])])]
        .sort((a, b) => b - a)
        .map((every) => ({ id: String(every), title: `About 1 in ${every}` })),
      chosen: settings.goldEvery === undefined ? undefined : String(settings.goldEvery),
    }),
  ],
});

/** @param state `view.state` of the submitted form */
export function readSettings(state: unknown): ChannelSettings {
  const filled = readState(state);
  const every = named(filled.one(blocks.gold));
  return {
    wish: readWish(filled),
    ...(named(filled.one(blocks.shown)) === BLIND ? { blind: true } : {}),
    ...(every === undefined ? {} : { goldEvery: Number(every) }),
  };
}
