import { readFileSync } from 'node:fs';
import { supportsColor } from 'chalk';
import type { Env } from './env.ts';
import { exitCode, openTerminal } from './surfaces/cli/command.ts';
import { explainFailure, runProgram } from './surfaces/cli/program.ts';

/** How long an answer from outside may keep the process alive after a stop. */
const LINGER_MS = 1_000;

const { stdout, stderr } = process;
const stop = new AbortController();
// Chalk knows FORCE_COLOR and what terminals can do, Node's own check knows NO_COLOR too.
const colors = supportsColor === false || (stdout.isTTY && !stdout.hasColors()) ? 0 : supportsColor.level;
let isUnread = false;
const terminal = openTerminal({ stdin: () => process.stdin, stdout, stderr, colors }, () => {
  isUnread = true;
  stop.abort();
});

/** The first signal asks to stop and keep what is there; the second one ends at once. */
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

// With nothing left to do there is nothing to clean up either, which would take longer than many a command.
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
  // After a stop, answers from outside no longer matter; if none is outstanding, the process ends by itself before.
  if (stop.signal.aborted) setTimeout(() => process.exit(), LINGER_MS).unref();
});
