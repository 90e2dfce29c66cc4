import type { Finding } from './judgement.ts';
import type { Criterion, Rubric } from './rubric.ts';

/** What one judge's findings come to under a rubric. */
export type Conclusion =
  | { kind: 'decision'; decision: 'pass' | 'fail' }
  | { kind: 'score'; score: number }
  | { kind: 'not-relevant' }
  | { kind: 'untold' };

/**
 * `all`: fails as soon as one criterion fails, passes when every criterion that applies passes, is untold when one of
 * them could not be told. `mean`: the mean of the scores. Criteria that are not relevant count as nothing; when none is
 * relevant, neither is the rubric.
 */
export function conclude(findings: readonly Finding[], decide: Rubric['decide']): Conclusion {
  const relevant = findings.filter(({ decision }) => decision !== 'not-relevant');
  if (relevant.length === 0) return findings.length > 0 ? { kind: 'not-relevant' } : { kind: 'untold' };
  if (decide === 'all') {
    if (relevant.some(({ decision }) => decision === 'fail')) return { kind: 'decision', decision: 'fail' };
    return relevant.every(({ decision }) => decision === 'pass')
      ? { kind: 'decision', decision: 'pass' }
      : { kind: 'untold' };
  }
  const scores = relevant.map(({ score }) => score).filter((score) => score !== null);
  if (scores.length < relevant.length) return { kind: 'untold' };
  return { kind: 'score', score: scores.reduce((sum, score) => sum + score, 0) / scores.length };
}

/** Whether a judge is asked for the decision itself, or it follows from its findings alone. */
export const asksForDecision = (criteria: readonly Criterion[], decide: Rubric['decide']): boolean =>
  decide === 'all' && !criteria.some(({ mayNotApply }) => mayNotApply);
