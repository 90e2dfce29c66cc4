import * as z from 'zod';
import { JuryError } from '../common/errors.ts';
import { didYouMean, noSuch } from '../common/text.ts';
import { Alert, Posting } from './alert.ts';

export const DigestSchedule = Posting.extend({
  /** Five cron fields, or six with seconds first. */
  cron: z.string(),
  /** IANA name of the time zone of the cron fields. */
  timezone: z.string(),
  /** Benchmarks to report, by name; defined ones are run for each digest. */
  benchmarks: z.array(z.string()),
});
export type DigestSchedule = z.infer<typeof DigestSchedule>;

/** What posts to a channel by itself: at set times, or when a benchmark's run crosses a limit. */
export const Schedule = z.union([DigestSchedule, Alert]);
export type Schedule = z.infer<typeof Schedule>;

export const isAlert = (schedule: Schedule): schedule is Alert => 'rule' in schedule;

export interface ScheduleStore {
  /** `false` if there is one with its id. */
  addSchedule(schedule: Schedule): Promise<boolean>;
  /** Adds or replaces a schedule; its progress stays. */
  saveSchedule(schedule: Schedule): Promise<void>;
  /** Sorted by id. */
  schedules(): Promise<Schedule[]>;
  /** Deletes a schedule with its progress. `false` if there is none with that id. */
  removeSchedule(id: string): Promise<boolean>;
  /** The progress that `replaceDigestProgress` saved; empty at first. Null: there is no such schedule. */
  digestProgress(id: string): Promise<{ version: number; text: string } | null>;
  /**
   * Saves the progress if `version` is still current; `false` if it is not, or the schedule was deleted. This is the lock between
   * processes: a process can only write over the version that it has read.
   */
  replaceDigestProgress(id: string, version: number, text: string): Promise<boolean>;
}

/** Benchmarks that digests and alerts may name: defined ones, and others with runs. */
export interface KnownBenchmarks {
  defined: readonly string[];
  /** Names of runs. */
  runs: readonly string[];
}

export const isBenchmark = (name: string, { defined, runs }: KnownBenchmarks): boolean =>
  defined.includes(name) || runs.some((run) => run === name || run.startsWith(`${name}-`));

/** @throws JuryError `usage` if a name is unknown */
export function requireBenchmarks(names: readonly string[], known: KnownBenchmarks): void {
  const unknown = names.find((name) => !isBenchmark(name, known));
  if (unknown === undefined) return;
  const { defined, runs } = known;
  const near = didYouMean(unknown, [...defined, ...runs, ...runs.map((run) => run.replace(/-[^-]*$/, ''))]);
  throw new JuryError(
    'usage',
    `There is no benchmark or run named "${unknown.slice(0, 60)}".${near} Benchmarks: ${defined.join(', ')}. To define another, add a file to benchmarks/ in JURY_PROMPTS_DIR.`,
  );
}

/** People type these ids, so they are short: `d1`, `a2`. */
const freeId = (letter: 'a' | 'd', taken: readonly Schedule[]): string => {
  for (let n = 1; ; n += 1) if (taken.every(({ id }) => id !== `${letter}${n}`)) return `${letter}${n}`;
};

/**
 * Adds a schedule under the next free id, even while other processes add theirs.
 *
 * @param make may refuse, by what there is
 */
export async function addUnderFreeId<T extends Schedule>(
  store: ScheduleStore,
  letter: 'a' | 'd',
  make: (id: string, all: readonly Schedule[]) => T,
): Promise<T> {
  for (;;) {
    const all = await store.schedules();
    const schedule = make(freeId(letter, all), all);
    if (await store.addSchedule(schedule)) return schedule;
  }
}

/** @throws JuryError `usage` if there is none with that id */
export function withId<T extends Schedule>(all: readonly T[], id: string, kind: 'alert' | 'schedule'): T {
  const found = all.find((one) => one.id === id);
  if (found !== undefined) return found;
  const known = all.map((one) => one.id);
  throw noSuch(kind, id, known, `There are no ${kind}s yet.`);
}

export const alertsOf = async (store: ScheduleStore): Promise<Alert[]> =>
  (await store.schedules()).filter(isAlert);

export const isDigest = (schedule: Schedule): schedule is DigestSchedule => !isAlert(schedule);
