import * as z from 'zod';
import { wilsonInterval } from '../../statistics/index.ts';
import type { Gap } from '../../statistics/raters/index.ts';
import { type Judge, Judgement, Rationale, TotalUsage, type UnscoredReason } from './judgement.ts';
import { quorumOf } from './quorum.ts';

/** How judges answered. */
const AnswerTally = z.strictObject({
  pass: z.int(),
  fail: z.int(),
  /** With a score (on number scales). */
  scored: z.int(),
  unscored: z.int(),
  /** Found it not relevant; they do not count toward the quorum's panel. */
  notRelevant: z.int(),
});

/** Answers in the deciding round. `panel` is the sum of the others. */
export const Tally = AnswerTally.extend({
  /** Judges that were not asked, because they could not have changed the outcome or judging was stopped. */
  notAsked: z.int(),
  panel: z.int(),
});
export type Tally = z.infer<typeof Tally>;

export const Range = z.strictObject({ min: z.number(), max: z.number() });
export type Range = z.infer<typeof Range>;

/**
 * The panel's finding on a criterion. `not-judged`: the case lacks a field that it needs; the rationale says which.
 * `not-relevant`: most judges found that it does not apply to the case.
 */
export const CriterionVerdict = z.strictObject({
  id: z.string(),
  title: z.string(),
  /** The rubric's group of criteria, if any. */
  dimension: z.string().optional(),
  /** Absent on a binary scale. */
  scale: Range.optional(),
  decision: z.enum(['pass', 'fail', 'scored', 'undecided', 'not-judged', 'not-relevant']),
  /**
   * If some judge found it not relevant: what most of all judges decided about it, relevant or not. Friedl et al., InCA, figure 3, ask for
   * relevance and score.
   */
  ifRelevant: z.enum(['pass', 'fail', 'undecided']).optional(),
  score: z.number().nullable(),
  tally: AnswerTally,
  rationale: Rationale,
});
export type CriterionVerdict = z.infer<typeof CriterionVerdict>;

export const Decision = z.enum(['pass', 'fail', 'scored', 'undecided']);
export type Decision = z.infer<typeof Decision>;

/** Which of two answers is better. */
export const Better = z.enum(['A', 'B', 'same']);
export type Better = z.infer<typeof Better>;

/** @param score −1 to 1; a mean of less than half a point in either direction is no preference */
export function betterOf(score: number): Better {
  if (Math.abs(score) < 0.5) return 'same';
  return score < 0 ? 'A' : 'B';
}

/** What a panel prefers. A is the first answer of the case, B the second. */
export const Preference = z.strictObject({
  /** Null without a decision. */
  better: Better.nullable(),
  /** Display names of A and B. */
  names: z.tuple([z.string(), z.string()]),
  /** Judges by what they prefer in both orders. `changed`: those among `same` whose answer changed with the order. */
  judges: z.strictObject({ A: z.int(), B: z.int(), same: z.int(), changed: z.int() }),
  /** One reason for each answer, as the rest of a sentence about it; empty if no judge gave one. */
  reasons: z.strictObject({ A: z.string(), B: z.string() }),
});
export type Preference = z.infer<typeof Preference>;

/**
 * Why exact checks judged in place of the models: the budget was spent, their endpoint refused every question, or no model answered.
 */
export const Fallback = z.enum(['budget', 'refused', 'unreachable']);
export type Fallback = z.infer<typeof Fallback>;

const FALLBACKS: Record<Fallback, string> = {
  budget: "today's budget is spent",
  refused: "the model's endpoint refuses to answer",
  unreachable: 'no model answered',
};

/** `exact checks only, no model answered`: that exact checks stood in for models, and why. */
export const fallbackText = (fallback: Fallback): string => `exact checks only, ${FALLBACKS[fallback]}`;

/** The outcome of one case, with all judgements. */
export const Verdict = z.strictObject({
  caseId: z.string(),
  rubric: z.string(),
  method: z.string(),
  decision: Decision,
  score: z.number().nullable(),
  /** The scale of the score, if there is one: the overall question's, or the one that all criteria share. */
  scale: Range.optional(),
  /** For a case with two answers: which is better. The decision is then `scored`, and the score −1 for A, 0 for neither, 1 for B. */
  preference: Preference.optional(),
  /** Share of the weight behind the decision, 0 to 1; null unless the method weights by confidence. */
  confidence: z.number().min(0).max(1).nullable(),
  /** Set if exact checks stood in for models. The verdict then passes only if every criterion was checked. */
  fallback: Fallback.optional(),
  /** The outcome and its main reason in one line. */
  why: z.string(),
  tally: Tally,
  criteria: z.array(CriterionVerdict),
  judgements: z.array(Judgement),
  /** The raters' judgements, if the method rates criteria first. */
  ratings: z.array(Judgement).optional(),
  rounds: z.int(),
  /** The deciding round, from 0; null if no judge was asked. */
  decidedInRound: z.int().nullable(),
  /** Number of questions; criteria that were asked about one by one count separately. */
  calls: z.int(),
  /** Of all judgements; for a fallback, including the models that did not come to a decision. */
  usage: TotalUsage,
  /** The settings in effect. */
  settings: z.strictObject({
    /** Model ids in seat order, and personas (null: neutral). */
    panel: z.array(z.strictObject({ persona: z.string().nullable(), model: z.string() })),
    temperature: z.number(),
    seed: z.int().nullable(),
    /** Maximum number of rounds. */
    rounds: z.int(),
    examples: z.int(),
    /** Absent in older verdicts. */
    rubricVersion: z.int().optional(),
    /** The personas' settings, including defaults: `{brand: 'Aurora'}`. Absent if there are none. */
    values: z.record(z.string(), z.string()).optional(),
  }),
  /** Assumptions made when the case was read. */
  assumed: z.array(z.string()),
  /** Lines of the paste that may belong to the answer, and that it was judged without. */
  leftOut: z.string().optional(),
  /** Remarks on how it was judged: omissions, a panel of one, the choice of the rubric. */
  remarks: z.array(z.string()),
  /** Whether it was stopped early. */
  cancelled: z.boolean(),
  startedAt: z.iso.datetime(),
  durationMs: z.number(),
});
export type Verdict = z.infer<typeof Verdict>;

/** Reasons that may disappear on another attempt. */
const TRANSIENT: readonly UnscoredReason[] = [
  'malformed',
  'refused',
  'timeout',
  'rate-limited',
  'budget',
  'cancelled',
  'error',
];

/** Whether a judge did not answer, rather than that it could not decide. */
export const isFailure = (reason: UnscoredReason | null | undefined): boolean =>
  reason !== undefined && reason !== null && TRANSIENT.includes(reason);

interface Answered {
  round: number;
  judge: Judge;
  reason?: UnscoredReason | null;
}

interface Undecided {
  decision: Decision;
  decidedInRound: number | null;
  judgements: readonly Answered[];
  ratings?: readonly Answered[] | undefined;
}

/** What an undecided verdict lacks, by the answers of the deciding round. */
export function gapOf({ decidedInRound, judgements, ratings = [] }: Omit<Undecided, 'decision'>): Gap {
  const asked =
    decidedInRound === null
      ? [...ratings, ...judgements]
      : judgements.filter(({ round }) => round === decidedInRound);
  const answered = asked.filter(({ reason }) => !isFailure(reason)).length;
  if (answered === 0 && asked.length > 0) return 'unanswered';
  return answered < quorumOf(asked.length) && asked.length > 0 ? 'no-quorum' : 'undecided';
}

/** The outcome of a verdict: its decision, or what it lacks. */
export const outcomeOfVerdict = (verdict: Undecided): Decision | Gap =>
  verdict.decision === 'undecided' ? gapOf(verdict) : verdict.decision;

/** Outcomes as summaries count them. */
export const OUTCOMES: Readonly<Record<Decision | Gap, string>> = {
  pass: 'pass',
  fail: 'fail',
  scored: 'scored',
  undecided: 'not decided',
  'no-quorum': 'no quorum',
  unanswered: 'unanswered',
};

/** Whether a verdict is undecided and some judges failed to answer, so that judging the case again may give a decision. */
export const hasFailed = ({
  decision,
  judgements,
  ratings = [],
}: Omit<Undecided, 'decidedInRound'>): boolean =>
  decision === 'undecided' && [...ratings, ...judgements].some(({ reason }) => isFailure(reason));

/**
 * The range of a verdict's scores, whatever its outcome; null if its rubric is pass or fail. Spans all scales if criteria have
 * different ones.
 */
export function rangeOfVerdict({ scale, criteria }: Pick<Verdict, 'scale' | 'criteria'>): Range | null {
  const ranges = scale === undefined ? criteria.flatMap((criterion) => criterion.scale ?? []) : [scale];
  if (ranges.length === 0) return null;
  return {
    min: Math.min(...ranges.map(({ min }) => min)),
    max: Math.max(...ranges.map(({ max }) => max)),
  };
}

/** Past votes on similar verdicts: with the same rubric, method, models and decision. */
export const Trust = z.strictObject({
  /** Verdicts with more agreeing than disagreeing votes, out of `n` that are not tied. */
  agreed: z.int(),
  n: z.int(),
  /** Number of days that were counted, including the verdict's own. */
  days: z.int(),
});
export type Trust = z.infer<typeof Trust>;

export type AgreedShare = Pick<Trust, 'agreed' | 'n'>;

/**
 * `87 % (80–92, n = 124)`: a share with its 95 % interval, both as whole percents.
 * @param independent how many independent ones the `n` are worth
 */
export function shareText({ agreed, n }: AgreedShare, independent = n): string {
  const interval = wilsonInterval(n === 0 ? 0 : (agreed / n) * independent, independent);
  const whole = (share: number): number => Math.round(share * 100);
  if (!interval.defined) return `– (n = ${n})`;
  return `${whole(agreed / n)} % (${whole(interval.low)}–${whole(interval.high)}, n = ${n})`;
}
