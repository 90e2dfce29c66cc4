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

interface FileState {
  size: number;
  mtimeMs: number;
}

/** Reads the index of a run; null if all trials have to be read. */
export type ReadIndex = (files: RunFiles) => Promise<RunIndex | null>;

/** Null if it is missing or damaged: everything in it can be read from the trials. */
async function parseIndex(files: RunFiles): Promise<RunIndex | null> {
  const text = await readFile(files.index, 'utf8').catch(() => '');
  return readJson(RunIndex, text)?.value ?? null;
}

const REMEMBERED = 8;

/** Caches indexes as long as their files do not change. */
export function createIndexReader(): ReadIndex {
  const known = new Map<string, { state: FileState; index: RunIndex | null }>();

  async function current(files: RunFiles): Promise<{ state: FileState; index: RunIndex | null } | null> {
    const state = await stat(files.index).catch(() => null);
    if (state === null) return null;
    const found = known.get(files.index);
    const isSame = found?.state.size === state.size && found.state.mtimeMs === state.mtimeMs;
    const entry = isSame ? found : { state, index: await parseIndex(files) };
    known.delete(files.index);
    known.set(files.index, entry);
    for (const oldest of known.keys()) if (known.size > REMEMBERED) known.delete(oldest);
    return entry;
  }

  return async (files) => {
    const trials = await stat(files.trials).catch(() => null);
    const entry = trials === null ? null : await current(files);
    if (trials === null || entry === null) return null;
    const { index, state } = entry;
    // Same size and not older than the trials, so that edits by hand are noticed.
    return index?.bytes === trials.size && state.mtimeMs >= trials.mtimeMs ? index : null;
  };
}

/** Null if the index does not cover all trials. */
export function indexedOutcomes(manifest: RunManifest, { marks, totals }: RunIndex): RunOutcomes | null {
  const outcomes = { configurations: manifest.configurations.length, marks };
  const isWhole = marks.length === plannedTrials(manifest) && keptOf(outcomes) === totals.trials;
  return isWhole ? outcomes : null;
}

/** The files of a run. */
export interface RunFiles {
  folder: string;
  /** Written last: a folder without a manifest is not a run. */
  manifest: string;
  /** One per line: cases in order, trials and verdicts in order of completion. */
  cases: string;
  trials: string;
  verdicts: string;
  /** Costs of trials that were dropped to be judged again. */
  forgotten: string;
  /** See run-index.ts. */
  index: string;
  lock: string;
}

export const runFiles = (folder: string): RunFiles => ({
  folder,
  manifest: join(folder, 'run.json'),
  cases: join(folder, 'cases.jsonl'),
  trials: join(folder, 'trials.jsonl'),
  verdicts: join(folder, 'verdicts.jsonl'),
  forgotten: join(folder, 'forgotten.json'),
  index: join(folder, 'index.json'),
  lock: join(folder, 'run.lock'),
});
