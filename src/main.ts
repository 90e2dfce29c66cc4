import { readFileSync } from 'node:fs';
import { CommanderError } from 'commander';
import { JuryError, messageOf } from './core/errors.ts';
import { type Env, readEnv } from './env.ts';
import { exitCode } from './surfaces/cli/console.ts';
import { openTerminal } from './surfaces/cli/open-terminal.ts';
import { createProgram } from './surfaces/cli/program.ts';

/** How long an answer from outside may keep the process alive after a stop. */
const LINGER_MS = 1_000;

const stop = new AbortController();
const terminal = openTerminal(() => stop.abort());

/** The first signal asks to stop and keep what is there; the second one ends at once. */
function stopOn(signal: NodeJS.Signals): void {
  process.on(signal, () => {
    if (stop.signal.aborted) process.exit(exitCode.interrupted);
    stop.abort();
  });
}

function failed(thrown: unknown): void {
  if (thrown instanceof CommanderError) {
    // Commander has printed its message already; asking for help or the version is no failure.
    process.exitCode = thrown.exitCode === 0 ? exitCode.ok : exitCode.usage;
    return;
  }
  if (stop.signal.aborted && thrown instanceof Error && thrown.name === 'AbortError') {
    process.exitCode = exitCode.interrupted;
    return;
  }
  const known = thrown instanceof JuryError && thrown.code !== 'internal';
  terminal.err(known ? thrown.message : `Internal error, please report it: ${messageOf(thrown)}`);
  if (!known && thrown instanceof Error && thrown.stack !== undefined) terminal.err(thrown.stack);
  process.exitCode = known ? exitCode.usage : exitCode.internal;
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return /"version":\s*"([^"]+)"/.exec(text)?.[1] ?? 'unknown';
}

let env: Env | undefined;
const environment = (): Env => {
  env ??= readEnv();
  return env;
};

// With nothing left to do there is nothing to clean up either, which would take longer than many a command.
process.on('beforeExit', () => process.exit());

stopOn('SIGINT');
stopOn('SIGTERM');
for (const event of ['unhandledRejection', 'uncaughtException'] as const)
  process.on(event, (thrown) => {
    failed(thrown);
    process.exit();
  });

const program = createProgram(
  {
    version: version(),
    terminal,
    stop: stop.signal,
    env: environment,
    parts: async (options) => {
      const { assemble } = await import('./parts.ts');
      return assemble(environment(), { ...options, warn: terminal.err });
    },
  },
  (code) => {
    process.exitCode = code;
  },
);
program
  .parseAsync()
  .catch(failed)
  .finally(() => {
    // After a stop nobody waits for answers from outside; without one left over the process ends by itself before.
    if (stop.signal.aborted) setTimeout(() => process.exit(), LINGER_MS).unref();
  });
