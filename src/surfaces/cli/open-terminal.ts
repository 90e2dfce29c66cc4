import { Chalk, type ColorSupportLevel } from 'chalk';
import type { Input, Output, Terminal } from './console.ts';
import { plainText } from './plain-text.ts';

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
 * @returns with `flush`, which writes what is held back; to be called before the process ends
 */
export function openTerminal(
  { stdin, stdout, stderr, colors }: Streams,
  onGone: () => void,
): Terminal & { flush: () => void } {
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
  const columns = (stdout.isTTY === true ? stdout.columns : undefined) ?? WITHOUT_TERMINAL;
  const { hold, release } = gathering(stdout);
  return {
    input: stdin,
    out: (text) => {
      hold();
      if (!gone) stdout.write(`${text}\n`);
    },
    err: (text) => {
      // Both may go to the same place.
      release();
      // Messages quote what came from outside.
      if (!gone) stderr.write(`${plainText(text)}\n`);
    },
    errors: stderr,
    screen: { width: Math.min(columns, WIDEST), colors: new Chalk({ level: colors }) },
    watched: stderr.isTTY === true,
    flush: release,
  };
}

/**
 * Holds back what is written to a stream until all has happened that happens at the same time, so that it goes out in one; on a
 * terminal, where progress may be drawn in between, nothing.
 */
function gathering(stream: Output): { hold: () => void; release: () => void } {
  if (stream.isTTY === true) return { hold() {}, release() {} };
  let held = false;
  const release = () => {
    if (held) stream.uncork();
    held = false;
  };
  const hold = () => {
    if (held) return;
    held = true;
    stream.cork();
    setImmediate(release);
  };
  return { hold, release };
}
