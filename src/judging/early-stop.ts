import {
  answerOf,
  isNotRelevant,
  type Judgement,
  notRelevantOf,
  quorumOf,
  ranked,
  scoredOf,
} from './verdict/index.ts';

/**
 * The fewest further answers that could decide the majority, if they all went to the leading answer; 0 if it is decided, or no seat
 * is left to ask.
 *
 * Decided: the remaining seats can neither tie nor overtake the leader, and a quorum has answered. With `lead` = leader − runner-up
 * and `left` seats not asked, `w` answers decide it if lead + w > left − w. If a quorum is out of reach, nothing can be decided.
 */
export function callsToDecide(answered: readonly Judgement[], panelSize: number): number {
  const left = panelSize - answered.length;
  const scored = scoredOf(answered);
  if (isNotRelevant(notRelevantOf(answered).length, panelSize)) return 0;
  if (scored.length + notRelevantOf(answered).length + left < quorumOf(panelSize)) return 0;
  const [first, second] = ranked(scored.map((judgement) => [answerOf(judgement), 1]));
  const lead = (first?.[1] ?? 0) - (second?.[1] ?? 0);
  const forLead = lead > left ? 0 : Math.floor((left - lead) / 2) + 1;
  const forQuorum = Math.max(0, quorumOf(panelSize) - scored.length);
  return Math.min(left, Math.max(forLead, forQuorum));
}
