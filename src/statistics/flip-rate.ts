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

/** How often each answer was given. */
function tallyOf(answers: readonly (Outcome | number)[]): number[] {
  const counts = new Map<Outcome | number, number>();
  for (const answer of answers) if (answer !== 'unscored') counts.set(answer, (counts.get(answer) ?? 0) + 1);
  return [...counts.values()];
}

/**
 * Flip rate over repeats. `undecided` is an answer of its own (pass and then undecided is a flip); `unscored` is none.
 * Where answers are scores, another score is another answer.
 *
 * @param repeats for each case the outcomes or scores of asking the same again
 */
export function flipRate(repeats: readonly (readonly (Outcome | number)[])[]): FlipRate {
  const tallies = repeats.map(tallyOf).filter((tally) => sum(tally) >= 2);
  const n = tallies.length;
  const none = 'no case was answered twice';
  const flipped = tallies.filter((tally) => tally.length > 1).length;
  return {
    anyFlip: ratio(flipped, n, n, none),
    pairwise: ratio(sum(tallies.map((tally) => 1 - pairAgreement(tally))), n, n, none),
    skipped: repeats.length - n,
  };
}
