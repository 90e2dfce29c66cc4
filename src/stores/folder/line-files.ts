import { createReadStream, writeSync } from 'node:fs';
import { open, rename, rm, truncate, writeFile } from 'node:fs/promises';
import type * as z from 'zod';
import { fileReason, hasCode, JuryError, messageOf } from '../../common/index.ts';
import { readJson } from '../../common/text/index.ts';

export type AppendFile = Awaited<ReturnType<typeof openAppendFile>>;

/** Writes all bytes, since a single write may accept only some of them. */
function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/**
 * Opens an append-only file, readable only by its owner.
 *
 * Lines of one event-loop turn are written together and synchronously: handing the system a few kilobytes takes a sixth
 * of the time it would on a thread. Syncing to disk is slow and left to a thread. After a failed write, for example on
 * a full disk, nothing more is appended, because it may have left half a line.
 */
export async function openAppendFile(path: string) {
  const file = await open(path, 'a', 0o600);
  let failed: JuryError | null = null;
  let next: { lines: string[]; written: Promise<void> } | null = null;
  let dirty = false;

  function write(lines: readonly string[]): void {
    if (failed !== null) throw failed;
    dirty = true;
    try {
      writeAll(file.fd, Buffer.from(lines.join('')));
    } catch (cause) {
      failed = new JuryError(
        'store-unavailable',
        `Cannot write to ${path}: ${messageOf(cause)}. Everything saved before is safe; fix the problem and run the same command again.`,
        { cause },
      );
      throw failed;
    }
  }
  function batch() {
    const lines: string[] = [];
    const written = Promise.resolve().then(() => {
      next = null;
      write(lines);
    });
    return { lines, written };
  }
  async function sync(): Promise<void> {
    if (!dirty) return;
    dirty = false;
    await file.datasync();
  }
  return {
    /** Resolves when the system has the line, so that it survives this process. */
    append(line: string): Promise<void> {
      next ??= batch();
      next.lines.push(`${line}\n`);
      return next.written;
    },
    /** Resolves when everything appended so far is on disk, so that it survives a power cut. */
    sync,
    close: async (): Promise<void> => {
      await next?.written.catch(() => {});
      try {
        await sync();
      } finally {
        await file.close();
      }
    },
  };
}

/** Writes a file completely or not at all, even on a full disk or in a power cut. Only its owner can read it. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.tmp`;
  await writeFile(draft, text, { flush: true, mode: 0o600 });
  await rename(draft, path);
}

/**
 * Runs work that writes files.
 *
 * @throws JuryError `store-unavailable` if the system refuses, for example on a full disk
 */
export async function writing<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof Error && 'syscall' in thrown)) throw thrown;
    throw new JuryError(
      'store-unavailable',
      `The folder ${folder} cannot be written (${fileReason(thrown)}): free some space, or set JURY_DATA_DIR to a writable folder.`,
      { cause: thrown, retryable: true },
    );
  }
}

const LINE_FEED = 10;

export interface Line {
  text: string;
  /** The line's offset in bytes, and whether it ends with a line break. */
  at: number;
  whole: boolean;
}

/** The lines of a file; none if it does not exist. Unlike `readline`, it detects a torn last line. */
export async function* readLines(path: string): AsyncGenerator<Line> {
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 256 * 1024 });
  let rest: Buffer = Buffer.alloc(0);
  let at = 0;
  try {
    for await (const chunk of chunks) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let from = 0;
      for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, from)) {
        yield { text: bytes.toString('utf8', from, end), at: at + from, whole: true };
        from = end + 1;
      }
      at += from;
      rest = bytes.subarray(from);
    }
  } catch (thrown) {
    if (hasCode(thrown, 'ENOENT')) return;
    throw thrown;
  }
  if (rest.length > 0) yield { text: rest.toString('utf8'), at, whole: false };
}

/**
 * The parsed values of a JSON Lines file. A torn last line, left by a crash or a write in progress, is skipped.
 *
 * @param options `onTorn` is called with the offset of the torn line, in bytes; `isWanted` filters lines by their text
 * @throws JuryError `bad-file` if any other line cannot be parsed
 */
export async function* readJsonLines<T extends z.ZodType>(
  path: string,
  schema: T,
  { onTorn, isWanted }: { onTorn?: (at: number) => void; isWanted?: (text: string) => boolean } = {},
): AsyncGenerator<z.output<T>> {
  let broken: { number: number; at: number } | null = null;
  let number = 0;
  for await (const { text, at, whole } of readLines(path)) {
    if (broken !== null)
      throw new JuryError(
        'bad-file',
        `${path}: line ${broken.number} cannot be read. Was it changed by hand, or written by another version? Delete that line to judge its trial again.`,
      );
    number += 1;
    if (whole && isWanted?.(text) === false) continue;
    const read = whole ? readJson(schema, text) : null;
    if (read === null) broken = { number, at };
    else yield read.value;
  }
  if (broken !== null) onTorn?.(broken.at);
}

/** Reads a JSON Lines file and cuts off a torn last line, so that it can be appended to. */
export async function mendJsonLines<T extends z.ZodType>(
  path: string,
  schema: T,
  each: (value: z.output<T>) => void,
): Promise<void> {
  let tornAt: number | null = null;
  const onTorn = (at: number) => {
    tornAt = at;
  };
  for await (const value of readJsonLines(path, schema, { onTorn })) each(value);
  if (tornAt !== null) await truncate(path, tornAt);
}

/** Replaces the contents of a file with these lines, atomically. */
export async function replaceLines(
  path: string,
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  const draft = `${path}.tmp`;
  await rm(draft, { force: true });
  const file = await openAppendFile(draft);
  try {
    for await (const line of lines) await file.append(line);
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

/** Drops lines of a file, and a torn last line. If there is nothing to drop, the file is left untouched. */
export async function keepLines(path: string, stays: (line: string) => boolean): Promise<void> {
  async function* kept(): AsyncGenerator<string> {
    for await (const { text, whole } of readLines(path)) if (whole && stays(text)) yield text;
  }
  for await (const { text, whole } of readLines(path))
    if (!whole || !stays(text)) return replaceLines(path, kept());
}

/**
 * Rewrites a JSON Lines file.
 *
 * @param change returns the new value, or null to drop the line
 */
export async function changeLines<T extends z.ZodType>(
  path: string,
  schema: T,
  change: (value: z.output<T>) => unknown,
): Promise<void> {
  async function* changed(): AsyncGenerator<string> {
    for await (const value of readJsonLines(path, schema)) {
      const next = change(value);
      if (next !== null) yield JSON.stringify(next);
    }
  }
  await replaceLines(path, changed());
}
