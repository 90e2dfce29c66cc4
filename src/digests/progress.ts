import * as z from 'zod';
import { JuryError } from '../common/errors.ts';
import { Digest } from './digest.ts';
import { Snapshot } from './digest-data.ts';

/**
 * One post. `posting`: somebody set out to post it, and it may be there: whoever goes on looks before posting. `posted`:
 * it is there.
 */
const Step = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('todo') }),
  z.strictObject({ state: z.literal('posting') }),
  z.strictObject({ state: z.literal('posted'), message: z.string() }),
]);

/** The digest of one slot while it is under way. */
export const Delivery = z.strictObject({
  slot: z.number(),
  late: z.boolean(),
  /** Who is at it; null while it waits for its next try. */
  holder: z.string().nullable(),
  /** Goes up while the holder lives. */
  beat: z.int(),
  /** Tries that failed. */
  failures: z.int(),
  /** No further try before, ms since the epoch. */
  retryAt: z.number(),
  /** Whether the owner knows that it fails. */
  told: z.boolean(),
  /** What is posted, made once, so that message and thread agree whoever finishes them. */
  content: z.strictObject({ digest: Digest, snapshot: Snapshot }).nullable(),
  /** The picture of its chart, where one had to be uploaded. */
  picture: z.string().nullable(),
  main: Step,
  details: Step,
});
export type Delivery = z.infer<typeof Delivery>;

/** How far the digests of a schedule are. One slot after the other: what came "since the last digest" is exact. */
export const DigestProgress = z.strictObject({
  /** The last slot that was seen to, ms since the epoch; it and all before are never posted again. */
  done: z.number().nullable(),
  /** As things stood when the last digest was put together. */
  last: Snapshot.nullable(),
  current: Delivery.nullable(),
});
export type DigestProgress = z.infer<typeof DigestProgress>;

const nothingYet: DigestProgress = { done: null, last: null, current: null };

/** @throws JuryError `internal` for what this version did not write */
export function readProgress(text: string): DigestProgress {
  if (text === '') return nothingYet;
  try {
    return DigestProgress.parse(JSON.parse(text));
  } catch (cause) {
    throw new JuryError(
      'internal',
      'The progress of a schedule of digests cannot be read: was it written by another version? Remove the schedule and make it anew.',
      { cause },
    );
  }
}

export const newDelivery = (slot: number, late: boolean, holder: string): Delivery => ({
  slot,
  late,
  holder,
  beat: 0,
  failures: 0,
  retryAt: 0,
  told: false,
  content: null,
  picture: null,
  main: { state: 'todo' },
  details: { state: 'todo' },
});
