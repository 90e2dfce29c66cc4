import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { plannedTrials, type RunManifest } from '../../benchmark/run.ts';
import {
  keptOf,
  type OutcomeMark,
  outcomesFrom,
  type RunOutcomes,
  RunTotals,
  slotOf,
} from '../../benchmark/run-outcomes.ts';
import { readJson } from '../../common/text.ts';
import { readLines } from './line-files.ts';

/** The key of a trial or verdict without parsing its line: both begin with it. */
export const keyOf = (line: string): string => /^\{"key":"([^"]*)"/.exec(line)?.[1] ?? '';

/**
 * What counting needs of a run without a writer, derived from its trials. The writer deletes it when it opens and recreates it when it
 * closes, so a run whose writer was killed has none.
 */
const RunIndex = z.object({
  version: z.literal(1),
  /** Size of the file of trials. */
  bytes: z.int(),
  totals: RunTotals,
  /** Of all planned trials: `RunOutcomes`. */
  marks: z.string().regex(/^[-+?.]*$/),
});
type RunIndex = z.infer<typeof RunIndex>;

export async function dropIndex(files: RunFiles): Promise<void> {
  await Promise.all([files.index, `${files.index}.tmp`].map((path) => rm(path, { force: true })));
}

/**
 * Writes the index of a locked run, unless a line is not one of the known trials: readers then stream.
 *
 * @param marks outcomes by trial key
 */
export async function writeIndex(
  files: RunFiles,
  manifest: RunManifest,
  totals: RunTotals,
  marks: ReadonlyMap<string, OutcomeMark>,
): Promise<void> {
  let lines = 0;
  for await (const { text, whole } of readLines(files.trials)) {
    const key = keyOf(text);
    if (!whole || !marks.has(key) || slotOf(manifest, key) === null) return;
    lines += 1;
  }
  if (lines !== totals.trials || marks.size !== totals.trials) return;
  const { size } = await stat(files.trials);
  const index: RunIndex = { version: 1, bytes: size, totals, marks: outcomesFrom(manifest, marks).marks };
  await writeFile(`${files.index}.tmp`, JSON.stringify(index), { flush: true });
  await rename(`${files.index}.tmp`, files.index);
}

/** Null if all trials have to be read: it is missing or damaged, or the trials have been changed since. */
export async function readIndex(files: RunFiles): Promise<RunIndex | null> {
  const [trials, state] = await Promise.all(
    [files.trials, files.index].map((path) => stat(path).catch(() => null)),
  );
  if (!trials || !state || state.mtimeMs < trials.mtimeMs) return null;
  const index = readJson(RunIndex, await readFile(files.index, 'utf8').catch(() => ''))?.value;
  return index?.bytes === trials.size ? index : null;
}

/** Null if the index does not cover all trials. */
export function indexedOutcomes(manifest: RunManifest, { marks, totals }: RunIndex): RunOutcomes | null {
  const outcomes = { configurations: manifest.configurations.length, marks };
  const isWhole = marks.length === plannedTrials(manifest) && keptOf(outcomes) === totals.trials;
  return isWhole ? outcomes : null;
}

/** The files of a run. */
export type RunFiles = ReturnType<typeof runFiles>;

export const runFiles = (folder: string) => ({
  folder,
  /** Written last: a folder without a manifest is not a run. */
  manifest: join(folder, 'run.json'),
  /** One per line: cases in order, trials and verdicts in order of completion. */
  cases: join(folder, 'cases.jsonl'),
  trials: join(folder, 'trials.jsonl'),
  verdicts: join(folder, 'verdicts.jsonl'),
  /** Costs of trials that were dropped to be judged again. */
  forgotten: join(folder, 'forgotten.json'),
  index: join(folder, 'index.json'),
  lock: join(folder, 'run.lock'),
});
