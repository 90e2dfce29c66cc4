import * as z from 'zod';
import { wilsonInterval } from '../statistics/proportions.ts';
import { type Judge, Judgement, type UnscoredReason } from './judgement.ts';

/** How the panel's last round fell out. `panel` = pass + fail + scored + unscored + notRelevant + notAsked. */
export const Tally = z.strictObject({
  pass: z.int(),
  fail: z.int(),
  /** Judges that answered with a score (rubrics with a number scale). */
  scored: z.int(),
  unscored: z.int(),
  /** Judges that found the rubric to have nothing to say about the case; they leave the panel that a quorum is of. */
  notRelevant: z.int(),
  /** Judges that were not asked because they could not have changed the outcome, or because it was stopped. */
  notAsked: z.int(),
  panel: z.int(),
});
export type Tally = z.infer<typeof Tally>;

/** The bounds of a number scale. */
export const Range = z.strictObject({ min: z.number(), max: z.number() });
export type Range = z.infer<typeof Range>;

/**
 * What the panel found on one criterion. `not-judged`: the case lacks what it needs, the rationale says what.
 * `not-relevant`: most judges found that it has nothing to say about the case.
 */
export const CriterionVerdict = z.strictObject({
  id: z.string(),
  title: z.string(),
  /** The group of criteria that it belongs to, where the rubric has groups. */
  dimension: z.string().optional(),
  /** What its score is measured on; absent on a binary scale. */
  scale: Range.optional(),
  decision: z.enum(['pass', 'fail', 'scored', 'undecided', 'not-judged', 'not-relevant']),
  score: z.number().nullable(),
  tally: z.strictObject({
    pass: z.int(),
    fail: z.int(),
    scored: z.int(),
    unscored: z.int(),
    notRelevant: z.int(),
  }),
  rationale: z.string(),
});
export type CriterionVerdict = z.infer<typeof CriterionVerdict>;

/** Sums over all judgements; null where any part of the sum is not known. */
export const TotalUsage = z.strictObject({
  promptTokens: z.number().nullable(),
  cachedTokens: z.number().nullable(),
  completionTokens: z.number().nullable(),
  costUsd: z.number().nullable(),
});
export type TotalUsage = z.infer<typeof TotalUsage>;

export const Decision = z.enum(['pass', 'fail', 'scored', 'undecided']);
export type Decision = z.infer<typeof Decision>;

/** The outcome of one case, with all that was said. */
export const Verdict = z.strictObject({
  caseId: z.string(),
  rubric: z.string(),
  method: z.string(),
  decision: Decision,
  score: z.number().nullable(),
  /** What the score is measured on, where it is one scale: the overall question's, or the one that all criteria share. */
  scale: Range.optional(),
  /** Share of the weight behind the decision, 0 to 1, where the method weighs by confidence; else null. */
  confidence: z.number().min(0).max(1).nullable(),
  /** The outcome and its main reason in one line. */
  why: z.string(),
  tally: Tally,
  criteria: z.array(CriterionVerdict),
  judgements: z.array(Judgement),
  /** What was found on the criteria before the panel spoke, where the method has them rated first. */
  ratings: z.array(Judgement).optional(),
  rounds: z.int(),
  /** The round that the verdict rests on, 0 for the first; null where nobody was asked. */
  decidedInRound: z.int().nullable(),
  /** How often a judge was asked, criteria that were asked about one by one each counted. */
  calls: z.int(),
  usage: TotalUsage,
  /** With what it was judged, as it took effect. */
  settings: z.strictObject({
    /** Model ids in seat order, and personas (null: neutral). */
    panel: z.array(z.strictObject({ persona: z.string().nullable(), model: z.string() })),
    temperature: z.number(),
    seed: z.int().nullable(),
    /** Most rounds, and worked examples shown. */
    rounds: z.int(),
    examples: z.int(),
    /** The settings of the personas on the panel, defaults included: `{brand: 'Aurora'}`. Absent where there are none. */
    values: z.record(z.string(), z.string()).optional(),
  }),
  /** What was assumed when the case was read. */
  assumed: z.array(z.string()),
  /** What a reader should know about how it was judged: what was left out, a panel of one, how the rubric was found. */
  remarks: z.array(z.string()),
  /** Whether it was stopped before its end. */
  cancelled: z.boolean(),
  startedAt: z.iso.datetime(),
  durationMs: z.number(),
});
export type Verdict = z.infer<typeof Verdict>;

/** Reasons that another try may do away with, unlike what a judge cannot tell by its nature. */
const PASSING: readonly UnscoredReason[] = [
  'malformed',
  'refused',
  'timeout',
  'rate-limited',
  'budget',
  'cancelled',
  'error',
];

/** What one judge answered, as far as it says why there is no answer. */
interface Answered {
  judge: Judge;
  reason?: UnscoredReason | null;
}

/** Whether there is no decision where some judges failed to answer: judging the case again may give one. */
export const hasFailed = ({
  decision,
  judgements,
  ratings = [],
}: {
  decision: Decision;
  judgements: readonly Answered[];
  ratings?: readonly Answered[] | undefined;
}): boolean =>
  decision === 'undecided' &&
  [...ratings, ...judgements].some(
    ({ reason }) => reason !== undefined && reason !== null && PASSING.includes(reason),
  );

/**
 * What the score of a verdict lies between, whatever came of it; null where its rubric asks for pass or fail. Where criteria
 * are on several scales, the span of all of them.
 */
export function rangeOfVerdict({ scale, criteria }: Pick<Verdict, 'scale' | 'criteria'>): Range | null {
  const ranges = scale === undefined ? criteria.flatMap((criterion) => criterion.scale ?? []) : [scale];
  if (ranges.length === 0) return null;
  return {
    min: Math.min(...ranges.map(({ min }) => min)),
    max: Math.max(...ranges.map(({ max }) => max)),
  };
}

/** What colleagues had said of such verdicts when one was given: of the same rubric, method, models and decision. */
export const Trust = z.strictObject({
  /** Verdicts that more votes agree with than disagree, of `n` where one side has more. */
  agreed: z.int(),
  n: z.int(),
  /** Of how many days before, its own included. */
  days: z.int(),
});
export type Trust = z.infer<typeof Trust>;

/** Verdicts that more votes agree with than disagree, of `n` where one side has more. */
export type SettledShare = Pick<Trust, 'agreed' | 'n'>;

/** `87 % (80–92, n = 124)`: a share with its 95 % interval, both as whole percents. */
export function shareText({ agreed, n }: SettledShare): string {
  const interval = wilsonInterval(agreed, n);
  const whole = (share: number): number => Math.round(share * 100);
  if (!interval.defined) return `– (n = ${n})`;
  return `${whole(agreed / n)} % (${whole(interval.low)}–${whole(interval.high)}, n = ${n})`;
}
