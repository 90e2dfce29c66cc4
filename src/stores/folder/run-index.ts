import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { RunTotals } from '../../benchmark/trial-store.ts';
import { readJson } from '../../common/text.ts';
import { readLines, writeWhole } from './line-files.ts';

/** The key of a trial or verdict without parsing its line: both begin with it. */
export const keyOf = (line: string): string => /^\{"key":"([^"]*)"/.exec(line)?.[1] ?? '';

/**
 * The totals of a run without a writer, derived from its trials. The writer deletes the index when it opens and recreates it when it
 * closes, so a run whose writer was killed has none.
 */
const RunIndex = z.object({
  version: z.literal(1),
  /** Size of the file of trials. */
  bytes: z.int(),
  totals: RunTotals,
});
type RunIndex = z.infer<typeof RunIndex>;

export async function dropIndex(files: RunFiles): Promise<void> {
  await Promise.all([files.index, `${files.index}.tmp`].map((path) => rm(path, { force: true })));
}

/**
 * Writes the index of a locked run, unless a line is not one of the known trials: readers then stream.
 *
 * @param known by trial key
 */
export async function writeIndex(
  files: RunFiles,
  totals: RunTotals,
  known: ReadonlyMap<string, unknown>,
): Promise<void> {
  let lines = 0;
  for await (const { text, whole } of readLines(files.trials)) {
    if (!whole || !known.has(keyOf(text))) return;
    lines += 1;
  }
  if (lines !== totals.trials || known.size !== totals.trials) return;
  const { size } = await stat(files.trials);
  const index: RunIndex = { version: 1, bytes: size, totals };
  await writeWhole(files.index, JSON.stringify(index));
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
