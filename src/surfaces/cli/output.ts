import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { JuryError, messageOf } from '../../common/errors.ts';
import type { Terminal } from './terminal.ts';

const refused = (path: string, thrown: unknown): JuryError =>
  new JuryError('usage', `Cannot write ${path}: ${messageOf(thrown)}.`, { cause: thrown });

/** Writes a file. @throws JuryError `usage` where that cannot be */
export async function writeOutput(path: string, data: string | Uint8Array): Promise<void> {
  try {
    await writeFile(path, data);
  } catch (thrown) {
    throw refused(path, thrown);
  }
}

/** Where lines of results go, one after the other, however many. */
export interface OutputLines {
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
export function openOutput({ out }: Terminal, path: string | undefined, lineBreak = '\n'): OutputLines {
  if (path === undefined) return { line: async (line) => out(line), end: async () => {} };
  const stream = createWriteStream(path);
  const done = finished(stream).catch((thrown: unknown) => {
    throw refused(path, thrown);
  });
  // Rejects where it is awaited; until then it must not end the process.
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
