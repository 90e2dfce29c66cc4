import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { constants, createWriteStream } from 'node:fs';
import { access, lstat, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { EvalCase } from '../../case/index.ts';
import { fileReason, hasCode, JuryError, makeFolder } from '../../common/index.ts';
import { jsonLine } from '../../common/text/index.ts';
import type { Terminal } from './command-context.ts';

const refused = (path: string, thrown: unknown): JuryError =>
  thrown instanceof JuryError
    ? thrown
    : new JuryError('usage', `Cannot write ${path}: ${writeReason(path, thrown)}.`, { cause: thrown });

/** Why a path cannot be written. A missing file can be created, so ENOENT means that its folder is missing. */
const writeReason = (path: string, thrown: unknown): string =>
  hasCode(thrown, 'ENOENT')
    ? `the folder ${dirname(path)} does not exist; make it first`
    : fileReason(thrown);

const linked = (path: string, what: 'file' | 'folder'): JuryError =>
  new JuryError('usage', `Cannot write ${path}: it is a symbolic link. Name the ${what} that it points to.`);

/** Makes a folder for files if it does not exist. @throws JuryError `usage` if that fails, or for a symbolic link */
export async function makeOutputFolder(path: string): Promise<void> {
  // With a trailing slash, lstat would follow the link.
  const there = await lstat(path.replace(/(?<=.)\/+$/, '')).catch(() => null);
  if (there?.isSymbolicLink()) throw linked(path, 'folder');
  await makeFolder(path).catch((thrown) => {
    throw refused(path, thrown);
  });
}

/** Checks before long work that its file can be written. @throws JuryError `usage` if not */
export const requireWritable = (path: string): Promise<void> =>
  access(dirname(path), constants.W_OK).catch((thrown) => {
    throw refused(path, thrown);
  });

/**
 * Where a file is written until it is complete, so that an existing one survives any failure: a draft beside it; for a device or a
 * pipe, the path itself. `keep` moves the draft into place.
 *
 * @throws JuryError `usage` for a symbolic link or a folder
 */
async function draftOf(path: string) {
  const there = await lstat(path).catch(() => null);
  if (there?.isSymbolicLink()) throw linked(path, 'file');
  if (there?.isDirectory())
    throw new JuryError('usage', `Cannot write ${path}: it is a folder. Name a file in it.`);
  if (there !== null && !there.isFile())
    return { path, options: { flags: 'w' }, keep: async () => {}, drop: async () => {} };
  const draft = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomBytes(6).toString('hex')}.tmp`);
  return {
    path: draft,
    // The file holds what people pasted: a new one is readable only by its owner.
    options: { flags: 'wx', mode: there === null ? 0o600 : there.mode & 0o777 },
    keep: () => rename(draft, path),
    drop: () => rm(draft, { force: true }),
  };
}

/** A destination for any number of results, one after the other. */
export interface Growing<T> {
  /** @returns null if the next item may follow at once; otherwise resolves when it may */
  add: (item: T) => Promise<void> | null;
  end: () => Promise<void>;
  /** Ends it without its last items; a file is then not kept at all. */
  drop: () => Promise<void>;
}

/** By default, gathers some items for one write: a write per item would cost more than the item. */
const AT_ONCE = 200;

/**
 * A file that grows item by item and is put in place once it ends. Waits while the disk is slower than the items.
 *
 * @param textOf the text of several items
 * @param atOnce how many items are gathered for one write
 * @throws JuryError `usage`, now or later, if the file cannot be written
 */
export async function openFile<T>(
  path: string,
  textOf: (items: readonly T[]) => string | Uint8Array,
  atOnce = AT_ONCE,
): Promise<Growing<T>> {
  const draft = await draftOf(path);
  const stream = createWriteStream(draft.path, draft.options);
  const done = finished(stream).catch(async (thrown: unknown) => {
    await draft.drop();
    throw refused(path, thrown);
  });
  // A failure is thrown where this is awaited; until then it must not end the process.
  done.catch(() => {});
  let gathered: T[] = [];
  const taken = (): string | Uint8Array => {
    const text = textOf(gathered);
    gathered = [];
    return text;
  };
  return {
    add: (item) => {
      gathered.push(item);
      if (gathered.length < atOnce || stream.write(taken())) return null;
      // A failure while it waits is reported as a failure of the file.
      return Promise.race([once(stream, 'drain').catch(() => done), done]).then(() => {});
    },
    end: async () => {
      stream.end(taken());
      await done;
      await draft.keep();
    },
    drop: async () => {
      stream.destroy();
      await done.catch(() => {});
    },
  };
}

/** Opens something beside a file; if that fails, the file is dropped. */
export async function openBeside<T>(first: Pick<Growing<never>, 'drop'>, opening: Promise<T>): Promise<T> {
  try {
    return await opening;
  } catch (thrown) {
    await first.drop();
    throw thrown;
  }
}

/** Writes a file completely or not at all. @throws JuryError `usage` if it cannot be written */
export async function writeOutput(path: string, data: string | Uint8Array): Promise<void> {
  const file = await openFile<typeof data>(path, ([only = '']) => only);
  file.add(data);
  await file.end();
}

/** Writes a large file piece by piece, completely or not at all. @throws JuryError `usage` if it cannot be written */
export async function writePieces(path: string, pieces: Iterable<string>): Promise<void> {
  const file = await openFile<string>(path, (texts) => texts.join(''), 1);
  for (const piece of pieces) await file.add(piece);
  await file.end();
}

/** Takes lines without a line break, for a file, or for standard output if none is named. */
export async function openOutput(
  { out }: Terminal,
  path: string | undefined,
  lineBreak = '\n',
): Promise<Growing<string>> {
  if (path !== undefined) return openFile(path, (lines) => lines.map((line) => line + lineBreak).join(''));
  return {
    add: (line) => {
      out(line);
      return null;
    },
    end: async () => {},
    drop: async () => {},
  };
}

/** Writes cases as JSONL to a file, or to standard output if none is named. @throws JuryError `usage` if the file cannot be written */
export async function writeCases(
  terminal: Terminal,
  cases: readonly EvalCase[],
  out?: string,
): Promise<void> {
  const output = await openOutput(terminal, out);
  for (const one of cases) await output.add(jsonLine(one));
  await output.end();
}
