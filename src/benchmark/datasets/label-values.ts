import { groupedBy } from '../../common/collections.ts';
import { JuryError } from '../../common/errors.ts';
import { noSuch, shortened } from '../../common/text.ts';
import { type Said, UNSURE } from '../../labels/answers.ts';
import columnNames from './column-names.json' with { type: 'json' };
import type { Table } from './read-table.ts';

/** That a criterion does not apply to a case. */
const NOT_RELEVANT = 'not-relevant';

/** What cells of labels mean, as asked for: by column, or in any column (`''`), then by the cell's text in lower case. */
export type ValueMap = ReadonlyMap<string, ReadonlyMap<string, Said | null>>;

const { pass, fail, unsure, notRelevant, yes, no } = columnNames.values;

const wordOf = (cell: unknown): string =>
  String(cell ?? '')
    .trim()
    .toLowerCase();

/** A meaning as it is asked for: `-` is no answer. */
function meaningOf(text: string): Said | null | undefined {
  const word = wordOf(text);
  if (word === '-') return null;
  if (['pass', 'fail', UNSURE, NOT_RELEVANT].includes(word)) return word;
  return word !== '' && Number.isFinite(Number(word)) ? Number(word) : undefined;
}

/**
 * Reads what values are to mean: `nok=fail,1=fail`, or `toxicity:1=fail` for one column.
 *
 * @param labels the columns that are read as labels, and where `--map` puts a column so that it is
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

/** What a cell means by request; undefined where nothing is asked for. */
export const mappedValue = (map: ValueMap, column: string, cell: unknown): Said | null | undefined => {
  const word = wordOf(cell);
  const own = map.get(column);
  return own?.has(word) ? own.get(word) : map.get('')?.get(word);
};

/** Whether a column of this name says by "yes" that something is right. */
const saysRight = (column: string): boolean =>
  column.startsWith('label.') || columnNames.yesIsRight.includes(wordOf(column).replaceAll(/[_-]+/g, ' '));

/**
 * What a label's cell says; null for nothing.
 *
 * @param scored whether a number is a score
 */
export function labelValue(
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
  const found = shortened(word, 60);
  return {
    problem: `must be pass or fail${scored ? ', or a score' : ''}, found "${found}": add --map-value ${found}=pass or ${found}=fail`,
  };
}

/**
 * Refuses labels that say yes or no, 1 or 0, in a column whose name does not say which of them is right: `toxicity` 1 is wrong, `safe` 1
 * is right, and a guess would turn the whole dataset around.
 *
 * @param columns of labels. @throws JuryError `usage` with the option to add
 */
export function requirePolarity(
  { rows }: Table,
  columns: readonly { column: string; scored: boolean }[],
  map: ValueMap,
): void {
  for (const { column, scored } of columns) {
    if (saysRight(column)) continue;
    const words = rows
      .map((row) => ('cells' in row ? row.cells.get(column) : undefined))
      .flatMap((cell) => (mappedValue(map, column, cell) === undefined ? [wordOf(cell)] : []));
    const found = [...new Set(words)].filter((word) => [...yes, ...no].includes(word));
    const unclear = scored ? found.filter((word) => !Number.isFinite(Number(word))) : found;
    if (unclear.length === 0) continue;
    const option = (right: readonly string[]) =>
      `--map-value ${unclear.map((word) => `${column}:${word}=${right.includes(word) ? 'pass' : 'fail'}`).join(',')}`;
    throw new JuryError(
      'usage',
      `Column "${column}" says ${unclear.join(' and ')}, which does not say what is right. Add one of these:\n  ${option(yes)}\n  ${option(no)}`,
    );
  }
}
