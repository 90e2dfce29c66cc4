import type { Readable, Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import type { Screen } from './render-card.ts';

/** Standard input: a terminal, a pipe, a file, or a stream in this process. */
export type Input = Readable & { readonly isTTY?: boolean };

/** Standard output or standard error. */
export type Output = Writable & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;

/** Where a command reads and writes. Results go to `out`, everything else to `err`. */
export interface Terminal {
  /** Standard input, opened when it is first asked for. */
  input: () => Input;
  out: (text: string) => void;
  err: (text: string) => void;
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
  internal: 70,
  /** Stopped before the end for want of money: the same again goes on. */
  tryAgain: 75,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
