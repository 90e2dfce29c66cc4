import type { BinaryCounts } from './confusion.ts';
import { type Measure, ratio } from './measure.ts';

/**
 * Matthews correlation coefficient, −1 to 1: the correlation of truth and decision. Matthews, Biochimica et Biophysica
 * Acta 405, 1975. Not defined where truth or decision is always the same (scikit-learn says 0 there).
 */
export function mcc({ tp, fp, fn, tn }: BinaryCounts): Measure {
  // Square roots one by one: the product of four counts of a million leaves the exact whole numbers.
  const spread = Math.sqrt(tp + fp) * Math.sqrt(tp + fn) * Math.sqrt(tn + fp) * Math.sqrt(tn + fn);
  return ratio(tp * tn - fp * fn, spread, tp + fp + fn + tn, 'truth or decision is the same in every case');
}
