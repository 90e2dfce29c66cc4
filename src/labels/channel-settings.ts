import * as z from 'zod';
import { JudgeRequest } from '../judging/ports.ts';

export const ChannelSettings = z.strictObject({
  wish: JudgeRequest.default({}),
  /** Whether people have to vote before they see the verdict and the votes. */
  blind: z.boolean().optional(),
  /** One in this many cases of the queue is a gold case, whose answer is known; absent: none. */
  goldEvery: z.int().min(2).max(100).optional(),
});
export type ChannelSettings = z.infer<typeof ChannelSettings>;

export const noSettings: ChannelSettings = { wish: {} };

export interface ChannelSettingsStore {
  /** `noSettings` if the channel has none. */

  channelSettings(channel: string): Promise<ChannelSettings>;
  saveChannelSettings(channel: string, settings: ChannelSettings): Promise<void>;
}
