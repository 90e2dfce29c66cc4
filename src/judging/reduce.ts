import { quorumOf, ranked, weighed } from './answer.ts';
import { confidenceWeight } from './confidence-weight.ts';
import type { ScoredJudgement } from './judgement.ts';
import type { Method } from './method.ts';

/** What a panel's answers come to. */
export type Reduction =
  | { kind: 'answer'; answer: string; support: number; against: number; confidence: number | null }
  | { kind: 'mean'; score: number; lowest: number; highest: number }
  | { kind: 'tie'; sides: { answer: string; weight: number }[]; weighted: boolean }
  | { kind: 'not-relevant' }
  | { kind: 'no-quorum'; needed: number };

/** The heaviest answer, or a tie: ties are never broken, least of all by order. */
function heaviest(weights: ReadonlyMap<string, number>, weighted: boolean): Reduction {
  const [first, second] = ranked(weights);
  if (first === undefined) return { kind: 'no-quorum', needed: 1 };
  const [answer, support] = first;
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  if (second !== undefined && second[1] === support)
    return {
      kind: 'tie',
      sides: ranked(weights).map(([side, weight]) => ({ answer: side, weight })),
      weighted,
    };
  return {
    kind: 'answer',
    answer,
    support,
    against: total - support,
    confidence: weighted ? support / total : null,
  };
}

/** How much a judgement counts. In a weighted vote a judge that stated no confidence counts as least sure. */
export const weightBy =
  (by: Method['reduce']) =>
  ({ confidence }: ScoredJudgement): number =>
    by === 'weighted' ? confidenceWeight(confidence ?? 0) : 1;

/** Arithmetic mean. Sorted first, so that the floating-point sum does not depend on who sits where. */
const meanOf = (scores: readonly number[]): number =>
  [...scores].sort((a, b) => a - b).reduce((sum, score) => sum + score, 0) / scores.length;

/**
 * Reduces the scored judgements of the last round to one outcome. Weights of `weighted` are in tenths.
 *
 * @param panelSize seats, asked or not
 * @param notRelevant judges that found the rubric not relevant: more than half of the panel make that the outcome; fewer
 *   leave the panel, of the rest of which more than half must have answered
 */
export function reduce(
  scored: readonly ScoredJudgement[],
  panelSize: number,
  notRelevant: number,
  by: Method['reduce'],
): Reduction {
  if (notRelevant > 0 && notRelevant >= quorumOf(panelSize)) return { kind: 'not-relevant' };
  const needed = quorumOf(panelSize - notRelevant);
  if (scored.length < needed) return { kind: 'no-quorum', needed };
  switch (by) {
    case 'majority':
    case 'weighted':
      return heaviest(weighed(scored, weightBy(by)), by === 'weighted');
    case 'mean': {
      const scores = scored.map(({ score }) => score).filter((score) => score !== null);
      if (scores.length < needed) return { kind: 'no-quorum', needed };
      return {
        kind: 'mean',
        score: meanOf(scores),
        lowest: Math.min(...scores),
        highest: Math.max(...scores),
      };
    }
  }
}
