import { JuryError } from '../common/errors.ts';

/**
 * What a statistic comes to: its value, or why it has none; always with `n`, the number of items that entered. The one
 * type of every statistic here: nothing is ever NaN, and 0 always means zero.
 */
export type Result<T> = ({ defined: true; n: number } & T) | { defined: false; n: number; why: string };

export type Measure = Result<{ value: number }>;

/** A confidence interval; `level` is the share of intervals made this way that hold the true value, such as 0.95. */
export type Interval = Result<{ low: number; high: number; level: number }>;

/** @throws JuryError `internal` where the value is no finite number: data went in that no statistic can take */
export function measured(value: number, n: number): Measure {
  if (!Number.isFinite(value))
    throw new JuryError(
      'internal',
      `A statistic came to ${value}: check that every value is a finite number.`,
    );
  return { defined: true, value, n };
}

/** @param why a part of a sentence that fits after "not defined:" */
export const unmeasured = (why: string, n: number): { defined: false; n: number; why: string } => ({
  defined: false,
  n,
  why,
});

/** A quotient, not defined where the divisor is 0. */
export const ratio = (dividend: number, divisor: number, n: number, why: string): Measure =>
  divisor === 0 ? unmeasured(why, n) : measured(dividend / divisor, n);
