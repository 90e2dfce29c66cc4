import type { Screen } from './render-card.ts';

/** Where a command reads and writes. Results go to `out`, everything else to `err`. */
export interface Terminal {
  out: (text: string) => void;
  err: (text: string) => void;
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
