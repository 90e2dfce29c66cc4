import { type FileHandle, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import type { RunOutcomes } from '../../../core/run-outcomes.ts';
import { RunTotals } from '../../../core/run-totals.ts';
import { Trial } from '../../../core/trial.ts';
import { parseJsonLine, readJsonLines } from './json-lines.ts';
import { keyOf } from './key-of.ts';
import { readLines } from './read-lines.ts';
import type { RunFiles } from './run-files.ts';

/**
 * What counting needs of a run that nobody writes to. It is a copy of what stands in the trials: the writer drops it when it
 * opens and makes it anew when it closes, so that a run whose writer was killed has none.
 */
const RunIndex = z
  .strictObject({
    version: z.literal(1),
    /** Of the file of trials. */
    bytes: z.int(),
    totals: RunTotals,
    /** Of each line: the key, what became of the trial (`RunOutcomes`), and where the line begins, in bytes. */
    keys: z.array(z.string()),
    right: z.array(z.boolean().nullable()),
    at: z.array(z.int()),
  })
  .refine(({ keys, right, at }) => keys.length === right.length && keys.length === at.length);
type RunIndex = z.infer<typeof RunIndex>;

export const dropIndex = (files: RunFiles): Promise<void> => rm(files.index, { force: true });

/**
 * Makes the index of a run that is locked. None is made where a line is not one of the trials that are known: readers
 * then stream.
 *
 * @param known what became of each trial, by its key
 */
export async function writeIndex(files: RunFiles, totals: RunTotals, known: RunOutcomes): Promise<void> {
  const [keys, right, at]: [string[], (boolean | null)[], number[]] = [[], [], []];
  for await (const line of readLines(files.trials)) {
    const key = keyOf(line.text);
    const is = known.get(key);
    if (!line.whole || is === undefined) return;
    keys.push(key);
    right.push(is);
    at.push(line.at);
  }
  if (keys.length !== totals.trials) return;
  const { size } = await stat(files.trials);
  const index: RunIndex = { version: 1, bytes: size, totals, keys, right, at };
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
export async function readIndex(
  files: RunFiles,
): Promise<Pick<RunIndex, 'totals' | 'keys' | 'right'> | null> {
  const trials = await stat(files.trials).catch(() => null);
  return trials === null ? null : indexOf(files, trials);
}

async function readLine(file: FileHandle, from: number, to: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
  return buffer.toString('utf8', 0, bytesRead);
}

/** Takes out of `left` what it yields. Answers whether the index told where all lines are. */
async function* indexedTrials(files: RunFiles, left: Set<string>): AsyncGenerator<Trial, boolean, undefined> {
  const file = await open(files.trials).catch(() => null);
  if (file === null) return false;
  // Held open: a writer that drops trials meanwhile puts another file in its place.
  try {
    const index = await indexOf(files, await file.stat());
    if (index === null) return false;
    for (const [place, key] of index.keys.entries()) {
      if (!left.has(key)) continue;
      const line = await readLine(file, index.at[place] ?? 0, index.at[place + 1] ?? index.bytes);
      const trial = parseJsonLine(Trial, line)?.value;
      if (trial?.key !== key) return false;
      left.delete(key);
      yield trial;
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
