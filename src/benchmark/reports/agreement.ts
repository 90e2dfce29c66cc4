import { cohenKappa } from '../../statistics/agreement.ts';
import type { Confusion } from '../../statistics/classification.ts';
import { krippendorffAlpha } from '../../statistics/krippendorff-alpha.ts';
import type { Measure } from '../../statistics/measure.ts';
import type { Bin, Tally } from '../../statistics/tallies.ts';
import { binsOf, decidedCounts } from './case-bins.ts';
import { bootstrapEstimate } from './estimate.ts';
import type { Estimate, SetupReport } from './report.ts';
import type { TrialFacts } from './trial-facts.ts';

/** Decisions and labels as two raters; trials without a decision are left out. */
const withLabels = (bins: readonly Bin<Confusion>[]): Estimate =>
  bootstrapEstimate(bins, (drawn) => {
    const { tp, fp, fn, tn } = decidedCounts(drawn);
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
    : bootstrapEstimate(
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
