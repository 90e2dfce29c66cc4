import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { RunTotals } from '../../benchmark/trial-store.ts';
import { hasCode, JuryError } from '../../common/errors.ts';
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

const Holder = z.strictObject({
  pid: z.int(),
  host: z.string(),
  /** The process's start time in the system's own unit, since process ids are reused. Null if unknown. */
  began: z.string().nullable(),
  token: z.string(),
});
type Holder = z.infer<typeof Holder>;

/** Field 22 of Linux's /proc/<pid>/stat; the name in parentheses comes first. */
async function beganOf(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // EPERM: a live process of another user.
    return hasCode(thrown, 'EPERM');
  }
}

async function isGone({ pid, host, began }: Holder): Promise<boolean> {
  if (host !== hostname()) return false;
  return !isAlive(pid) || (began !== null && (await beganOf(pid)) !== began);
}

/** Null if there is no lock; `unreadable` also while it is being written. */
async function readHolder(path: string): Promise<Holder | 'unreadable' | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  return text === null ? null : (readJson(Holder, text)?.value ?? 'unreadable');
}

const isHeldBy = async (path: string, token: string): Promise<boolean> => {
  const holder = await readHolder(path);
  return holder !== null && holder !== 'unreadable' && holder.token === token;
};

/** Creates the file with its content in one step, if there is none. */
async function place(path: string, holder: Holder): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (thrown) {
    if (hasCode(thrown, 'EEXIST')) return false;
    // On a full disk an empty file is left, which would look like another process's lock.
    await rm(path, { force: true }).catch(() => {});
    throw thrown;
  }
}

/**
 * Takes a lock for one process at a time. A lock of a killed process on this machine is taken over.
 *
 * @param what is locked, in messages
 * @returns releases the lock
 * @throws JuryError `usage` that names the holder
 */
export async function takeLock(path: string, what = 'run'): Promise<() => Promise<void>> {
  const token = randomBytes(8).toString('hex');
  const own: Holder = { pid: process.pid, host: hostname(), began: await beganOf(process.pid), token };
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (await place(path, own))
      return async () => {
        if (await isHeldBy(path, token)) await rm(path, { force: true });
      };
    const holder = await readHolder(path);
    if (holder === null) continue;
    if (holder === 'unreadable' || !(await isGone(holder)))
      throw new JuryError(
        'usage',
        `The ${what} is being written by ${holder === 'unreadable' ? 'another process' : `process ${holder.pid} on ${holder.host}`}. Wait for it or stop it; if it no longer runs, delete ${path}.`,
      );
    // Renamed first: of several processes that find it stale, only one succeeds.
    const aside = `${path}.${token}`;
    await rename(path, aside).catch(() => {});
    if (!(await isHeldBy(aside, holder.token))) await rename(aside, path).catch(() => {});
    await rm(aside, { force: true });
  }
  throw new JuryError('usage', `Another process is just taking over the ${what} (${path}). Try again.`);
}
