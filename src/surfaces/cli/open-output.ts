import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { JuryError, messageOf } from '../../common/errors.ts';
import type { Terminal } from './console.ts';

/** Where lines of results go, one after the other, however many. */
export interface Output {
  /** @param line without its line break */
  line: (line: string) => Promise<void>;
  end: () => Promise<void>;
}

/** Text that is gathered before it is written. */
const CHUNK = 64 * 1024;

/**
 * A file, or standard output where none is named; waits while the disk is slower than what is written.
 *
 * @param lineBreak what ends a line of the file
 * @throws JuryError `usage`, also later, where the file cannot be written
 */
export function openOutput({ out }: Terminal, path: string | undefined, lineBreak = '\n'): Output {
  if (path === undefined) return { line: async (line) => out(line), end: async () => {} };
  const stream = createWriteStream(path);
  const done = finished(stream).catch((thrown: unknown) => {
    throw new JuryError('usage', `Cannot write ${path}: ${messageOf(thrown)}.`, { cause: thrown });
  });
  // Told by whoever waits for it; until then it must not bring the process down.
  done.catch(() => {});
  let gathered = '';
  return {
    line: async (line) => {
      gathered += line + lineBreak;
      if (gathered.length < CHUNK) return;
      const chunk = gathered;
      gathered = '';
      if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), done]);
    },
    end: async () => {
      stream.end(gathered);
      await done;
    },
  };
}
