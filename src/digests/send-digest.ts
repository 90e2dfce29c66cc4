import type { BenchmarkOutcome } from '../benchmark/run-defined-benchmark.ts';
import { messageOf } from '../common/errors.ts';
import { composeDigest } from './content.ts';
import { type Hold, holdDelivery, LostHold, newDelivery, readProgress } from './delivery.ts';
import type { DigestData, Snapshot } from './digest.ts';
import type { DigestPoster, PostKey } from './digest-poster.ts';
import type { DigestSchedule, ScheduleStore } from './digest-schedule.ts';
import { type DueSlot, dueSlot, LATE_LIMIT_MS, type NextSlot, ON_TIME_MS } from './slots.ts';

/** What is known when a slot is due. */
export type GatherDigest = (
  schedule: DigestSchedule,
  due: DueSlot,
  last: Snapshot | null,
  outcomes: readonly BenchmarkOutcome[],
) => Promise<DigestData>;

/**
 * Runs the benchmarks of a schedule that are defined, for a slot. The same slot again goes on where it was left, whoever asks.
 * @throws the reason of `stop`
 */
export type RunBenchmarks = (
  schedule: DigestSchedule,
  slot: number,
  stop: AbortSignal,
) => Promise<BenchmarkOutcome[]>;

/** What a process sends digests with. */
export interface DigestSender {
  store: ScheduleStore;
  poster: DigestPoster;
  gather: GatherDigest;
  runBenchmarks: RunBenchmarks;
  slotsOf: (schedule: DigestSchedule) => NextSlot;
  /** Names this process, unlike any other and any before. */
  holder: string;
  /** ms since the epoch, for what is due. */
  now: () => number;
  /** ms from anywhere, never set back: for how long somebody else has been silent. */
  steady: () => number;
  leaseMs: number;
  /** ms to wait after so many failures. */
  backoffMs: (failures: number) => number;
  warn: (message: string, fields: { schedule: string; slot: number; reason: string }) => void;
  /** The process is about to end: what takes long is left to another one, or to the next start. */
  stop: AbortSignal;
}

/** Since when a process sees a schedule stand at a version, by its own steady clock. */
export type Watched = Map<string, { version: number; since: number }>;

/** `held`: somebody else is at it, or was when it died. `waiting`: it is not yet time to try again. */
export type SendOutcome = 'nothing-due' | 'held' | 'waiting' | 'posted' | 'failed';

const TELL_AFTER_FAILURES = 2;

/**
 * Whether this process may go on with what somebody else began: when it has itself seen no sign of life for the length of a
 * lease. No two machines' clocks are compared, and setting a clock changes nothing.
 */
function isSilent(sender: DigestSender, watched: Watched, schedule: string, version: number): boolean {
  const seen = watched.get(schedule);
  if (seen?.version !== version) {
    watched.set(schedule, { version, since: sender.steady() });
    return false;
  }
  return sender.steady() - seen.since > sender.leaseMs;
}

/** Seconds to days: a clock that was set back must not put off a retry for years. */
const mustWait = (retryAt: number, now: number): boolean => retryAt > now && retryAt - now <= LATE_LIMIT_MS;

async function takeUp(
  sender: DigestSender,
  schedule: DigestSchedule,
  watched: Watched,
): Promise<Hold | { outcome: SendOutcome }> {
  const { store, holder, leaseMs, now } = sender;
  const stored = await store.digestProgress(schedule.id);
  if (stored === null) return { outcome: 'nothing-due' };
  const { version } = stored;
  const progress = readProgress(stored.text);
  const { current } = progress;
  if (current !== null) {
    if (current.holder !== null && !isSilent(sender, watched, schedule.id, version))
      return { outcome: 'held' };
    if (current.holder === null && mustWait(current.retryAt, now())) return { outcome: 'waiting' };
    const taken = { progress, delivery: { ...current, holder }, version };
    return (await holdDelivery(store, schedule.id, taken, leaseMs)) ?? { outcome: 'held' };
  }
  if (schedule.paused) return { outcome: 'nothing-due' };
  const floor = Math.max(schedule.since, progress.done ?? schedule.since);
  const due = dueSlot(sender.slotsOf(schedule), floor, now());
  if (due === null) return { outcome: 'nothing-due' };
  const begun = { progress, delivery: newDelivery(due.slot, due.late, holder), version };
  return (await holdDelivery(store, schedule.id, begun, leaseMs)) ?? { outcome: 'held' };
}

/** Posts one part unless it stands already. Resolves to the message's id. */
async function postOnce(
  sender: DigestSender,
  { id, target }: DigestSchedule,
  hold: Hold,
  part: PostKey['part'],
  thread: string | null,
): Promise<string> {
  const { poster } = sender;
  const { slot, content, [part]: step } = hold.delivery();
  if (step.state === 'posted') return step.message;
  if (content === null) throw new Error('a digest is posted before it is put together');
  const key: PostKey = { schedule: id, slot, part };
  const found = step.state === 'posting' ? await poster.find(target, key, thread) : null;
  // Written last before the post, so that only who holds it posts; once more where that took so long that it may have changed.
  let asked: number;
  do {
    asked = sender.steady();
    await hold.note({ [part]: { state: 'posting' } });
  } while (sender.steady() - asked > sender.leaseMs / 2);
  const { picture } = hold.delivery();
  const journal = { picture, keep: (uploaded: string | null) => hold.note({ picture: uploaded }) };
  const message = found ?? (await poster.post(target, content.digest, key, thread, journal));
  await hold.note({ [part]: { state: 'posted', message } });
  return message;
}

async function deliver(sender: DigestSender, schedule: DigestSchedule, hold: Hold): Promise<void> {
  const { slot } = hold.delivery();
  if (hold.delivery().content === null) {
    const late = hold.delivery().late || sender.now() - slot > ON_TIME_MS;
    const until = AbortSignal.any([hold.lost, sender.stop]);
    const outcomes =
      schedule.benchmarks.length === 0 ? [] : await sender.runBenchmarks(schedule, slot, until);
    const data = await sender.gather(schedule, { slot, late }, hold.last, outcomes);
    await hold.note({ content: composeDigest(data) });
  }
  const main = await postOnce(sender, schedule, hold, 'main', null);
  const content = hold.delivery().content;
  if (content !== null && content.digest.details.length > 0)
    await postOnce(sender, schedule, hold, 'details', main);
  await hold.finish(content?.snapshot ?? hold.last);
}

/** Tells the schedule's owner, else the channel's, once; it is no reason to fail further when that does not work. */
async function tellOwner(
  sender: DigestSender,
  schedule: DigestSchedule,
  hold: Hold,
  problem: string,
): Promise<boolean> {
  if (hold.delivery().told) return true;
  try {
    await sender.poster.tell(schedule.target, schedule.owner, problem);
    return true;
  } catch {
    return false;
  }
}

async function putOff(
  sender: DigestSender,
  schedule: DigestSchedule,
  hold: Hold,
  reason: string,
): Promise<void> {
  const { slot, main, content } = hold.delivery();
  const failures = hold.delivery().failures + 1;
  sender.warn('digest: not posted, it is tried again', { schedule: schedule.id, slot, reason });
  const hasMain = main.state === 'posted';
  const part = hasMain ? 'The thread under the digest' : 'The digest';
  const what = `${part} of schedule ${schedule.id} could not be posted: ${reason}.`;
  // A thread that never comes must not keep the next digest away either.
  if (sender.now() - slot > LATE_LIMIT_MS) {
    await tellOwner(sender, schedule, hold, `${what} It is given up; the next one comes at its time.`);
    await hold.finish(hasMain && content !== null ? content.snapshot : hold.last);
    return;
  }
  const told =
    failures >= TELL_AFTER_FAILURES
      ? await tellOwner(
          sender,
          schedule,
          hold,
          `${what} It is tried again for up to three days; "jury digest list" shows the schedules.`,
        )
      : hold.delivery().told;
  await hold.note({ holder: null, failures, told, retryAt: sender.now() + sender.backoffMs(failures) });
}

/**
 * Sends what is due of one schedule, at most one slot. However many processes do this at once, and wherever one of them dies: one
 * post a slot. Rejects where the store fails; asking again goes on from there.
 */
export async function sendDigest(
  sender: DigestSender,
  schedule: DigestSchedule,
  watched: Watched,
): Promise<SendOutcome> {
  const taken = await takeUp(sender, schedule, watched);
  if ('outcome' in taken) return taken.outcome;
  const hold = taken;
  try {
    try {
      await deliver(sender, schedule, hold);
      return 'posted';
    } catch (thrown) {
      if (hold.lost.aborted) throw thrown;
      if (sender.stop.aborted && hold.delivery().content === null) {
        await hold.note({ holder: null, retryAt: 0 });
        return 'waiting';
      }
      await putOff(sender, schedule, hold, messageOf(thrown));
      return 'failed';
    }
  } catch (thrown) {
    if (thrown instanceof LostHold) return 'held';
    throw thrown;
  } finally {
    hold.release();
  }
}
