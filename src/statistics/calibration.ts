import { sum } from './descriptive.ts';
import { ratio } from './measure.ts';

/** A decision with the confidence (0 to 1) that it is right, `null` where none was stated, and whether it was. */
interface Confident {
  confidence: number | null;
  correct: boolean;
}

/** @param binCount bins of equal width over 0 to 1, default 10; report it with the calibration error, which depends on it */
export function calibrationOf(items: readonly Confident[], binCount = 10) {
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
    /** Decisions without a stated confidence, which do not count otherwise. */
    missing: items.length - n,
    /** Mean squared difference of confidence and outcome (1 right, 0 wrong); 0 is best. Brier, Monthly Weather Review 78, 1950. */
    brier: ratio(sum(stated.map(({ confidence, outcome }) => (confidence - outcome) ** 2)), n, n, none),
    /** Expected calibration error: |accuracy − confidence| by bin, weighted by its decisions. Naeini et al., AAAI 2015. */
    ece: ratio(sum(gaps), n, n, none),
    bins: groups.map((group, index) => {
      const size = group.length;
      const meanOf = (values: number[]) => ratio(sum(values), size, size, 'the bin is empty');
      return {
        /** Confidences in [from, to); the last bin includes 1. */
        from: index / binCount,
        to: (index + 1) / binCount,
        n: size,
        /** Share of right decisions in the bin. */
        accuracy: meanOf(group.map(({ outcome }) => outcome)),
        meanConfidence: meanOf(group.map(({ confidence }) => confidence)),
      };
    }),
  };
}
