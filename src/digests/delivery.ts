import * as z from 'zod';
import { JuryError } from '../common/errors.ts';
import { Digest, Snapshot } from './digest.ts';
import type { ScheduleStore } from './digest-schedule.ts';

/** Somebody else went on with it, or the schedule is gone: whatever one would write now is refused. */
export class LeaseLostError extends Error {
  constructor() {
    super('somebody else has gone on with this digest');
    this.name = 'LostHold';
  }
}

/** A delivery that this process holds. Every change is written before it counts; once one is refused all are. */
export interface DeliveryLease {
  delivery(): Delivery;
  /** As things stood when the digest before was put together. */
  last: DigestProgress['last'];
  /** @throws LostHold */
  note(change: Partial<Delivery>): Promise<void>;
  /** The slot is seen to. @throws LostHold */
  finish(last: DigestProgress['last']): Promise<void>;
  /** Aborts when the hold is lost. */
  lost: AbortSignal;
  /** No more heartbeats. */
  release(): void;
}

interface LeasedProgress {
  progress: DigestProgress;
  delivery: Delivery;
  version: number;
}

/**
 * Writes that this process goes on with a delivery, and keeps writing that it lives. Null where somebody else wrote since the
 * version was read.
 *
 * @param leaseMs after so long without a heartbeat others may take over
 */
export async function leaseDelivery(
  store: ScheduleStore,
  schedule: string,
  leased: LeasedProgress,
  leaseMs: number,
): Promise<DeliveryLease | null> {
  let { progress, delivery, version } = leased;
  const lost = new AbortController();
  // One write after the other: each needs the version that the one before made.
  let writing: Promise<unknown> = Promise.resolve();

  async function write(next: DigestProgress): Promise<void> {
    if (lost.signal.aborted) throw new LeaseLostError();
    let wrote = false;
    try {
      wrote = await store.replaceDigestProgress(schedule, version, JSON.stringify(next));
    } catch (thrown) {
      // It may have been written all the same, so this process no longer knows the version that it would replace.
      lost.abort();
      throw thrown;
    }
    if (!wrote) {
      lost.abort();
      throw new LeaseLostError();
    }
    version += 1;
    progress = next;
  }
  function inTurn(work: () => Promise<void>): Promise<void> {
    const turn = writing.then(work);
    writing = turn.catch(() => undefined);
    return turn;
  }
  const note = (change: Partial<Delivery>) =>
    inTurn(async () => {
      const next = { ...delivery, ...change, beat: delivery.beat + 1 };
      await write({ ...progress, current: next });
      delivery = next;
    });

  try {
    await note({});
  } catch (thrown) {
    if (thrown instanceof LeaseLostError) return null;
    throw thrown;
  }
  const timer = setInterval(() => note({}).catch(() => clearInterval(timer)), leaseMs / 3);
  timer.unref();
  return {
    delivery: () => delivery,
    last: progress.last,
    note,
    finish: (last) => inTurn(() => write({ done: delivery.slot, last, current: null })),
    lost: lost.signal,
    release: () => clearInterval(timer),
  };
}

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
