/** The values that a printed number can stand for. */
export interface Range {
  low: number;
  high: number;
}

/** What floating-point sums may miss by; far below any printed decimal. */
const HAIR = 1e-11;

/**
 * A number printed with so many decimals was rounded to them, or cut off after them: both are seen in the papers. The
 * upper end is the least value that does not belong, less a hair.
 */
export function printedRange(value: number, decimals: number): Range {
  const unit = 10 ** -decimals;
  return { low: value - unit / 2, high: value + unit * (1 - 1e-6) };
}

export const within = (value: number, { low, high }: Range): boolean =>
  value >= low - HAIR && value <= high + HAIR;

export const overlap = (a: Range, b: Range): boolean => a.low <= b.high + HAIR && b.low <= a.high + HAIR;
