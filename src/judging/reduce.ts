import {
  isScored,
  type Judgement,
  notRelevantOf,
  quorumOf,
  ranked,
  type ScoredJudgement,
  scoredOf,
  type UnscoredReason,
  weighed,
} from './judgement.ts';
import type { Method } from './method.ts';

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

/** The round that a verdict rests on. */
export interface DecidingRound {
  /** 0 for the first round; null where nobody was asked. */
  index: number | null;
  judgements: readonly Judgement[];
  /** Whether a later round was begun and cut short before it could count. */
  cutShort: boolean;
}

/** What ends a round from outside, unlike a judge that answers badly. */
const CUT: readonly UnscoredReason[] = ['cancelled', 'timeout', 'budget', 'rate-limited'];

const hasQuorum = (round: readonly Judgement[], panelSize: number): boolean =>
  scoredOf(round).length + notRelevantOf(round).length >= quorumOf(panelSize);

/**
 * The last round; or, where that one was cut short before more than half of the panel had answered, the last one before
 * it in which they had. What was said in full is not lost because time, money or patience ran out later.
 */
export function decidingRound(rounds: readonly (readonly Judgement[])[], panelSize: number): DecidingRound {
  const last = rounds.at(-1);
  if (last === undefined) return { index: null, judgements: [], cutShort: false };
  const wasCut =
    last.length < panelSize ||
    last.some((judgement) => !isScored(judgement) && CUT.includes(judgement.reason));
  const earlier = rounds.slice(0, -1).findLastIndex((round) => hasQuorum(round, panelSize));
  const whole = rounds[earlier];
  if (hasQuorum(last, panelSize) || !wasCut || whole === undefined)
    return { index: rounds.length - 1, judgements: last, cutShort: false };
  return { index: earlier, judgements: whole, cutShort: true };
}
