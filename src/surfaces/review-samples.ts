import type { ReviewSettings, TrialStore } from '../benchmark/index.ts';
import { messageOf } from '../common/index.ts';
import { beginReview, type ReviewWish } from '../reviews/index.ts';
import { readPerson } from './person-and-channel-ids.ts';
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
    await beginReview({ store: await parts.store(), runs, now: parts.now }, run, wish);
  } catch (thrown) {
    warn(`No answers of the run ${run} were drawn for people to check: ${messageOf(thrown)}`);
  }
}
