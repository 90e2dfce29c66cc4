import type { Readable, Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { Chalk, type ChalkInstance, type ColorSupportLevel } from 'chalk';
import type { Command } from 'commander';
import type { TrialStore } from '../../benchmark/index.ts';
import { loadTrialStore } from '../../benchmark/lazy.ts';
import { lazily } from '../../common/index.ts';
import { plainText } from '../../common/text/index.ts';
import type { Env } from '../../env.ts';
import type { Store } from '../../stores/index.ts';
import { loadOpenStore } from '../../stores/lazy.ts';
import type { OpenDigests, Parts, PartsOptions } from '../index.ts';
import { loadOpenDigests } from '../lazy.ts';

/** Standard input: a terminal, a pipe, a file, or a stream in this process. */
type Input = Readable & { readonly isTTY?: boolean };

/** Standard output or standard error. */
type Output = Writable & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;

/** What a terminal offers. */
export interface Screen {
  /** Columns; texts wrap within them. */
  width: number;
  colors: ChalkInstance;
}

/** Where a command reads and writes. Results go to `out`, everything else to `err`. */
export interface Terminal {
  /** Standard input, opened on first use. */
  input: () => Input;
  out: (text: string) => void;
  err: (text: string) => void;
  /**
   * For text that may be shown on a terminal but must not end up in a file or a pipe: standard output if it is a terminal, else
   * standard error; null if neither is one.
   */
  people: Output | null;
  /** Reports why a command or the process ends; a service that logs JSON puts its log here. */
  failures: { report: (text: string) => void };
  /** Standard error itself, for logs and for progress that redraws itself. */
  errors: Output;
  /** How results are laid out: wrapped and colored for a terminal, plain and 100 columns wide for a file or a pipe. */
  screen: Screen;
  /** Whether standard error is a terminal, so that progress is worth showing. */
  watched: boolean;
}

/** Exit codes. */
export const exitCode = {
  ok: 0,
  failed: 1,
  undecided: 2,
  usage: 64,
  /** A model's endpoint refuses the key or the model. */
  refused: 69,
  internal: 70,
  /** Stopped at the budget: the same command resumes. */
  tryAgain: 75,
  interrupted: 130,
  /** The reader of the results went away, as in `jury … | head`. Shells report this code for a program ended by a closed pipe. */
  unread: 141,
} as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** The exit code of resumable work, by how it ended. @param complete the code if all of it is done */
export const codeOfEnd = (
  kind: 'complete' | 'stopped' | 'budget' | 'refused',
  complete: ExitCode,
): ExitCode =>
  ({
    complete,
    stopped: exitCode.interrupted,
    budget: exitCode.tryAgain,
    refused: exitCode.refused,
  })[kind];

const WIDEST = 110;
const WITHOUT_TERMINAL = 100;

/** The streams behind a terminal: the process's own, or any others. */
export interface Streams {
  stdin: () => Input;
  stdout: Output;
  stderr: Output;
  /** How many colors standard output can show; 0: none. */
  colors: ColorSupportLevel;
}

/**
 * A terminal over three streams.
 *
 * @param onGone called when the results no longer have a reader (`jury … | head`): nothing more is printed, and there is no
 *   point in continuing
 */
export function openTerminal({ stdin, stdout, stderr, colors }: Streams, onGone: () => void): Terminal {
  let gone = false;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    gone = true;
    onGone();
  });
  // A closed standard error must not stop the program.
  stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const err = (text: string): void => {
    // Messages may quote untrusted text.
    if (!gone) stderr.write(`${plainText(text)}\n`);
  };
  const columns = (stdout.isTTY === true ? stdout.columns : undefined) ?? WITHOUT_TERMINAL;
  return {
    input: stdin,
    out: (text) => {
      if (!gone) stdout.write(`${text}\n`);
    },
    err,
    people: [stdout, stderr].find(({ isTTY }) => isTTY === true) ?? null,
    failures: { report: err },
    errors: stderr,
    screen: { width: Math.min(columns, WIDEST), colors: new Chalk({ level: colors }) },
    watched: stderr.isTTY === true,
  };
}

/** What the program starts with. The environment is read and parts are assembled only when a command needs them. */
export interface ProgramContext {
  version: string;
  terminal: Terminal;
  env: () => Promise<Env>;
  parts: (options: Pick<PartsOptions, 'cache'> & Partial<PartsOptions>) => Promise<Parts>;
  /** The action of a command that a surface provides. */
  surfaceAction: (path: string) => Promise<CommandAction>;
  /** Aborts when the user asks to stop (Ctrl-C). */
  stop: AbortSignal;
}

/** What every command gets. Whatever it opens is closed when the command ends. */
export interface CommandContext extends Terminal {
  version: string;
  stop: AbortSignal;
  env: () => Promise<Env>;
  /** The program's parts, assembled once, with the options of the first call; by default without a cache of answers. */
  parts: (options?: Partial<PartsOptions>) => Promise<Parts>;
  /** The store among those parts. */
  store: () => Promise<Store>;
  /** The store of benchmark runs. */
  runs: () => Promise<TrialStore>;
  /** What digests and alerts are made from. */
  digests: () => Promise<OpenDigests>;
}

/** The option of commands that can print JSON. */
export interface JsonFlag {
  json: boolean;
}

/** Arguments in the order of `commands.json`, then the options. */
type Typed = Parameters<Parameters<Command['action']>[0]>;

/** A command's action. Returns its exit code if that is not 0. */
export type CommandAction = (context: CommandContext, ...typed: Typed) => Promise<ExitCode> | Promise<void>;

/** Runs a command's action, then closes what it opened, in reverse order. */
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
  const partsOnce: CommandContext['parts'] = (options) => {
    made ??= parts({ cache: false, ...options }).then(kept);
    return made;
  };
  const runs = lazily(async () => {
    const { openTrialStore } = await loadOpenStore();
    const { redactedRuns } = await loadTrialStore();
    const { settings } = await env();
    const store = kept(await openTrialStore(settings, terminal.err));
    return redactedRuns(store, settings.JURY_REDACT);
  });
  const digests = lazily(async () => {
    const { openDigests } = await loadOpenDigests();
    return kept(await openDigests(await partsOnce(), terminal.err));
  });
  try {
    const store = async () => (await partsOnce()).store();
    return await use({ ...terminal, version, env, stop, parts: partsOnce, store, runs, digests });
  } finally {
    for (const one of opened) await one.close();
  }
}
