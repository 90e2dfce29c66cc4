import { type RunManifest, yardstickHash } from '../benchmark/index.ts';
import { DAY_MS, type KeyValue } from '../common/index.ts';
import { findSample, listSamples } from './kept-reviews.ts';
import { isSampleOf, type ReviewedRun, reviewedRun } from './review-sample.ts';

/** How long checked answers say how far like judges are right. */
export const ALIKE_MS = 180 * DAY_MS;

/**
 * The checked answers of a run, and how they were drawn; null if it has no sample. That of another run of the same name is none of its own.
 *
 * @throws JuryError `store-unavailable`
 */
export async function reviewedAnswersOf(
  store: KeyValue,
  manifest: Pick<RunManifest, 'name' | 'createdAt' | 'dataset'>,
  now: number,
): Promise<ReviewedRun | null> {
  const sample = await findSample(store, manifest.name, now);
  return sample === null || !isSampleOf(sample, manifest) ? null : reviewedRun(sample);
}

/** What judged a run, one hash per rubric: runs that share one are alike. See `yardstickOf`. */
export const signaturesOf = (manifest: RunManifest): ReadonlySet<string> =>
  new Set(manifest.rubrics.map((rubric) => yardstickHash(manifest, rubric)));

/**
 * Checked answers that the same judges decided by the same prompts and rubric, in runs of any benchmark, newest run first. Runs with several
 * rubrics give only the answers of those that are alike, checked and unchecked; their design is that of the whole sample.
 *
 * @param since when they were drawn at the earliest, ms since the epoch
 * @throws JuryError `store-unavailable`
 */
export async function reviewedAnswersLike(
  store: KeyValue,
  signatures: ReadonlySet<string>,
  since: number,
  now: number,
): Promise<ReviewedRun[]> {
  const alike = (await listSamples(store, now)).filter(
    (listed) => listed.at >= since && listed.signatures.some((one) => signatures.has(one)),
  );
  const samples = await Promise.all(alike.map(({ run }) => findSample(store, run, now)));
  return samples.flatMap((sample) => {
    if (sample === null) return [];
    const { made, design, answers, unchecked } = reviewedRun(sample);
    const isAlike = ({ rubric }: { rubric: string }) => signatures.has(sample.signatures[rubric] ?? '');
    return [{ made, design, answers: answers.filter(isAlike), unchecked: unchecked.filter(isAlike) }];
  });
}

/**
 * The checked answers that say how far a run's judges are right: its own, and those of like judges from 180 days before it to 180 days after.
 *
 * @throws JuryError `store-unavailable`
 */
export async function reviewedFor(
  store: KeyValue,
  manifest: RunManifest,
  now: number,
): Promise<ReviewedRun[]> {
  const judgedAt = Date.parse(manifest.createdAt);
  const own = await reviewedAnswersOf(store, manifest, now);
  const alike = await reviewedAnswersLike(store, signaturesOf(manifest), judgedAt - ALIKE_MS, now);
  const others = alike.filter(
    ({ made, design: { run, at } }) => !isSampleOf({ run, made }, manifest) && at <= judgedAt + ALIKE_MS,
  );
  return [...(own === null ? [] : [own]), ...others];
}
