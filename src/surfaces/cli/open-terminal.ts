import { Chalk } from 'chalk';
import type { Terminal } from './console.ts';
import { plainText } from './plain-text.ts';

const WIDEST = 110;
const WITHOUT_TERMINAL = 100;

/**
 * The process's own terminal.
 *
 * @param onGone told when nobody reads the results any more (`jury … | head`): then there is no point in going on, and
 *   nothing more is printed
 */
export function openTerminal(onGone: () => void): Terminal {
  let gone = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    gone = true;
    onGone();
  });
  const columns = process.stdout.isTTY ? process.stdout.columns : WITHOUT_TERMINAL;
  // Chalk knows FORCE_COLOR and what terminals can do, Node's own check knows NO_COLOR too.
  const plain = process.stdout.isTTY && !process.stdout.hasColors();
  const write = (stream: NodeJS.WriteStream, text: string) => {
    if (!gone) stream.write(`${text}\n`);
  };
  const { hold, release } = gathering(process.stdout);
  return {
    out: (text) => {
      hold();
      write(process.stdout, text);
    },
    err: (text) => {
      // Both may go to the same place.
      release();
      // Messages quote what came from outside.
      write(process.stderr, plainText(text));
    },
    screen: { width: Math.min(columns, WIDEST), colors: plain ? new Chalk({ level: 0 }) : new Chalk() },
    watched: process.stderr.isTTY === true,
  };
}

/**
 * Holds back what is written to a stream until all has happened that happens at the same time, so that it goes out in one; on a
 * terminal, where progress may be drawn in between, nothing.
 */
function gathering(stream: NodeJS.WriteStream): { hold: () => void; release: () => void } {
  if (stream.isTTY) return { hold() {}, release() {} };
  let held = false;
  const release = () => {
    if (held) stream.uncork();
    held = false;
  };
  process.on('exit', release);
  const hold = () => {
    if (held) return;
    held = true;
    stream.cork();
    setImmediate(release);
  };
  return { hold, release };
}
