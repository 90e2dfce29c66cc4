import * as z from 'zod';
import { wilsonInterval } from '../../statistics/index.ts';
import type { Gap } from '../../statistics/raters/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
import {
  EndpointTrouble,
  type Judge,
  Judgement,
  Rationale,
  TotalUsage,
  type UnscoredReason,
  Usage,
} from './judgement.ts';
import { quorumOf } from './quorum.ts';

/** How judges answered. */
const AnswerTally = z.strictObject({
  pass: z.int(),
  fail: z.int(),
  scored: z.int().describe('Judges that gave a score.'),
  unscored: z.int().describe('Judges without a usable answer.'),
  notRelevant: z
    .int()
    .describe('Judges that found it not relevant; the quorum is more than half of the others.'),
});

export const Tally = AnswerTally.extend({
  notAsked: z
    .int()
    .describe('Judges that were not asked, because the majority was decided or judging was stopped.'),
  panel: z.int().describe('All judges: the sum of the other counts.'),
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
  dimension: z.string().optional().describe("The rubric's group of criteria, if any."),
  scale: Range.optional().describe('The bounds of the score; absent for pass or fail.'),
  decision: z
    .enum(['pass', 'fail', 'scored', 'undecided', 'not-judged', 'not-relevant'])
    .describe(
      '`undecided`: a tie, or too few answers. `not-judged`: the case lacks a field that it needs. `not-relevant`: most judges found that it does not apply.',
    ),
  // Friedl et al., InCA, figure 3, ask for relevance and score.
  ifRelevant: z
    .enum(['pass', 'fail', 'undecided'])
    .optional()
    .describe('If a judge found it not relevant: what most of all judges decided about it, relevant or not.'),
  score: z.number().nullable().describe('Null without one.'),
  tally: AnswerTally.describe('How judges answered.'),
  rationale: Rationale.describe('A reason of the winning side; null if there is none.'),
});
export type CriterionVerdict = z.infer<typeof CriterionVerdict>;

export const Decision = z.enum(['pass', 'fail', 'scored', 'undecided']);
export type Decision = z.infer<typeof Decision>;

/** Which of two answers is better. */
export const Better = z.enum(['A', 'B', 'same']);
export type Better = z.infer<typeof Better>;

/** @param score −1 to 1; a score that is closer to 0 than to either answer is no preference */
export function betterOf(score: number): Better {
  if (Math.abs(score) < 0.5) return 'same';
  return score < 0 ? 'A' : 'B';
}

/** What a panel prefers. A is the first answer of the case, B the second. */
export const Preference = z.strictObject({
  better: Better.nullable().describe(
    'A is the first answer of the case, B the second; null without a decision.',
  ),
  names: z.tuple([z.string(), z.string()]).describe('What people call A and B.'),
  judges: z
    .strictObject({ A: z.int(), B: z.int(), same: z.int(), changed: z.int() })
    .describe(
      'How many judges prefer each in both orders. `changed`: those among `same` whose answer changed with the order.',
    ),
  reasons: z
    .strictObject({ A: z.string(), B: z.string() })
    .describe('One reason for each answer, as the rest of a sentence about it; empty if no judge gave one.'),
});
export type Preference = z.infer<typeof Preference>;

/**
 * Why exact checks judged in place of the models: the budget was spent, their endpoint refused every question, or no model answered.
 */
export const Fallback = z.enum(['budget', 'refused', 'unreachable']);
export type Fallback = z.infer<typeof Fallback>;

/** The model that read a paste which plain reading refused: it said who speaks, and a person or a program let it count. */
export const Reader = z.strictObject({
  model: z.string(),
  usage: Usage,
  promptHash: z.string().describe('Hash of the prompt without the paste.'),
});
export type Reader = z.infer<typeof Reader>;

/** The outcome of one case, with all judgements. */
export const Verdict = z.strictObject({
  caseId: z.string().describe("The case's id, or one made from its content."),
  rubric: z.string().describe('Id of the rubric.'),
  method: z.string().describe('Id of the method.'),
  decision: Decision.describe(
    '`scored`: the rubric gives scores, or two answers were compared. `undecided`: a tie, or half of the panel or more gave no answer.',
  ),
  score: z
    .number()
    .nullable()
    .describe('Null for pass, fail and undecided. Of two answers: −1 for A, 0 for neither, 1 for B.'),
  scale: Range.optional().describe(
    'The bounds of the score; absent if there is none, or if criteria have different ones.',
  ),
  preference: Preference.optional().describe('For a case with two answers: which is better.'),
  confidence: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe(
      'Share of the weight behind the decision, 0 to 1; null unless the method weights by confidence.',
    ),
  fallback: Fallback.optional().describe(
    'Why exact checks judged in place of the models. Such a verdict passes only if every criterion was checked.',
  ),
  trouble: EndpointTrouble.optional().describe(
    'What is wrong with the endpoint of the models for which exact checks stand in.',
  ),
  why: z.string().describe('The outcome and its main reason in one line.'),
  tally: Tally.describe('How judges answered in the deciding round.'),
  criteria: z
    .array(CriterionVerdict)
    .describe("The panel's finding on each criterion, in the rubric's order."),
  judgements: z.array(Judgement).describe('All judgements: round by round, in the order of the seats.'),
  ratings: z
    .array(Judgement)
    .optional()
    .describe("The raters' judgements, if the method rates criteria first."),
  rounds: z.int().describe('How many rounds there were.'),
  decidedInRound: z.int().nullable().describe('The deciding round, from 0; null if no judge was asked.'),
  calls: z
    .int()
    .describe(
      'Number of questions to judges and the reader; criteria that were asked about one by one count separately.',
    ),
  usage: TotalUsage.describe(
    'Of all judgements and the reader; for a fallback, including the models that came to no decision.',
  ),
  settings: z
    .strictObject({
      panel: z
        .array(z.strictObject({ persona: z.string().nullable(), model: z.string() }))
        .describe('The seats in order; a neutral judge has no persona.'),
      temperature: z.number().nullable().describe('Null if not known, as of imported judgements.'),
      seed: z.int().nullable(),
      rounds: z.int().describe('Maximum number of rounds.'),
      examples: z.int().describe('How many worked examples judges were shown.'),
      rubricVersion: z.int().optional().describe('Absent in older verdicts.'),
      values: z
        .record(z.string(), z.string())
        .optional()
        .describe(
          "The personas' settings, defaults included: `{brand: 'Aurora'}`. Absent if there are none.",
        ),
    })
    .describe('The settings in effect.'),
  reader: Reader.optional().describe(
    'The model that read the paste, where plain reading could not: who speaks is its reading.',
  ),
  takenFrom: z
    .strictObject({ run: z.string() })
    .optional()
    .describe(
      'The benchmark run that judged it: of the same request and answer, by the same rubric, prompts and judges.',
    ),
  assumed: z.array(z.string()).describe('Assumptions made when the case was read, in words.'),
  leftOut: z
    .string()
    .optional()
    .describe('Lines of the paste that may belong to the answer, and that it was judged without.'),
  remarks: z
    .array(z.string())
    .describe('How it was judged, in words: what was left out, why this rubric, a panel of one.'),
  cancelled: z.boolean().describe('Whether it was stopped early; the answers so far still count.'),
  startedAt: z.iso.datetime().describe('ISO 8601, in UTC.'),
  durationMs: z.number().describe('Milliseconds from start to end.'),
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

/**
 * `People agreed with 87 % of the 124 such verdicts they voted on; not a random sample`: people choose what they vote on, so it says no
 * more.
 */
export const votedText = ({ agreed, n }: AgreedShare, language: Language, which: VotedOn = 'such'): string =>
  wordsIn(language).verdict.voted[which]({ share: agreed / n, count: n });

/** What people voted on: verdicts like this one, or those of a digest's conversation or of all. */
export type VotedOn = 'such' | 'here' | 'everywhere';
