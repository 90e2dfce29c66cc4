import { notRelevantOf, quorumOf, scoredOf } from './answer.ts';
import { isScored, type Judgement, type UnscoredReason } from './judgement.ts';

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
