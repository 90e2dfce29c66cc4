import { join } from 'node:path';
import type { EvalCase } from '../../src/case/case.ts';
import type { Person } from '../../src/labels/access/permissions.ts';
import { beginReview, type ReviewWish } from '../../src/reviews/manage-reviews.ts';
import { ReviewSample } from '../../src/reviews/review-sample.ts';
import { createFolderTrialStore } from '../../src/stores/folder/runs.ts';
import { keepMadeRun, manyHabits } from './made-run.ts';
import { newFolder } from './resources.ts';
import { aWish } from './reviews.ts';
import type { RunningService } from './run-service.ts';

/** What everyone with the key of a console counts as. */
export const keyHolder: Person = { surface: 'page', team: '', user: 'page:local' };

/** Keeps a judged run, whose cases carry what a person who checks them must not see. */
async function keepRun(folder: string, name: string, shape: Partial<EvalCase>): Promise<void> {
  const secrets = { tags: { build: 'SECRET-BUILD' } };
  await keepMadeRun(createFolderTrialStore(join(folder, 'runs')), {
    ...{ name, cases: 24, repeats: 1, habits: manyHabits.slice(3, 4) },
    ...{ rubric: 'navigation', rationale: 'SECRET-REASON.' },
    shape: (index) => ({ id: `SECRET-ID-${index}`, ...secrets, ...shape }),
  });
}

/** A data folder with a judged run. */
export async function folderWithRun(name = 'monday', shape: Partial<EvalCase> = {}): Promise<string> {
  const folder = newFolder();
  await keepRun(folder, name, shape);
  return folder;
}

/** Adds such a run to those of a service. */
export const addRun = ({ parts }: Pick<RunningService, 'parts'>, name: string): Promise<void> =>
  keepRun(parts.env.settings.JURY_DATA_DIR, name, {});

/** Draws answers of a run for people to check. */
export async function drawFor(
  { parts }: Pick<RunningService, 'parts'>,
  people: readonly Person[],
  { run = 'monday', ...wish }: Partial<ReviewWish> & { run?: string } = {},
): Promise<void> {
  const pseudonym = await parts.pseudonym();
  const runs = createFolderTrialStore(join(parts.env.settings.JURY_DATA_DIR, 'runs'));
  const { kind } = await beginReview(
    { store: await parts.store(), runs, now: parts.now },
    run,
    aWish({ size: 12, ...wish, people: people.map(pseudonym) }),
  );
  if (kind !== 'begun') throw new Error(`no sample: ${kind}`);
}

/** What is kept of the answers that were drawn. */
export async function keptSample(
  { parts }: Pick<RunningService, 'parts'>,
  run = 'monday',
): Promise<ReviewSample> {
  const text = await (await parts.store()).get(`review-sample:${run}`, parts.now());
  return ReviewSample.parse(JSON.parse(text ?? 'null'));
}

/** What people said of them, in the order in which they are offered. */
export const labelsOf = async (jury: Pick<RunningService, 'parts'>, run?: string) =>
  (await keptSample(jury, run)).entries.flatMap(({ labels }) => labels);
