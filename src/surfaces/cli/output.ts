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

/** Where results go one after the other, however many. */
export interface Growing<T> {
  /** @returns null where the next may come at once */
  add: (item: T) => Promise<void> | null;
  end: () => Promise<void>;
}

/** Items that are gathered before they are written: a write for each would cost more than the item. */
const AT_ONCE = 200;

/**
 * A file that grows by items; waits while the disk is slower than what is written.
 *
 * @param textOf the text of items, many at once
 * @throws JuryError `usage`, also later, where the file cannot be written
 */
export function openFile<T>(path: string, textOf: (items: readonly T[]) => string): Growing<T> {
  const stream = createWriteStream(path);
  const done = finished(stream).catch((thrown: unknown) => {
    throw refused(path, thrown);
  });
  // Rejects where it is awaited; until then it must not end the process.
  done.catch(() => {});
  let gathered: T[] = [];
  const taken = (): string => {
    const text = textOf(gathered);
    gathered = [];
    return text;
  };
  return {
    add: (item) => {
      gathered.push(item);
      if (gathered.length < AT_ONCE || stream.write(taken())) return null;
      return Promise.race([once(stream, 'drain'), done]).then(() => {});
    },
    end: async () => {
      stream.end(taken());
      await done;
    },
  };
}

/** Lines without their line break, into a file, or to standard output where none is named. */
export function openOutput({ out }: Terminal, path: string | undefined, lineBreak = '\n'): Growing<string> {
  if (path !== undefined) return openFile(path, (lines) => lines.map((line) => line + lineBreak).join(''));
  return {
    add: (line) => {
      out(line);
      return null;
    },
    end: async () => {},
  };
}
