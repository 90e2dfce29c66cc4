import { benchmarkIds, loadBenchmarks, type ReviewSettings, type TrialStore } from '../benchmark/index.ts';
import { messageOf } from '../common/index.ts';
import { isDigest, type Schedule, type ScheduleStore } from '../digests/index.ts';
import type { Person } from '../labels/access/index.ts';
import { beginReview, otherRunText, type ReviewWish } from '../reviews/index.ts';
import { importedPerson, readPerson } from './person-and-channel-ids.ts';
import type { Parts } from './program-parts.ts';

/**
 * How a run is sampled by the settings of its benchmark. Where they name no people, anyone who may run commands checks answers there.
 *
 * @throws JuryError `usage` for an id that no surface knows
 */
export async function reviewWish(
  parts: Pick<Parts, 'env' | 'pseudonym' | 'surfaces'>,
  { people, ...settings }: ReviewSettings,
): Promise<ReviewWish> {
  const pseudonym = await parts.pseudonym();
  const asked = people.map((id) => pseudonym(readPerson(id, parts.surfaces)));
  const retentionDays = parts.env.settings.JURY_RETENTION_DAYS;
  return { ...settings, people: asked.length === 0 ? null : asked, retentionDays };
}

/** Draws a sample of a benchmark's finished run. A problem with it is a warning: the run counts without. */
export async function beginDefinedReview(
  parts: Parts,
  runs: Pick<TrialStore, 'readRun' | 'readTrials' | 'totals' | 'caseAt'>,
  run: string,
  settings: ReviewSettings,
  warn: (message: string) => void,
): Promise<void> {
  try {
    const wish = await reviewWish(parts, settings);
    const { kind } = await beginReview({ store: await parts.store(), runs, now: parts.now }, run, wish);
    if (kind === 'other-run') warn(otherRunText(run));
  } catch (thrown) {
    warn(`No answers of the run ${run} were drawn for people to check: ${messageOf(thrown)}`);
  }
}

/** A person who may be asked to check answers, and their pseudonym. */
export interface NamedReviewer {
  person: Person;
  voter: string;
}

/** Ids of the people whom benchmarks name. One whose file has errors names no one: its digest says so. */
const namedIn = (folders: Parts['env']['promptFolders'], ids = benchmarkIds(folders)): string[] =>
  ids.flatMap((id) => {
    try {
      return loadBenchmarks(folders, [id]).get(id)?.review?.people ?? [];
    } catch {
      return [];
    }
  });

/** The people of a surface whom benchmarks and schedules name to check answers, each once. Ids that no surface knows are passed over. */
export async function namedReviewers(
  { env, pseudonym: open, surfaces }: Pick<Parts, 'env' | 'pseudonym' | 'surfaces'>,
  store: Pick<ScheduleStore, 'schedules'>,
  surface: string,
): Promise<NamedReviewer[]> {
  const pseudonym = await open();
  const scheduled = (await store.schedules()).filter(isDigest).flatMap(({ review }) => review?.people ?? []);
  const named = new Map<string, NamedReviewer>();
  for (const id of [...namedIn(env.promptFolders), ...scheduled]) {
    const person = importedPerson(id, surfaces);
    const voter = pseudonym(person);
    if (person.surface === surface) named.set(voter, { person, voter });
  }
  return [...named.values()];
}

/** Whether an id, as it is written in a file or a schedule, is that of a person. */
async function idsOf(
  { pseudonym: open, surfaces }: Pick<Parts, 'pseudonym' | 'surfaces'>,
  person: Person,
): Promise<(id: string) => boolean> {
  const pseudonym = await open();
  return (id) => {
    try {
      return pseudonym(readPerson(id, surfaces)) === pseudonym(person);
    } catch {
      // Of a surface that is no longer there, so it is not an id of theirs that is known now.
      return false;
    }
  };
}

/** Ids of the benchmarks whose files name a person to check answers: they would be asked again. */
export async function benchmarksNaming(
  parts: Pick<Parts, 'env' | 'pseudonym' | 'surfaces'>,
  person: Person,
): Promise<string[]> {
  const { promptFolders } = parts.env;
  const isThem = await idsOf(parts, person);
  return benchmarkIds(promptFolders).filter((id) => namedIn(promptFolders, [id]).some(isThem));
}

/** Takes a person off the schedules that name them to check answers. @throws JuryError `store-unavailable` */
export async function forgetScheduledReviewer(
  parts: Pick<Parts, 'pseudonym' | 'surfaces'>,
  store: ScheduleStore,
  person: Person,
): Promise<void> {
  const isThem = await idsOf(parts, person);
  const withoutThem = (schedule: Schedule): Schedule => {
    if (!isDigest(schedule) || schedule.review?.people.some(isThem) !== true) return schedule;
    const { review, ...rest } = schedule;
    const people = review.people.filter((id) => !isThem(id));
    return people.length === 0 ? rest : { ...rest, review: { ...review, people } };
  };
  for (const schedule of await store.schedules()) {
    const after = withoutThem(schedule);
    if (after !== schedule) await store.saveSchedule(after);
  }
}
