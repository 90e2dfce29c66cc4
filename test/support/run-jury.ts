import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Verdict } from '../../src/core/verdict.ts';

/** The command line's entry, as built. */
export const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

export interface RunOptions {
  /** What standard input holds; default nothing. */
  input?: string | Uint8Array;
  env?: Record<string, string>;
  cwd?: string;
}

/** An empty folder of the test's own. */
export const scratch = (): string => mkdtempSync(join(tmpdir(), 'jury-test-'));

/** Starts the command line as a user would, with nothing of this process's environment but the path and where temporary files go. */
export function startJury(
  args: readonly string[],
  { env = {}, cwd = scratch() }: RunOptions = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [main, ...args], {
    cwd,
    env: { PATH: process.env.PATH, TMPDIR: tmpdir(), JURY_DATA_DIR: join(cwd, 'data'), ...env },
  });
}

/** Runs the command line to its end. */
export async function jury(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = startJury(args, options);
  child.stdin.on('error', () => {}); // it may end without having read its input
  child.stdin.end(options.input ?? '');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, out, err };
}

/** The verdicts that `--json` printed, checked against the schema. */
export const verdictsOf = ({ out }: Ran): Verdict[] =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Verdict.parse(JSON.parse(line)));
