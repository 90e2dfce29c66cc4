import { type Bin, singly } from './bin.ts';

/** What is true of a case. `pass` is the positive class: the recommendation is correct. */
type Truth = 'pass' | 'fail';

/**
 * What a judge or a panel came to. `undecided`: it answered and reached no decision (a tie, no quorum). `unscored`: there
 * is no usable answer at all.
 */
export type Outcome = Truth | 'undecided' | 'unscored';

export interface Judged {
  truth: Truth;
  outcome: Outcome;
}

/** Cases by what is true of them and what was said of them. */
export type Confusion = Readonly<Record<Truth, Readonly<Record<Outcome, number>>>>;

/** How cases without a decision enter: left out, with the coverage told beside; or each as the wrong decision. */
export type Unanswered = 'exclude' | 'wrong';

/** True and false positives and negatives. Metrics of these can be computed from counts, whatever the number of cases. */
export interface BinaryCounts {
  tp: number;
  fp: number;
  fn: number;
  tn: number;
}

export const confusionOf = (items: Iterable<Judged>): Confusion => confusionOfBins(singly(items));

/** The same of cases that were counted before: so many cases with this truth and outcome. */
export function confusionOfBins(bins: Iterable<Bin<Judged>>): Confusion {
  const empty = (): Record<Outcome, number> => ({ pass: 0, fail: 0, undecided: 0, unscored: 0 });
  const confusion = { pass: empty(), fail: empty() };
  for (const { value, items } of bins) confusion[value.truth][value.outcome] += items;
  return confusion;
}

/** With `wrong`, a correct case without a decision is a false negative, an incorrect one a false positive. */
export function binaryCounts({ pass, fail }: Confusion, unanswered: Unanswered): BinaryCounts {
  const missed = (row: Readonly<Record<Outcome, number>>) =>
    unanswered === 'wrong' ? row.undecided + row.unscored : 0;
  return { tp: pass.pass, fn: pass.fail + missed(pass), fp: fail.pass + missed(fail), tn: fail.fail };
}
