import type { Command } from 'commander';
import type { TrialStore } from '../../benchmark/trial-store.ts';
import type { Env } from '../../env.ts';
import type { Parts, PartsOptions } from '../parts.ts';
import type { ExitCode, Terminal } from './terminal.ts';

/** What the program is started with; the environment is read and parts are put together only when a command needs them. */
export interface ProgramContext {
  version: string;
  terminal: Terminal;
  env: () => Promise<Env>;
  parts: (options: Pick<PartsOptions, 'cache' | 'pace'>) => Promise<Parts>;
  /** Aborts when the user asks to stop (Ctrl-C). */
  stop: AbortSignal;
}

/** What a command does with something that is open meanwhile. It answers with its exit code, where that is not 0. */
type Use<T> = (opened: T) => Promise<ExitCode> | Promise<void>;

/** What every command gets. */
export interface CommandContext extends ProgramContext {
  /** What was typed after the program's name. */
  args: readonly string[];
  end: (code: ExitCode) => void;
  /** Puts the parts together for one command and takes them apart again. */
  withParts: (options: Pick<PartsOptions, 'cache' | 'pace'>, use: Use<Parts>) => Promise<void>;
  /** Opens the store of benchmark runs for one command. */
  withRuns: (use: Use<TrialStore>) => Promise<void>;
}

export function createCommandContext(
  program: ProgramContext,
  args: readonly string[],
  end: (code: ExitCode) => void,
): CommandContext {
  const endAfter = async (used: Promise<ExitCode> | Promise<void>): Promise<void> => {
    const code = await used;
    if (typeof code === 'number') end(code);
  };
  return {
    ...program,
    args,
    end,
    withParts: async (options, use) => {
      const parts = await program.parts(options);
      try {
        await endAfter(use(parts));
      } finally {
        await parts.close();
      }
    },
    withRuns: async (use) => {
      const [{ settings }, { openTrialStore }] = await Promise.all([
        program.env(),
        import('../../stores/open-store.ts'),
      ]);
      const { REDIS_URL: redisUrl, JURY_DATA_DIR: dataFolder } = settings;
      const store = await openTrialStore({ redisUrl, dataFolder, warn: program.terminal.err });
      try {
        await endAfter(use(store));
      } finally {
        await store.close();
      }
    },
  };
}

/** Adds the options, help and action of a command, or the commands of a group. */
export type Register = (command: Command, context: CommandContext) => void | Promise<void>;

/**
 * Commands whose files are loaded only where they are typed, by name: the line for the list of commands, which also describes a
 * command that has no longer description.
 */
export type LazyCommands = Readonly<
  Record<string, readonly [summary: string, load: () => Promise<{ register: Register }>]>
>;

/** Adds commands; of those that were not typed only name and summary, so that help is quick. */
export async function addCommands(
  parent: Command,
  context: CommandContext,
  commands: LazyCommands,
): Promise<void> {
  for (const [name, [summary, load]] of Object.entries(commands)) {
    const command = parent.command(name).summary(summary).description(summary);
    if (context.args.includes(name)) await (await load()).register(command, context);
  }
}
