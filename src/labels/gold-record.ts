import type { Adjudication } from './adjudication.ts';
import { ballotOf, isNearest } from './blind-answer.ts';
import type { VerdictRecord } from './verdict-record.ts';
import { rightOf, type Vote } from './vote.ts';

/**
 * Whether a vote says what was ruled; null where it says nothing of the case. A score is right where no level that a voter
 * could have chosen is closer to the ruled one than the one they chose, or that is next to the panel's which they agreed with.
 */
export function isGoldRight(
  vote: Vote,
  { verdict }: VerdictRecord,
  { right: ruled }: Pick<Adjudication, 'right'>,
): boolean | null {
  const said = rightOf(vote, verdict);
  if (said === null) return null;
  if (said.kind === 'decision' || ruled.kind === 'decision')
    return said.kind === 'decision' && ruled.kind === 'decision' && said.decision === ruled.decision;
  const ballot = ballotOf(verdict);
  const levels = ballot.kind === 'score' ? ballot.levels : [];
  // Who agrees with a panel's 2.7 could not have said that by themselves: they mean the level next to it.
  const meant = levels.filter((level) => isNearest(level, levels, said.score));
  return meant.some((level) => isNearest(level, levels, ruled.score));
}
