import * as z from 'zod';
import { groupedBy, JuryError, memoized } from '../common/index.ts';
import { noSuch, shortened } from '../common/text/index.ts';
import { type Said, UNSURE } from '../labels/index.ts';
import columnNames from './column-names.json' with { type: 'json' };
import { isAnswer, isScored, type Mapped } from './map-columns.ts';
import { isAnnotatorColumn, letters, type Table, withInner } from './read-table.ts';

/** The answer that a criterion does not apply to a case. */
const NOT_RELEVANT = 'not-relevant';

/** Requested meanings of label cells: by column, or for any column (`''`), then by the cell's text in lower case. */
export type ValueMap = ReadonlyMap<string, ReadonlyMap<string, Said | null>>;

const { pass, fail, unsure, notRelevant, yes, no } = columnNames.values;

const wordOf = (cell: unknown): string =>
  String(cell ?? '')
    .trim()
    .toLowerCase();

/** Parses a requested meaning. `-` means no answer (null); undefined if it is invalid. */
function meaningOf(text: string): Said | null | undefined {
  const word = wordOf(text);
  if (word === '-') return null;
  if (['pass', 'fail', UNSURE, NOT_RELEVANT].includes(word)) return word;
  return word !== '' && Number.isFinite(Number(word)) ? Number(word) : undefined;
}

/**
 * Parses the meanings of values: `nok=fail,1=fail`, or `toxicity:1=fail` for one column.
 * @param labels the columns read as labels, and the path to which `--map` would make a column one
 * @throws JuryError `usage`
 */
export function readValueMap(
  texts: readonly string[],
  columns: readonly string[],
  labels: { columns: readonly string[]; path: string },
): ValueMap {
  const entries = texts
    .flatMap((text) => text.split(','))
    .map((text) => {
      const at = text.lastIndexOf('=');
      const meaning = at < 1 ? undefined : meaningOf(text.slice(at + 1));
      if (meaning === undefined)
        throw new JuryError(
          'usage',
          `--map-value "${text}": write value=meaning, such as --map-value nok=fail. A meaning is pass, fail, unsure, not-relevant, a score, or - for no answer.`,
        );
      const [column = '', ...value] = text.slice(0, at).split(':');
      const isOfColumn = value.length > 0 && columns.includes(column.trim());
      if (value.length > 0 && !isOfColumn && /^[\p{L}_]/u.test(column))
        throw noSuch('column', column, columns);
      if (isOfColumn && !labels.columns.includes(column.trim()))
        throw new JuryError(
          'usage',
          `--map-value "${text}": Column "${column.trim()}" is not read as a label. Add --map ${column.trim()}=${labels.path}.`,
        );
      return {
        column: isOfColumn ? column.trim() : '',
        value: wordOf(isOfColumn ? value.join(':') : text.slice(0, at)),
        meaning,
      };
    });
  return new Map(
    [...groupedBy(entries, ({ column }) => column)].map(([column, same]) => [
      column,
      new Map(same.map(({ value, meaning }) => [value, meaning])),
    ]),
  );
}

/** The requested meaning of a cell; undefined if none was given. */
export const mappedValue = (map: ValueMap, column: string, cell: unknown): Said | null | undefined => {
  const word = wordOf(cell);
  const ofColumn = map.get(column);
  return ofColumn?.has(word) ? ofColumn.get(word) : map.get('')?.get(word);
};

/** Whether “yes” in a column with this name means that something is right. */
const saysRight = (column: string): boolean =>
  column.startsWith('label.') || columnNames.yesIsRight.includes(wordOf(column).replaceAll(/[_-]+/g, ' '));

/**
 * The answer in a label cell; null if it has none.
 * @param scored whether a number is a score
 */
function labelValue(
  map: ValueMap,
  column: string,
  cell: unknown,
  scored: boolean,
): { value: Said | null } | { problem: string } {
  const mapped = mappedValue(map, column, cell);
  if (mapped !== undefined) return { value: mapped };
  const word = wordOf(cell);
  if (word === '') return { value: null };
  if (unsure.includes(word)) return { value: UNSURE };
  if (scored) {
    const score = Number(word.replace(/^(-?\d+),(\d+)$/, '$1.$2'));
    if (Number.isFinite(score)) return { value: score };
    if (notRelevant.includes(word)) return { value: NOT_RELEVANT };
  }
  if (pass.includes(word)) return { value: 'pass' };
  if (fail.includes(word)) return { value: 'fail' };
  if (saysRight(column) && yes.includes(word)) return { value: 'pass' };
  if (saysRight(column) && no.includes(word)) return { value: 'fail' };
  const shownWord = shortened(word, 60);
  const option = (meaning: string) =>
    /\s/.test(shownWord) ? `"${shownWord}=${meaning}"` : `${shownWord}=${meaning}`;
  return {
    problem: `must be pass or fail${scored ? ', or a score' : ''}, found "${shownWord}": add --map-value ${option('pass')} or ${option('fail')}`,
  };
}

/**
 * The answers in a row, by path.
 * @throws JuryError `bad-input` if one can't be read
 */
export function answersIn(
  cells: ReadonlyMap<string, unknown>,
  { mapping, values }: { mapping: readonly Mapped[]; values: ValueMap },
): Map<string, Said> {
  const labels = new Map<string, Said>();
  const problems: string[] = [];
  for (const one of mapping.filter(({ path }) => isAnswer(path))) {
    const cell = cells.get(one.column);
    const read = labelValue(values, one.column, cell, isScored(one));
    const isNumber = one.path === 'label.decision' && /^\d+(\.\d+)?$/.test(String(cell).trim());
    const ifScore = isNumber ? `, or --map ${one.column}=label.score if it is a score` : '';
    if ('problem' in read) problems.push(`column "${one.column}" ${read.problem}${ifScore}`);
    else if (one.path === 'label.score' && typeof read.value === 'string' && read.value !== UNSURE)
      problems.push(`column "${one.column}" must be a number, found "${read.value}"`);
    else if (one.path === 'label.decision' && typeof read.value === 'number')
      problems.push(`column "${one.column}" must be pass or fail, found ${read.value}`);
    else if (read.value !== null) labels.set(one.path, read.value);
  }
  if (problems.length > 0) throw new JuryError('bad-input', problems.join('; '));
  return labels;
}

/**
 * Rejects labels of yes or no, 1 or 0, in a column whose name doesn't say which means right. For `toxicity`, 1 is wrong; for `safe`, 1 is
 * right; a wrong guess would invert the whole dataset.
 * @param columns the label columns
 * @throws JuryError `usage` with the option to add
 */
export function requirePolarity({ rows }: Table, columns: readonly Mapped[], map: ValueMap): void {
  for (const mapped of columns) {
    const { column } = mapped;
    if (saysRight(column)) continue;
    const words = rows
      .map((row) => ('cells' in row ? row.cells.get(column) : undefined))
      .flatMap((cell) => (mappedValue(map, column, cell) === undefined ? [wordOf(cell)] : []));
    const ambiguous = [...new Set(words)].filter((word) => [...yes, ...no].includes(word));
    const unclear = isScored(mapped) ? ambiguous.filter((word) => !Number.isFinite(Number(word))) : ambiguous;
    if (unclear.length === 0) continue;
    const option = (right: readonly string[]) =>
      `--map-value ${unclear.map((word) => `${column}:${word}=${right.includes(word) ? 'pass' : 'fail'}`).join(',')}`;
    throw new JuryError(
      'usage',
      `Column "${column}" says ${unclear.join(' and ')}, which does not say what is right. Add one of these:\n  ${option(yes)}\n  ${option(no)}`,
    );
  }
}

type RulingField = keyof typeof columnNames.rulings;
type LabelField = RulingField | 'voter';

/** A row with a label. Texts are unchanged; null if missing. */
export type ReadLabel = { where: string } & Record<LabelField, string | null>;

const Turns = z.array(z.looseObject({ role: z.string(), text: z.string() }));

/** A cell as text; for a conversation, the user's last turn. */
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

/** @throws JuryError `bad-input` if no column can hold labels, or none says what the labels are about */
function requireLabelColumns(columns: readonly string[], has: (field: RulingField) => boolean): void {
  const all = columns.join(', ') || 'none';
  if (!has('label'))
    throw new JuryError(
      'bad-input',
      `No column holds labels: name one "label" (pass, fail or a score), or add --map COLUMN=label. Columns: ${all}.`,
    );
  if (!has('verdictId') && !has('caseId') && !(has('user') && has('response')))
    throw new JuryError(
      'bad-input',
      `Nothing says what the labels are about: name a column "verdict_id" or "task", or "case" for the ids of cases, or two "user" and "response". Columns: ${all}.`,
    );
}

/** The columns whose names match a field. */
const namedColumns = (columns: readonly string[], field: LabelField): string[] =>
  field === 'voter'
    ? columns.filter(isAnnotatorColumn)
    : columnNames.rulings[field].flatMap((name) => columns.filter((column) => letters(column) === name));

/** Fields, by their names in commands. */
const FIELDS = new Map<string, LabelField>([
  ['verdict_id', 'verdictId'],
  ['case', 'caseId'],
  ['label', 'label'],
  ['error_type', 'errorType'],
  ['note', 'note'],
  ['role', 'role'],
  ['rubric', 'rubric'],
  ['user', 'user'],
  ['response', 'response'],
  ['voter', 'voter'],
]);

/**
 * The requested field of each column.
 * @throws JuryError `usage` for an unknown column or field
 */
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
 * Reads labels from a table, one per row, each about a verdict, a case, or a request and its response. Rows that can't be read are returned as
 * problems.
 * @param wanted fields such as `label`, by column; `-` to skip a column; other columns are recognized by name
 * @param values meanings of labels, in the format of `readValueMap`
 * @returns also the column with the voter, if each row is a single person's vote: such rows must not become rulings
 * @throws JuryError `bad-input` if columns are missing, `usage` for values without a meaning
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
      caseId: first('caseId'),
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
