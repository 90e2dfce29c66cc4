import type { Adjudication } from './adjudication.ts';
import { ballotOf } from './blind-answer.ts';
import { rightOf } from './right.ts';
import type { VerdictRecord } from './verdict-record.ts';
import type { Vote } from './vote.ts';

/**
 * Whether a vote says what was ruled; null where it says nothing of the case. A score is right where no level that a voter
 * could have chosen is closer to the ruled one.
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
  const off = Math.abs(said.score - ruled.score);
  return levels.every((level) => off <= Math.abs(level - ruled.score) + 1e-9);
}
