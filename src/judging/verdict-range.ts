import type { Range, Verdict } from './verdict.ts';

/**
 * What the score of a verdict lies between, whatever came of it; null where its rubric asks for pass or fail. Where criteria
 * are on several scales, the span of all of them.
 */
export function rangeOfVerdict({ scale, criteria }: Pick<Verdict, 'scale' | 'criteria'>): Range | null {
  const ranges = scale === undefined ? criteria.flatMap((criterion) => criterion.scale ?? []) : [scale];
  if (ranges.length === 0) return null;
  return {
    min: Math.min(...ranges.map(({ min }) => min)),
    max: Math.max(...ranges.map(({ max }) => max)),
  };
}
