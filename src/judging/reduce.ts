import {
  answerOf,
  isScored,
  type Judgement,
  leaderOf,
  notRelevantOf,
  quorumOf,
  type ScoredJudgement,
  scoredOf,
  type UnscoredReason,
} from './judgement.ts';
import type { Method } from './method.ts';

/**
 * The weight of a stated confidence (0 to 1) in a confidence-weighted vote, in tenths: the calibration f(p) of Habicht et al.,
 * Benchmarking Contextual Understanding, section 4.4.3. In tenths, because sums of 0.1 and 0.3 are not exact in floating point, so
 * ties could be missed.
 */
export function confidenceWeight(confidence: number): number {
  if (confidence >= 1) return 10;
  if (confidence >= 0.9) return 8;
  if (confidence >= 0.8) return 5;
  if (confidence >= 0.6) return 3;
  return 1;
}

/** The outcome of a panel's answers. */
export type Reduction =
  | { kind: 'answer'; answer: string; confidence: number | null }
  | { kind: 'mean'; score: number };

/** The weight of a judgement. In a weighted vote, no stated confidence counts as the lowest. */
export const weightBy =
  (by: Method['reduce']) =>
  ({ confidence }: ScoredJudgement): number =>
    by === 'weighted' ? confidenceWeight(confidence ?? 0) : 1;

/** Sorted first, so that the floating-point sum does not depend on the seats. */
const meanOf = (scores: readonly number[]): number =>
  [...scores].sort((a, b) => a - b).reduce((sum, score) => sum + score, 0) / scores.length;

/**
 * Reduces the scored judgements of the last round to one outcome; null on a tie, without a quorum, or if most judges find the rubric
 * not relevant. Weights of `weighted` are in tenths.
 *
 * @param panelSize seats, asked or not
 * @param notRelevant judges that found the rubric not relevant. More than half of the panel make that the outcome; fewer are left
 *   out, and more than half of the others must have answered
 */
export function reduce(
  scored: readonly ScoredJudgement[],
  panelSize: number,
  notRelevant: number,
  by: Method['reduce'],
): Reduction | null {
  if (notRelevant > 0 && notRelevant >= quorumOf(panelSize)) return null;
  const needed = quorumOf(panelSize - notRelevant);
  if (scored.length < needed) return null;
  switch (by) {
    case 'majority':
    case 'weighted': {
      const weightOf = weightBy(by);
      const answer = leaderOf(scored.map((one) => [answerOf(one), weightOf(one)]));
      if (answer === null) return null;
      const weightIn = (some: readonly ScoredJudgement[]) =>
        some.reduce((sum, one) => sum + weightOf(one), 0);
      const support = weightIn(scored.filter((one) => answerOf(one) === answer)) / weightIn(scored);
      return { kind: 'answer', answer, confidence: by === 'weighted' ? support : null };
    }
    case 'mean': {
      const scores = scored.map(({ score }) => score).filter((score) => score !== null);
      return scores.length < needed ? null : { kind: 'mean', score: meanOf(scores) };
    }
  }
}

/** Reasons that end a round from outside, unlike a bad answer. */
const INTERRUPTIONS: readonly UnscoredReason[] = ['cancelled', 'timeout', 'budget', 'rate-limited'];

const hasQuorum = (round: readonly Judgement[], panelSize: number): boolean =>
  scoredOf(round).length + notRelevantOf(round).length >= quorumOf(panelSize);

/**
 * The last round, or, if that one was cut short without a quorum, the last earlier one with a quorum: a complete round is not lost
 * because time or money ran out later. `index`: from 0; null if no judge was asked.
 */
export function decidingRound(rounds: readonly (readonly Judgement[])[], panelSize: number) {
  const last = rounds.at(-1);
  if (last === undefined) return { index: null, judgements: [] };
  const wasCut =
    last.length < panelSize ||
    last.some((judgement) => !isScored(judgement) && INTERRUPTIONS.includes(judgement.reason));
  const earlier = rounds.slice(0, -1).findLastIndex((round) => hasQuorum(round, panelSize));
  const whole = rounds[earlier];
  if (hasQuorum(last, panelSize) || !wasCut || whole === undefined)
    return { index: rounds.length - 1, judgements: last };
  return { index: earlier, judgements: whole };
}
