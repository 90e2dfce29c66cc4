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
import { parseJsonLine, readJsonLines, readLines } from './line-files.ts';

/** The key of a line, trial or verdict, without reading all of it: both begin with it. */
export const keyOf = (line: string): string => /^\{"key":"([^"]*)"/.exec(line)?.[1] ?? '';

/** How many lines are read at a time. */
const PAGE = 100;
/** Up to so many bytes from the first to the last are read at once. */
const NEAR = 2 ** 20;

/**
 * What counting needs of a run without a writer. It is a copy of what stands in the trials: the writer drops it when it
 * opens and makes it anew when it closes, so that a run whose writer was killed has none. Its lists are texts: to check tens of
 * thousands of values one by one would take longer than to read them.
 */
const RunIndex = z.strictObject({
  version: z.literal(1),
  /** Of the file of trials. */
  bytes: z.int(),
  totals: RunTotals,
  /** Of all planned trials: `RunOutcomes`. */
  marks: z.string().regex(/^[-+?.]*$/),
  /** Of each line, with spaces between: the key of its trial, and where it begins, in bytes. */
  keys: z.string(),
  at: z.string().regex(/^[\d ]*$/),
});
type RunIndex = z.infer<typeof RunIndex>;

const words = (text: string): string[] => (text === '' ? [] : text.split(' '));

export async function dropIndex(files: RunFiles): Promise<void> {
  await Promise.all([files.index, `${files.index}.tmp`].map((path) => rm(path, { force: true })));
}

/**
 * Makes the index of a run that is locked. None is made where a line is not one of the trials that are known: readers
 * then stream.
 *
 * @param marks what became of each trial, by its key
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

/** Reads the index of a run; null where all trials have to be read. @param trials the file of trials, absent: as it is now */
export type ReadIndex = (files: RunFiles, trials?: FileState) => Promise<RunIndex | null>;

async function parseIndex(files: RunFiles): Promise<RunIndex | null> {
  try {
    return RunIndex.parse(JSON.parse(await readFile(files.index, 'utf8')));
  } catch {
    // There is none, or it is damaged: it says nothing that the trials do not.
    return null;
  }
}

/** So many indexes are remembered. */
const REMEMBERED = 8;

/** The reader of a store: what is asked for several times in a row, of an index that stays as it is, is read once. */
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
    // Of the size of the trials as they are, and no older, so that a word that was changed by hand is not passed over.
    return index?.bytes === trials.size && state.mtimeMs >= trials.mtimeMs ? index : null;
  };
}

/** What became of each trial; null where the index does not tell. */
export function indexedOutcomes(manifest: RunManifest, { marks, totals }: RunIndex): RunOutcomes | null {
  const outcomes = { configurations: manifest.configurations.length, marks };
  const isWhole = marks.length === plannedTrials(manifest) && keptOf(outcomes) === totals.trials;
  return isWhole ? outcomes : null;
}

/** Where a line begins and ends, in bytes. */
interface Span {
  from: number;
  to: number;
}

async function readSpan(file: FileHandle, { from, to }: Span): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
  return buffer.subarray(0, bytesRead);
}

/** The texts of lines in their order: those that stand near each other are read at once. */
async function readSpans(file: FileHandle, spans: readonly Span[]): Promise<string[]> {
  const whole: Span = { from: spans[0]?.from ?? 0, to: spans.at(-1)?.to ?? 0 };
  if (whole.to - whole.from > NEAR)
    return Promise.all(spans.map(async (span) => (await readSpan(file, span)).toString('utf8')));
  const bytes = await readSpan(file, whole);
  return spans.map(({ from, to }) => bytes.toString('utf8', from - whole.from, to - whole.from));
}

/** Takes out of `left` what it yields. Answers whether the index says where all lines are. */
async function* indexedTrials(
  files: RunFiles,
  readIndex: ReadIndex,
  left: Set<string>,
): AsyncGenerator<Trial, boolean, undefined> {
  const file = await open(files.trials).catch(() => null);
  if (file === null) return false;
  // Held open: a writer that drops trials meanwhile puts another file in its place.
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
        const trial = parseJsonLine(Trial, line)?.value;
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
 * The trials with these keys: only their lines are read where an index tells where these are.
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
  /** The manifest. It is written last: a folder without it holds no run. */
  manifest: string;
  /** One a line: cases in their order, trials and verdicts in the order in which they ended. */
  cases: string;
  trials: string;
  verdicts: string;
  /** What trials cost that were dropped to be judged again. */
  forgotten: string;
  /** What counting needs, made of the trials when the writer closes (run-index.ts). */
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
