import * as z from 'zod';
import type { Range, Verdict } from '../judging/verdict.ts';

/** What is right about a case, whoever says so and whatever was judged: pass or fail, or a score on the rubric's scale. */
export const Right = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('decision'), decision: z.enum(['pass', 'fail']) }),
  z.strictObject({ kind: z.literal('score'), score: z.number() }),
]);
export type Right = z.infer<typeof Right>;

export const decisionIs = (decision: 'pass' | 'fail'): Right => ({ kind: 'decision', decision });

/** As it is written in files and on the command line. */
export const rightText = (right: Right): string =>
  right.kind === 'decision' ? right.decision : String(right.score);

export const isSameRight = (a: Right, b: Right): boolean =>
  a.kind === b.kind && rightText(a) === rightText(b);

/** What can be right about the case of a verdict: pass or fail, or a score between two bounds, where they are known. */
export type RightKind = { kind: 'decision' } | { kind: 'score'; scale: Range | null };

/** A panel that came to nothing leaves it to its criteria which of the two it is. */
export function rightKindOf({
  decision,
  scale,
  criteria,
}: Pick<Verdict, 'decision' | 'scale' | 'criteria'>): RightKind {
  const isScored =
    decision === 'scored' ||
    (decision === 'undecided' && (scale !== undefined || criteria.some((criterion) => criterion.scale)));
  return isScored ? { kind: 'score', scale: scale ?? null } : { kind: 'decision' };
}

/** Reads what somebody wrote as right about the case of a verdict, or says what can be written. */
export function readRight(
  text: string,
  verdict: Parameters<typeof rightKindOf>[0],
): { right: Right } | { problem: string } {
  const wanted = rightKindOf(verdict);
  const word = text.trim().toLowerCase();
  if (wanted.kind === 'decision')
    return word === 'pass' || word === 'fail'
      ? { right: decisionIs(word) }
      : { problem: `"${text}" is neither pass nor fail, which is what its rubric decides` };
  const score = Number(word);
  const { scale } = wanted;
  if (word === '' || !Number.isFinite(score))
    return {
      problem: `"${text}" is no score${scale === null ? '' : ` from ${scale.min} to ${scale.max}`}, which its rubric gives`,
    };
  if (scale !== null && (score < scale.min || score > scale.max))
    return { problem: `the score ${score} is not from ${scale.min} to ${scale.max}, its rubric's scale` };
  return { right: { kind: 'score', score } };
}
