import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import * as z from 'zod';
import { hasCode, JuryError } from '../../common/errors.ts';
import { readJson } from '../../common/text.ts';

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
