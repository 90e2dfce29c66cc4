import * as z from 'zod';

/** Who answers: a point of view, a model, and which of several samples. */
export const Judge = z.strictObject({
  persona: z.string().nullable(),
  model: z.string(),
  sample: z.int().min(0),
});
export type Judge = z.infer<typeof Judge>;

/**
 * What answering took. Tokens are null where the endpoint did not report them, the cost (US dollars) where the price
 * is not known. `latencyMs` is from the first attempt to the accepted answer, waiting included.
 */
export const Usage = z.strictObject({
  promptTokens: z.number().nullable(),
  cachedTokens: z.number().nullable(),
  completionTokens: z.number().nullable(),
  costUsd: z.number().nullable(),
  latencyMs: z.number(),
  attempts: z.int(),
  /** Whether the answer came from the cache of earlier answers; it then cost nothing. */
  fromCache: z.boolean(),
});
export type Usage = z.infer<typeof Usage>;

export const UnscoredReason = z.enum([
  'malformed',
  'refused',
  'timeout',
  'rate-limited',
  'budget',
  'unsupported',
  'cancelled',
  'error',
  /** By design: no criterion has anything to say about the case. Neither an answer nor a failure to give one. */
  'not-relevant',
]);
export type UnscoredReason = z.infer<typeof UnscoredReason>;

/**
 * What a judge found on one criterion. `unscored`: it could not tell, the rationale says why. `not-relevant`: the
 * criterion has nothing to say about this case.
 */
export const Finding = z.strictObject({
  id: z.string(),
  decision: z.enum(['pass', 'fail', 'scored', 'unscored', 'not-relevant']),
  score: z.number().nullable(),
  rationale: z.string(),
});
export type Finding = z.infer<typeof Finding>;

const asked = {
  round: z.int().min(0),
  judge: Judge,
  usage: Usage,
  /** Hash of the wording that the judge was asked with, the case left out; null when it was never asked. */
  promptHash: z.string().nullable(),
  /** How many questions it was put together from, where the judge was asked more than one. */
  calls: z.int().min(2).optional(),
};

export const ScoredJudgement = z.strictObject({
  ...asked,
  status: z.literal('scored'),
  decision: z.enum(['pass', 'fail', 'scored']),
  score: z.number().nullable(),
  confidence: z.number().min(0).max(1).nullable(),
  rationale: z.string(),
  criteria: z.array(Finding),
  /** What a reader should know before trusting it, such as an answer that contradicts its own findings. */
  caveat: z.string().optional(),
});
export type ScoredJudgement = z.infer<typeof ScoredJudgement>;

const UnscoredJudgement = z.strictObject({
  ...asked,
  status: z.literal('unscored'),
  reason: UnscoredReason,
  message: z.string(),
  /** What could be found all the same; it never counts as an answer. */
  criteria: z.array(Finding),
});

/** One opinion. Only a scored one is an answer. */
export const Judgement = z.discriminatedUnion('status', [ScoredJudgement, UnscoredJudgement]);
export type Judgement = z.infer<typeof Judgement>;

export const isScored = (judgement: Judgement): judgement is ScoredJudgement => judgement.status === 'scored';

/** The usage of a question that went out and of which nothing more is known: it may have cost something. */
export const unknownUsage: Usage = {
  promptTokens: null,
  cachedTokens: null,
  completionTokens: null,
  costUsd: null,
  latencyMs: 0,
  attempts: 1,
  fromCache: false,
};

/** A judgement that no judge gave: it was cut off, or asking it failed. */
export function withoutAnswer(
  { round, judge }: Pick<Judgement, 'round' | 'judge'>,
  reason: UnscoredReason,
  message: string,
  usage: Usage,
): Judgement {
  return { round, judge, status: 'unscored', reason, message, criteria: [], usage, promptHash: null };
}

/** The usage of an answer that asked no model. */
export const freeUsage: Usage = {
  promptTokens: 0,
  cachedTokens: 0,
  completionTokens: 0,
  costUsd: 0,
  latencyMs: 0,
  attempts: 0,
  fromCache: false,
};

/** What a scored judgement answered, in a form that can be compared and counted: `pass`, `fail` or `score 3`. */
export const answerOf = (judgement: ScoredJudgement): string =>
  judgement.decision === 'scored' ? `score ${judgement.score}` : judgement.decision;

/** The scored ones. */
export const scoredOf = (judgements: readonly Judgement[]): ScoredJudgement[] => judgements.filter(isScored);

/** Those that found the rubric to have nothing to say about the case. */
export const notRelevantOf = (judgements: readonly Judgement[]): Judgement[] =>
  judgements.filter((judgement) => judgement.status === 'unscored' && judgement.reason === 'not-relevant');

/** How many of the panel must have answered before there is a verdict: more than half. */
export const quorumOf = (panelSize: number): number => Math.floor(panelSize / 2) + 1;

/** Answers with what stands behind each, heaviest first; equal weights in the order of the answers' names. */
export function ranked<Answer extends string>(weights: ReadonlyMap<Answer, number>): [Answer, number][] {
  return [...weights].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
}

/** Sums `weightOf` over the judgements, by answer. */
export function weighed(
  judgements: readonly ScoredJudgement[],
  weightOf: (judgement: ScoredJudgement) => number,
): Map<string, number> {
  const weights = new Map<string, number>();
  for (const judgement of judgements) {
    const answer = answerOf(judgement);
    weights.set(answer, (weights.get(answer) ?? 0) + weightOf(judgement));
  }
  return weights;
}
