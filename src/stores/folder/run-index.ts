import { type FileHandle, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
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
import { Trial } from '../../benchmark/trial.ts';
import { readJson } from '../../common/text.ts';
import { readJsonLines, readLines } from './line-files.ts';

/** The key of a trial or verdict without parsing its line: both begin with it. */
export const keyOf = (line: string): string => /^\{"key":"([^"]*)"/.exec(line)?.[1] ?? '';

/** Lines read at a time. */
const PAGE = 100;
/** Lines within this many bytes are read at once. */
const NEAR = 2 ** 20;

/**
 * What counting needs of a run without a writer, derived from its trials. The writer deletes it when it opens and recreates it when it
 * closes, so a run whose writer was killed has none. Its lists are strings, because validating tens of thousands of values would take
 * longer than reading them.
 */
const RunIndex = z.strictObject({
  version: z.literal(1),
  /** Size of the file of trials. */
  bytes: z.int(),
  totals: RunTotals,
  /** Of all planned trials: `RunOutcomes`. */
  marks: z.string().regex(/^[-+?.]*$/),
  /** For each line, separated by spaces: the key of its trial, and its offset in bytes. */
  keys: z.string(),
  at: z.string().regex(/^[\d ]*$/),
});
type RunIndex = z.infer<typeof RunIndex>;

const words = (text: string): string[] => (text === '' ? [] : text.split(' '));

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
  const [keys, at]: [string[], number[]] = [[], []];
  for await (const line of readLines(files.trials)) {
    const key = keyOf(line.text);
    if (!line.whole || !marks.has(key) || slotOf(manifest, key) === null) return;
    keys.push(key);
    at.push(line.at);
  }
  if (keys.length !== totals.trials || marks.size !== totals.trials) return;
  const { size } = await stat(files.trials);
  const index: RunIndex = {
    version: 1,
    bytes: size,
    totals,
    marks: outcomesFrom(manifest, marks).marks,
    keys: keys.join(' '),
    at: at.join(' '),
  };
  await writeFile(`${files.index}.tmp`, JSON.stringify(index), { flush: true });
  await rename(`${files.index}.tmp`, files.index);
}

interface FileState {
  size: number;
  mtimeMs: number;
}

/** Reads the index of a run; null if all trials have to be read. @param trials state of the file of trials; default: its current one */
export type ReadIndex = (files: RunFiles, trials?: FileState) => Promise<RunIndex | null>;

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

  return async (files, given) => {
    const trials = given ?? (await stat(files.trials).catch(() => null));
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

/** Byte offsets of a line. */
interface Span {
  from: number;
  to: number;
}

async function readSpan(file: FileHandle, { from, to }: Span): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
  return buffer.subarray(0, bytesRead);
}

/** The lines in their order; neighboring ones are read at once. */
async function readSpans(file: FileHandle, spans: readonly Span[]): Promise<string[]> {
  const whole: Span = { from: spans[0]?.from ?? 0, to: spans.at(-1)?.to ?? 0 };
  if (whole.to - whole.from > NEAR)
    return Promise.all(spans.map(async (span) => (await readSpan(file, span)).toString('utf8')));
  const bytes = await readSpan(file, whole);
  return spans.map(({ from, to }) => bytes.toString('utf8', from - whole.from, to - whole.from));
}

/** Removes what it yields from `left`. Returns whether the index covers all lines. */
async function* indexedTrials(
  files: RunFiles,
  readIndex: ReadIndex,
  left: Set<string>,
): AsyncGenerator<Trial, boolean, undefined> {
  const file = await open(files.trials).catch(() => null);
  if (file === null) return false;
  // Held open, because a writer that drops trials replaces the file.
  try {
    const index = await readIndex(files, await file.stat());
    if (index === null) return false;
    const { bytes } = index;
    const at = words(index.at);
    const startOf = (place: number): number => Number(at[place] ?? bytes);
    const keys = words(index.keys);
    if (keys.length !== index.totals.trials || at.length !== keys.length) return false;
    const wanted = [...keys.entries()].filter(([, key]) => left.has(key));
    for (let from = 0; from < wanted.length; from += PAGE) {
      const page = wanted.slice(from, from + PAGE);
      const spans = page.map(([place]) => ({ from: startOf(place), to: startOf(place + 1) }));
      const fits = spans.every(
        ({ from, to }, n) => (spans[n - 1]?.to ?? 0) <= from && from < to && to <= bytes,
      );
      if (!fits) return false;
      const lines = await readSpans(file, spans);
      for (const [n, line] of lines.entries()) {
        const trial = readJson(Trial, line)?.value;
        if (trial === undefined || trial.key !== page[n]?.[1]) return false;
        left.delete(trial.key);
        yield trial;
      }
    }
    return true;
  } finally {
    await file.close();
  }
}

/**
 * The trials with these keys; with an index, only their lines are read.
 *
 * @throws JuryError `bad-file` for a line that cannot be read
 */
export async function* readTrialsOf(
  files: RunFiles,
  readIndex: ReadIndex,
  keys: ReadonlySet<string>,
): AsyncGenerator<Trial> {
  const left = new Set(keys);
  const all = yield* indexedTrials(files, readIndex, left);
  if (!all) yield* readJsonLines(files.trials, Trial, undefined, (line) => left.has(keyOf(line)));
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
