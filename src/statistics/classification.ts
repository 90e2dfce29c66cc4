import { accuracy, balancedAccuracy } from './accuracy.ts';
import { type BinaryCounts, binaryCounts, type Confusion, type Unanswered } from './confusion.ts';
import { mcc } from './mcc.ts';
import { type Measure, ratio } from './measure.ts';
import { f1, precision, recall } from './precision-recall.ts';

/** How well decisions meet the truth, and how many cases got no decision. */
export interface Classification {
  /** All cases, decided or not. */
  n: number;
  undecided: number;
  unscored: number;
  /** Share of all cases that got a decision. */
  coverage: Measure;
  /** How cases without a decision entered the numbers below. */
  unanswered: Unanswered;
  counts: BinaryCounts;
  precision: Measure;
  recall: Measure;
  f1: Measure;
  accuracy: Measure;
  balancedAccuracy: Measure;
  mcc: Measure;
}

/**
 * Every classification metric of a set of cases, positive class `pass`.
 *
 * @param unanswered `exclude` (default): cases without a decision are left out of the metrics, and `coverage` says how
 *   many are left; `wrong`: each counts as the wrong decision. See docs/decisions/0010-undefined-and-undecided.md.
 */
export function classify(confusion: Confusion, unanswered: Unanswered = 'exclude'): Classification {
  const { pass, fail } = confusion;
  const counts = binaryCounts(confusion, unanswered);
  const undecided = pass.undecided + fail.undecided;
  const unscored = pass.unscored + fail.unscored;
  const decided = pass.pass + pass.fail + fail.pass + fail.fail;
  const n = decided + undecided + unscored;
  return {
    n,
    undecided,
    unscored,
    coverage: ratio(decided, n, n, 'there is no case'),
    unanswered,
    counts,
    precision: precision(counts),
    recall: recall(counts),
    f1: f1(counts),
    accuracy: accuracy(counts),
    balancedAccuracy: balancedAccuracy(counts),
    mcc: mcc(counts),
  };
}
