import type { Rubric } from '../../../judging/rubric.ts';
import { isBinary, rangeOf } from '../../../judging/scale.ts';
import type { Verdict } from '../../../judging/verdict.ts';
import { rangeOfVerdict } from '../../../judging/verdict-range.ts';

/** By what a case is to be answered: what the rubric says, and nothing of what came of it. */
export interface Standard {
  title: string;
  criteria: readonly string[];
  /** What each score means, where one scale says so. */
  levels: Readonly<Record<string, string>>;
}

/** @param rubrics those that are there; a verdict can be older than they are */
export function standardOf(
  verdict: Pick<Verdict, 'rubric' | 'scale' | 'criteria'>,
  rubrics: ReadonlyMap<string, Rubric>,
): Standard {
  const rubric = rubrics.get(verdict.rubric);
  if (rubric === undefined) return { title: verdict.rubric, criteria: [], levels: {} };
  const range = rangeOfVerdict(verdict);
  const scales = [
    ...(rubric.overall === undefined ? [] : [rubric.overall.scale]),
    ...(rubric.criteria.length === 1 ? rubric.criteria.map(({ scale }) => scale) : []),
  ];
  const same = scales.find((scale) => {
    const own = rangeOf(scale);
    return own !== null && own.min === range?.min && own.max === range.max;
  });
  return {
    title: rubric.title,
    criteria: rubric.criteria.map(({ title }) => title),
    levels: same === undefined || isBinary(same) ? {} : (same.levels ?? {}),
  };
}
