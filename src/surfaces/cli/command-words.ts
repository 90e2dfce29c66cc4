import words from './commands.json' with { type: 'json' };
import type { OptionWords } from './options.ts';

/** A command in `commands.json`. */
export interface CommandWords {
  /** Of a command that stands alone: the part of the list of commands that has it. */
  group?: string;
  /** Its line in the list of commands. */
  summary: string;
  /** In its own help, in place of the summary. */
  about?: string;
  arguments?: Readonly<Record<string, string>>;
  /** Those that several commands have are named, and stand in `shared`. */
  options?: readonly (string | OptionWords)[];
  examples: readonly string[];
  /** Whether help shows a paste to try. */
  paste?: boolean;
  /** Whether its action belongs to a surface. */
  surface?: boolean;
  /** What to do in place of options that people expect and it does not have. */
  instead?: Readonly<Record<string, string>>;
  /** Exit codes, where they are more than 0 and the usual errors. */
  exits?: string;
}

const shared: Readonly<Record<string, readonly OptionWords[]>> = words.shared;
/** Every command by its path, such as `bench run`. */
export const commandWords: Readonly<Record<string, CommandWords>> = words.commands;

/** The options of a command, those that several have included. */
export const optionsOf = (path: string): OptionWords[] =>
  (commandWords[path]?.options ?? []).flatMap((option) =>
    typeof option === 'string' ? (shared[option] ?? []) : [option],
  );

/** The names in an option's flags, such as `-m` and `--model`. */
export const flagNames = ({ flags }: OptionWords): string[] =>
  flags.match(/(?<![\w-])--?[a-z][a-z-]*/gi) ?? [];
