import * as z from 'zod';

/** A persona (null: neutral), a model, and the number of the sample. */
export const Judge = z.strictObject({
  persona: z.string().nullable(),
  model: z.string(),
  sample: z.int().min(0),
});
export type Judge = z.infer<typeof Judge>;

export const isSameJudge = (a: Judge, b: Judge): boolean =>
  a.persona === b.persona && a.model === b.model && a.sample === b.sample;

/** Tokens are null if an endpoint did not report them, the cost (US dollars) if a price is unknown. */
export const TotalUsage = z.strictObject({
  promptTokens: z.number().nullable(),
  cachedTokens: z.number().nullable(),
  completionTokens: z.number().nullable(),
  costUsd: z.number().nullable(),
});
export type TotalUsage = z.infer<typeof TotalUsage>;

/** `latencyMs` is from the first attempt to the accepted answer, including waits. */
export const Usage = TotalUsage.extend({
  latencyMs: z.number(),
  /** Of several concurrent questions, whose `latencyMs` is that of the slowest: the sum of theirs. */
  sequentialMs: z.number().optional(),
  attempts: z.int(),
  /** Answers from the cache cost nothing. */
  fromCache: z.boolean(),
});
export type Usage = z.infer<typeof Usage>;

/** How long a judge's questions take if they are asked one after another. */
export const sequentialMsOf = ({ sequentialMs, latencyMs }: Usage): number => sequentialMs ?? latencyMs;

/** A sum; one unknown part makes it unknown. */
const sumIfKnown = (parts: readonly (number | null)[]): number | null =>
  parts.reduce<number | null>((sum, part) => (sum === null || part === null ? null : sum + part), 0);

export function totalUsage(usages: readonly TotalUsage[]): TotalUsage {
  const total = (key: keyof TotalUsage) => sumIfKnown(usages.map((usage) => usage[key]));
  return {
    promptTokens: total('promptTokens'),
    cachedTokens: total('cachedTokens'),
    completionTokens: total('completionTokens'),
    costUsd: total('costUsd'),
  };
}

export const UnscoredReason = z.enum([
  'malformed',
  'refused',
  'timeout',
  'rate-limited',
  'budget',
  'unsupported',
  'cancelled',
  'error',
  /** No criterion applies to the case: neither an answer nor a failure. */
  'not-relevant',
]);
export type UnscoredReason = z.infer<typeof UnscoredReason>;

const REASONS: Record<UnscoredReason, string> = {
  malformed: 'no usable reply',
  refused: 'refused to answer',
  timeout: 'timed out',
  'rate-limited': 'rate-limited',
  budget: 'over the budget',
  unsupported: 'could not judge this',
  cancelled: 'stopped',
  error: 'failed',
  'not-relevant': 'not relevant',
};

/** Why a judge gave no answer, in a few words. */
export const reasonText = (reason: UnscoredReason): string => REASONS[reason];

/** One reason for each of two answers, as the rest of a sentence about it: "names the temperature". */
export const Sides = z.strictObject({ first: z.string(), second: z.string() });
export type Sides = z.infer<typeof Sides>;

/** Null if the method asks for no reasons. */
export const Rationale = z.string().nullable();

/**
 * A judge's finding on one criterion. `unscored`: it could not decide; the rationale says why. `not-relevant`: the criterion does not
 * apply to this case.
 */
export const Finding = z.strictObject({
  id: z.string(),
  decision: z.enum(['pass', 'fail', 'scored', 'unscored', 'not-relevant']),
  /** What the judge decided about the criterion even though it is not relevant; this does not count. */
  ifRelevant: z.enum(['pass', 'fail', 'unscored']).optional(),
  score: z.number().nullable(),
  rationale: Rationale,
  /** Of two answers that were compared; the score is then −1 (the first), 0 (the same) or 1 (the second). */
  sides: Sides.optional(),
});
export type Finding = z.infer<typeof Finding>;

/** What the rationale of exact checks begins with where the user named no wish: the criterion holds, but nothing was checked. */
export const NOT_ASKED = 'Not asked for';

/** Whether a criterion holds only because nothing was asked for. */
export const isNotAsked = ({
  decision,
  rationale,
}: Pick<Finding, 'rationale'> & { decision: string }): boolean =>
  decision === 'pass' && rationale?.startsWith(NOT_ASKED) === true;

const asked = {
  round: z.int().min(0),
  judge: Judge,
  usage: Usage,
  /** Hash of the prompt without the case; null if the judge was never asked. */
  promptHash: z.string().nullable(),
  /** Number of questions, if the judge was asked more than one. */
  calls: z.int().min(2).optional(),
  /** A warning, such as that the answer contradicts its own findings, or that something was not checked. */
  caveat: z.string().optional(),
};

export const ScoredJudgement = z.strictObject({
  ...asked,
  status: z.literal('scored'),
  decision: z.enum(['pass', 'fail', 'scored']),
  score: z.number().nullable(),
  confidence: z.number().min(0).max(1).nullable(),
  rationale: Rationale,
  criteria: z.array(Finding),
  /** Of two answers that were compared; the score is then −1 (the first), 0 (the same) or 1 (the second). */
  sides: Sides.optional(),
  /** Whether the judge preferred something else when the two answers came in the other order; it then counts as a tie. */
  changedWithOrder: z.literal(true).optional(),
});
export type ScoredJudgement = z.infer<typeof ScoredJudgement>;

const UnscoredJudgement = z.strictObject({
  ...asked,
  status: z.literal('unscored'),
  reason: UnscoredReason,
  message: z.string(),
  /** Whether the endpoint failed regardless of the question. */
  unavailable: z.literal(true).optional(),
  /** Partial findings; they never count as an answer. */
  criteria: z.array(Finding),
});

/** One opinion. Only a scored one is an answer. */
export const Judgement = z.discriminatedUnion('status', [ScoredJudgement, UnscoredJudgement]);
export type Judgement = z.infer<typeof Judgement>;

export const isScored = (judgement: Judgement): judgement is ScoredJudgement => judgement.status === 'scored';

/** The usage of a question without a reply: it may have cost something. */
export const unknownUsage: Usage = {
  promptTokens: null,
  cachedTokens: null,
  completionTokens: null,
  costUsd: null,
  latencyMs: 0,
  attempts: 1,
  fromCache: false,
};

/** The judgement of a judge that was interrupted or could not be asked. */
export function withoutAnswer(
  { round, judge }: Pick<Judgement, 'round' | 'judge'>,
  reason: UnscoredReason,
  message: string,
  usage: Usage,
): Judgement {
  return { round, judge, status: 'unscored', reason, message, criteria: [], usage, promptHash: null };
}

/** The usage of an answer without a model. */
export const freeUsage: Usage = { ...totalUsage([]), latencyMs: 0, attempts: 0, fromCache: false };

/** The answer as a key: `pass`, `fail` or `score 3`. */
export const answerOf = (judgement: ScoredJudgement): string =>
  judgement.decision === 'scored' ? `score ${judgement.score}` : judgement.decision;

/** What a judge said: its reason, or why it gave no answer. */
export const saidBy = (judgement: Judgement): string =>
  isScored(judgement) ? (judgement.rationale ?? 'No reason asked for.') : judgement.message;

export const scoredOf = (judgements: readonly Judgement[]): ScoredJudgement[] => judgements.filter(isScored);

/** Judgements that found the rubric not relevant to the case. */
export const notRelevantOf = (judgements: readonly Judgement[]): Judgement[] =>
  judgements.filter((judgement) => judgement.status === 'unscored' && judgement.reason === 'not-relevant');

/** Answers with the sum of their weights, heaviest first; equal weights are sorted by answer. */
export function ranked<Answer extends string>(
  votes: readonly (readonly [Answer, number])[],
): [Answer, number][] {
  const weights = new Map<Answer, number>();
  for (const [answer, weight] of votes) weights.set(answer, (weights.get(answer) ?? 0) + weight);
  return [...weights].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
}

/** The heaviest answer; null on a tie, which is never broken. */
export function leaderOf<Answer extends string>(
  votes: readonly (readonly [Answer, number])[],
): Answer | null {
  const [first, second] = ranked(votes);
  return first === undefined || first[1] === second?.[1] ? null : first[0];
}
