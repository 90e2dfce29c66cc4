import type { BenchmarkOutcome } from '../benchmark/run-defined-benchmark.ts';
import { composeDigest } from './content.ts';
import type { Digest } from './digest.ts';
import type { DigestSchedule, ScheduleStore } from './digest-schedule.ts';
import { readProgress } from './progress.ts';
import type { GatherDigest } from './send-digest.ts';

/**
 * The digest as it would be posted now. Posts and keeps nothing.
 *
 * @param outcomes of benchmarks that were run for it
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

/** For a preview where nothing is scheduled. */
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
