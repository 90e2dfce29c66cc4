/**
 * How much a stated confidence (0 to 1) counts in a confidence-weighted vote, in tenths: the calibration f(p) of
 * Habicht et al., Benchmarking Contextual Understanding, section 4.4.3. Tenths, because sums of 0.1 and 0.3 are not
 * exact in floating point and a tie must be seen as one.
 */
export function confidenceWeight(confidence: number): number {
  if (confidence >= 1) return 10;
  if (confidence >= 0.9) return 8;
  if (confidence >= 0.8) return 5;
  if (confidence >= 0.6) return 3;
  return 1;
}
