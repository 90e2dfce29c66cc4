import * as z from 'zod';
import type { Verdict } from '../judging/verdict.ts';
import { decisionIs, Right } from './right.ts';

/**
 * What a colleague says of a verdict. `agree` and `disagree` are about the judges, not about the case: what is right
 * follows from the vote and the verdict together.
 */
export const VoteValue = z.enum(['agree', 'disagree', 'unsure']);
export type VoteValue = z.infer<typeof VoteValue>;

/** What a voter who disagrees may add: what is right, and what or who was wrong. */
export const Correction = z.strictObject({
  decision: z.enum(['pass', 'fail']).optional(),
  score: z.number().optional(),
  /** Criteria that the panel got wrong, by id. */
  criteria: z.array(z.string()).default([]),
  /** The kind of error in the answer, by criterion id or the rubric's error type id. */
  errorType: z.string().optional(),
  /** Judges that were wrong, by `judgeKey`. */
  judges: z.array(z.string()).default([]),
  comment: z.string().max(3000).optional(),
});
export type Correction = z.infer<typeof Correction>;

/** What somebody says of a case who has not been shown what the judges decided. */
export const BlindAnswer = z.discriminatedUnion('kind', [
  ...Right.options,
  z.strictObject({ kind: z.literal('unsure') }),
]);
export type BlindAnswer = z.infer<typeof BlindAnswer>;

/**
 * What a vote says that was given before the voter was shown what the judges decided. The first answer is what counts, in the
 * vote's own value too; a change of mind after that is kept beside it, and counts nowhere: it may lean on the judges.
 */
export const BlindVote = z.strictObject({
  answer: BlindAnswer,
  later: z.strictObject({ answer: BlindAnswer, at: z.number() }).optional(),
});
export type BlindVote = z.infer<typeof BlindVote>;

/** One person's standing vote on one verdict. */
export const Vote = z.strictObject({
  verdictId: z.string(),
  /** Keyed pseudonym; who it is cannot be read from it. */
  voter: z.string(),
  value: VoteValue,
  correction: Correction.optional(),
  blind: BlindVote.optional(),
  surface: z.string(),
  /** When the person clicked, ms since the epoch with fractions; the newest counts, whatever the order of arrival. */
  at: z.number(),
});
export type Vote = z.infer<typeof Vote>;

/** A vote being cast, or taken back (`value: null`). */
export type Ballot = Omit<Vote, 'value'> & { value: VoteValue | null };

/** How many people say what. */
export const VoteTally = z.strictObject({ agree: z.int(), disagree: z.int(), unsure: z.int() });
export type VoteTally = z.infer<typeof VoteTally>;

export const noVotes: VoteTally = { agree: 0, disagree: 0, unsure: 0 };

/** How many of some votes say what. */
export function tallyOf(votes: readonly Pick<Vote, 'value'>[]): VoteTally {
  const tally = { ...noVotes };
  for (const { value } of votes) tally[value] += 1;
  return tally;
}

/**
 * What most of those say who agree or disagree. `tied`: as many say the one as the other; `open`: nobody says either.
 * "Unsure" takes no side.
 */
export type SettledSide = 'agree' | 'disagree' | 'tied' | 'open';

export function settledSide({ agree, disagree }: VoteTally): SettledSide {
  if (agree > disagree) return 'agree';
  if (disagree > agree) return 'disagree';
  return agree > 0 ? 'tied' : 'open';
}

/** The decision that a ballot says is right, or null where it says none. */
export function rightDecision(
  ballot: Pick<Ballot, 'value' | 'correction'>,
  decided: Verdict['decision'],
): string | null {
  if (ballot.correction?.decision !== undefined) return ballot.correction.decision;
  if (ballot.value === 'agree') return decided === 'undecided' ? null : decided;
  if (ballot.value === 'disagree') {
    if (decided === 'pass') return 'fail';
    if (decided === 'fail') return 'pass';
  }
  return null;
}

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
