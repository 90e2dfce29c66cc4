import { type FileHandle, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { plannedTrials, type RunManifest } from '../../../core/run.ts';
import {
  keptOf,
  type OutcomeMark,
  outcomesFrom,
  type RunOutcomes,
  slotOf,
} from '../../../core/run-outcomes.ts';
import { RunTotals } from '../../../core/run-totals.ts';
import { Trial } from '../../../core/trial.ts';
import { parseJsonLine, readJsonLines } from './json-lines.ts';
import { keyOf } from './key-of.ts';
import { readLines } from './read-lines.ts';
import type { RunFiles } from './run-files.ts';

/** How many lines are read at a time. */
const PAGE = 100;
/** Up to so many bytes from the first to the last are read at once. */
const NEAR = 2 ** 20;

/**
 * What counting needs of a run that nobody writes to. It is a copy of what stands in the trials: the writer drops it when it
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
  at: z.string(),
});
type RunIndex = z.infer<typeof RunIndex>;

const words = (text: string): string[] => (text === '' ? [] : text.split(' '));

export const dropIndex = (files: RunFiles): Promise<void> => rm(files.index, { force: true });

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

/**
 * The index where it is that of the trials as they are: of their size, and no older, so that a word that was changed by hand
 * is not passed over.
 */
async function indexOf(files: RunFiles, trials: { size: number; mtimeMs: number }): Promise<RunIndex | null> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(files.index, 'utf8'), stat(files.index)]);
    const index = RunIndex.parse(JSON.parse(text));
    return index.bytes === trials.size && mtimeMs >= trials.mtimeMs ? index : null;
  } catch {
    // There is none, or it is damaged: it says nothing that the trials do not.
    return null;
  }
}

/** Null where all trials have to be read. */
export async function readIndex(files: RunFiles): Promise<RunIndex | null> {
  const trials = await stat(files.trials).catch(() => null);
  return trials === null ? null : indexOf(files, trials);
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

/** Takes out of `left` what it yields. Answers whether the index told where all lines are. */
async function* indexedTrials(files: RunFiles, left: Set<string>): AsyncGenerator<Trial, boolean, undefined> {
  const file = await open(files.trials).catch(() => null);
  if (file === null) return false;
  // Held open: a writer that drops trials meanwhile puts another file in its place.
  try {
    const index = await indexOf(files, await file.stat());
    if (index === null) return false;
    const { bytes } = index;
    const at = words(index.at);
    const startOf = (place: number): number => Number(at[place] ?? bytes);
    const wanted = [...words(index.keys).entries()].filter(([, key]) => left.has(key));
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
export async function* readTrialsOf(files: RunFiles, keys: ReadonlySet<string>): AsyncGenerator<Trial> {
  const left = new Set(keys);
  const all = yield* indexedTrials(files, left);
  if (!all) yield* readJsonLines(files.trials, Trial, undefined, (line) => left.has(keyOf(line)));
}
