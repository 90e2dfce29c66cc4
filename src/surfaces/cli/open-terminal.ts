import { Chalk } from 'chalk';
import type { Terminal } from './console.ts';

const WIDEST = 110;
const WITHOUT_TERMINAL = 100;

/** The process's own terminal. A reader that goes away (`jury … | head`) ends the program quietly. */
export function openTerminal(): Terminal {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  const columns = process.stdout.isTTY ? process.stdout.columns : WITHOUT_TERMINAL;
  return {
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`),
    // Chalk's own level honors NO_COLOR and FORCE_COLOR and is 0 where standard output is no terminal.
    screen: { width: Math.min(columns, WIDEST), colors: new Chalk() },
    watched: process.stderr.isTTY === true,
  };
}
