import * as z from 'zod';
import { JudgeRequest } from '../judging/ports.ts';

/** What a channel has set for itself. */
export const ChannelSettings = z.strictObject({
  wish: JudgeRequest.default({}),
  /** Whether people vote first and see the verdict and the votes after. */
  blind: z.boolean().optional(),
  /** One in so many cases of the queue is one whose answer is known; absent: none. */
  goldEvery: z.int().min(2).max(100).optional(),
});
export type ChannelSettings = z.infer<typeof ChannelSettings>;

export const noSettings: ChannelSettings = { wish: {} };

export interface ChannelSettingsStore {
  /** `noSettings` where a channel has none. */
  channelSettings(channel: string): Promise<ChannelSettings>;
  saveChannelSettings(channel: string, settings: ChannelSettings): Promise<void>;
}
