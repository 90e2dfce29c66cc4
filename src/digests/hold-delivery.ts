import type { ScheduleStore } from './digest-schedule.ts';
import type { Delivery, DigestProgress } from './progress.ts';

/** Somebody else went on with it, or the schedule is gone: whatever one would write now is refused. */
export class LostHold extends Error {
  constructor() {
    super('somebody else has gone on with this digest');
    this.name = 'LostHold';
  }
}

/** A delivery that this process holds. Every change is written before it counts; once one is refused all are. */
export interface Hold {
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

interface HeldProgress {
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
export async function holdDelivery(
  store: ScheduleStore,
  schedule: string,
  held: HeldProgress,
  leaseMs: number,
): Promise<Hold | null> {
  let { progress, delivery, version } = held;
  const lost = new AbortController();
  // One write after the other: each needs the version that the one before made.
  let writing: Promise<unknown> = Promise.resolve();

  async function write(next: DigestProgress): Promise<void> {
    if (lost.signal.aborted) throw new LostHold();
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
      throw new LostHold();
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
    if (thrown instanceof LostHold) return null;
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
