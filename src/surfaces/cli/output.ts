import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { constants, createWriteStream } from 'node:fs';
import { access, lstat, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { EvalCase } from '../../case/case.ts';
import { fileReason, hasCode, JuryError } from '../../common/errors.ts';
import { makeFolder } from '../../common/make-folder.ts';
import { jsonLine } from '../../common/text.ts';
import type { Terminal } from './command.ts';

const refused = (path: string, thrown: unknown): JuryError =>
  thrown instanceof JuryError
    ? thrown
    : new JuryError('usage', `Cannot write ${path}: ${writeReason(path, thrown)}.`, { cause: thrown });

/** A file that does not exist is no reason not to write it; its folder is. */
const writeReason = (path: string, thrown: unknown): string =>
  hasCode(thrown, 'ENOENT')
    ? `the folder ${dirname(path)} does not exist; make it first`
    : fileReason(thrown);

const linked = (path: string, what: 'file' | 'folder'): JuryError =>
  new JuryError('usage', `Cannot write ${path}: it is a symbolic link. Name the ${what} that it points to.`);

/** Makes a folder for files, if there is none. @throws JuryError `usage`, also for a symbolic link */
export async function makeOutputFolder(path: string): Promise<void> {
  // With a slash at its end, what a link points to would be looked at.
  const there = await lstat(path.replace(/(?<=.)\/+$/, '')).catch(() => null);
  if (there?.isSymbolicLink()) throw linked(path, 'folder');
  await makeFolder(path).catch((thrown) => {
    throw refused(path, thrown);
  });
}

/** Says before long work that its file could not be written. @throws JuryError `usage` */
export const requireWritable = (path: string): Promise<void> =>
  access(dirname(path), constants.W_OK).catch((thrown) => {
    throw refused(path, thrown);
  });

/**
 * Where a file is written until it is whole, so that the one there before stays if anything fails: beside it; of a device or a pipe,
 * itself. `keep` puts it in its place.
 *
 * @throws JuryError `usage` for a symbolic link
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
    // What people pasted is in it: a new one is for its owner alone.
    options: { flags: 'wx', mode: there === null ? 0o600 : there.mode & 0o777 },
    keep: () => rename(draft, path),
    drop: () => rm(draft, { force: true }),
  };
}

/** Where results go one after the other, however many. */
export interface Growing<T> {
  /** @returns null where the next may come at once */
  add: (item: T) => Promise<void> | null;
  end: () => Promise<void>;
  /** Ends it without its last items; a file is then not written at all. */
  drop: () => Promise<void>;
}

/** Items that are gathered before they are written: a write for each would cost more than the item. */
const AT_ONCE = 200;

/**
 * A file that grows by items and is in its place once it ends; waits while the disk is slower than what is written.
 *
 * @param textOf the text of items, many at once
 * @throws JuryError `usage`, also later, if the file cannot be written
 */
export async function openFile<T>(
  path: string,
  textOf: (items: readonly T[]) => string | Uint8Array,
): Promise<Growing<T>> {
  const draft = await draftOf(path);
  const stream = createWriteStream(draft.path, draft.options);
  const done = finished(stream).catch(async (thrown: unknown) => {
    await draft.drop();
    throw refused(path, thrown);
  });
  // Rejects where it is awaited; until then it must not end the process.
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
      if (gathered.length < AT_ONCE || stream.write(taken())) return null;
      // What fails while it waits fails as the file does.
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

/** What is opened beside a file; where that cannot be, the file is dropped. */
export async function openBeside<T>(first: Pick<Growing<never>, 'drop'>, opening: Promise<T>): Promise<T> {
  try {
    return await opening;
  } catch (thrown) {
    await first.drop();
    throw thrown;
  }
}

/** Writes a file, whole or not at all. @throws JuryError `usage` if that cannot be */
export async function writeOutput(path: string, data: string | Uint8Array): Promise<void> {
  const file = await openFile<typeof data>(path, ([only = '']) => only);
  file.add(data);
  await file.end();
}

/** Lines without their line break, into a file, or to standard output if none is named. */
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

/** Writes cases as JSONL. @throws JuryError `usage` where the file cannot be written */
export async function writeCases(
  terminal: Terminal,
  cases: readonly EvalCase[],
  out: string | undefined,
): Promise<void> {
  const output = await openOutput(terminal, out);
  for (const one of cases) await output.add(jsonLine(one));
  await output.end();
}
