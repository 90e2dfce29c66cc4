import { readFile, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import type { EvalCase } from '../../case/case.ts';
import type { CaseFormat } from '../../case/case-format.ts';
import { decodeInput, type Parsed, parseInput } from '../../case/paste/parse-input.ts';
import { JuryError, messageOf } from '../../common/errors.ts';
import { readTable, type Table, type TableFormat } from './read-table.ts';

/** One case or problem with where it came from. */
export interface ReadItem {
  /** File name, `standard input`, with the item's number where there are several. */
  source: string;
  parsed: Parsed;
}

/** Where `-` is read from, and where a person at a terminal is asked for it. Null: there is none, and `-` is a file. */
export type StandardInput = {
  input: () => Readable & { readonly isTTY?: boolean };
  err: (text: string) => void;
} | null;

/** What cases may be: how long, and of which fields. */
export interface CaseOptions {
  maxCaseChars: number;
  format: CaseFormat;
}

const LARGEST_INPUT = 256 * 1024 * 1024;

/**
 * The bytes of a file, or of standard input for `-`.
 * @throws JuryError `usage` for a file that cannot be read, `bad-input` for one over 256 MiB
 */
async function bytesOf(standard: StandardInput, path: string, stop: AbortSignal): Promise<Uint8Array> {
  if (path === '-' && standard !== null) {
    const input = standard.input();
    if (input.isTTY === true) standard.err('Paste a case (User: … System: …), then press Ctrl-D.');
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of addAbortSignal(stop, input)) {
      const part = Buffer.from(chunk);
      size += part.length;
      if (size > LARGEST_INPUT)
        throw new JuryError('bad-input', 'Standard input is larger than 256 MiB: split it.');
      chunks.push(part);
    }
    return Buffer.concat(chunks);
  }
  try {
    const { size } = await stat(path);
    if (size > LARGEST_INPUT) throw new JuryError('bad-input', `${path} is larger than 256 MiB: split it.`);
    return await readFile(path);
  } catch (thrown) {
    if (thrown instanceof JuryError) throw thrown;
    throw new JuryError('usage', `Cannot read ${path}: ${reasonOf(thrown)}.`, { cause: thrown });
  }
}

/** A file as messages name it. */
export const inputName = (path: string): string => (path === '-' ? 'standard input' : path);

function reasonOf(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  if (code === 'ENOENT') return 'no such file';
  if (code === 'EISDIR') return 'it is a folder: name the files in it';
  if (code === 'EACCES') return 'permission denied';
  return messageOf(thrown);
}

/** A paste's name is its file's: `samples/closed.txt` becomes case `closed`. */
function named(parsed: Parsed, path: string, index: number, count: number): Parsed {
  if (!('case' in parsed) || parsed.case.id !== undefined || path === '-') return parsed;
  const name = basename(path, extname(path));
  return { ...parsed, case: { id: count === 1 ? name : `${name}-${index + 1}`, ...parsed.case } };
}

/**
 * Reads files (`-`: standard input; none: standard input) as cases, in input order.
 * @throws JuryError `usage` for a file that cannot be read; an AbortError when `stop` aborts before the end of the input
 */
export async function readCases(
  standard: StandardInput,
  files: readonly string[],
  options: CaseOptions,
  stop: AbortSignal,
): Promise<ReadItem[]> {
  const items: ReadItem[] = [];
  for (const path of files.length > 0 ? files : ['-']) {
    const decoded = decodeInput(await bytesOf(standard, path, stop));
    const parsed: Parsed[] =
      'problem' in decoded
        ? [{ problem: decoded.problem, missing: ['conversation', 'response'], understood: {} }]
        : parseInput(decoded.text, options);
    const label = inputName(path);
    parsed.forEach((item, index) => {
      const source = parsed.length === 1 ? label : `${label}, item ${index + 1}`;
      items.push({ source, parsed: named(item, path, index, parsed.length) });
    });
  }
  return items;
}

/**
 * All cases of some files; none: of standard input.
 *
 * @throws JuryError `bad-input` that lists every case that could not be understood, `usage` for a file that cannot be read
 */
export async function requireCases(
  standard: StandardInput,
  files: readonly string[],
  options: CaseOptions,
  stop: AbortSignal,
): Promise<EvalCase[]> {
  const items = await readCases(standard, files, options, stop);
  const problems: string[] = [];
  const cases: EvalCase[] = [];
  for (const { source, parsed } of items)
    if ('problem' in parsed) problems.push(`${source}: ${parsed.problem}`);
    else cases.push(parsed.case);
  if (problems.length > 0)
    throw new JuryError(
      'bad-input',
      `${problems.join('\n')}\nNothing was judged. "jury parse" shows how each case was understood.`,
    );
  return cases;
}

/** A case with where it stands. */
export interface LabeledCase {
  /** Its id, or its place in the file. */
  name: string;
  evalCase: EvalCase;
}

/**
 * The cases of dataset files, all or none.
 * @throws JuryError `bad-input` that lists what could not be read, or says that there is nothing
 */
export async function readDataset(
  standard: StandardInput,
  files: readonly string[],
  options: CaseOptions,
  stop: AbortSignal,
): Promise<LabeledCase[]> {
  const items = await readCases(standard, files, options, stop);
  const problems = items.flatMap(({ source, parsed }) =>
    'problem' in parsed ? [`${source}: ${parsed.problem}`] : [],
  );
  if (problems.length > 0) throw new JuryError('bad-input', problems.join('\n'));
  if (items.length === 0) throw new JuryError('bad-input', 'The input has no cases.');
  return items.flatMap(({ source, parsed }) =>
    'case' in parsed ? [{ name: parsed.case.id ?? source, evalCase: parsed.case }] : [],
  );
}

const FORMATS: Readonly<Record<string, TableFormat>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.json': 'jsonl',
};

/** The format of a table, by the name of its file, else by how it begins. */
const formatOf = (file: string, text: string): TableFormat =>
  FORMATS[extname(file).toLowerCase()] ?? (text.trimStart().startsWith('{') ? 'jsonl' : 'csv');

/**
 * A CSV or JSONL file as a table; its format by its name where none is given.
 * @throws JuryError `bad-input` for what is no such table, `usage` for a file that cannot be read
 */
export async function readTableFile(
  standard: StandardInput,
  file: string,
  format: TableFormat | undefined,
  stop: AbortSignal,
): Promise<Table> {
  const decoded = decodeInput(await bytesOf(standard, file, stop));
  if ('problem' in decoded) throw new JuryError('bad-input', `${inputName(file)}: ${decoded.problem}`);
  return readTable(decoded.text, format ?? formatOf(file, decoded.text));
}
