import type { ModalView } from '@slack/types';
import * as z from 'zod';
import type { ChannelSettings } from '../../../core/channel-settings.ts';
import { callbacks } from '../ids.ts';
import { readState } from './form-state.ts';
import { limits } from './limits.ts';
import { context, plain } from './rich.ts';
import { type Choices, readWish, rubricInput, wishInputs } from './wish-inputs.ts';

export const SettingsMetadata = z.strictObject({ channel: z.string() });

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
  ],
});

/** @param state `view.state` of the submitted form */
export const readSettings = (state: unknown): ChannelSettings => ({ wish: readWish(readState(state)) });
