import { JuryError } from '../common/errors.ts';

/** Two measurements of the same items; `null` where one is missing. */
export type Series = readonly (number | null)[];

/** The items of which both are known. @throws JuryError `internal` where the series differ in length */
export function completePairs(xs: Series, ys: Series): { xs: number[]; ys: number[] } {
  if (xs.length !== ys.length)
    throw new JuryError(
      'internal',
      `A correlation takes two series of one length, not ${xs.length} and ${ys.length}.`,
    );
  const kept: { xs: number[]; ys: number[] } = { xs: [], ys: [] };
  for (const [index, x] of xs.entries()) {
    const y = ys[index] ?? null;
    if (x === null || y === null) continue;
    kept.xs.push(x);
    kept.ys.push(y);
  }
  return kept;
}
