import { standardDeviation, sum } from '../statistics/descriptive.ts';
import { krippendorffAlpha } from '../statistics/krippendorff-alpha.ts';
import { type Measure, ratio } from '../statistics/measure.ts';
import { tallyHistogram } from '../statistics/tallies.ts';

const LEVELS = [1, 2, 3, 4, 5] as const;
const NOTHING = 'nobody has rated anything';

/** What ratings from 1 to 5 come to. Habicht et al., Benchmarking Contextual Understanding, 6.4 and 7.1. */
export interface RatingReport {
  /** How often each level was chosen, from 1 to 5. */
  counts: number[];
  mean: Measure;
  /** Of single ratings. */
  deviation: Measure;
  /** Of the means of the cases; the paper does not say which of the two it prints. */
  deviationOfCases: Measure;
  /** Krippendorff, ordinal: how far the annotators agree. */
  alpha: Measure;
}

/** @param units the ratings of each case, by whoever gave one */
export function ratingReport(units: readonly (readonly number[])[]): RatingReport {
  const all = units.flat();
  const means = units.flatMap((unit) => (unit.length === 0 ? [] : [sum(unit) / unit.length]));
  return {
    counts: LEVELS.map((level) => all.filter((rating) => rating === level).length),
    mean: ratio(sum(all), all.length, all.length, NOTHING),
    deviation: standardDeviation(all),
    deviationOfCases: standardDeviation(means),
    alpha: krippendorffAlpha(tallyHistogram(units, LEVELS), { scale: 'ordinal' }),
  };
}
