import * as z from 'zod';
import { BlindAnswer } from './blind-answer.ts';

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
