import { type Check, labelsOf, numberIn, type PublishedTable, printed } from './published-tables.ts';

/** The values that a printed number can stand for. */
interface Range {
  low: number;
  high: number;
}

/** What floating-point sums may miss by; far below any printed decimal. */
const TOLERANCE = 1e-11;

/**
 * A number printed with so many decimals was rounded to them, or cut off after them: both are seen in the papers. The
 * upper end is the least value that does not belong, less a hair.
 */
function printedRange(value: number, decimals: number): Range {
  const unit = 10 ** -decimals;
  return { low: value - unit / 2, high: value + unit * (1 - 1e-6) };
}

const within = (value: number, { low, high }: Range): boolean =>
  value >= low - TOLERANCE && value <= high + TOLERANCE;

const overlap = (a: Range, b: Range): boolean => a.low <= b.high + TOLERANCE && b.low <= a.high + TOLERANCE;

/** One number of a row, as printed and as what it can stand for. */
interface RowNumber {
  text: string;
  decimals: number;
  range: Range;
}

/** What a check finds in one row: which columns do not fit, and how. */
interface Finding {
  columns: readonly string[];
  text: string;
}

/** One number of a row; nothing where the paper prints none. */
function rowNumber(table: PublishedTable, row: number, column: string): RowNumber | undefined {
  const value = numberIn(table, row, column);
  if (value === null) return undefined;
  const text = printed(table, column, value);
  const decimals = text.includes('.') ? text.length - text.indexOf('.') - 1 : 0;
  return { text, decimals, range: printedRange(value, decimals) };
}

/** Three numbers of a row that a check is about; nothing where one is missing. */
function rowTriple(
  table: PublishedTable,
  row: number,
  columns: readonly [string, string, string],
): readonly [RowNumber, RowNumber, RowNumber] | undefined {
  const [first, second, third] = columns.map((column) => rowNumber(table, row, column));
  return first === undefined || second === undefined || third === undefined
    ? undefined
    : [first, second, third];
}

/** Judgements that give a printed precision, recall and F1. */
interface Counts {
  /** Correct cases that were judged at all. */
  positives: number;
  found: number;
  /** Incorrect cases judged correct. */
  letThrough: number;
}

/** Precision, recall and F1 as printed. */
type Printed = readonly [Range, Range, Range];

/** The first counts on so many correct cases that give the printed numbers. */
function countsOn(
  positives: number,
  negatives: number,
  [precision, recall, f1]: Printed,
): Counts | undefined {
  const least = Math.max(1, Math.floor(recall.low * positives));
  const most = Math.min(positives, Math.ceil(recall.high * positives));
  for (let found = least; found <= most; found += 1) {
    if (!within(found / positives, recall)) continue;
    const around = Math.max(0, Math.floor(found / precision.high - found) - 1);
    const upTo = Math.min(negatives, Math.ceil(found / precision.low - found) + 1);
    for (let letThrough = around; letThrough <= upTo; letThrough += 1)
      if (
        within(found / (found + letThrough), precision) &&
        within((2 * found) / (positives + found + letThrough), f1)
      )
        return { positives, found, letThrough };
  }
  return undefined;
}

/**
 * Whether any judgements on all cases give a row's precision, recall and F1; and if none do, whether judgements on a part
 * of them do, which is what cases without a decision would leave.
 */
function contradictionsOfCounts(
  table: PublishedTable,
  row: number,
  check: Extract<Check, { kind: 'counts' }>,
): Finding[] {
  const { positives, negatives, where } = check;
  const columns = [check.precision, check.recall, check.f1] as const;
  const numbers = rowTriple(table, row, columns);
  if (numbers === undefined) return [];
  const [precision, recall, f1] = numbers;
  const ranges: Printed = [precision.range, recall.range, f1.range];
  if (countsOn(positives, negatives, ranges) !== undefined) return [];
  const part = Array.from({ length: positives - 1 }, (_, fewer) => positives - 1 - fewer)
    .map((fewer) => countsOn(fewer, negatives, ranges))
    .find((counts) => counts !== undefined);
  const perhaps =
    part === undefined
      ? 'nor do any on a part of them'
      : `${part.found} of ${part.positives} correct ones found and ${part.letThrough} incorrect ones let through would`;
  const text = `no judgements on ${positives} correct and ${negatives} incorrect cases give these (${where}); ${perhaps}`;
  return [{ columns, text }];
}

/** A place where a paper contradicts itself. */
export interface Contradiction {
  table: string;
  kind: Check['kind'] | 'remark';
  /** Position of the row, from 0; `null` where it is about the whole table or about the text alone. */
  row: number | null;
  columns: readonly string[];
  /** What is said and what stands against it, with the numbers. */
  text: string;
}

type CheckOf<K extends Check['kind']> = Extract<Check, { kind: K }>;

/** Two columns make a third: whether what they can come to meets what is printed. */
function computed(
  table: PublishedTable,
  row: number,
  columns: readonly [string, string, string],
  compute: (a: Range, b: Range) => Range,
  name: string,
): Finding[] {
  const numbers = rowTriple(table, row, columns);
  if (numbers === undefined) return [];
  const [first, second, result] = numbers;
  const { low, high } = compute(first.range, second.range);
  if (overlap({ low, high }, result.range)) return [];
  const [from, to] = [low, high].map((end) => end.toFixed(result.decimals + 2));
  const text = `${name} of ${first.text} and ${second.text} lies between ${from} and ${to}, not at ${result.text}`;
  return [{ columns, text }];
}

const f1Of = (precision: number, recall: number): number => (2 * precision * recall) / (precision + recall);

function shareOf(table: PublishedTable, row: number, { columns, of, where }: CheckOf<'share-of'>): Finding[] {
  return columns.flatMap((column) => {
    const number = rowNumber(table, row, column);
    if (number === undefined) return [];
    const shares = Array.from({ length: of + 1 }, (_, k) => (100 * k) / of);
    if (shares.some((share) => within(share, number.range))) return [];
    return [{ columns: [column], text: `${number.text} % is no whole number of ${of} (${where})` }];
  });
}

function findings(table: PublishedTable, row: number, check: Check): Finding[] {
  switch (check.kind) {
    case 'f1': {
      const columns = [check.precision, check.recall, check.f1] as const;
      // F1 rises with both.
      const f1 = (p: Range, r: Range) => ({ low: f1Of(p.low, r.low), high: f1Of(p.high, r.high) });
      return computed(table, row, columns, f1, 'F1');
    }
    case 'counts':
      return contradictionsOfCounts(table, row, check);
    case 'share-of':
      return shareOf(table, row, check);
    case 'difference': {
      const columns = [check.minuend, check.subtrahend, check.difference] as const;
      const less = (a: Range, b: Range) => ({ low: a.low - b.high, high: a.high - b.low });
      return computed(table, row, columns, less, 'the difference');
    }
    case 'quotient': {
      const columns = [check.dividend, check.divisor, check.quotient] as const;
      const over = (a: Range, b: Range) => ({ low: a.low / b.high, high: a.high / b.low });
      return computed(table, row, columns, over, 'the quotient');
    }
    case 'same-as':
      return []; // between two tables: see below
  }
}

/** Rows of two tables with the same labels and different numbers. */
function differences(
  table: PublishedTable,
  other: PublishedTable,
  columns: readonly string[],
): Contradiction[] {
  const places = new Map(other.rows.map((_, row) => [labelsOf(other, row).join('\n'), row]));
  return table.rows.flatMap((_, row) => {
    const paired = places.get(labelsOf(table, row).join('\n'));
    if (paired === undefined) return [];
    return columns.flatMap((column) => {
      const [here, there] = [numberIn(table, row, column), numberIn(other, paired, column)];
      if (here === null || there === null || here === there) return [];
      const text = `${printed(table, column, here)} here, ${printed(other, column, there)} in ${other.table}`;
      return [{ table: table.id, kind: 'same-as' as const, row, columns: [column], text }];
    });
  });
}

/** What other tables, or this one, say of the same results. */
function differing(table: PublishedTable, all: readonly PublishedTable[]): Contradiction[] {
  return all.flatMap((one) =>
    one.checks.flatMap((check) => {
      if (check.kind !== 'same-as') return [];
      if (one.id === table.id)
        return all
          .filter(({ id }) => id === check.table)
          .flatMap((other) => differences(table, other, check.columns));
      return check.table === table.id ? differences(table, one, check.columns) : [];
    }),
  );
}

function remarked(table: PublishedTable): Contradiction[] {
  return table.remarks.flatMap(({ where, says, but, rows }) => {
    const text = `${where} says: ${says}; but ${but}`;
    const about = table.rows.flatMap((cells, row) =>
      rows.some((labels) =>
        Object.entries(labels).every(
          ([id, label]) => cells[table.columns.findIndex((column) => column.id === id)] === label,
        ),
      )
        ? [row]
        : [],
    );
    const places: (number | null)[] = about.length === 0 ? [null] : about;
    return places.map((row) => ({ table: table.id, kind: 'remark' as const, row, columns: [], text }));
  });
}

/**
 * Where a table contradicts itself, another table of the same results, or the paper's text: by its checks, which take into
 * account that printed numbers are rounded or cut off, and by what was found in reading. In the order of the rows.
 *
 * @param all the tables among which the others are looked up
 */
export function contradictionsOf(
  table: PublishedTable,
  all: readonly PublishedTable[],
): readonly Contradiction[] {
  const own = table.rows.flatMap((_, row) =>
    table.checks.flatMap((check) =>
      findings(table, row, check).map((finding) => ({ table: table.id, kind: check.kind, row, ...finding })),
    ),
  );
  const last = table.rows.length;
  return [...own, ...differing(table, all), ...remarked(table)].sort(
    (a, b) => (a.row ?? last) - (b.row ?? last),
  );
}
