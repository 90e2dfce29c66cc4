import { type Bin, createSum, type Measure, measured, ratio, singly, sum, unmeasured } from '../index.ts';

/** `pass` is the positive class: the recommendation is correct. */
type Truth = 'pass' | 'fail';

/**
 * Why a case got no decision. `undecided`: the judges answered but reached no decision (a tie, no majority, could not tell).
 * `no-quorum`: at most half of the judges answered. `unanswered`: none did (refused, malformed, timed out, rate-limited, no budget).
 */
export const gapNames = ['undecided', 'no-quorum', 'unanswered'] as const;
export type Gap = (typeof gapNames)[number];

/** The outcome of a judge or a panel. */
export type Outcome = Truth | Gap;

type Row = Readonly<Record<Outcome, number>>;

/** Number of cases in a row without a decision. */
export const gapsIn = (row: Readonly<Record<Gap, number>>): number =>
  row.undecided + row['no-quorum'] + row.unanswered;

export interface Judged {
  truth: Truth;
  outcome: Outcome;
}

/** Number of cases by truth and outcome. */
export type Confusion = Readonly<Record<Truth, Row>>;

const noOutcomes = (): Record<Outcome, number> => ({
  pass: 0,
  fail: 0,
  undecided: 0,
  'no-quorum': 0,
  unanswered: 0,
});

/** An empty table for counting. */
export const noConfusion = (): Record<Truth, Record<Outcome, number>> => ({
  pass: noOutcomes(),
  fail: noOutcomes(),
});

/** How to count cases without a decision: leave them out (see the coverage), or count them as wrong decisions. */
export type GapRule = 'exclude' | 'wrong';

/** True and false positives and negatives. */
export interface BinaryCounts {
  tp: number;
  fp: number;
  fn: number;
  tn: number;
}

export const confusionOf = (items: Iterable<Judged>): Confusion => confusionOfBins(singly(items));

/** {@link confusionOf} for binned cases. */
export function confusionOfBins(bins: Iterable<Bin<Judged>>): Confusion {
  const confusion = noConfusion();
  for (const { value, items } of bins) confusion[value.truth][value.outcome] += items;
  return confusion;
}

/** With `wrong`, a correct case without a decision counts as a false negative, an incorrect one as a false positive. */
function binaryCounts({ pass, fail }: Confusion, gaps: GapRule): BinaryCounts {
  const missed = (row: Row) => (gaps === 'wrong' ? gapsIn(row) : 0);
  return { tp: pass.pass, fn: pass.fail + missed(pass), fp: fail.pass + missed(fail), tn: fail.fail };
}

const all = ({ tp, fp, fn, tn }: BinaryCounts): number => tp + fp + fn + tn;

/** Share of cases judged correctly. Giebisch et al., Automated Factual Benchmarking, eq. 1. */
export const accuracy = (counts: BinaryCounts): Measure =>
  ratio(counts.tp + counts.tn, all(counts), all(counts), 'no case was decided');

/**
 * Mean of the accuracies on correct and on incorrect cases, so a judge that always gives the more common answer gets 0.5. Brodersen et
 * al., The Balanced Accuracy and Its Posterior Distribution, ICPR 2010.
 */
export function balancedAccuracy({ tp, fp, fn, tn }: BinaryCounts): Measure {
  const n = tp + fp + fn + tn;
  if (tp + fn === 0) return unmeasured('no case is correct', n);
  if (tn + fp === 0) return unmeasured('no case is incorrect', n);
  return measured((tp / (tp + fn) + tn / (tn + fp)) / 2, n);
}

/** Share of cases judged correct that are correct: TP / (TP + FP). Habicht et al., Benchmarking Contextual Understanding, 6.4. */
export const precision = (counts: BinaryCounts): Measure =>
  ratio(counts.tp, counts.tp + counts.fp, all(counts), 'no case was judged correct');

/** Share of correct cases judged correct: TP / (TP + FN). Habicht et al., Benchmarking Contextual Understanding, 6.4. */
export const recall = (counts: BinaryCounts): Measure =>
  ratio(counts.tp, counts.tp + counts.fn, all(counts), 'no case is correct');

/**
 * Harmonic mean of precision and recall. Computed as 2TP / (2TP + FP + FN), so that it is 0 rather than undefined if there are correct
 * cases but none was found. Habicht et al., Benchmarking Contextual Understanding, 6.4.
 */
export const f1 = (counts: BinaryCounts): Measure =>
  ratio(
    2 * counts.tp,
    2 * counts.tp + counts.fp + counts.fn,
    all(counts),
    'no case is correct and none was judged so',
  );

/**
 * Matthews correlation coefficient, −1 to 1: the correlation of truth and decision. Matthews, Biochimica et Biophysica Acta 405, 1975.
 * Undefined if truth or decision is the same in every case (scikit-learn returns 0).
 */
export function mcc({ tp, fp, fn, tn }: BinaryCounts): Measure {
  // Separate square roots: a product of four counts in the millions exceeds exact integers.
  const spread = Math.sqrt(tp + fp) * Math.sqrt(tp + fn) * Math.sqrt(tn + fp) * Math.sqrt(tn + fn);
  return ratio(tp * tn - fp * fn, spread, tp + fp + fn + tn, 'truth or decision is the same in every case');
}

export type Classification = ReturnType<typeof classify>;

/**
 * All classification metrics for a set of cases, with `pass` as the positive class.
 * @param gaps `exclude` (default): cases without a decision are left out, and `coverage` says how many remain; `wrong`: each counts as
 *   the wrong decision. See docs/decisions/0010-undefined-and-undecided.md.
 */
export function classify(confusion: Confusion, gaps: GapRule = 'exclude') {
  const { pass, fail } = confusion;
  const counts = binaryCounts(confusion, gaps);
  const decided = pass.pass + pass.fail + fail.pass + fail.fail;
  const n = decided + gapsIn(pass) + gapsIn(fail);
  return {
    /** All cases, decided or not. */
    n,
    undecided: pass.undecided + fail.undecided,
    'no-quorum': pass['no-quorum'] + fail['no-quorum'],
    unanswered: pass.unanswered + fail.unanswered,
    /** Share of all cases that got a decision. */
    coverage: ratio(decided, n, n, 'there is no case'),
    /** How cases without a decision are counted below. */
    gaps,
    counts,
    precision: precision(counts),
    recall: recall(counts),
    f1: f1(counts),
    accuracy: accuracy(counts),
    balancedAccuracy: balancedAccuracy(counts),
    mcc: mcc(counts),
  };
}

/** A decision with the stated confidence (0 to 1) that it is right, `null` if none was stated, and whether it was right. */
interface Confident {
  confidence: number | null;
  correct: boolean;
}

/** Calibration of stated confidences. @param binCount equal-width bins over 0 to 1, default 10; report it, as the calibration error depends on it */
export function calibrationOf(items: Iterable<Confident>, binCount = 10) {
  const squares = createSum();
  const bins = Array.from({ length: binCount }, () => ({
    n: 0,
    right: 0,
    confidence: createSum(),
    gap: createSum(),
  }));
  let [n, missing] = [0, 0];
  // One pass that keeps no item: there may be hundreds of thousands.
  for (const { confidence, correct } of items) {
    if (confidence === null) {
      missing += 1;
      continue;
    }
    const outcome = correct ? 1 : 0;
    n += 1;
    squares.add((confidence - outcome) ** 2);
    const bin = bins[Math.min(binCount - 1, Math.floor(confidence * binCount))];
    if (bin === undefined) continue;
    bin.n += 1;
    bin.right += outcome;
    bin.confidence.add(confidence);
    bin.gap.add(outcome - confidence);
  }
  const none = 'no decision states a confidence';
  return {
    /** Decisions without a stated confidence, which are otherwise ignored. */
    missing,
    /** Mean squared difference between confidence and outcome (1 right, 0 wrong); 0 is best. Brier, Monthly Weather Review 78, 1950. */
    brier: ratio(squares.total(), n, n, none),
    /** Expected calibration error: |accuracy − confidence| per bin, weighted by the bin's size. Naeini et al., AAAI 2015. */
    ece: ratio(sum(bins.map(({ gap }) => Math.abs(gap.total()))), n, n, none),
    bins: bins.map(({ n: size, right, confidence }, index) => ({
      /** Confidences in [from, to); the last bin includes 1. */
      from: index / binCount,
      to: (index + 1) / binCount,
      n: size,
      /** Share of right decisions in the bin. */
      accuracy: ratio(right, size, size, 'the bin is empty'),
      meanConfidence: ratio(confidence.total(), size, size, 'the bin is empty'),
    })),
  };
}
