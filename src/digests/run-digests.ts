import type { BenchmarkOutcome } from '../benchmark/run-defined-benchmark.ts';
import { sleep } from '../common/async.ts';
import { messageOf } from '../common/errors.ts';
import { composeDigest } from './content.ts';
import { readProgress } from './delivery.ts';
import type { Digest } from './digest.ts';
import type { DigestSchedule, ScheduleStore } from './digest-schedule.ts';
import { type DigestSender, type GatherDigest, sendDigest, type Watched } from './send-digest.ts';

export interface DigestRunner extends Omit<DigestSender, 'stop'> {
  store: DigestSender['store'] & ScheduleStore;
  /** How often to look for due digests, ms. */
  everyMs: number;
  /** Called once when the store becomes unavailable; digests keep being retried. */
  storeFailed: (reason: string) => void;
}

/**
 * Sends the due digests of the poster's surface until stopped; resolves when deliveries in progress have ended. Schedules do not
 * wait for each other.
 */
export async function runDigests(runner: DigestRunner, stop: AbortSignal): Promise<void> {
  const watched: Watched = new Map();
  const underWay = new Map<string, Promise<void>>();
  let failing = false;

  async function look(): Promise<void> {
    for (const schedule of await runner.store.schedules()) {
      if (schedule.target.surface !== runner.poster.surface || underWay.has(schedule.id)) continue;
      const sending = sendAllDue(schedule).finally(() => underWay.delete(schedule.id));
      underWay.set(schedule.id, sending);
    }
    failing = false;
  }
  async function sendAllDue(schedule: Parameters<typeof sendDigest>[1]): Promise<void> {
    try {
      while (!stop.aborted && (await sendDigest({ ...runner, stop }, schedule, watched)) === 'posted');
    } catch (thrown) {
      failed(thrown);
    }
  }
  function failed(thrown: unknown): void {
    if (!failing) runner.storeFailed(messageOf(thrown));
    failing = true;
  }

  while (!stop.aborted) {
    await look().catch(failed);
    await sleep(runner.everyMs, stop);
  }
  await Promise.all(underWay.values());
}

/**
 * The digest as it would be posted now. Neither posts nor saves anything.
 *
 * @param outcomes of the benchmarks that were run for it
 */
export async function previewDigest(
  store: ScheduleStore,
  gather: GatherDigest,
  schedule: DigestSchedule,
  now: number,
  outcomes: readonly BenchmarkOutcome[] = [],
): Promise<Digest> {
  const { last } = readProgress((await store.digestProgress(schedule.id))?.text ?? '');
  return composeDigest(await gather(schedule, { slot: now, late: false }, last, outcomes)).digest;
}

/** For a preview without a schedule. */
export const unscheduled = (channel: string, now: number): DigestSchedule => ({
  id: '',
  cron: '0 9 * * 1',
  timezone: 'UTC',
  target: { surface: 'terminal', team: '', channel },
  owner: null,
  benchmarks: [],
  since: now,
  paused: false,
});
