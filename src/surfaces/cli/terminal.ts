import type { Readable, Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { Chalk, type ChalkInstance, type ColorSupportLevel } from 'chalk';
import { plainText } from '../../common/text.ts';

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
  /** Standard input, opened when it is first asked for. */
  input: () => Input;
  out: (text: string) => void;
  err: (text: string) => void;
  /** Says why a command, or the process, ends; a service that logs JSON puts its log here. */
  failures: { report: (text: string) => void };
  /** Standard error itself, for logs and for progress that is drawn over. */
  errors: Output;
  /** How results look: wrapped and colored for a terminal, plain and 100 columns for a file or a pipe. */
  screen: Screen;
  /** Whether a person watches standard error, so that progress is worth showing. */
  watched: boolean;
}

/** What a command's end means to the shell. */
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
} as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** What it means to the shell how work ended that can be resumed. */
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

/** What a terminal is opened on: the process's own streams, or any others. */
export interface Streams {
  stdin: () => Input;
  stdout: Output;
  stderr: Output;
  /** What standard output can show; 0: no colors. */
  colors: ColorSupportLevel;
}

/**
 * A terminal over three streams.
 *
 * @param onGone called when the results have no reader any more (`jury … | head`): nothing more is printed, and there is
 *   no point in going on
 */
export function openTerminal({ stdin, stdout, stderr, colors }: Streams, onGone: () => void): Terminal {
  let gone = false;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    gone = true;
    onGone();
  });
  // Messages without a reader stop nothing.
  stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const err = (text: string): void => {
    // Messages quote what came from outside.
    if (!gone) stderr.write(`${plainText(text)}\n`);
  };
  const columns = (stdout.isTTY === true ? stdout.columns : undefined) ?? WITHOUT_TERMINAL;
  return {
    input: stdin,
    out: (text) => {
      if (!gone) stdout.write(`${text}\n`);
    },
    err,
    failures: { report: err },
    errors: stderr,
    screen: { width: Math.min(columns, WIDEST), colors: new Chalk({ level: colors }) },
    watched: stderr.isTTY === true,
  };
}
