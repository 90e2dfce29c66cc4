import { type EvalCase, isRecord, OpeningHours, Turn } from '../../case/case.ts';
import type { CaseFormat } from '../../case/case-format.ts';
import { pathOfField } from '../../case/field.ts';
import { readDeclared } from '../../case/paste/context.ts';
import { readHours } from '../../case/paste/hours.ts';
import { parseJson } from '../../case/paste/json.ts';
import { roleOf, textOf } from '../../case/paste/labels.ts';
import { readDate, readTime } from '../../case/paste/moments.ts';
import { explainIssues } from '../../case/paste/problems.ts';
import {
  type Reading,
  readDistanceKm,
  readDurationMin,
  readLatencyMs,
  readRating,
} from '../../case/paste/values.ts';
import { readPlaceText } from '../../case/paste/venue.ts';
import { shortened } from '../../common/text.ts';
import columnNames from './column-names.json' with { type: 'json' };
import { type ColumnMapping, mapColumns } from './map-columns.ts';
import type { Table } from './read-table.ts';
import { nested } from './scene.ts';

/** Reads a cell as one field of a case, and notes assumptions. */
type ReadCell = (value: unknown, reading: Reading) => { value: unknown } | { problem: string };

const textIn = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : (JSON.stringify(value) ?? '');

const quoted = (value: unknown): string => `"${shortened(textIn(value), 60)}"`;

const orProblem = <T>(value: T | null | undefined, what: string, cell: unknown) =>
  value === null || value === undefined ? { problem: `${what}, found ${quoted(cell)}` } : { value };

/** Parses JSON in a cell; other values stay as they are. */
function decoded(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  const parsed = parseJson(value);
  return 'value' in parsed ? parsed.value : value;
}

const SPOKEN = /^(user|system|assistant|driver|car|human|bot)\s*:\s*(.+)$/i;

/** Turns in a cell: a JSON list of turns, lines "User: …" and "System: …", or text that is one user turn. */
function turnsIn(cell: unknown, format: CaseFormat): Turn[] | null {
  const value = decoded(cell);
  const turnOf = (role: unknown, text: unknown): Turn | null =>
    Turn.safeParse({ role: roleOf(role, format)?.role, text }).data ?? null;
  const all = (turns: readonly (Turn | null)[]): Turn[] | null => {
    const known = turns.filter((turn) => turn !== null);
    return known.length === turns.length ? known : null;
  };
  if (Array.isArray(value))
    return all(
      value.map((item: unknown) =>
        turnOf(isRecord(item) ? item.role : undefined, textOf(item, format.words)),
      ),
    );
  if (typeof value !== 'string') return null;
  const lines = value.split('\n').filter((line) => line.trim() !== '');
  const spoken = all(
    lines.map((line) => {
      const [, speaker, text] = SPOKEN.exec(line.trim()) ?? [];
      return turnOf(speaker, text);
    }),
  );
  return spoken !== null && spoken.length > 0 ? spoken : [{ role: 'user', text: value.trim() }];
}

const { pass, fail, noError } = columnNames.values;

const decision: ReadCell = (cell) => {
  const word = textIn(cell).toLowerCase();
  const value = pass.includes(word) ? 'pass' : fail.includes(word) ? 'fail' : null;
  return orProblem(value, 'must be pass or fail (or true/false, yes/no, correct/incorrect)', cell);
};

const errorType: ReadCell = (cell, { note }) => {
  const text = textIn(cell);
  const id = text
    .toLowerCase()
    .replace(/[ _-]+error$/, '')
    .replaceAll(/[ _]+/g, '-');
  if (noError.includes(text.toLowerCase())) return { value: undefined };
  if (id !== text) note(`"${text}" read as "${id}"`);
  return { value: id };
};

const number: ReadCell = (cell) => {
  const value = typeof cell === 'number' ? cell : Number(textIn(cell).replace(/^(-?\d+),(\d+)$/, '$1.$2'));
  return orProblem(Number.isFinite(value) ? value : null, 'must be a number', cell);
};

/** The label of one criterion: a score, or pass or fail. */
const decisionOrScore: ReadCell = (cell, reading) => {
  const read = number(cell, reading);
  return 'value' in read ? read : decision(cell, reading);
};

const place: ReadCell = (cell, reading) => {
  const value = decoded(cell);
  return orProblem(
    typeof value === 'string' ? readPlaceText(value, reading) : value,
    'must be a place',
    cell,
  );
};

const hours: ReadCell = (cell, { format, note }) => {
  const value = decoded(cell);
  const read =
    typeof value === 'string' ? readHours(value, format.words, note) : OpeningHours.safeParse(value).data;
  return orProblem(read, 'must be opening hours such as "Mon-Fri 11:30-22:00; Sat closed"', cell);
};

const list: ReadCell = (cell) => {
  const value = decoded(cell);
  if (typeof value !== 'string') return { value };
  const mark = value.includes(';') ? ';' : value.includes('|') ? '|' : ',';
  return { value: value.split(mark).flatMap((item) => (item.trim() === '' ? [] : [item.trim()])) };
};

const documents: ReadCell = (cell) => {
  const value = decoded(cell);
  const each = Array.isArray(value) ? value : [value];
  return { value: each.map((item: unknown) => (typeof item === 'string' ? { text: item } : item)) };
};

const turns: ReadCell = (cell, { format }) =>
  orProblem(turnsIn(cell, format), 'must be text, or turns with role and text', cell);

const json: ReadCell = (cell) => ({ value: decoded(cell) });

const READERS: Readonly<Record<string, ReadCell>> = {
  conversation: turns,
  history: turns,
  documents,
  recommendations: json,
  context: json,
  recommendation: json,
  label: json,
  tags: json,
  'label.criteria': json,
  'context.location': place,
  'recommendation.location': place,
  'recommendation.openingHours': hours,
  'recommendation.menu': list,
  'context.date': (cell, reading) => orProblem(readDate(textIn(cell), reading).date, 'must be a date', cell),
  'context.time': (cell, reading) => orProblem(readTime(textIn(cell), reading), 'must be a time', cell),
  'recommendation.rating': (cell, reading) => orProblem(readRating(cell, reading), 'must be a rating', cell),
  'recommendation.distanceKm': (cell, reading) =>
    orProblem(readDistanceKm(cell, reading, 'km'), 'must be a distance', cell),
  'recommendation.durationMin': (cell, reading) =>
    orProblem(readDurationMin(cell, reading, 'min'), 'must be a duration', cell),
  latencyMs: (cell, reading) => orProblem(readLatencyMs(cell, reading, 'ms'), 'must be a time', cell),
  'label.decision': decision,
  'label.errorType': errorType,
  'label.score': number,
};

const readerByPattern = (path: string): ReadCell | null =>
  path.startsWith('label.criteria.') ? decisionOrScore : path.endsWith('itude') ? number : null;

/** Reads a cell for a path of a case. Degrees are plain numbers; unlisted paths are text. */
function readCell(path: string, cell: unknown, reading: Reading): ReturnType<ReadCell> {
  const { format, note } = reading;
  const declared = [...format.groups.values()].flat().find((field) => pathOfField(field) === path);
  if (declared !== undefined) {
    const notes: string[] = [];
    const entry = { field: declared, label: path, value: decoded(cell) };
    const read = readDeclared([entry], { format, note: (assumption) => notes.push(assumption) });
    const value = read.get(declared.of ?? '')?.[declared.name];
    if (value !== undefined) notes.forEach(note);
    return orProblem(value, `must be ${declared.title}`, cell);
  }
  const reader = READERS[path] ?? readerByPattern(path);
  return reader === null ? { value: textIn(cell) } : reader(cell, reading);
}

export interface Imported {
  cases: EvalCase[];
  mapping: ColumnMapping[];
  /** Rows that could not become a case, and why. */
  problems: { where: string; reason: string }[];
  /** Assumptions made when cells were read, with the number of rows. */
  assumed: { note: string; rows: number }[];
}

export interface ImportOptions {
  /** Paths by column, `-` for none; other columns are mapped by name. */
  map: ReadonlyMap<string, string>;
  /** The rubric of cases that name none. */
  rubric?: string;
  /** Longer cases are problems, because they could not be judged. */
  maxCaseChars: number;
  /** The fields of a case. */
  format: CaseFormat;
}

const isEmpty = (cell: unknown): boolean =>
  cell === undefined || cell === null || (typeof cell === 'string' && cell.trim() === '');

/** Without a response column, the last system turn is the response. */
function withResponse(fields: Record<string, unknown>): Record<string, unknown> {
  const { conversation, response } = fields;
  if (response !== undefined || !Array.isArray(conversation)) return fields;
  const last = Turn.safeParse(conversation.at(-1)).data;
  return last?.role === 'system'
    ? { ...fields, conversation: conversation.slice(0, -1), response: last.text }
    : fields;
}

function caseOf(
  cells: ReadonlyMap<string, unknown>,
  mapping: readonly ColumnMapping[],
  options: ImportOptions,
  note: (note: string) => void,
): { case: EvalCase } | { reason: string } {
  const fields: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const { column, path } of mapping) {
    const cell = cells.get(column);
    if (path === null || isEmpty(cell)) continue;
    const read = readCell(path, cell, {
      format: options.format,
      note: (assumption) => note(`${column}: ${assumption}`),
    });
    if ('problem' in read) problems.push(`column "${column}" ${read.problem}`);
    else if (read.value !== undefined) fields[path] = read.value;
  }
  if (problems.length > 0) return { reason: problems.join('; ') };
  const rubric = options.rubric === undefined ? {} : { rubric: options.rubric };
  const columnOf = (path: string) => mapping.find((one) => one.path === path)?.column;
  const names = [columnOf('response'), columnOf('alternative.response')];
  const answerNames = 'alternative.response' in fields ? { answerNames: names } : {};
  const value = { ...rubric, ...nested(withResponse(fields)), ...answerNames };
  const parsed = options.format.schema.safeParse(value);
  if (!parsed.success) {
    const explained = explainIssues(parsed.error.issues, value, 'no case', options.format);
    return { reason: 'problem' in explained ? explained.problem.replace(/ Add ".*$/, '') : 'no case' };
  }
  const { decision, errorType } = parsed.data.label ?? {};
  if (decision === 'pass' && errorType !== undefined)
    return { reason: `the label contradicts itself: "pass", but with the error "${errorType}"` };
  const [length, limit] = [JSON.stringify(parsed.data).length, options.maxCaseChars];
  return length <= limit
    ? { case: parsed.data }
    : { reason: `has ${length} characters, the limit for one case is ${limit} (JURY_MAX_CASE_CHARS)` };
}

/**
 * Turns rows into cases, with columns mapped as requested or by name. A row that is not a valid case becomes a problem.
 *
 * @throws JuryError `usage` if the mapping has unknown columns or paths
 */
export function importTable({ columns, rows }: Table, options: ImportOptions): Imported {
  const mapping = mapColumns(columns, options.map, options.format);
  const cases: EvalCase[] = [];
  const problems: Imported['problems'] = [];
  const assumed = new Map<string, number>();
  for (const row of rows) {
    if ('problem' in row) {
      problems.push({ where: row.where, reason: row.problem });
      continue;
    }
    const notes = new Set<string>();
    const read = caseOf(row.cells, mapping, options, (note) => notes.add(note));
    if ('reason' in read) problems.push({ where: row.where, reason: read.reason });
    else cases.push(read.case);
    for (const note of notes) assumed.set(note, (assumed.get(note) ?? 0) + 1);
  }
  return { cases, mapping, problems, assumed: [...assumed].map(([note, count]) => ({ note, rows: count })) };
}
