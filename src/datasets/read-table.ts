import * as z from 'zod';
import { fieldOf, isRecord } from '../case/index.ts';
import { isTooDeep, MAX_DEPTH, parseJson } from '../case/paste/index.ts';
import { JuryError } from '../common/index.ts';
import { counted, delimiterOf, grouped, readCsv } from '../common/text/index.ts';
import columnNames from './column-names.json' with { type: 'json' };
import { openDialKg, readDialog } from './dialog-exports.ts';

/**
 * Annotation tools export all answers about a case in one object. Here that becomes one row per annotator: the case's fields, its `id`, the
 * `annotator`, and the answers by question.
 */
type UnfoldedRow = Readonly<Record<string, unknown>>;

/** A column's name, normalized for comparison. */
export const letters = (column: string): string => column.toLowerCase().replaceAll(/[^a-z]/g, '');

export const isAnnotatorColumn = (column: string): boolean => columnNames.voters.includes(letters(column));

const Fields = z.record(z.string(), z.unknown());
const Id = z.union([z.string(), z.number()]);
const Plain = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** An annotator's answer in one control of a Label Studio form; undefined if it is neither text, choice nor number. */
function controlValue(value: UnfoldedRow): unknown {
  const control = ['choices', 'rating', 'number', 'text', 'selected'].find((key) =>
    Object.hasOwn(value, key),
  );
  const answer = control === undefined ? undefined : value[control];
  return Array.isArray(answer) ? answer.join(control === 'text' ? '\n' : ';') : answer;
}

const LabelStudioTask = z.looseObject({
  id: Id.optional(),
  data: Fields,
  annotations: z.array(
    z.looseObject({
      completed_by: z
        .union([Id, z.looseObject({ id: Id.optional(), email: z.string().optional() })])
        .nullish(),
      was_cancelled: z.boolean().nullish(),
      result: z.array(z.looseObject({ from_name: z.string(), value: Fields })),
    }),
  ),
});

/** One row per annotator of a Label Studio task. Skipped annotations are ignored. */
function labelStudio(value: UnfoldedRow): UnfoldedRow[] | null {
  const { data: task } = LabelStudioTask.safeParse(value);
  if (task === undefined) return null;
  return task.annotations
    .filter(({ was_cancelled: isSkipped }) => isSkipped !== true)
    .map(({ completed_by: by, result }) => ({
      ...task.data,
      id: task.id,
      annotator: typeof by === 'object' ? (by?.email ?? by?.id) : by,
      ...Object.fromEntries(result.map((one) => [one.from_name, controlValue(one.value)])),
    }));
}

const isGiven = (status: string | null | undefined): boolean =>
  !['discarded', 'draft'].includes(status ?? '');

const ArgillaRecord = z.looseObject({
  id: Id.nullish(),
  fields: Fields,
  responses: z.union([
    // Keyed by question since version 2, by person before that.
    z.record(
      z.string(),
      z.array(z.looseObject({ value: z.unknown(), user_id: Id.nullish(), status: z.string().nullish() })),
    ),
    z.array(
      z.looseObject({
        user_id: Id.nullish(),
        status: z.string().nullish(),
        values: z.record(z.string(), z.looseObject({ value: z.unknown() })).nullish(),
      }),
    ),
  ]),
});

/**
 * One row per person, with the person's answers by question.
 * @param common fields that all rows share
 */
function byPerson(
  answers: Iterable<{ question: string; person: unknown; value: unknown }>,
  common: UnfoldedRow,
): UnfoldedRow[] {
  const people = new Map<unknown, UnfoldedRow>();
  for (const { question, person, value } of answers)
    people.set(person, { ...(people.get(person) ?? { ...common, annotator: person }), [question]: value });
  return [...people.values()];
}

function argilla(value: UnfoldedRow): UnfoldedRow[] | null {
  const { data: record } = ArgillaRecord.safeParse(value);
  if (record === undefined) return null;
  const { fields, id, responses } = record;
  const answers = Array.isArray(responses)
    ? responses.flatMap(({ user_id: person, status, values }) =>
        isGiven(status)
          ? Object.entries(values ?? {}).map(([question, one]) => ({ question, person, value: one.value }))
          : [],
      )
    : Object.entries(responses).flatMap(([question, given]) =>
        given.flatMap(({ value: one, user_id: person, status }) =>
          isGiven(status) ? [{ question, person, value: one }] : [],
        ),
      );
  return byPerson(answers, { ...fields, id });
}

const SUFFIX = '.responses';

/** Argilla's flat form: `question.responses` with `.users` and `.status`, lists of the same length. */
function flatArgilla(record: UnfoldedRow): UnfoldedRow[] | null {
  const questions = Object.keys(record).filter((key) => key.endsWith(SUFFIX));
  if (questions.length === 0) return null;
  const listAt = (key: string): unknown[] => (Array.isArray(record[key]) ? record[key] : []);
  const answers = questions.flatMap((key) => {
    const [people, statuses] = [listAt(`${key}.users`), listAt(`${key}.status`)];
    return listAt(key).flatMap((one, index) =>
      isGiven(String(statuses[index]))
        ? [{ question: key.slice(0, -SUFFIX.length), person: people[index], value: one }]
        : [],
    );
  });
  const rest = Object.entries(record).filter(([key]) => !key.includes('.responses'));
  return byPerson(answers, Object.fromEntries(rest));
}

const JudgeBenchInstance = z.looseObject({
  id: Id.nullish(),
  instance: z.unknown(),
  annotations: z.record(z.string(), z.looseObject({ individual_human_scores: z.array(Plain) })),
});

/** JUDGE-BENCH does not record which annotator gave which score. */
function judgeBench(value: UnfoldedRow): UnfoldedRow[] | null {
  const { data: one } = JudgeBenchInstance.safeParse(value);
  if (one === undefined) return null;
  const shown = isRecord(one.instance) ? one.instance : { response: one.instance };
  const scores = Object.entries(one.annotations);
  const most = Math.max(...scores.map(([, { individual_human_scores: all }]) => all.length));
  return Array.from({ length: most }, (_, place) => ({
    ...shown,
    id: one.id,
    ...Object.fromEntries(scores.map(([metric, all]) => [metric, all.individual_human_scores[place]])),
  }));
}

/** A list of people, with parallel lists of their answers. */
function lists(record: UnfoldedRow): UnfoldedRow[] | null {
  const key = Object.keys(record).find(isAnnotatorColumn);
  const { data: people } = z.array(Plain).safeParse(key === undefined ? null : record[key]);
  if (people === undefined) return null;
  const isAnswers = (cell: unknown): cell is unknown[] =>
    z.array(Plain).length(people.length).safeParse(cell).success;
  return people.map((_, place) =>
    Object.fromEntries(
      Object.entries(record).map(([name, cell]) => [name, isAnswers(cell) ? cell[place] : cell]),
    ),
  );
}

/** Known export formats, and the fields that are read from each; null: all. */
const EXPORTS: readonly {
  unfold: (value: UnfoldedRow) => UnfoldedRow[] | null;
  reads: readonly string[] | null;
}[] = [
  { unfold: labelStudio, reads: ['id', 'data', 'annotations'] },
  { unfold: argilla, reads: ['id', 'fields', 'responses'] },
  { unfold: flatArgilla, reads: null },
  { unfold: judgeBench, reads: ['id', 'instance', 'annotations'] },
  { unfold: lists, reads: null },
];

/** Splits one exported object into a row per person, and lists its unused fields; null if the format is unknown. */
function unfolded(value: UnfoldedRow): { rows: UnfoldedRow[]; unread: string[] } | null {
  for (const { unfold, reads } of EXPORTS) {
    const rows = unfold(value);
    if (rows !== null)
      return { rows, unread: reads === null ? [] : Object.keys(value).filter((key) => !reads.includes(key)) };
  }
  return null;
}

/** The objects in a JSON file, and the names of the fields next to their list. */
interface Items {
  items: unknown[];
  beside: string[];
}

/** The list that a value is, or that it contains under a common name, at most two levels deep; null if there is none. */
function listIn(value: unknown, wraps = 2): Items | null {
  if (Array.isArray(value)) return { items: value, beside: [] };
  if (!isRecord(value) || wraps === 0) return null;
  for (const name of columnNames.lists) {
    const list = listIn(value[name], wraps - 1);
    if (list === null) continue;
    const others = Object.keys(value).filter((key) => key !== name);
    return { ...list, beside: [...others, ...list.beside.map((key) => `${name}.${key}`)] };
  }
  return null;
}

export type TableFormat = 'csv' | 'jsonl';

/** A row's cells by column, or why it could not be read. */
export type TableRow = { where: string } & ({ cells: ReadonlyMap<string, unknown> } | { problem: string });

/** The rows of a CSV or JSON file. */
export interface Table {
  columns: readonly string[];
  rows: readonly TableRow[];
  /** Whether it was exported from an annotation tool: each row is one person's answers, and several rows may be about the same case. */
  annotated: boolean;
  /** Contents of the file that are in no column, with the reason. */
  unread: readonly { name: string; why: string }[];
  /** What the data can and cannot measure, where it is a known data set. */
  notes: readonly string[];
}

/** More columns than any real table has; reading and mapping them would take too long. */
const MAX_COLUMNS = 2_000;

function requireColumns(count: number): void {
  if (count > MAX_COLUMNS)
    throw new JuryError(
      'bad-input',
      `The file has ${grouped(count)} columns; the limit is ${grouped(MAX_COLUMNS)}. Leave out those that are not needed.`,
    );
}

/** Makes column names unique: a column with no name, or a duplicate one, gets its number. */
function uniqueNames(header: readonly string[]): string[] {
  const taken = new Set<string>();
  return header.map((name, index) => {
    const plain = name.trim();
    const isFirst = plain !== '' && !taken.has(plain);
    taken.add(plain);
    return isFirst ? plain : `${plain || 'column'} ${index + 1}`;
  });
}

function csvTable(text: string): Table {
  const delimiter = delimiterOf(text);
  const [header] = readCsv(text, delimiter, 1);
  if (header === undefined) throw new JuryError('bad-input', 'The file is empty.');
  if ('problem' in header)
    throw new JuryError('bad-input', `The header (line ${header.line}) cannot be read: ${header.problem}.`);
  requireColumns(header.cells.length);
  const columns = uniqueNames(header.cells);
  const rows = readCsv(text, delimiter).slice(1);
  return asDialogs({
    columns,
    annotated: false,
    unread: [],
    notes: [],
    rows: rows.map((row): TableRow => {
      const where = row.line === row.row ? `Row ${row.row}` : `Row ${row.row} (line ${row.line})`;
      if ('problem' in row) return { where, problem: row.problem };
      const { cells } = row;
      return cells.length === columns.length
        ? { where, cells: new Map(columns.map((column, index) => [column, cells[index]])) }
        : { where, problem: `has ${counted(cells.length, 'cell')}, the header has ${columns.length}` };
    }),
  });
}

/** A table of conversations of a known data set with a column for each part of them; any other table as it is. */
function asDialogs(table: Table): Table {
  const dialogs = table.rows.map((row) => ('problem' in row ? null : openDialKg(row.cells)));
  if (dialogs.every((dialog) => dialog === null)) return table;
  const columns = new Set<string>();
  const rows = table.rows.map((row, at): TableRow => {
    const dialog = dialogs[at] ?? null;
    if ('problem' in row) return row;
    if (dialog === null) return { where: row.where, problem: 'has no answer of the assistant to judge' };
    for (const name of Object.keys(dialog.row)) columns.add(name);
    return { where: row.where, cells: new Map(Object.entries(dialog.row)) };
  });
  const notes = new Set(dialogs.flatMap((dialog) => dialog?.note ?? []));
  return { ...table, columns: [...columns], rows, notes: [...notes] };
}

/** An object's values by dotted path; lists are kept whole. */
const flattened = (value: object, prefix = ''): [string, unknown][] =>
  Object.entries(value).flatMap(([key, inner]: [string, unknown]): [string, unknown][] =>
    isRecord(inner) ? flattened(inner, `${prefix}${key}.`) : [[`${prefix}${key}`, inner]],
  );

/** The objects in a JSON text, with their locations: all objects within a single JSON value, otherwise one per line. */
function jsonItems(text: string): {
  items: ({ where: string } & ({ value: unknown } | { problem: string }))[];
  beside: string[];
} {
  const whole = /^\s*[[{]/.test(text) && !isTooDeep(text) ? parseJson(text) : { error: '' };
  if ('value' in whole) {
    const { items, beside } = listIn(whole.value) ?? { items: [whole.value], beside: [] };
    return { items: items.map((value, index) => ({ where: `Item ${index + 1}`, value })), beside };
  }
  const lines = text.split(/\r?\n/).map((line, index) => ({ where: `Line ${index + 1}`, line: line.trim() }));
  const items = lines
    .filter(({ line }) => line !== '')
    .map(({ where, line }) => {
      if (isTooDeep(line)) return { where, problem: `is nested more than ${MAX_DEPTH} deep` };
      const parsed = parseJson(line);
      return 'error' in parsed
        ? { where, problem: `is not valid JSON (${parsed.error})` }
        : { where, value: parsed.value };
    });
  return { items, beside: [] };
}

function jsonTable(text: string): Table {
  let annotated = false;
  const columns = new Set<string>();
  const unread = new Set<string>();
  const notes = new Set<string>();
  const { items, beside } = jsonItems(text);
  const rows = items.flatMap((item): TableRow[] => {
    if ('problem' in item) return [item];
    const { where, value } = item;
    if (!isRecord(value)) return [{ where, problem: 'is not a JSON object' }];
    requireColumns(Object.keys(value).length);
    const dialog = readDialog(value);
    if (dialog !== null) notes.add(dialog.note);
    const answers = dialog === null ? unfolded(value) : null;
    annotated ||= answers !== null;
    for (const name of answers?.unread ?? []) unread.add(name);
    return (answers?.rows ?? [dialog?.row ?? value]).map((row) => {
      const cells = new Map(flattened(row));
      for (const column of cells.keys()) columns.add(column);
      requireColumns(columns.size);
      return { where, cells };
    });
  });
  return {
    columns: [...columns],
    rows,
    annotated,
    unread: [
      ...beside.map((name) => ({ name, why: 'it stands beside the list of items' })),
      ...[...unread].map((name) => ({ name, why: 'it is no part of the task or its answers' })),
    ],
    notes: [...notes],
  };
}

/** @throws JuryError `bad-input` if the file is empty, or the table has too many columns */
export const readTable = (text: string, format: TableFormat): Table =>
  format === 'csv' ? csvTable(text) : jsonTable(text);

/** Adds columns for requested paths inside a list, such as `turns.0.text`. */
export function withInner(table: Table, wanted: readonly string[]): Table {
  const { columns } = table;
  const inner = wanted.flatMap((path) => {
    const column = columns.includes(path) ? undefined : columns.find((one) => path.startsWith(`${one}.`));
    return column === undefined ? [] : [{ path, column, rest: path.slice(column.length + 1) }];
  });
  if (inner.length === 0) return table;
  const more = (cells: ReadonlyMap<string, unknown>) =>
    inner.map(({ path, column, rest }) => [path, fieldOf(cells.get(column), rest)] as const);
  return {
    ...table,
    columns: [...columns, ...inner.map(({ path }) => path)],
    rows: table.rows.map((row) =>
      'problem' in row ? row : { ...row, cells: new Map([...row.cells, ...more(row.cells)]) },
    ),
  };
}
