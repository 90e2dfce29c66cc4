import * as z from 'zod';
import { JudgeWish } from './spot-check.ts';

/** What a channel has set for itself. */
export const ChannelSettings = z.strictObject({
  wish: JudgeWish.default({}),
});
export type ChannelSettings = z.infer<typeof ChannelSettings>;

export const noSettings: ChannelSettings = { wish: {} };
