import type { OptionWords } from './command-options.ts';
import words from './commands.json' with { type: 'json' };

/** A command in `commands.json`. */
export interface CommandWords {
  /** For a top-level command: its section in the list of commands. */
  group?: string;
  /** Its line in the list of commands. */
  summary: string;
  /** Replaces the summary in the command's own help. */
  about?: string;
  arguments?: Readonly<Record<string, string>>;
  /** Options of several commands are given by name and defined in `shared`. */
  options?: readonly (string | OptionWords)[];
  examples: readonly string[];
  /** Whether help shows a sample paste. */
  paste?: boolean;
  /** Whether a surface provides its action. */
  surface?: boolean;
  /** Options that people expect but it does not have, each with what to do instead. */
  instead?: Readonly<Record<string, string>>;
  /** Exit codes, if there are others than 0 and the usual errors. */
  exits?: string;
}

const shared: Readonly<Record<string, readonly OptionWords[]>> = words.shared;
/** Every command by its path, such as `bench run`. */
export const commandWords: Readonly<Record<string, CommandWords>> = words.commands;

/** The options of a command, including shared ones. */
export const optionsOf = (path: string): OptionWords[] =>
  (commandWords[path]?.options ?? []).flatMap((option) =>
    typeof option === 'string' ? (shared[option] ?? []) : [option],
  );

/** The names in an option's flags, such as `-m` and `--model`. */
export const flagNames = ({ flags }: OptionWords): string[] =>
  flags.match(/(?<![\w-])--?[a-z][a-z-]*/gi) ?? [];
