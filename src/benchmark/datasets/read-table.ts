import * as z from 'zod';
import { isRecord } from '../../case/case.ts';
import { isTooDeep, MAX_DEPTH } from '../../case/paste/json.ts';
import { delimiterOf, readCsv } from '../../common/csv.ts';
import { JuryError } from '../../common/errors.ts';
import { counted } from '../../common/text.ts';

export type TableFormat = 'csv' | 'jsonl';

/** One row: its cells by column, or why it could not be read. */
type TableRow = { where: string } & ({ cells: ReadonlyMap<string, unknown> } | { problem: string });

/** Rows of a file under their columns, whatever its format. */
export interface Table {
  columns: readonly string[];
  rows: readonly TableRow[];
}

/** Columns need names that differ; one without a name, or with another's, is given its number. */
const named = (header: readonly string[]): string[] =>
  header.map((name, index) => {
    const plain = name.trim();
    const isOwn = plain !== '' && header.findIndex((other) => other.trim() === plain) === index;
    return isOwn ? plain : `${plain === '' ? 'column' : plain} ${index + 1}`;
  });

function csvTable(text: string): Table {
  const [header, ...rows] = readCsv(text, delimiterOf(text));
  if (header === undefined) throw new JuryError('bad-input', 'The file is empty: there is no header.');
  if ('problem' in header)
    throw new JuryError('bad-input', `The header (line ${header.line}) cannot be read: ${header.problem}.`);
  const columns = named(header.cells);
  return {
    columns,
    rows: rows.map((row): TableRow => {
      const where = row.line === row.row ? `Row ${row.row}` : `Row ${row.row} (line ${row.line})`;
      if ('problem' in row) return { where, problem: row.problem };
      const { cells } = row;
      if (cells.length !== columns.length)
        return {
          where,
          problem: `has ${counted(cells.length, 'cell')}, the header has ${columns.length}`,
        };
      return { where, cells: new Map(columns.map((column, index) => [column, cells[index]])) };
    }),
  };
}

/** An object's values by dotted path; lists stay whole. */
const flattened = (value: object, prefix = ''): [string, unknown][] =>
  Object.entries(value).flatMap(([key, inner]: [string, unknown]): [string, unknown][] =>
    isRecord(inner) ? flattened(inner, `${prefix}${key}.`) : [[`${prefix}${key}`, inner]],
  );

function jsonRow(text: string): { cells: ReadonlyMap<string, unknown> } | { problem: string } {
  if (isTooDeep(text)) return { problem: `is nested more than ${MAX_DEPTH} deep` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    return { problem: `is not valid JSON (${thrown instanceof Error ? thrown.message.slice(0, 100) : ''})` };
  }
  return isRecord(value) ? { cells: new Map(flattened(value)) } : { problem: 'is no JSON object' };
}

function jsonTable(text: string): Table {
  const rows = text
    .split(/\r?\n/)
    .map((line, index) => ({ where: `Line ${index + 1}`, text: line.trim() }))
    .filter((line) => line.text !== '')
    .map((line): TableRow => ({ where: line.where, ...jsonRow(line.text) }));
  const columns = new Set(rows.flatMap((row) => ('cells' in row ? [...row.cells.keys()] : [])));
  return { columns: [...columns], rows };
}

/** @throws JuryError `bad-input` where there is no header to go by */
export const readTable = (text: string, format: TableFormat): Table =>
  format === 'csv' ? csvTable(text) : jsonTable(text);

/** What one row says: texts as they stand there, null where nothing does. */
export interface ReadLabel {
  where: string;
  verdictId: string | null;
  user: string | null;
  response: string | null;
  rubric: string | null;
  label: string | null;
  errorType: string | null;
  note: string | null;
  role: string | null;
}

/** Names of columns, in the order in which they are looked for; case, spaces and signs do not count. */
const NAMES: Readonly<Record<Exclude<keyof ReadLabel, 'where'>, readonly string[]>> = {
  verdictId: ['verdictid', 'task', 'taskid', 'verdict', 'id'],
  label: ['label', 'labeldecision', 'labelscore', 'agglabel', 'right', 'gold', 'decision', 'score'],
  errorType: ['errortype', 'labelerrortype', 'error'],
  note: ['note', 'comment', 'reason', 'rationale'],
  role: ['role', 'ruledby'],
  rubric: ['rubric'],
  user: ['user', 'utterance', 'request', 'question', 'prompt', 'conversation'],
  response: ['response', 'answer', 'reply', 'system'],
};

/** Columns of tables that hold votes: a vote of one person must not become a ruling above the votes of all. */
const VOTERS: readonly string[] = ['worker', 'workerid', 'voter', 'annotator'];

const wordOf = (column: string): string => column.toLowerCase().replaceAll(/[^a-z]/g, '');

const Turns = z.array(z.looseObject({ role: z.string(), text: z.string() }));

/** A cell as text: of a conversation the last turn of the user. */
function textOf(cell: unknown): string | null {
  const turns = Turns.safeParse(cell);
  const text = turns.success
    ? turns.data.findLast(({ role }) => role === 'user')?.text
    : typeof cell === 'number' || typeof cell === 'boolean'
      ? String(cell)
      : cell;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null;
}

/**
 * Reads labels from a table: one a row, about a verdict or about what was asked and answered. Rows that cannot be read are
 * problems.
 *
 * @throws JuryError `bad-input` where no column can hold labels, none says what they are about, or the rows are single votes
 */
export function readLabelRows({ columns, rows }: Table): {
  labels: ReadLabel[];
  problems: { where: string; problem: string }[];
} {
  const named = (names: readonly string[]): string[] =>
    names.flatMap((name) => columns.filter((column) => wordOf(column) === name));
  const places = {
    verdictId: named(NAMES.verdictId),
    label: named(NAMES.label),
    errorType: named(NAMES.errorType),
    note: named(NAMES.note),
    role: named(NAMES.role),
    rubric: named(NAMES.rubric),
    user: named(NAMES.user),
    response: named(NAMES.response),
  };
  if (places.label.length === 0)
    throw new JuryError(
      'bad-input',
      `No column holds labels: name one "label" (pass, fail or a score). There is: ${columns.join(', ') || 'none'}.`,
    );
  if (places.verdictId.length === 0 && (places.user.length === 0 || places.response.length === 0))
    throw new JuryError(
      'bad-input',
      `Nothing says what the labels are about: name a column "verdict_id" or "task", or two "user" and "response". There is: ${columns.join(', ')}.`,
    );
  const [voters] = named(VOTERS);
  if (voters !== undefined)
    throw new JuryError(
      'bad-input',
      `A column "${voters}" says who voted, so that each row is one vote and not yet what is right: aggregate the votes first, or leave the column out.`,
    );
  const labels: ReadLabel[] = [];
  const problems: { where: string; problem: string }[] = [];
  for (const row of rows) {
    if ('problem' in row) {
      problems.push({ where: row.where, problem: row.problem });
      continue;
    }
    const first = (from: readonly string[]): string | null =>
      from.reduce<string | null>((text, column) => text ?? textOf(row.cells.get(column)), null);
    labels.push({
      where: row.where,
      verdictId: first(places.verdictId),
      user: first(places.user),
      response: first(places.response),
      rubric: first(places.rubric),
      label: first(places.label),
      errorType: first(places.errorType),
      note: first(places.note),
      role: first(places.role),
    });
  }
  return { labels, problems };
}
