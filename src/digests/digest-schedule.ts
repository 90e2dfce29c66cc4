import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { ReviewSettings } from '../benchmark/index.ts';
import { meantBy } from '../common/text/index.ts';
import type { Person } from '../labels/access/index.ts';
import { WordedError } from '../words/index.ts';
import { Alert, Posting } from './alert.ts';
import { VoteScope } from './digest.ts';

export const scopeOf = ({ votes }: Pick<DigestSchedule, 'votes'>): VoteScope => votes ?? 'here';

/** How many answers are drawn from a run, and the ids of the people who may be asked, as commands take them. */
export const ScheduledReview = ReviewSettings.pick({ size: true, people: true });
export type ScheduledReview = z.infer<typeof ScheduledReview>;

/** @param people ids; without any, no one is asked @param size answers; undefined: as many as for a benchmark */
export const scheduledReview = (people: readonly string[], size?: number): ScheduledReview | undefined =>
  people.length === 0 ? undefined : ScheduledReview.parse({ people, size });

export const DigestSchedule = Posting.extend({
  /** Five cron fields, or six with seconds first. */
  cron: z.string(),
  /** IANA name of the time zone of the cron fields. */
  timezone: z.string(),
  /** Names of the benchmarks to report. Those with a definition are run for each digest. */
  benchmarks: z.array(z.string()),
  /** Whose votes and spot checks it counts: those of its conversation (default), or of all conversations. Benchmarks are always told. */
  votes: VoteScope.optional(),
  /** Whether people check answers of each run that it starts, where the benchmark itself doesn't say. Absent: no one is asked. */
  review: ScheduledReview.optional(),
  /** The tag whose values are looked at one by one, such as `language`; null: none. */
  by: z.string().min(1).nullable().default(null),
});
export type DigestSchedule = z.infer<typeof DigestSchedule>;

/** Anything that posts automatically: at set times, or when a benchmark run crosses a limit. */
export const Schedule = z.union([DigestSchedule, Alert]);
export type Schedule = z.infer<typeof Schedule>;

export const isAlert = (schedule: Schedule): schedule is Alert => 'rule' in schedule;

export interface ScheduleStore {
  /** Resolves to `false` if the ID is taken. */
  addSchedule(schedule: Schedule): Promise<boolean>;
  /** Adds or replaces a schedule, keeping its progress. */
  saveSchedule(schedule: Schedule): Promise<void>;
  /** All schedules, sorted by ID. */
  schedules(): Promise<Schedule[]>;
  /** Deletes a schedule and its progress. Resolves to `false` if there is none with that ID. */
  removeSchedule(id: string): Promise<boolean>;
  /** The progress last saved by `replaceDigestProgress`, empty at first; null if there is no such schedule. */
  digestProgress(id: string): Promise<{ version: number; text: string } | null>;
  /**
   * Saves the progress if `version` is still current; resolves to `false` if it is not, or if the schedule was deleted. This is the lock
   * between processes: a process can only overwrite the version it has read.
   */
  replaceDigestProgress(id: string, version: number, text: string): Promise<boolean>;
}

/** Benchmarks that digests and alerts may name: those with a definition, and other series that have runs. */
export interface KnownBenchmarks {
  defined: readonly string[];
  series: readonly string[];
}

export const isBenchmark = (name: string, { defined, series }: KnownBenchmarks): boolean =>
  defined.includes(name) || series.includes(name);

/** @throws JuryError `usage` if a name is unknown */
export function requireBenchmarks(names: readonly string[], benchmarks: KnownBenchmarks): void {
  const unknown = names.find((name) => !isBenchmark(name, benchmarks));
  if (unknown === undefined) return;
  const { defined, series } = benchmarks;
  const near = meantBy(unknown, [...defined, ...series]);
  throw new WordedError('usage', ({ schedules }) =>
    schedules.wrong.noBenchmark({ name: unknown.slice(0, 60), near, all: defined }),
  );
}

/** Users type these IDs, so they are short: `d1`, `a2`. */
const freeId = (letter: 'a' | 'd', taken: readonly Schedule[]): string => {
  for (let n = 1; ; n += 1) if (taken.every(({ id }) => id !== `${letter}${n}`)) return `${letter}${n}`;
};

/** Records a change of a schedule in the audit log. Null: there is none. */
export type NoteSchedule = (before: Schedule | null, after: Schedule | null) => Promise<void>;

/**
 * Records a change of a schedule and makes it. The entry is reversed if the change was not made.
 * @param make resolves to false if it did not make the change
 * @param isMade whether a schedule with that id shows that the change was made, although `make` failed
 */
export async function noted(
  store: ScheduleStore,
  note: NoteSchedule,
  { before, after }: { before: Schedule; after: Schedule | null } | { before: null; after: Schedule },
  make: () => Promise<boolean>,
  isMade: (stored: Schedule | undefined) => boolean,
): Promise<boolean> {
  const { id } = before ?? after;
  await note(before, after);
  try {
    if (await make()) return true;
  } catch (thrown) {
    const stands = async () => isMade((await store.schedules()).find((one) => one.id === id));
    if (!(await stands().catch(() => true))) await note(after, before).catch(() => {});
    throw thrown;
  }
  await note(after, before);
  return false;
}

/**
 * Adds a schedule under the next free ID, even if other processes are adding theirs at the same time.
 * @param make builds the schedule; may throw after looking at the existing ones
 */
export async function addUnderFreeId<T extends Schedule>(
  store: ScheduleStore,
  letter: 'a' | 'd',
  note: NoteSchedule,
  make: (id: string, all: readonly Schedule[]) => T,
): Promise<T> {
  for (;;) {
    const all = await store.schedules();
    const schedule = make(freeId(letter, all), all);
    const isOwn = (stored: Schedule | undefined) => isDeepStrictEqual(stored, schedule);
    const change = { before: null, after: schedule };
    if (await noted(store, note, change, () => store.addSchedule(schedule), isOwn)) return schedule;
  }
}

/** The error that there is no alert, digest or webhook of a name. */
export const noSuchSchedule = (
  what: 'alert' | 'schedule' | 'webhook',
  id: string,
  all: readonly string[],
): WordedError =>
  new WordedError('usage', ({ schedules: { wrong } }) =>
    wrong.noSuch({ what, id: id.slice(0, 60), near: meantBy(id, all), all, none: wrong.none[what] }).trim(),
  );

/** @throws JuryError `usage` if there is none with that ID */
export function withId<T extends Schedule>(all: readonly T[], id: string, kind: 'alert' | 'schedule'): T {
  const schedule = all.find((one) => one.id === id);
  if (schedule !== undefined) return schedule;
  const ids = all.map((one) => one.id);
  throw noSuchSchedule(kind, id, ids);
}

export const alertsOf = async (store: ScheduleStore): Promise<Alert[]> =>
  (await store.schedules()).filter(isAlert);

export const isDigest = (schedule: Schedule): schedule is DigestSchedule => !isAlert(schedule);

/**
 * Erases a person as the owner of digests and alerts, which go on. The audit log, which names people, gets no entry. Resolves to their number.
 *
 * @throws JuryError `store-unavailable`
 */
export async function forgetOwner(store: ScheduleStore, { surface, team, user }: Person): Promise<number> {
  const own = (await store.schedules()).filter(
    ({ owner, target }) =>
      owner === user && target.surface === surface && (team === '' || target.team === team),
  );
  for (const schedule of own) await store.saveSchedule({ ...schedule, owner: null });
  return own.length;
}
