import { JuryError } from '../common/errors.ts';

/**
 * The result of a statistic: its value, or why it has none, with `n`, the number of items that counted. All statistics here return it:
 * nothing is ever NaN, and 0 always means zero.
 */
export type Result<T> = ({ defined: true; n: number } & T) | { defined: false; n: number; why: string };

export type Measure = Result<{ value: number }>;

/** A confidence interval; `level` is its coverage, such as 0.95. */
export type Interval = Result<{ low: number; high: number; level: number }>;

/** @throws JuryError `internal` if the value is not finite, because of invalid data */
export function measured(value: number, n: number): Measure {
  if (!Number.isFinite(value))
    throw new JuryError(
      'internal',
      `A statistic came to ${value}: check that every value is a finite number.`,
    );
  return { defined: true, value, n };
}

/** @param why completes "not defined: …" */
export const unmeasured = (why: string, n: number): { defined: false; n: number; why: string } => ({
  defined: false,
  n,
  why,
});

/** A quotient; not defined if the divisor is 0. */
export const ratio = (dividend: number, divisor: number, n: number, why: string): Measure =>
  divisor === 0 ? unmeasured(why, n) : measured(dividend / divisor, n);
