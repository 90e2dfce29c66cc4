import type { BinaryCounts } from './confusion.ts';
import { type Measure, ratio } from './measure.ts';

const all = ({ tp, fp, fn, tn }: BinaryCounts): number => tp + fp + fn + tn;

/** Share of cases judged correct that are: TP / (TP + FP). Habicht et al., Benchmarking Contextual Understanding, 6.4. */
export const precision = (counts: BinaryCounts): Measure =>
  ratio(counts.tp, counts.tp + counts.fp, all(counts), 'no case was judged correct');

/** Share of correct cases judged so: TP / (TP + FN). The same section. */
export const recall = (counts: BinaryCounts): Measure =>
  ratio(counts.tp, counts.tp + counts.fn, all(counts), 'no case is correct');

/**
 * Harmonic mean of precision and recall, as 2TP / (2TP + FP + FN), so that it is 0 and not undefined where correct cases
 * exist and none was found. The same section.
 */
export const f1 = (counts: BinaryCounts): Measure =>
  ratio(
    2 * counts.tp,
    2 * counts.tp + counts.fp + counts.fn,
    all(counts),
    'no case is correct and none was judged so',
  );
