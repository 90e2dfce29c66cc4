import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { assemble, surfaceAction } from '../../src/compose.ts';
import { readEnv } from '../../src/env.ts';
import { Verdict } from '../../src/judging/verdict/verdict.ts';
import { runProgram } from '../../src/surfaces/cli/program.ts';
import { openTerminal } from '../../src/surfaces/terminal/command-context.ts';
import { loadedFor } from './built-in.ts';

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
  /** Of the terminal that standard output is; default: none. */
  columns?: number;
}

/** An empty folder of the test's own. */
export const scratch = (): string => mkdtempSync(join(tmpdir(), 'jury-test-'));

const root = process.cwd();
const running = { folder: root, count: 0, ended: Promise.resolve(), end: () => {} };

/** A process works in one folder at a time: who needs another one waits for its turn. */
async function inFolder<T>(folder: string, use: () => Promise<T>): Promise<T> {
  while (running.count > 0 && running.folder !== folder) await running.ended;
  if (running.count === 0) {
    process.chdir(folder);
    running.folder = folder;
    running.ended = new Promise((resolve) => {
      running.end = resolve;
    });
  }
  running.count += 1;
  try {
    return await use();
  } finally {
    running.count -= 1;
    if (running.count === 0) {
      process.chdir(root);
      running.end();
    }
  }
}

/** A stream that keeps what is written to it. */
function keeping(): { stream: Writable; text: () => string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

/** Of this process's environment nothing, but what every process needs. */
export const variables = (cwd: string, env: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  TMPDIR: tmpdir(),
  JURY_DATA_DIR: join(cwd, 'data'),
  ...env,
});

/** Runs a command to its end, in this process. */
export async function jury(
  args: readonly string[],
  { input = '', env, cwd = scratch(), columns }: RunOptions = {},
): Promise<Ran> {
  const [out, err] = [keeping(), keeping()];
  if (columns !== undefined) Object.assign(out.stream, { isTTY: true, columns });
  const stop = new AbortController();
  const stdin = Readable.from(input.length === 0 ? [] : [Buffer.from(input)]);
  const terminal = openTerminal(
    { stdin: () => stdin, stdout: out.stream, stderr: err.stream, colors: 0 },
    () => stop.abort(),
  );
  const code = await inFolder(cwd, () => {
    let read: ReturnType<typeof readEnv> | undefined;
    const environment = async () => {
      read ??= readEnv(variables(cwd, env));
      return read;
    };
    return runProgram(args, {
      version: '0.0.0',
      terminal,
      stop: stop.signal,
      env: environment,
      parts: async (options) => {
        const env = await environment();
        return assemble(env, { warn: terminal.err, ...(await loadedFor(env)), ...options });
      },
      surfaceAction,
    });
  });
  return { code, out: out.text(), err: err.text() };
}

/** Starts the built program as a user would: where signals, pipes, kills or the process's own environment are the point. */
export function spawnJury(
  args: readonly string[],
  { env, cwd = scratch() }: RunOptions = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [main, ...args], { cwd, env: variables(cwd, env) });
}

/** Runs the built program to its end. */
export async function spawnedJury(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = spawnJury(args, options);
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
