import { createHash, randomBytes } from 'node:crypto';
import { chmod, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { makeFolder, messageOf } from '../../common/index.ts';
import { readJson } from '../../common/text/index.ts';

/** A cache of accepted answers, keyed by the content of the question. It never fails a call. */
export type AnswerCache = ReturnType<typeof createAnswerCache>;

export const CachedAnswer = z.strictObject({ version: z.literal(1), key: z.string(), text: z.string() });

/** A hash of everything that could change an answer. */
export const cacheKeyOf = (parts: unknown): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** Limits on the cache's contents. */
interface CacheLimits {
  bytes: number;
  /** Answers older than this many ms are deleted; null keeps them. */
  ageMs: number | null;
}

const unlimited: CacheLimits = { bytes: Number.POSITIVE_INFINITY, ageMs: null };

/** Answers are spread over this many folders, each of which gets an equal share of the size limit. */
const SHARDS = 256;

/** Number of writes to a folder between checks of its size and age. */
const WRITES_A_SWEEP = 16;

/**
 * A cache with one file per answer, `<folder>/<2 hex>/<sha256>.json`, written to a temporary file and renamed, so that readers never see
 * a partial one. A damaged or foreign file is a miss. `warn` is called on the first failed write.
 */
export function createAnswerCache(
  folder: string,
  warn: (message: string) => void = () => {},
  limits: CacheLimits = unlimited,
) {
  const writing = new Set<Promise<void>>();
  const writes = new Map<string, number>();
  let warned = false;
  let isPrivate = false;
  const folderOf = (key: string) => join(folder, key.slice(0, 2));

  async function save(key: string, text: string): Promise<void> {
    const place = folderOf(key);
    const draft = join(place, `${key}.${randomBytes(6).toString('hex')}.tmp`);
    try {
      await makeFolder(place);
      // Version 0.1 created the folder readable by others.
      if (!isPrivate) await chmod(folder, 0o700);
      isPrivate = true;
      const entry: z.infer<typeof CachedAnswer> = { version: 1, key, text };
      await writeFile(draft, JSON.stringify(entry), { mode: 0o600 });
      await rename(draft, join(place, `${key}.json`));
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {});
      if (!warned) warn(`answers are not cached: cannot write to ${folder}: ${messageOf(error)}`);
      warned = true;
    }
    const shard = key.slice(0, 2);
    const count = (writes.get(shard) ?? 0) + 1;
    writes.set(shard, count);
    if (count % WRITES_A_SWEEP === 0) await sweepShard(shard);
  }

  /** Deletes answers that are too old, then the oldest ones until the folder is within its share. Never rejects. */
  async function sweepShard(shard: string): Promise<void> {
    const within = { recursive: true, withFileTypes: true } as const;
    const entries = await readdir(join(folder, shard), within).catch(() => []);
    const files = await Promise.all(
      entries
        .filter((entry) => entry.isFile())
        .map(async ({ parentPath, name }) => {
          const path = join(parentPath, name);
          const stats = await stat(path).catch(() => null);
          return { path, at: stats?.mtimeMs ?? 0, bytes: stats?.size ?? 0 };
        }),
    );
    const tooOld = limits.ageMs === null ? Number.NEGATIVE_INFINITY : Date.now() - limits.ageMs;
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    for (const file of files.sort((a, b) => a.at - b.at)) {
      if (file.at >= tooOld && bytes <= limits.bytes / SHARDS) return;
      await rm(file.path, { force: true }).catch(() => {});
      bytes -= file.bytes;
    }
  }

  return {
    /** The raw text of an accepted answer, or null if it is not cached. */
    async read(key: string): Promise<string | null> {
      const path = join(folderOf(key), `${key}.json`);
      const entry = readJson(CachedAnswer, await readFile(path, 'utf8').catch(() => ''))?.value;
      return entry?.key === key ? entry.text : null;
    },
    /** Saves an accepted answer in the background. */
    write(key: string, text: string): void {
      const task = save(key, text).finally(() => writing.delete(task));
      writing.add(task);
    },
    /** Deletes answers that exceed the limits on age or size. */
    async sweep(): Promise<void> {
      for (const shard of await readdir(folder).catch(() => [])) await sweepShard(shard);
    },
    /** Waits for pending writes. */
    async flush(): Promise<void> {
      await Promise.all(writing);
    },
  };
}
