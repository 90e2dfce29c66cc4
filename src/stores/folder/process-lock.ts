import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import * as z from 'zod';
import { hasCode, JuryError } from '../../common/index.ts';
import { readJson } from '../../common/text/index.ts';

const Holder = z.strictObject({
  pid: z.int(),
  host: z.string(),
  /** The process's start time in the system's own unit, because process ids are reused. Null if unknown. */
  began: z.string().nullable(),
  token: z.string(),
});
type Holder = z.infer<typeof Holder>;

/**
 * Start time of a process: field 22 of Linux's /proc/<pid>/stat. Counted after the name, which is in parentheses and
 * may contain spaces.
 */
async function beganOf(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // EPERM: the process is alive but belongs to another user.
    return hasCode(thrown, 'EPERM');
  }
}

async function isGone({ pid, host, began }: Holder): Promise<boolean> {
  if (host !== hostname()) return false;
  return !isAlive(pid) || (began !== null && (await beganOf(pid)) !== began);
}

/** Null if there is no lock; also `unreadable` while it is still being written. */
async function readHolder(path: string): Promise<Holder | 'unreadable' | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  return text === null ? null : (readJson(Holder, text)?.value ?? 'unreadable');
}

const isHeldBy = async (path: string, token: string): Promise<boolean> => {
  const holder = await readHolder(path);
  return holder !== null && holder !== 'unreadable' && holder.token === token;
};

/**
 * Creates the lock file unless it exists.
 *
 * @returns whether it was created
 */
async function place(path: string, holder: Holder): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (thrown) {
    if (hasCode(thrown, 'EEXIST')) return false;
    // A full disk leaves an empty file behind, which would look like another process's lock.
    await rm(path, { force: true }).catch(() => {});
    throw thrown;
  }
}

/**
 * Takes a lock for one process at a time. The lock of a process on this machine that has died is taken over.
 *
 * @param what names the locked thing in messages
 * @returns a function that releases the lock
 * @throws JuryError `usage` naming the holder
 */
export async function takeLock(path: string, what = 'run'): Promise<() => Promise<void>> {
  const token = randomBytes(8).toString('hex');
  const thisProcess: Holder = {
    pid: process.pid,
    host: hostname(),
    began: await beganOf(process.pid),
    token,
  };
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (await place(path, thisProcess))
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
    // Rename it first: of several processes that find it stale, only one succeeds.
    const aside = `${path}.${token}`;
    await rename(path, aside).catch(() => {});
    if (!(await isHeldBy(aside, holder.token))) await rename(aside, path).catch(() => {});
    await rm(aside, { force: true });
  }
  throw new JuryError('usage', `Another process is just taking over the ${what} (${path}). Try again.`);
}
