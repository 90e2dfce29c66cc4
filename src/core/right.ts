import * as z from 'zod';
import { rightDecision } from './subject.ts';
import type { Verdict } from './verdict.ts';
import type { Vote } from './vote.ts';

/** What is right about a case, whoever says so and whatever was judged: pass or fail, or a score on the rubric's scale. */
export const Right = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('decision'), decision: z.enum(['pass', 'fail']) }),
  z.strictObject({ kind: z.literal('score'), score: z.number() }),
]);
export type Right = z.infer<typeof Right>;

export const decisionIs = (decision: 'pass' | 'fail'): Right => ({ kind: 'decision', decision });

/**
 * What a vote says is right. A vote is about the judges ("I agree"); together with what they decided it is about the case.
 * A blind answer is about the case already. Null where it says nothing of that: it is unsure, or disagrees with a score, or an undecided panel, and names nothing better.
 */
export function rightOf(
  vote: Pick<Vote, 'value' | 'correction' | 'blind'>,
  { decision, score }: Pick<Verdict, 'decision' | 'score'>,
): Right | null {
  if (vote.blind !== undefined) return vote.blind.answer.kind === 'unsure' ? null : vote.blind.answer;
  if (vote.value === 'unsure') return null;
  if (decision === 'scored') {
    const said = vote.correction?.score ?? (vote.value === 'agree' ? score : null);
    return said === null ? null : { kind: 'score', score: said };
  }
  const right = rightDecision(vote, decision);
  return right === 'pass' || right === 'fail' ? decisionIs(right) : null;
}
