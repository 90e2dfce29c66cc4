import type { Outcome } from './confusion.ts';
import { type Measure, ratio } from './measure.ts';
import { pairAgreement } from './percent-agreement.ts';
import { sum } from './sum.ts';

/** How often asking the same again gives another answer. */
export interface FlipRate {
  /** Share of cases whose answers are not all the same. Grows with the number of repeats. */
  anyFlip: Measure;
  /** Share of pairs of answers of one case that differ, averaged over cases. Does not depend on the number of repeats. */
  pairwise: Measure;
  /** Cases with fewer than two answers; they enter nothing else. */
  skipped: number;
}

/**
 * Flip rate over repeats. `undecided` is an answer of its own (pass and then undecided is a flip); `unscored` is none.
 *
 * @param repeats for each case the outcomes of asking the same again
 */
export function flipRate(repeats: readonly (readonly Outcome[])[]): FlipRate {
  const tallies = repeats
    .map((outcomes) =>
      (['pass', 'fail', 'undecided'] as const).map(
        (kind) => outcomes.filter((outcome) => outcome === kind).length,
      ),
    )
    .filter((tally) => sum(tally) >= 2);
  const n = tallies.length;
  const none = 'no case was answered twice';
  const flipped = tallies.filter((tally) => tally.filter((count) => count > 0).length > 1).length;
  return {
    anyFlip: ratio(flipped, n, n, none),
    pairwise: ratio(sum(tallies.map((tally) => 1 - pairAgreement(tally))), n, n, none),
    skipped: repeats.length - n,
  };
}
