import type { Bin } from '../../core/metrics/bin.ts';
import { bootstrapBins } from '../../core/metrics/bootstrap-bins.ts';
import { cohenKappa } from '../../core/metrics/cohen-kappa.ts';
import { binaryCounts, type Confusion } from '../../core/metrics/confusion.ts';
import { krippendorffAlpha } from '../../core/metrics/krippendorff-alpha.ts';
import { type Measure, unmeasured } from '../../core/metrics/measure.ts';
import type { Tally } from '../../core/metrics/tally-histogram.ts';
import { binsOf, sumOfBins } from './case-bins.ts';
import { isPoint, RESAMPLES, SEED } from './estimate.ts';
import type { Estimate, SetupReport } from './report.ts';
import type { TrialFacts } from './trial-facts.ts';

/** A statistic with its percentile bootstrap interval by case; none where every resample gives the same. */
function withInterval<T>(bins: readonly Bin<T>[], statistic: (bins: readonly Bin<T>[]) => Measure): Estimate {
  const measure = statistic(bins);
  if (!measure.defined) return { measure, interval: measure };
  const interval = bootstrapBins(bins, statistic, { seed: SEED, resamples: RESAMPLES });
  if (!interval.defined) return { measure, interval };
  const { n, low, high, level } = interval;
  return {
    measure,
    interval: isPoint(low, high)
      ? unmeasured('every resample of the cases gives the same value', n)
      : { defined: true, n, low, high, level, by: 'bootstrap' },
  };
}

/** Decisions and labels as two raters; trials without a decision are left out. */
const withLabels = (bins: readonly Bin<Confusion>[]): Estimate =>
  withInterval(bins, (drawn) => {
    const { tp, fp, fn, tn } = binaryCounts(sumOfBins(drawn), 'exclude');
    return cohenKappa([
      [tp, fn],
      [fp, tn],
    ]);
  });

/** The tallies of one case's repeats, in an order that does not depend on the repeats'. */
type CaseTallies = readonly Tally[];

function talliesByCase(facts: readonly TrialFacts[]): CaseTallies[] {
  const cases = new Map<number, Tally[]>();
  for (const { place, firstRound } of facts) {
    if (firstRound.pass + firstRound.fail < 2) continue;
    const tally = [firstRound.pass, firstRound.fail];
    const own = cases.get(place);
    if (own === undefined) cases.set(place, [tally]);
    else own.push(tally);
  }
  const order = ([a = 0, b = 0]: Tally, [c = 0, d = 0]: Tally) => a - c || b - d;
  return [...cases.values()].map((tallies) => tallies.toSorted(order));
}

const alphaOf = (bins: readonly Bin<CaseTallies>[]): Measure =>
  krippendorffAlpha(
    bins.flatMap(({ value, items }) => value.map((tally) => ({ value: tally, items }))),
    { scale: 'nominal' },
  );

function amongJudges(facts: readonly TrialFacts[]): Estimate | null {
  const cases = talliesByCase(facts);
  return cases.length === 0
    ? null
    : withInterval(
        binsOf(cases, (tallies) => tallies.join(';')),
        alphaOf,
      );
}

/**
 * How far decisions agree with labels, and judges with each other, beyond chance. Of a debate the first round counts:
 * later ones show who gave in.
 *
 * @param bins how the repeats of each case fell out
 */
export const agreementOf = (
  facts: readonly TrialFacts[],
  bins: readonly Bin<Confusion>[],
): SetupReport['agreement'] => ({
  labels: withLabels(bins),
  judges: amongJudges(facts),
});
