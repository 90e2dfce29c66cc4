import type { Command } from 'commander';
import type { TrialStore } from '../../benchmark/trial-store.ts';
import { lazily } from '../../common/collections.ts';
import type { Env } from '../../env.ts';
import type { Parts, PartsOptions } from '../parts.ts';
import type { ExitCode, Terminal } from './terminal.ts';

/** What the program is started with; the environment is read and parts are put together only when a command needs them. */
export interface ProgramContext {
  version: string;
  terminal: Terminal;
  env: () => Promise<Env>;
  parts: (options: Pick<PartsOptions, 'cache'> & Partial<PartsOptions>) => Promise<Parts>;
  /** The action of a command that a surface brings along. */
  surfaceAction: (path: string) => Promise<CommandAction>;
  /** Aborts when the user asks to stop (Ctrl-C). */
  stop: AbortSignal;
}

/** What every command gets. What it opens is closed when it ends. */
export interface CommandContext extends Terminal {
  version: string;
  stop: AbortSignal;
  env: () => Promise<Env>;
  /** The program's parts, put together once, as the first call says; by default without a cache of answers. */
  parts: (options?: Partial<PartsOptions>) => Promise<Parts>;
  /** The store of benchmark runs. */
  runs: () => Promise<TrialStore>;
}

/** Arguments in the order of `commands.json`, then the options. */
type Typed = Parameters<Parameters<Command['action']>[0]>;

/** What a command does. It returns its exit code if that is not 0. */
export type CommandAction = (context: CommandContext, ...typed: Typed) => Promise<ExitCode> | Promise<void>;

/** Runs a command's action, and closes what it opened in reverse order. */
export async function withContext<T>(
  { env, parts, stop, terminal, version }: ProgramContext,
  use: (context: CommandContext) => Promise<T>,
): Promise<T> {
  const opened: { close: () => Promise<void> }[] = [];
  const kept = <C extends { close: () => Promise<void> }>(one: C): C => {
    opened.unshift(one);
    return one;
  };
  let made: Promise<Parts> | undefined;
  const runs = lazily(async () => {
    const { openTrialStore } = await import('../../stores/open-store.ts');
    const { redactedRuns } = await import('../../benchmark/trial-store.ts');
    const { REDIS_URL: redisUrl, JURY_DATA_DIR: dataFolder, JURY_REDACT: redactor } = (await env()).settings;
    const store = kept(await openTrialStore({ redisUrl, dataFolder, warn: terminal.err }));
    return redactedRuns(store, redactor);
  });
  try {
    return await use({
      ...terminal,
      version,
      env,
      stop,
      parts: (options) => {
        made ??= parts({ cache: false, ...options }).then(kept);
        return made;
      },
      runs,
    });
  } finally {
    for (const one of opened) await one.close();
  }
}
