import * as z from 'zod';
import { JuryError } from '../common/index.ts';
import type { Language } from '../words/index.ts';
import { AlertWatch } from './alert-watch.ts';
import { Digest, Snapshot } from './digest.ts';
import { DigestPage } from './digest-page.ts';
import type { DigestSchedule, ScheduleStore } from './digest-schedule.ts';

/** Another process took over the delivery, or the schedule was deleted. Further writes are refused. */
export class LeaseLostError extends Error {
  constructor() {
    super('another process has taken over this digest');
    this.name = 'LeaseLostError';
  }
}

/**
 * Takes over a delivery and keeps the lease alive with heartbeats. Each change is stored before it takes effect; once a write is refused, all
 * later ones are too.
 * @returns null if another process has written since `version` was read
 * @param leaseMs how long without a heartbeat until other processes may take over
 */
export async function leaseDelivery(
  store: ScheduleStore,
  schedule: string,
  leased: { progress: DigestProgress; delivery: Delivery; version: number },
  leaseMs: number,
) {
  let { progress, delivery, version } = leased;
  const lost = new AbortController();
  // Writes are sequential: each needs the version produced by the one before.
  let writing: Promise<unknown> = Promise.resolve();

  async function write(next: DigestProgress): Promise<void> {
    if (lost.signal.aborted) throw new LeaseLostError();
    let wrote = false;
    try {
      wrote = await store.replaceDigestProgress(schedule, version, JSON.stringify(next));
    } catch (thrown) {
      // The write may have succeeded anyway, so the current version is unknown.
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
    /** Snapshot from the previous digest. */
    last: progress.last,
    /** @throws LeaseLostError */
    note,
    /** Marks the slot as done. @throws LeaseLostError */
    finish: (last: DigestProgress['last']) =>
      inTurn(() => write({ ...progress, done: delivery.slot, last, current: null })),
    /** Aborts when the lease is lost. */
    lost: lost.signal,
    /** Stops the heartbeat. */
    release: () => clearInterval(timer),
  };
}

/** This process's lease on a delivery. */
export type DeliveryLease = NonNullable<Awaited<ReturnType<typeof leaseDelivery>>>;

/** State of one post. `posting`: it may or may not exist, so a process that resumes looks for it before posting. */
const Step = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('todo') }),
  z.strictObject({ state: z.literal('posting') }),
  z.strictObject({ state: z.literal('posted'), message: z.string() }),
]);

/** The digest of one slot while it is being delivered. */
export const Delivery = z.strictObject({
  slot: z.number(),
  late: z.boolean(),
  /** The process that holds the lease; null while waiting for the next attempt. */
  holder: z.string().nullable(),
  /** Heartbeat counter. */
  beat: z.int().default(0),
  /** Failed attempts. */
  failures: z.int().default(0),
  /** Time of the next attempt, ms since the epoch. */
  retryAt: z.number().default(0),
  /** Whether the owner was notified of the failure. */
  told: z.boolean().default(false),
  /** Composed once, so that message and thread agree no matter which process posts them. */
  content: z
    .strictObject({ digest: Digest, snapshot: Snapshot, page: DigestPage.nullable().default(null) })
    .nullable()
    .default(null),
  /** The chart image, once uploaded. */
  picture: z.string().nullable().default(null),
  main: Step.default({ state: 'todo' }),
  details: Step.default({ state: 'todo' }),
  /** The call to an alert's webhook. */
  webhook: Step.default({ state: 'todo' }),
});
export type Delivery = z.infer<typeof Delivery>;

/** Slots are delivered one at a time, so that "since the last digest" is exact. */
export const DigestProgress = z.strictObject({
  /** The last finished slot, ms since the epoch; it and earlier ones are never posted again. */
  done: z.number().nullable(),
  /** The snapshot of the last digest. */
  last: Snapshot.nullable(),
  current: Delivery.nullable(),
  /** For alerts: what was counted. Null: nothing yet. */
  watch: AlertWatch.nullable().default(null),
});
export type DigestProgress = z.infer<typeof DigestProgress>;

const nothingYet: DigestProgress = { done: null, last: null, current: null, watch: null };

/** @throws JuryError `internal` if another version of the app wrote it */
export function readProgress(text: string): DigestProgress {
  if (text === '') return nothingYet;
  try {
    return DigestProgress.parse(JSON.parse(text));
  } catch (cause) {
    throw new JuryError(
      'internal',
      'The progress of a digest schedule cannot be read: was it written by another version? Remove the schedule and add it again.',
      { cause },
    );
  }
}

/** @param holder null: the first process to look takes it */
export const newDelivery = (slot: number, late: boolean, holder: string | null): Delivery =>
  Delivery.parse({ slot, late, holder });

/** Identifies a post. It is stored with the message so that the message can be found again. */
export interface PostKey {
  schedule: string;
  /** ms since the epoch. */
  slot: number;
  part: 'main' | 'details';
}

export type DigestTarget = DigestSchedule['target'];

/** State kept across the several calls that one post takes. */
export interface PostJournal {
  /** Image uploaded for this digest by an earlier attempt, if any. */
  picture: string | null;
  /**
   * Saves the image and renews the lease. Call it right before each further attempt.
   * @throws if another process has taken over
   */
  keep(picture: string | null): Promise<void>;
}

/** Posts to one chat platform. Calls reject if the platform refuses or does not answer; a post may exist even though its call rejected. */
export interface DigestPoster {
  /** The surface it posts to. */
  surface: string;
  /** The prefix for commands there, such as `/jury`. */
  command: string;
  /**
   * Resolves to the message's ID.
   * @param thread ID of the message to reply to; null: post to the channel
   */
  post(
    target: DigestTarget,
    digest: Digest,
    key: PostKey,
    thread: string | null,
    journal: PostJournal,
  ): Promise<string>;
  /** ID of the message posted with this key; null if there is none. */
  find(target: DigestTarget, key: PostKey, thread: string | null): Promise<string | null>;
  /** Sends a problem report to a person; null: to the channel's creator. */
  notify(target: DigestTarget, person: string | null, problem: (language: Language) => string): Promise<void>;
  /** The language of what everyone there sees. Never rejects. */
  languageOf(target: DigestTarget): Promise<Language>;
}
