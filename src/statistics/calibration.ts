import { sum } from './descriptive.ts';
import { type Measure, ratio } from './measure.ts';

/** A decision with the confidence (0 to 1) that it is right, `null` where none was stated, and whether it was. */
export interface Confident {
  confidence: number | null;
  correct: boolean;
}

interface CalibrationBin {
  /** Confidences in [from, to); the last bin includes 1. */
  from: number;
  to: number;
  n: number;
  /** Share of right decisions in the bin. */
  accuracy: Measure;
  meanConfidence: Measure;
}

export interface Calibration {
  /** Decisions without a stated confidence, which do not count otherwise. */
  missing: number;
  /** Mean squared difference of confidence and outcome (1 right, 0 wrong); 0 is best. Brier, Monthly Weather Review 78, 1950. */
  brier: Measure;
  /** Expected calibration error: |accuracy − confidence| by bin, weighted by its decisions. Naeini et al., AAAI 2015. */
  ece: Measure;
  bins: CalibrationBin[];
}

/** @param binCount bins of equal width over 0 to 1, default 10; report it with the calibration error, which depends on it */
export function calibrationOf(items: readonly Confident[], binCount = 10): Calibration {
  const stated = items.flatMap(({ confidence, correct }) =>
    confidence === null ? [] : [{ confidence, outcome: correct ? 1 : 0 }],
  );
  const n = stated.length;
  const none = 'no decision states a confidence';
  const groups = Array.from({ length: binCount }, (): typeof stated => []);
  for (const item of stated)
    groups[Math.min(binCount - 1, Math.floor(item.confidence * binCount))]?.push(item);
  const gaps = groups.map((group) =>
    Math.abs(sum(group.map(({ confidence, outcome }) => outcome - confidence))),
  );
  return {
    missing: items.length - n,
    brier: ratio(sum(stated.map(({ confidence, outcome }) => (confidence - outcome) ** 2)), n, n, none),
    ece: ratio(sum(gaps), n, n, none),
    bins: groups.map((group, index) => ({
      from: index / binCount,
      to: (index + 1) / binCount,
      n: group.length,
      accuracy: ratio(
        group.filter(({ outcome }) => outcome === 1).length,
        group.length,
        group.length,
        'the bin is empty',
      ),
      meanConfidence: ratio(
        sum(group.map(({ confidence }) => confidence)),
        group.length,
        group.length,
        'the bin is empty',
      ),
    })),
  };
}
