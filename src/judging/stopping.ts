import { answerOf, notRelevantOf, quorumOf, ranked, scoredOf, weighed } from './answer.ts';
import type { Judgement } from './judgement.ts';

/**
 * The fewest further answers that could settle the majority, if they all went to the leading answer; 0 when it is
 * settled already or nobody is left to ask.
 *
 * Settled means: those not yet asked could neither tie nor overtake the leader, and a quorum has answered. With `lead`
 * = leader − runner-up and `left` seats not asked, `w` answers settle it when lead + w > left − w. Where a quorum is out
 * of reach there is nothing left to settle.
 */
export function callsToSettle(answered: readonly Judgement[], panelSize: number): number {
  const left = panelSize - answered.length;
  const scored = scoredOf(answered);
  if (notRelevantOf(answered).length >= quorumOf(panelSize)) return 0;
  if (scored.length + notRelevantOf(answered).length + left < quorumOf(panelSize)) return 0;
  const [first, second] = ranked(weighed(scored, () => 1));
  const lead = (first?.[1] ?? 0) - (second?.[1] ?? 0);
  const forLead = lead > left ? 0 : Math.floor((left - lead) / 2) + 1;
  const forQuorum = Math.max(0, quorumOf(panelSize) - scored.length);
  return Math.min(left, Math.max(forLead, forQuorum));
}

/** Whether every judge of the panel answered, and all the same. */
export function isUnanimous(round: readonly Judgement[], panelSize: number): boolean {
  const scored = scoredOf(round);
  return scored.length === panelSize && new Set(scored.map(answerOf)).size === 1;
}
