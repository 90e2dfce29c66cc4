import { isScored, type Judgement, type ScoredJudgement } from './judgement.ts';

/** What a scored judgement answered, in a form that can be compared and counted: `pass`, `fail` or `score 3`. */
export const answerOf = (judgement: ScoredJudgement): string =>
  judgement.decision === 'scored' ? `score ${judgement.score}` : judgement.decision;

/** The scored ones. */
export const scoredOf = (judgements: readonly Judgement[]): ScoredJudgement[] => judgements.filter(isScored);

/** Those that found the rubric to have nothing to say about the case. */
export const notRelevantOf = (judgements: readonly Judgement[]): Judgement[] =>
  judgements.filter((judgement) => judgement.status === 'unscored' && judgement.reason === 'not-relevant');

/** How many of the panel must have answered before there is a verdict: more than half. */
export const quorumOf = (panelSize: number): number => Math.floor(panelSize / 2) + 1;

/** Answers with what stands behind each, heaviest first; equal weights in the order of the answers' names. */
export function ranked<Answer extends string>(weights: ReadonlyMap<Answer, number>): [Answer, number][] {
  return [...weights].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
}

/** Sums `weightOf` over the judgements, by answer. */
export function weighed(
  judgements: readonly ScoredJudgement[],
  weightOf: (judgement: ScoredJudgement) => number,
): Map<string, number> {
  const weights = new Map<string, number>();
  for (const judgement of judgements) {
    const answer = answerOf(judgement);
    weights.set(answer, (weights.get(answer) ?? 0) + weightOf(judgement));
  }
  return weights;
}
