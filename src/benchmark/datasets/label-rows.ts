import * as z from 'zod';
import { memoized } from '../../common/collections.ts';
import { JuryError } from '../../common/errors.ts';
import { noSuch } from '../../common/text.ts';
import columnNames from './column-names.json' with { type: 'json' };
import { mappedValue, readValueMap } from './label-values.ts';
import { type Table, withInner } from './read-table.ts';
import { isAnnotatorColumn, letters as wordOf } from './unfold.ts';

type RulingField = keyof typeof columnNames.rulings;
type LabelField = RulingField | 'voter';

/** A row with a label: texts as they are, null where there is none. */
export type ReadLabel = { where: string } & Record<LabelField, string | null>;

const Turns = z.array(z.looseObject({ role: z.string(), text: z.string() }));

/** A cell as text: of a conversation the last turn of the user. */
function textOf(cell: unknown): string | null {
  const turns = Turns.safeParse(cell).data;
  const text =
    turns === undefined
      ? typeof cell === 'number' || typeof cell === 'boolean'
        ? String(cell)
        : cell
      : turns.findLast(({ role }) => role === 'user')?.text;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null;
}

/** @throws JuryError `bad-input` if no column can hold labels, or none says what they are about */
function requireLabelColumns(columns: readonly string[], has: (field: RulingField) => boolean): void {
  const all = columns.join(', ') || 'none';
  if (!has('label'))
    throw new JuryError(
      'bad-input',
      `No column holds labels: name one "label" (pass, fail or a score), or add --map COLUMN=label. Columns: ${all}.`,
    );
  if (!has('verdictId') && !(has('user') && has('response')))
    throw new JuryError(
      'bad-input',
      `Nothing says what the labels are about: name a column "verdict_id" or "task", or two "user" and "response". Columns: ${all}.`,
    );
}

/** The columns that are called like a field. */
const namedColumns = (columns: readonly string[], field: LabelField): string[] =>
  field === 'voter'
    ? columns.filter(isAnnotatorColumn)
    : columnNames.rulings[field].flatMap((name) => columns.filter((column) => wordOf(column) === name));

/** Fields by the names that commands take. */
const FIELDS = new Map<string, LabelField>([
  ['verdict_id', 'verdictId'],
  ['label', 'label'],
  ['error_type', 'errorType'],
  ['note', 'note'],
  ['role', 'role'],
  ['rubric', 'rubric'],
  ['user', 'user'],
  ['response', 'response'],
  ['voter', 'voter'],
]);

/** The fields that columns are to be. @throws JuryError `usage` for an unknown column or field */
function requireFields(
  wanted: ReadonlyMap<string, string>,
  columns: readonly string[],
): ReadonlyMap<string, LabelField> {
  return new Map(
    [...wanted].flatMap(([column, text]): [string, LabelField][] => {
      if (!columns.includes(column)) throw noSuch('column', column, columns);
      if (text === '-') return [];
      const field = FIELDS.get(text);
      if (field === undefined) throw noSuch('field', text, [...FIELDS.keys()]);
      return [[column, field]];
    }),
  );
}

/**
 * Reads labels from a table: one a row, about a verdict or about a request and its response. Rows that cannot be read are problems.
 *
 * @param wanted fields by column, such as `label`; `-` for none; other columns are read by their names
 * @param values what labels mean, as `readValueMap` reads it
 * @returns with the column that says who voted, if each row is a single person's vote: such rows must not become rulings
 * @throws JuryError `bad-input` if the columns do not suffice, `usage` for values that mean nothing
 */
export function readLabelRows(
  table: Table,
  wanted: ReadonlyMap<string, string>,
  values: readonly string[],
): {
  labels: ReadLabel[];
  problems: { where: string; problem: string }[];
  votes: boolean;
} {
  const { columns, rows } = withInner(table, [...wanted.keys()]);
  const fields = requireFields(wanted, columns);
  const free = columns.filter((column) => !wanted.has(column));
  const columnsFor = memoized((field: LabelField) => [
    ...columns.filter((column) => fields.get(column) === field),
    ...namedColumns(free, field),
  ]);
  requireLabelColumns(columns, (field) => columnsFor(field).length > 0);
  const map = readValueMap(values, columns, { columns: columnsFor('label'), path: 'label' });
  const labels: ReadLabel[] = [];
  const problems: { where: string; problem: string }[] = [];
  for (const row of rows) {
    if ('problem' in row) {
      problems.push({ where: row.where, problem: row.problem });
      continue;
    }
    const { where, cells } = row;
    const first = (field: LabelField): string | null =>
      columnsFor(field).reduce<string | null>((text, column) => text ?? textOf(cells.get(column)), null);
    const label = columnsFor('label').reduce<string | null>((text, column) => {
      const meant = mappedValue(map, column, cells.get(column));
      return (
        text ?? (meant === undefined ? textOf(cells.get(column)) : meant === null ? null : String(meant))
      );
    }, null);
    labels.push({
      where,
      verdictId: first('verdictId'),
      user: first('user'),
      response: first('response'),
      rubric: first('rubric'),
      label,
      errorType: first('errorType'),
      note: first('note'),
      role: first('role'),
      voter: first('voter'),
    });
  }
  return { labels, problems, votes: columnsFor('voter').length > 0 };
}
