import { lstat, rm, truncate } from 'node:fs/promises';
import type { CaseShelf } from '../../benchmark/collect/index.ts';
import { type EvalCase, KeptCase } from '../../case/index.ts';
import { fileReason, JuryError } from '../../common/index.ts';
import { readJson } from '../../common/text/index.ts';
import { openAppendFile, readLines, replaceLines } from './line-files.ts';
import { takeLock } from './process-lock.ts';

export interface AnswerFile extends CaseShelf {
  /** Replaces the contents of the file with these cases, atomically. */
  replace: (cases: readonly EvalCase[]) => Promise<void>;
  close: () => Promise<void>;
}

async function requireFile(path: string): Promise<void> {
  const there = await lstat(path).catch(() => null);
  if (there !== null && !there.isFile())
    throw new JuryError('usage', `Cannot collect answers in ${path}: it is not a regular file.`);
}

/** The start of every line that Jury writes to such a file. */
const BEGINNING = '{"conversation":';

const lineOf = ({ conversation, ...rest }: EvalCase): string => JSON.stringify({ conversation, ...rest });

/**
 * Reads the cases in a file. A half-written last line is cut off, but only if Jury wrote it; `isEnded` is false if the
 * last case lacks a line break.
 *
 * @throws JuryError `usage` if the file holds anything else
 */
async function readKept(path: string): Promise<{ cases: EvalCase[]; isEnded: boolean }> {
  const cases: EvalCase[] = [];
  let isEnded = true;
  for await (const { text, at, whole } of readLines(path)) {
    const read = readJson(KeptCase, text);
    if (read !== null) {
      cases.push(read.value);
      isEnded = whole;
    } else if (!whole && text.slice(0, BEGINNING.length) === BEGINNING.slice(0, text.length))
      await truncate(path, at);
    else
      throw new JuryError(
        'usage',
        `${path} has lines that are no cases of Jury. Nothing was asked. Name another file.`,
      );
  }
  return { cases, isEnded };
}

/**
 * Opens a file of collected cases, one per line, for exclusive use by this process.
 *
 * @throws JuryError `usage` if it cannot be written, holds anything else, or is being written by another process
 */
export async function openAnswerFile(path: string): Promise<AnswerFile> {
  await requireFile(path);
  const refused = (thrown: unknown): never => {
    if (thrown instanceof JuryError) throw thrown;
    throw new JuryError('usage', `Cannot write ${path}: ${fileReason(thrown)}.`, { cause: thrown });
  };
  const unlock = await takeLock(`${path}.lock`, 'file').catch(refused);
  try {
    const { cases: storedCases, isEnded } = await readKept(path);
    let kept = storedCases;
    let lineBreak = isEnded ? '' : '\n';
    let isEmpty = kept.length === 0;
    let file = await openAppendFile(path).catch(refused);
    return {
      read: async () => kept,
      add: (evalCase) => {
        isEmpty = false;
        const line = lineBreak + lineOf(evalCase);
        lineBreak = '';
        return file.append(line);
      },
      replace: async (cases) => {
        await replaceLines(path, cases.map(lineOf));
        await file.close();
        kept = [...cases];
        isEmpty = kept.length === 0;
        lineBreak = '';
        file = await openAppendFile(path);
      },
      close: async () => {
        await file.close();
        if (isEmpty) await rm(path, { force: true });
        await unlock();
      },
    };
  } catch (thrown) {
    await unlock();
    throw thrown;
  }
}
