import * as z from 'zod';
import { type Language, wordsIn } from '../../words/index.ts';

/** One seat of a panel. */
export const Judge = z.strictObject({
  persona: z.string().nullable().describe("The persona's id; null: a neutral judge."),
  model: z.string().describe('`provider/model`, or `rules` for the exact checks.'),
  sample: z.int().min(0).describe('Numbers judges with the same persona and model, from 0.'),
});
export type Judge = z.infer<typeof Judge>;

export const isSameJudge = (a: Judge, b: Judge): boolean =>
  a.persona === b.persona && a.model === b.model && a.sample === b.sample;

/** What calls took. An unknown part makes its total null, never 0. */
export const TotalUsage = z.strictObject({
  promptTokens: z.number().nullable().describe('Null if an endpoint reported none.'),
  cachedTokens: z
    .number()
    .nullable()
    .describe('Prompt tokens that the endpoint read from its own cache; they are part of `promptTokens`.'),
  completionTokens: z.number().nullable().describe('Null if an endpoint reported none.'),
  costUsd: z.number().nullable().describe('In US dollars; null if a price is unknown.'),
});
export type TotalUsage = z.infer<typeof TotalUsage>;

export const Usage = TotalUsage.extend({
  latencyMs: z
    .number()
    .describe(
      'Milliseconds from the first attempt to the accepted answer, waits included; of several questions asked at once, the slowest.',
    ),
  sequentialMs: z
    .number()
    .optional()
    .describe('If several questions were asked at once: the sum of their milliseconds.'),
  untimed: z
    .literal(true)
    .optional()
    .describe('How long it took is not known, as of imported judgements; `latencyMs` is then 0.'),
  attempts: z.int().describe('Requests sent, retries included.'),
  fromCache: z.boolean().describe('Whether the answer was reused; it then cost nothing.'),
});
export type Usage = z.infer<typeof Usage>;

/** How long a judge's questions take if they are asked one after another. */
export const sequentialMsOf = ({ sequentialMs, latencyMs }: Usage): number => sequentialMs ?? latencyMs;

/** A sum; one unknown part makes it unknown. */
export const sumIfKnown = (parts: readonly (number | null)[]): number | null =>
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

/**
 * What is wrong with a model's endpoint. `unreachable`: nothing answers there. `key`, `model`: it refuses the key or does not know the
 * model. `credit`: its account is used up. `overloaded`: it takes no more questions at the moment.
 */
export const EndpointTrouble = z.enum(['unreachable', 'key', 'model', 'credit', 'overloaded']);
export type EndpointTrouble = z.infer<typeof EndpointTrouble>;

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
  id: z.string().describe("The criterion's id."),
  decision: z
    .enum(['pass', 'fail', 'scored', 'unscored', 'not-relevant'])
    .describe(
      '`unscored`: the judge could not decide. `not-relevant`: it does not apply to this case, and does not count.',
    ),
  ifRelevant: z
    .enum(['pass', 'fail', 'unscored'])
    .optional()
    .describe('What the judge decided even though the criterion is not relevant; this does not count.'),
  score: z
    .number()
    .nullable()
    .describe(
      "On the criterion's scale; of two compared answers, −1 for the first, 0 for the same, 1 for the second.",
    ),
  rationale: Rationale.describe('The reason; null if the method asks for none.'),
  sides: Sides.optional().describe('If two answers were compared: a reason for each.'),
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
  round: z.int().min(0).describe('The round of the debate, from 0.'),
  judge: Judge,
  usage: Usage,
  promptHash: z
    .string()
    .nullable()
    .describe('Hash of the prompt without the case; null if the judge was never asked.'),
  calls: z.int().min(2).optional().describe('Number of questions, if the judge was asked more than one.'),
  pooledFrom: z
    .string()
    .optional()
    .describe(
      'In benchmarks: the configuration that asked for this answer, if another one of the run did; `usage` is what it took there.',
    ),
  caveat: z
    .string()
    .optional()
    .describe(
      'A warning, such as that the answer contradicts its own findings, or that something was not checked.',
    ),
};

export const ScoredJudgement = z.strictObject({
  ...asked,
  status: z.literal('scored'),
  decision: z.enum(['pass', 'fail', 'scored']),
  score: z
    .number()
    .nullable()
    .describe(
      'Of two compared answers: −1 for the first, 0 for the same, 1 for the second. Null for pass and fail.',
    ),
  confidence: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('How sure the judge is, from 0 to 1; null if the method does not ask.'),
  rationale: Rationale.describe('The reason; null if the method asks for none.'),
  criteria: z.array(Finding).describe("In the rubric's order."),
  sides: Sides.optional().describe('If two answers were compared: a reason for each.'),
  changedWithOrder: z
    .literal(true)
    .optional()
    .describe(
      'The judge preferred something else when the two answers came in the other order; this counts as a tie.',
    ),
});
export type ScoredJudgement = z.infer<typeof ScoredJudgement>;

export const UnscoredJudgement = z.strictObject({
  ...asked,
  status: z.literal('unscored'),
  reason: UnscoredReason.describe(
    'Why there is no answer. `not-relevant`: no criterion applies to the case.',
  ),
  message: z.string().describe('The same in words.'),
  trouble: EndpointTrouble.optional().describe('What is wrong with the endpoint, if that is why.'),
  unavailable: z
    .literal(true)
    .optional()
    .describe('The endpoint did not work, whatever it was asked; it may work later.'),
  criteria: z.array(Finding).describe('Partial findings; they never count as an answer.'),
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

/** What a judge said: its reason, or why it gave no answer, with what its model or endpoint answered: for the details. */
export const saidBy = (judgement: Judgement): string =>
  isScored(judgement) ? (judgement.rationale ?? 'No reason asked for.') : judgement.message;

/** What a judge said, for everyone: without what its model or endpoint answered. */
export function shownReason(judgement: Judgement, language: Language): string {
  const { noReason, silence } = wordsIn(language).verdict;
  if (isScored(judgement)) return judgement.rationale ?? noReason;
  const { reason, message } = judgement;
  return reason === 'unsupported' || reason === 'not-relevant' ? message : silence[reason];
}

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
