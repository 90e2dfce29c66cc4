import { createInterface } from 'node:readline';
import { onAbort } from '../../common/on-abort.ts';
import type { Terminal } from './console.ts';

/** Lines that somebody types, or that come through a pipe. */
export interface AnswerLines {
  /** The next line without its end; null at the end of the input, or when it is to stop. */
  next: () => Promise<string | null>;
  /** Whether a person types them. */
  typed: boolean;
  close: () => void;
}

/** Reads standard input line by line. The terminal's own editing stays, and Ctrl-C stays a signal. */
export function openAnswerLines({ input }: Terminal, stop: AbortSignal): AnswerLines {
  const stdin = input();
  const reading = createInterface({
    input: stdin,
    terminal: false,
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  const lines = reading[Symbol.asyncIterator]();
  const close = () => reading.close();
  const forget = onAbort(stop, close);
  return {
    typed: stdin.isTTY === true,
    next: async () => {
      const { done, value } = await lines.next();
      return done === true || stop.aborted ? null : value;
    },
    close: () => {
      forget();
      close();
      stdin.destroy();
    },
  };
}
