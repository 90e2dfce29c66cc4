import type { BinaryCounts } from './confusion.ts';
import { type Measure, measured, ratio, unmeasured } from './measure.ts';

/** Share of cases judged right. Giebisch et al., Automated Factual Benchmarking, eq. 1. */
export function accuracy({ tp, fp, fn, tn }: BinaryCounts): Measure {
  const n = tp + fp + fn + tn;
  return ratio(tp + tn, n, n, 'no case was decided');
}

/**
 * Mean of the accuracies on correct and on incorrect cases, so that a judge that always says the commoner answer gets
 * 0.5. Brodersen et al., The Balanced Accuracy and Its Posterior Distribution, ICPR 2010.
 */
export function balancedAccuracy({ tp, fp, fn, tn }: BinaryCounts): Measure {
  const n = tp + fp + fn + tn;
  if (tp + fn === 0) return unmeasured('no case is correct', n);
  if (tn + fp === 0) return unmeasured('no case is incorrect', n);
  return measured((tp / (tp + fn) + tn / (tn + fp)) / 2, n);
}
