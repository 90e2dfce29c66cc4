import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join, relative, sep } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import type { CaseFormat } from '../case/format/index.ts';
import type { EvalCase } from '../case/index.ts';
import { decodeInput, type Parsed, parseInput } from '../case/paste/index.ts';
import { fileReason, groupedBy, isBadInput, JuryError } from '../common/index.ts';
import { counted, grouped, naturalOrder, plainLine } from '../common/text/index.ts';
import type { ReadCase } from '../judging/index.ts';
import { readTable, type Table, type TableFormat } from './read-table.ts';

/** A case or a problem, and where it comes from. */
export interface ReadItem {
  /** File name or `standard input`, with the item's line or number if there are several. */
  source: string;
  parsed: Parsed;
  /** Null for standard input. */
  file: string | null;
  /** The line of the file where it begins; null if it is not known. */
  line: () => number | null;
  /** The whole text, if it is a single item that could not be read. */
  unread: string | null;
}

/** Standard input for `-`, and where to print a hint if it is a terminal. Null: `-` is an ordinary file name. */
export type StandardInput = {
  input: () => Readable & { readonly isTTY?: boolean };
  err: (text: string) => void;
} | null;

/** Maximum case length, and the fields of a case. */
export interface CaseOptions {
  maxCaseChars: number;
  format: CaseFormat;
  /** Allow any number of cases in JSON with one case per line. */
  isLog?: boolean;
}

const MAX_BYTES = 256 * 1024 * 1024;

function requireSize(path: string, bytes: number): void {
  if (bytes > MAX_BYTES)
    throw new JuryError('bad-input', `${inputName(path)} is larger than 256 MiB: split it.`);
}

async function standardBytes(standard: NonNullable<StandardInput>, stop: AbortSignal): Promise<Buffer> {
  const input = standard.input();
  if (input.isTTY === true) standard.err('Paste a case (User: … System: …), then press Ctrl-D.');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of addAbortSignal(stop, input)) {
    const part = Buffer.from(chunk);
    size += part.length;
    requireSize('-', size);
    chunks.push(part);
  }
  return Buffer.concat(chunks);
}

/**
 * Reads a file, or standard input for `-`.
 * @throws JuryError `usage` for a file that can't be read, `bad-input` for one over 256 MiB
 */
async function bytesOf(standard: StandardInput, path: string, stop: AbortSignal): Promise<Uint8Array> {
  if (path === '-' && standard !== null) return standardBytes(standard, stop);
  try {
    requireSize(path, (await stat(path)).size);
    return await readFile(path);
  } catch (thrown) {
    if (thrown instanceof JuryError) throw thrown;
    throw new JuryError('usage', `Cannot read ${inputName(path)}: ${fileReason(thrown)}.`, { cause: thrown });
  }
}

/** A file's name for messages. */
export const inputName = (path: string): string => (path === '-' ? 'standard input' : plainLine(path));

/** The name of a case in a file with others. */
const nameIn = (path: string, index: number, count: number): string => {
  const name = basename(path, extname(path));
  return count === 1 ? name : `${name}-${index + 1}`;
};

/** Gives a case without an ID the name of its file: `samples/closed.txt` becomes `closed`. @param file null for standard input */
export const namedByFile = <Read extends { case: EvalCase }>(
  read: Read,
  file: string | null,
  index = 0,
  count = 1,
): Read =>
  file === null || read.case.id !== undefined
    ? read
    : { ...read, case: { id: nameIn(file, index, count), ...read.case } };

const named = (parsed: Parsed, path: string, index: number, count: number): Parsed =>
  'case' in parsed ? namedByFile(parsed, path === '-' ? null : path, index, count) : parsed;

/** The lines of several items, for JSONL; otherwise null. */
function linesOf(text: string, count: number): number[] | null {
  const lines = text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [index + 1]));
  return lines.length === count && /^\ufeff?\s*\{/.test(text) ? lines : null;
}

/** The line of a text where a case begins; null for what could not be read. */
function lineOf(text: string, parsed: Parsed): number | null {
  const from = 'case' in parsed ? parsed.spans[0]?.from : undefined;
  return from === undefined ? null : text.slice(0, from).split('\n').length;
}

/** Removes the item's place from the start of a problem, because its source already says it. */
function withoutPlace(parsed: Parsed, place: string): Parsed {
  if (!('problem' in parsed) || !parsed.problem.toLowerCase().startsWith(`${place}: `)) return parsed;
  return { ...parsed, problem: parsed.problem.slice(place.length + 2) };
}

function parsedItems(text: string, options: CaseOptions): Parsed[] {
  const lines = options.isLog ? text.split('\n').filter((line) => line.trim() !== '') : [];
  return lines.length > 0 && lines.every((line) => line.startsWith('{'))
    ? lines.flatMap((line) => parseInput(line, options))
    : parseInput(text, options);
}

/**
 * Reads cases from files, in input order. `-` or no files: standard input.
 * @throws JuryError `usage` for a file that can't be read; an AbortError if `stop` aborts before the end of the input
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
        : parsedItems(decoded.text, options);
    const label = inputName(path);
    const text = 'text' in decoded ? decoded.text : '';
    const lines = linesOf(text, parsed.length);
    parsed.forEach((item, index) => {
      const place = lines === null ? `item ${index + 1}` : `line ${lines[index]}`;
      items.push({
        source: parsed.length === 1 ? label : `${label}, ${place}`,
        parsed: withoutPlace(named(item, path, index, parsed.length), place),
        file: path === '-' ? null : path,
        line: () => lines?.[index] ?? lineOf(text, item),
        unread: parsed.length === 1 && 'problem' in item ? text : null,
      });
    });
  }
  return items;
}

/**
 * Applies `make` to each case, and collects the problems of the rest.
 * @param make throws a JuryError `bad-input` if it can't handle the case
 */
export async function makeOfEach<T>(
  items: readonly ReadItem[],
  make: (read: ReadCase, source: string, item: ReadItem) => T | Promise<T>,
): Promise<{ made: T[]; problems: string[] }> {
  const problems: string[] = [];
  const made: T[] = [];
  for (const item of items) {
    const { source, parsed } = item;
    try {
      if ('problem' in parsed) throw new JuryError('bad-input', parsed.problem);
      made.push(await make(parsed, source, item));
    } catch (thrown) {
      if (!isBadInput(thrown)) throw thrown;
      problems.push(`${source}: ${thrown.message}`);
    }
  }
  return { made, problems };
}

/** Maximum number of problems listed. */
const MOST_PROBLEMS = 20;

/**
 * Problems as lines. Of a long list only the first are shown, with a count of the rest.
 * @param rest says where to find all of them
 */
export function problemLines(problems: readonly string[], rest = ' ("jury parse" lists all)'): string[] {
  const more = problems.length - MOST_PROBLEMS;
  return [
    ...problems.slice(0, MOST_PROBLEMS),
    ...(more > 0 ? [`and ${counted(more, 'other problem')}${rest}`] : []),
  ];
}

/** Maximum number of rows and reasons to name; the rest are counted. */
const NAMED = { rows: 3, reasons: 20 };

/** Rejected rows as lines: each reason once, with the first rows it applies to. */
export function refusalLines(problems: readonly { where: string; reason: string }[]): string[] {
  const byReason = [...groupedBy(problems, ({ reason }) => reason)];
  const lines = byReason.slice(0, NAMED.reasons).map(([reason, same]) => {
    const places = [...new Set(same.map(({ where }) => where))];
    const named = places.slice(0, NAMED.rows).join(', ');
    const more = places.length - NAMED.rows;
    return `${named}${more > 0 ? ` and ${grouped(more)} more` : ''}: ${reason}`;
  });
  const others = byReason.slice(NAMED.reasons).flatMap(([, same]) => same);
  return others.length === 0
    ? lines
    : [
        ...lines,
        `and ${counted(others.length, 'row')} for ${counted(byReason.length - NAMED.reasons, 'other reason')}`,
      ];
}

/** A case with its name. */
export interface LabeledCase {
  /** Its ID, or its place in the file. */
  name: string;
  evalCase: EvalCase;
  /** Assumptions made when reading it, in plain words. */
  assumed: readonly string[];
  /** Where it is written; null for standard input. */
  place: { file: string; line: number | null } | null;
}

/**
 * Reads all cases of dataset files, or of standard input if there are none. Fails if any case can't be read.
 * @throws JuryError `bad-input` that lists every unreadable case, or if there is no case at all; `usage` for a file that can't be read
 */
export async function readDataset(
  standard: StandardInput,
  files: readonly string[],
  options: CaseOptions,
  stop: AbortSignal,
): Promise<LabeledCase[]> {
  const items = await readCases(standard, files, options, stop);
  if (items.length === 0) throw new JuryError('bad-input', 'The input has no cases. Nothing was done.');
  const { made, problems } = await makeOfEach(
    items,
    ({ case: evalCase, assumed }, source, { file, line }) => ({
      name: evalCase.id ?? source,
      evalCase,
      assumed,
      get place() {
        return file === null ? null : { file, line: line() };
      },
    }),
  );
  if (problems.length > 0)
    throw new JuryError(
      'bad-input',
      `${problemLines(problems).join('\n')}\nNothing was done. "jury parse" shows how each case was understood.`,
    );
  return made;
}

/** A regular expression for a path with `*` (any text within a name), `?` (one character) and `**` (any folders). */
const pattern = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll(/\*\*\/|\*+|\?/g, (one) => ({ '**/': '(?:.*/)?', '?': '[^/]' })[one] ?? '[^/]*')}$`,
  );

/**
 * The files in a folder as relative paths, without hidden ones.
 * @throws JuryError `usage` if it can't be read
 */
async function filesBelow(folder: string, recursive: boolean): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive }).catch((cause: unknown) => {
    throw new JuryError('usage', `Cannot read ${plainLine(folder)}: ${fileReason(cause)}.`, { cause });
  });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/'))
    .filter((path) => !path.split('/').some((part) => part.startsWith('.')))
    .sort(naturalOrder);
}

/**
 * The files that match a path with `*` or `?`, in natural order.
 * @throws JuryError `usage` if there are none
 */
async function matching(path: string): Promise<string[]> {
  const parts = path.split(sep).join('/').split('/');
  const first = parts.findIndex((part) => /[*?]/.test(part));
  const folder = parts.slice(0, first).join('/') || (path.startsWith('/') ? '/' : '.');
  const rest = parts.slice(first).join('/');
  const wanted = pattern(rest);
  const matching = (await filesBelow(folder, rest.includes('/'))).filter((one) => wanted.test(one));
  if (matching.length === 0) throw new JuryError('usage', `No file matches ${plainLine(path)}.`);
  return matching.map((one) => join(folder, one));
}

/**
 * Expands paths to files. A folder means all files in it and its subfolders; `*`, `?` and `**` are wildcards. The files of each path are in
 * natural order.
 * @param newest only the last file by name, comparing numbers by value
 * @throws JuryError `usage` if a folder has no file, or nothing matches
 */
export async function namedFiles(paths: readonly string[], newest = false): Promise<string[]> {
  const expanded: string[] = [];
  for (const path of paths) {
    const kind = await stat(path).catch(() => null);
    if (kind?.isDirectory() === true) {
      const files = await filesBelow(path, true);
      if (files.length === 0) throw new JuryError('usage', `There is no file in ${plainLine(path)}.`);
      expanded.push(...files.map((one) => join(path, one)));
    } else if (kind === null && /[*?]/.test(path)) expanded.push(...(await matching(path)));
    else expanded.push(path);
  }
  if (!newest) return expanded;
  return expanded.sort((a, b) => naturalOrder(basename(a), basename(b)) || naturalOrder(a, b)).slice(-1);
}

const FORMATS: Readonly<Record<string, TableFormat>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.json': 'jsonl',
};

/** The format of a table, by its file extension or else by its first character. */
const formatOf = (file: string, text: string): TableFormat =>
  FORMATS[extname(file).toLowerCase()] ?? (/^\s*[{[]/.test(text) ? 'jsonl' : 'csv');

/**
 * Reads a file as text.
 * @throws JuryError `bad-input` if it is not text, `usage` for a file that can't be read
 */
export async function readText(standard: StandardInput, file: string, stop: AbortSignal): Promise<string> {
  const decoded = decodeInput(await bytesOf(standard, file, stop));
  if ('problem' in decoded) throw new JuryError('bad-input', `${inputName(file)}: ${decoded.problem}`);
  return decoded.text;
}

/**
 * Reads the text of a CSV or JSONL file as a table.
 * @param format default: by the file's name
 * @throws JuryError `bad-input` if it is not such a table
 */
export const tableIn = (file: string, text: string, format?: TableFormat): Table =>
  readTable(text, format ?? formatOf(file, text));

/**
 * Reads a CSV or JSONL file as a table.
 * @param format default: by the file's name
 * @throws JuryError `bad-input` if it is not such a table, `usage` for a file that can't be read
 */
export const readTableFile = async (
  standard: StandardInput,
  file: string,
  format: TableFormat | undefined,
  stop: AbortSignal,
): Promise<Table> => tableIn(file, await readText(standard, file, stop), format);
