import { type Range, within } from './printed-range.ts';
import type { Check, PublishedTable } from './published-table.ts';
import { type Finding, rowTriple } from './row-numbers.ts';

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
export function contradictionsOfCounts(
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
