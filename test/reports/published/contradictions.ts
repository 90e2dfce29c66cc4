import * as z from 'zod';
import {
  type Contradiction,
  numberIn,
  type PublishedTable,
  printed,
} from '../../../src/reports/published/published-tables.ts';
import file from './checks.json' with { type: 'json' };
import { labelsOf } from './table-schema.ts';

const threeColumns = z.tuple([z.string(), z.string(), z.string()]);

/** What must hold between the numbers of a row, each of which may be rounded or cut off at its last decimal. */
const Check = z.discriminatedUnion('kind', [
  /** The third column follows from the other two: F1 from precision and recall, first minus second, first by second. */
  z.strictObject({ kind: z.enum(['f1', 'difference', 'quotient']), columns: threeColumns }),
  /** Some numbers of right and wrong judgements on so many correct and incorrect cases give precision, recall and F1. */
  z.strictObject({
    kind: z.literal('counts'),
    columns: threeColumns,
    positives: z.int(),
    negatives: z.int(),
    where: z.string(),
  }),
  /** The second column is the standard deviation of scores with bounds, whose mean is the first. */
  z.strictObject({
    kind: z.literal('deviation'),
    columns: z.tuple([z.string(), z.string()]),
    from: z.number(),
    to: z.number(),
  }),
  /** A percentage is a whole number of so many cases. */
  z.strictObject({
    kind: z.literal('share-of'),
    columns: z.array(z.string()),
    of: z.int(),
    where: z.string(),
  }),
  /** Another table prints the same results: rows with the same labels have the same numbers. */
  z.strictObject({ kind: z.literal('same-as'), columns: z.array(z.string()), table: z.string() }),
]);
export type Check = z.infer<typeof Check>;

/** Where a paper's text contradicts its numbers or itself; found by reading, in our words. */
const Remark = z.strictObject({
  where: z.string(),
  says: z.string(),
  but: z.string(),
  /** The rows in question, each by labels; empty for the whole table or the text alone. */
  rows: z.array(z.record(z.string(), z.string())),
});

/** What is checked of each table, by its id. */
export const checks = z
  .record(z.string(), z.strictObject({ checks: z.array(Check), remarks: z.array(Remark) }))
  .parse(file);

/** What a check finds in one row: the columns that do not fit, and how. */
type Finding = Pick<Contradiction, 'columns' | 'text'>;

/** The values that a printed number can stand for. */
interface Range {
  low: number;
  high: number;
}

/** Tolerance for floating-point sums; far below any printed decimal. */
const TOLERANCE = 1e-11;

const within = (value: number, { low, high }: Range): boolean =>
  value >= low - TOLERANCE && value <= high + TOLERANCE;

interface RowNumber {
  text: string;
  decimals: number;
  range: Range;
}

/** The numbers of a row; null if one is missing. Printed numbers are rounded or cut off: both occur in the papers. */
function numbersOf(table: PublishedTable, row: number, columns: readonly string[]): RowNumber[] | null {
  const numbers = columns.flatMap((column): RowNumber[] => {
    const value = numberIn(table, row, column);
    if (value === null) return [];
    const text = printed(table, column, value);
    const decimals = text.split('.')[1]?.length ?? 0;
    const unit = 10 ** -decimals;
    // Less a hair: the upper end itself would be printed as the next number.
    return [{ text, decimals, range: { low: value - unit / 2, high: value + unit * (1 - 1e-6) } }];
  });
  return numbers.length === columns.length ? numbers : null;
}

const f1Of = (precision: number, recall: number): number => (2 * precision * recall) / (precision + recall);

/** How a column follows from two others: its range from theirs. */
const computed = {
  // F1 rises with both.
  f1: { name: 'F1', of: (p: Range, r: Range) => ({ low: f1Of(p.low, r.low), high: f1Of(p.high, r.high) }) },
  difference: {
    name: 'the difference',
    of: (a: Range, b: Range) => ({ low: a.low - b.high, high: a.high - b.low }),
  },
  quotient: {
    name: 'the quotient',
    of: (a: Range, b: Range) => ({ low: a.low / b.high, high: a.high / b.low }),
  },
};

function checkComputed(kind: keyof typeof computed, numbers: readonly RowNumber[]): string | null {
  const [first, second, result] = numbers;
  if (first === undefined || second === undefined || result === undefined) return null;
  const { name, of } = computed[kind];
  const { low, high } = of(first.range, second.range);
  if (low <= result.range.high + TOLERANCE && result.range.low <= high + TOLERANCE) return null;
  const [from, to] = [low, high].map((end) => end.toFixed(result.decimals + 2));
  return `${name} of ${first.text} and ${second.text} lies between ${from} and ${to}, not at ${result.text}`;
}

/** Judgements that give a printed precision, recall and F1. */
interface Counts {
  /** Correct cases that were judged. */
  positives: number;
  found: number;
  /** Incorrect cases judged correct. */
  letThrough: number;
}

/** The first counts on so many correct cases that give the printed precision, recall and F1. */
function countsOn(positives: number, negatives: number, ranges: readonly Range[]): Counts | undefined {
  const [precision, recall, f1] = ranges;
  if (precision === undefined || recall === undefined || f1 === undefined) return undefined;
  const least = Math.max(1, Math.floor(recall.low * positives));
  const most = Math.min(positives, Math.ceil(recall.high * positives));
  for (let found = least; found <= most; found += 1) {
    if (!within(found / positives, recall)) continue;
    const from = Math.max(0, Math.floor(found / precision.high - found) - 1);
    const to = Math.min(negatives, Math.ceil(found / precision.low - found) + 1);
    for (let letThrough = from; letThrough <= to; letThrough += 1)
      if (
        within(found / (found + letThrough), precision) &&
        within((2 * found) / (positives + found + letThrough), f1)
      )
        return { positives, found, letThrough };
  }
  return undefined;
}

/** If no judgements on all cases fit, tries fewer correct cases, which is what cases without a decision would leave. */
function checkCounts(
  { positives, negatives, where }: Extract<Check, { kind: 'counts' }>,
  numbers: readonly RowNumber[],
): string | null {
  const ranges = numbers.map(({ range }) => range);
  if (countsOn(positives, negatives, ranges) !== undefined) return null;
  let part: Counts | undefined;
  for (let fewer = positives - 1; fewer >= 1 && part === undefined; fewer -= 1)
    part = countsOn(fewer, negatives, ranges);
  const perhaps =
    part === undefined
      ? 'nor do any on a part of them'
      : `${part.found} of ${part.positives} correct ones found and ${part.letThrough} incorrect ones let through would`;
  return `no judgements on ${positives} correct and ${negatives} incorrect cases give these (${where}); ${perhaps}`;
}

/** Scores deviate most if each is at one of the bounds: then the variance is (mean − from) · (to − mean). */
function checkDeviation(
  { from, to }: { from: number; to: number },
  numbers: readonly RowNumber[],
): string | null {
  const [mean, deviation] = numbers;
  if (mean === undefined || deviation === undefined) return null;
  const middle = (from + to) / 2;
  const nearest = Math.min(Math.max(middle, mean.range.low), mean.range.high);
  const most = Math.sqrt((nearest - from) * (to - nearest));
  return deviation.range.low <= most + TOLERANCE
    ? null
    : `scores from ${from} to ${to} with a mean of ${mean.text} deviate by ${most.toFixed(deviation.decimals)} at most, not by ${deviation.text}`;
}

function checkShare(of: number, where: string, { text, range }: RowNumber): string | null {
  const fits = Array.from({ length: of + 1 }, (_, k) => (100 * k) / of).some((share) => within(share, range));
  return fits ? null : `${text} % is no whole number of ${of} (${where})`;
}

function findings(table: PublishedTable, row: number, check: Check): Finding[] {
  const { columns } = check;
  if (check.kind === 'same-as') return []; // Between two tables: `differing`.
  if (check.kind === 'share-of')
    return columns.flatMap((column) => {
      const text = numbersOf(table, row, [column])?.map((number) =>
        checkShare(check.of, check.where, number),
      )[0];
      return text === null || text === undefined ? [] : [{ columns: [column], text }];
    });
  const numbers = numbersOf(table, row, columns);
  if (numbers === null) return [];
  const textOf = (): string | null => {
    if (check.kind === 'counts') return checkCounts(check, numbers);
    return check.kind === 'deviation' ? checkDeviation(check, numbers) : checkComputed(check.kind, numbers);
  };
  const text = textOf();
  return text === null ? [] : [{ columns, text }];
}

/** Rows of two tables with the same labels and different numbers. */
function differing(
  table: PublishedTable,
  other: PublishedTable,
  columns: readonly string[],
): Contradiction[] {
  const places = new Map(other.rows.map((_, row) => [labelsOf(other, row).join('\n'), row]));
  return table.rows.flatMap((_, row) => {
    const paired = places.get(labelsOf(table, row).join('\n'));
    if (paired === undefined) return [];
    return columns.flatMap((column): Contradiction[] => {
      const [here, there] = [numberIn(table, row, column), numberIn(other, paired, column)];
      if (here === null || there === null || here === there) return [];
      const text = `${printed(table, column, here)} here, ${printed(other, column, there)} in ${other.table}`;
      return [{ kind: 'same-as', row, columns: [column], text }];
    });
  });
}

function remarked({ id, columns, rows }: PublishedTable, checked: typeof checks): Contradiction[] {
  const has = (cells: PublishedTable['rows'][number], labels: Readonly<Record<string, string>>): boolean =>
    columns.every((column, place) => labels[column.id] === undefined || labels[column.id] === cells[place]);
  return (checked[id]?.remarks ?? []).flatMap(({ where, says, but, rows: about }) => {
    const text = `${where} says: ${says}; but ${but}`;
    const found = [...rows.keys()].filter((row) => about.some((labels) => has(rows[row] ?? [], labels)));
    const places = found.length === 0 ? [null] : found;
    return places.map((row): Contradiction => ({ kind: 'remark', row, columns: [], text }));
  });
}

/**
 * Where a table contradicts itself, another table of the same results, or the paper's text, in the order of the rows.
 *
 * @param all the tables to compare with
 * @param checked what is checked, by the tables' ids
 */
export function contradictionsOf(
  table: PublishedTable,
  all: readonly PublishedTable[],
  checked = checks,
): readonly Contradiction[] {
  const checksOf = ({ id }: PublishedTable): readonly Check[] => checked[id]?.checks ?? [];
  const own = table.rows.flatMap((_, row) =>
    checksOf(table).flatMap((check) =>
      findings(table, row, check).map((finding) => ({ kind: check.kind, row, ...finding })),
    ),
  );
  // A check names the other table in only one of the two.
  const between = all.flatMap((one) =>
    checksOf(one).flatMap((check) => {
      if (check.kind !== 'same-as' || (one.id !== table.id && check.table !== table.id)) return [];
      const other = all.find(({ id }) => id === (one.id === table.id ? check.table : one.id));
      return other === undefined ? [] : differing(table, other, check.columns);
    }),
  );
  const last = table.rows.length;
  return [...own, ...between, ...remarked(table, checked)].sort((a, b) => (a.row ?? last) - (b.row ?? last));
}
