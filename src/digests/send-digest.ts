import type { BenchmarkOutcome } from '../benchmark/run-defined-benchmark.ts';
import { messageOf } from '../common/errors.ts';
import { composeDigest } from './content.ts';
import {
  type Delivery,
  type DeliveryLease,
  LeaseLostError,
  leaseDelivery,
  newDelivery,
  readProgress,
} from './delivery.ts';
import type { DigestData, Snapshot } from './digest.ts';
import type { DigestPoster, PostKey } from './digest-poster.ts';
import type { DigestSchedule, ScheduleStore } from './digest-schedule.ts';
import { type DueSlot, dueSlot, LATE_LIMIT_MS, type NextSlot, ON_TIME_MS } from './slots.ts';

/** Reads the data of a digest. */
export type GatherDigest = (
  schedule: DigestSchedule,
  due: DueSlot,
  last: Snapshot | null,
  outcomes: readonly BenchmarkOutcome[],
) => Promise<DigestData>;

/**
 * Runs a schedule's defined benchmarks for a slot. Calling it again for the same slot resumes the run, also from another process.
 * @throws the reason of `stop`
 */
export type RunBenchmarks = (
  schedule: DigestSchedule,
  slot: number,
  stop: AbortSignal,
) => Promise<BenchmarkOutcome[]>;

export interface DigestSender {
  store: ScheduleStore;
  poster: DigestPoster;
  gather: GatherDigest;
  runBenchmarks: RunBenchmarks;
  slotsOf: (schedule: DigestSchedule) => NextSlot;
  /** Unique id of this process. */
  holder: string;
  /** ms since the epoch. */
  now: () => number;
  /** ms from an arbitrary origin, never set back; measures how long another process has been silent. */
  monotonicNow: () => number;
  leaseMs: number;
  /** ms to wait after this many failures. */
  backoffMs: (failures: number) => number;
  warn: (message: string, fields: { schedule: string; slot: number; reason: string }) => void;
  /** The process is shutting down: long work is left to another process or the next start. */
  stop: AbortSignal;
}

/** Since when this process has seen each schedule unchanged, by its monotonic clock. */
export type Watched = Map<string, { version: number; since: number }>;

/** `held`: another process has the lease, or had it when it died. `waiting`: it is not yet time to retry. */
export type SendOutcome = 'nothing-due' | 'held' | 'waiting' | 'posted' | 'failed';

const NOTIFY_AFTER_FAILURES = 2;

/**
 * Whether this process may take over: it has seen no heartbeat for the length of a lease. This compares no clocks of different
 * machines, and setting a clock has no effect.
 */
function isSilent(sender: DigestSender, watched: Watched, schedule: string, version: number): boolean {
  const seen = watched.get(schedule);
  if (seen?.version !== version) {
    watched.set(schedule, { version, since: sender.monotonicNow() });
    return false;
  }
  return sender.monotonicNow() - seen.since > sender.leaseMs;
}

/** Limited to days: a clock that was set back must not delay a retry for years. */
const isBackingOff = (retryAt: number, now: number): boolean =>
  retryAt > now && retryAt - now <= LATE_LIMIT_MS;

const HELD = { outcome: 'held' } as const;

async function acquireLease(
  sender: DigestSender,
  schedule: DigestSchedule,
  watched: Watched,
): Promise<DeliveryLease | { outcome: SendOutcome }> {
  const { store, holder, leaseMs, now } = sender;
  const stored = await store.digestProgress(schedule.id);
  if (stored === null) return { outcome: 'nothing-due' };
  const { version } = stored;
  const progress = readProgress(stored.text);
  const { current } = progress;
  const take = async (delivery: Delivery) =>
    (await leaseDelivery(store, schedule.id, { progress, delivery, version }, leaseMs)) ?? HELD;
  if (current !== null) {
    if (current.holder !== null && !isSilent(sender, watched, schedule.id, version)) return HELD;
    if (current.holder === null && isBackingOff(current.retryAt, now())) return { outcome: 'waiting' };
    return take({ ...current, holder });
  }
  const floor = Math.max(schedule.since, progress.done ?? schedule.since);
  const due = schedule.paused ? null : dueSlot(sender.slotsOf(schedule), floor, now());
  return due === null ? { outcome: 'nothing-due' } : take(newDelivery(due.slot, due.late, holder));
}

/** Posts one part unless it was posted before. Resolves to the message's id. */
async function postOnce(
  sender: DigestSender,
  { id, target }: DigestSchedule,
  lease: DeliveryLease,
  part: PostKey['part'],
  thread: string | null,
): Promise<string> {
  const { poster } = sender;
  const { slot, content, [part]: step } = lease.delivery();
  if (step.state === 'posted') return step.message;
  if (content === null) throw new Error('a digest is posted before it is put together');
  const key: PostKey = { schedule: id, slot, part };
  const found = step.state === 'posting' ? await poster.find(target, key, thread) : null;
  // Written right before the post, so that only the lease holder posts; repeated if the write itself took long.
  let asked: number;
  do {
    asked = sender.monotonicNow();
    await lease.note({ [part]: { state: 'posting' } });
  } while (sender.monotonicNow() - asked > sender.leaseMs / 2);
  const { picture } = lease.delivery();
  const journal = { picture, keep: (uploaded: string | null) => lease.note({ picture: uploaded }) };
  const message = found ?? (await poster.post(target, content.digest, key, thread, journal));
  await lease.note({ [part]: { state: 'posted', message } });
  return message;
}

async function deliver(sender: DigestSender, schedule: DigestSchedule, lease: DeliveryLease): Promise<void> {
  const { slot } = lease.delivery();
  if (lease.delivery().content === null) {
    const late = lease.delivery().late || sender.now() - slot > ON_TIME_MS;
    const until = AbortSignal.any([lease.lost, sender.stop]);
    const outcomes =
      schedule.benchmarks.length === 0 ? [] : await sender.runBenchmarks(schedule, slot, until);
    const data = await sender.gather(schedule, { slot, late }, lease.last, outcomes);
    await lease.note({ content: composeDigest(data) });
  }
  const main = await postOnce(sender, schedule, lease, 'main', null);
  const content = lease.delivery().content;
  if (content !== null && content.digest.details.length > 0)
    await postOnce(sender, schedule, lease, 'details', main);
  await lease.finish(content?.snapshot ?? lease.last);
}

/** After a failure: tries again later, or gives up. The schedule's owner, or the channel's, is notified once. */
async function postpone(
  sender: DigestSender,
  schedule: DigestSchedule,
  lease: DeliveryLease,
  reason: string,
): Promise<void> {
  const { poster, now } = sender;
  const { slot, main, content, told } = lease.delivery();
  const failures = lease.delivery().failures + 1;
  sender.warn('digest: not posted, will retry', { schedule: schedule.id, slot, reason });
  const hasMain = main.state === 'posted';
  // A thread that cannot be posted must not block the next digest either.
  const givesUp = now() - slot > LATE_LIMIT_MS;
  const part = hasMain ? 'The thread under the digest' : 'The digest';
  const next = givesUp
    ? 'Jury has given up on it; the next digest will be posted on schedule.'
    : 'Jury will keep trying for up to three days; "jury digest list" shows the schedules.';
  const notify = () =>
    poster
      .notify(
        schedule.target,
        schedule.owner,
        `${part} of schedule ${schedule.id} could not be posted: ${reason}. ${next}`,
      )
      .then(() => true)
      .catch(() => false);
  const notified = told || ((givesUp || failures >= NOTIFY_AFTER_FAILURES) && (await notify()));
  if (givesUp) return lease.finish(hasMain && content !== null ? content.snapshot : lease.last);
  const retryAt = now() + sender.backoffMs(failures);
  await lease.note({ holder: null, failures, told: notified, retryAt });
}

/**
 * Sends the due digest of a schedule, at most one slot. Each slot is posted once, however many processes call this and wherever one
 * dies. Rejects if the store fails; calling it again resumes.
 */
export async function sendDigest(
  sender: DigestSender,
  schedule: DigestSchedule,
  watched: Watched,
): Promise<SendOutcome> {
  const lease = await acquireLease(sender, schedule, watched);
  if ('outcome' in lease) return lease.outcome;
  const failed = async (thrown: unknown): Promise<SendOutcome> => {
    if (lease.lost.aborted) throw thrown;
    if (sender.stop.aborted && lease.delivery().content === null) {
      await lease.note({ holder: null, retryAt: 0 });
      return 'waiting';
    }
    await postpone(sender, schedule, lease, messageOf(thrown));
    return 'failed';
  };
  try {
    return await deliver(sender, schedule, lease).then((): SendOutcome => 'posted', failed);
  } catch (thrown) {
    if (thrown instanceof LeaseLostError) return 'held';
    throw thrown;
  } finally {
    lease.release();
  }
}
