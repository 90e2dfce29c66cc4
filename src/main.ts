import { readFileSync } from 'node:fs';
import { supportsColor } from 'chalk';
import type { Env } from './env.ts';
import { explainFailure, runProgram } from './surfaces/cli/index.ts';
import { exitCode, openTerminal } from './surfaces/terminal/index.ts';

/** How long a pending network response may keep the process alive after a stop, in ms. */
const LINGER_MS = 1_000;

const { stdout, stderr } = process;
const stop = new AbortController();
// Chalk knows FORCE_COLOR and what terminals support; Node's own check also knows NO_COLOR.
const colors = supportsColor === false || (stdout.isTTY && !stdout.hasColors()) ? 0 : supportsColor.level;
let isUnread = false;
const terminal = openTerminal({ stdin: () => process.stdin, stdout, stderr, colors }, () => {
  isUnread = true;
  stop.abort();
});

/** The first signal asks the program to stop and keep its results so far; the second exits at once. */
function stopOn(signal: NodeJS.Signals): void {
  process.on(signal, () => {
    if (stop.signal.aborted) process.exit(exitCode.interrupted);
    stop.abort();
  });
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return /"version":\s*"([^"]+)"/.exec(text)?.[1] ?? 'unknown';
}

let env: Env | undefined;
const environment = async (): Promise<Env> => {
  const { readEnv } = await import('./env.ts');
  env ??= readEnv();
  return env;
};

// When no work is left, exit right away: Node's own teardown takes longer than many commands do.
process.on('beforeExit', () => process.exit());

stopOn('SIGINT');
stopOn('SIGTERM');
for (const event of ['unhandledRejection', 'uncaughtException'] as const)
  process.on(event, (thrown) => {
    process.exit(explainFailure(thrown, { terminal, stop: stop.signal }));
  });

runProgram(process.argv.slice(2), {
  version: version(),
  terminal,
  stop: stop.signal,
  env: environment,
  surfaceAction: async (path) => (await import('./compose.ts')).surfaceAction(path),
  parts: async (options) => {
    const { assemble } = await import('./compose.ts');
    return assemble(await environment(), { warn: terminal.err, ...options });
  },
}).then((code) => {
  process.exitCode = isUnread && code === exitCode.interrupted ? exitCode.unread : code;
  // After a stop, pending responses no longer matter. If there are none, the process ends by itself before this timer fires.
  if (stop.signal.aborted) setTimeout(() => process.exit(), LINGER_MS).unref();
});
