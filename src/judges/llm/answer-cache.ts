import { createHash, randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { messageOf } from '../../common/errors.ts';
import { makeFolder } from '../../common/make-folder.ts';
import { readJson } from '../../common/text.ts';

/** Earlier answers, keyed by the content of the question. Never fails a call. */
export type AnswerCache = ReturnType<typeof createAnswerCache>;

const Entry = z.strictObject({ version: z.literal(1), key: z.string(), text: z.string() });

/** The hash of everything that could change an answer. */
export const cacheKeyOf = (parts: unknown): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/**
 * A cache with one file per answer, `<folder>/<2 hex>/<sha256>.json`, written to a temporary file and renamed, so that readers never
 * see a partial one. A damaged or foreign file is a miss. `warn` is called on the first failed write.
 */
export function createAnswerCache(folder: string, warn: (message: string) => void = () => {}) {
  const writing = new Set<Promise<void>>();
  let warned = false;
  const pathOf = (key: string) => join(folder, key.slice(0, 2), `${key}.json`);

  async function save(key: string, text: string): Promise<void> {
    const path = pathOf(key);
    const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
    try {
      await makeFolder(dirname(path));
      await writeFile(draft, JSON.stringify({ version: 1, key, text } satisfies z.infer<typeof Entry>));
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {});
      if (!warned) warn(`answers are not cached: cannot write to ${folder}: ${messageOf(error)}`);
      warned = true;
    }
  }

  return {
    /** The raw text of an earlier accepted answer, or null. */
    async read(key: string): Promise<string | null> {
      const entry = readJson(Entry, await readFile(pathOf(key), 'utf8').catch(() => ''))?.value;
      return entry?.key === key ? entry.text : null;
    },
    /** Saves an accepted answer in the background. */
    write(key: string, text: string): void {
      const task = save(key, text).finally(() => writing.delete(task));
      writing.add(task);
    },
    /** Waits for what is still being written. */
    async flush(): Promise<void> {
      await Promise.all(writing);
    },
  };
}
