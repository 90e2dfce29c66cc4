import * as z from 'zod';
import type { Trend } from '../../statistics/index.ts';
import { Estimate, ReportInterval, ReportMeasure } from '../estimates/index.ts';

/** `better` and `worse`: clearly not chance. `steady`: any change is clearly small. */
export const TrendName = z.enum(['better', 'worse', 'steady', 'unknown']) satisfies z.ZodType<Trend>;

/** An answer that newly fails or newly passes. */
const ChangedAnswer = z.strictObject({
  caseId: z.string(),
  request: z.string(),
  answer: z.string(),
  /** The judges' reason; empty if their verdict is not stored. */
  reason: z.string(),
});
export type ChangedAnswer = z.infer<typeof ChangedAnswer>;

/** Changed answers that share a criterion. Each answer is in one group: the largest that it fits. */
const ChangedGroup = z.strictObject({
  /** The criterion's title; null if no criterion changed. */
  title: z.string().nullable(),
  n: z.int(),
  /** The reason most similar to the others; null if none is known. */
  reason: z.string().nullable(),
  /** A tag that most of them share and that is less common elsewhere. Weekday and language count as tags. */
  shared: z.strictObject({ tag: z.string(), value: z.string(), n: z.int() }).nullable(),
  /** The first few of them. */
  answers: z.array(ChangedAnswer),
});
export type ChangedGroup = z.infer<typeof ChangedGroup>;

/** Answers that newly fail a criterion of severity `blocker`. */
export const NewBlockers = z.strictObject({
  /** By criterion. `keys` names each of the answers with its request by a content hash. */
  groups: z.array(ChangedGroup.extend({ keys: z.array(z.string()) })),
  /**
   * How many of them answer requests that the earlier run does not have, and how many answers failed a blocker then among requests that
   * only that run has. Null if all requests are the same, or there is no earlier run.
   */
  others: z.strictObject({ now: z.int(), before: z.int() }).nullable(),
});
export type NewBlockers = z.infer<typeof NewBlockers>;

/** The answers by value of a tag, and the change of each since the run before. */
const Slices = z.strictObject({
  tag: z.string(),
  values: z.array(
    z.strictObject({
      /** Null: the answers without the tag (`values` is 0), or those of all rare values together. */
      value: z.string().nullable(),
      /** How many values these are. */
      values: z.int(),
      /** Decided answers. */
      decided: z.int(),
      rate: z.strictObject(Estimate.shape),
      /** Now minus then; null if there is nothing to compare with, or too little. */
      difference: z.strictObject({ value: z.number(), n: z.int(), interval: ReportInterval }).nullable(),
      /** Worse beyond chance, with all values looked at. */
      isWorse: z.boolean(),
    }),
  ),
});

const JudgedBy = z.strictObject({ method: z.string(), models: z.array(z.string()) });

/** Why two runs cannot be compared, as data: languages word it. */
export const Obstacle = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['noSameRequest', 'seats', 'prompts']) }),
  z.strictObject({
    kind: z.enum(['rubricIs', 'languages']),
    now: z.array(z.string()),
    was: z.array(z.string()),
  }),
  /** Named only where there are several. */
  z.strictObject({ kind: z.literal('rubricChanged'), named: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('methodChanged'), method: z.string() }),
  z.strictObject({ kind: z.literal('judges'), now: JudgedBy, was: JudgedBy }),
  /** Shares of answers that are decided. */
  z.strictObject({ kind: z.literal('coverage'), now: z.number(), was: z.number() }),
]);
export type Obstacle = z.infer<typeof Obstacle>;

/** Why it is not known how many answers truly pass, as data. */
const Unknown = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['scores', 'oneGroup']) }),
  z.strictObject({ kind: z.literal('fewLabels'), needed: z.int(), count: z.int() }),
  /** `checked`: null if no answers were drawn. */
  z.strictObject({ kind: z.literal('needsChecks'), needed: z.int(), checked: z.int().nullable() }),
  z.strictObject({
    kind: z.literal('severalRubrics'),
    rubrics: z.int(),
    checked: z.int(),
    runs: z.int(),
  }),
  z.strictObject({ kind: z.literal('noInterval'), checked: z.int(), runs: z.int(), why: z.string() }),
]);
export type Unknown = z.infer<typeof Unknown>;

/** What changed since another run: on the requests in both, and on other requests of the same kinds. */
export const AssistantChange = z.strictObject({
  run: z.string(),
  at: z.number(),
  builds: z.array(z.string()),
  /** Name of the baseline, if that run is one; otherwise null. */
  baseline: z.string().nullable(),
  requests: z.strictObject({
    /** Requests in both runs. */
    shared: z.int(),
    onlyNow: z.int(),
    onlyThen: z.int(),
    /** Shared requests with the same answer. */
    sameAnswer: z.int(),
  }),
  /**
   * How requests that only one run has are compared with the other run's; null if only the same requests are compared. `adjusted`: tags
   * whose mix changed and is made the same. `unadjusted`: tags whose mix changed, but which have too little in common. `leftOut`: such
   * requests without a counterpart of their kind.
   */
  mix: z
    .strictObject({ adjusted: z.array(z.string()), unadjusted: z.array(z.string()), leftOut: z.int() })
    .nullable()
    .default(null),
  /** Why the runs can't be compared; empty if they can. */
  obstacles: z.array(z.string()),
  /** The same as data. Absent in reports of versions without it. */
  because: z.array(Obstacle).optional(),
  /** Now minus then, over decided answers; null if the runs can't be compared. Unchanged answers count as no change. */
  difference: z
    .strictObject({ value: z.number(), n: z.int(), interval: ReportInterval, trend: TrendName })
    .nullable(),
  /** The change of the true rate, where it is known from answers of both runs; null otherwise. */
  corrected: z
    .strictObject({ value: z.number(), n: z.int(), interval: ReportInterval, trend: TrendName })
    .nullable()
    .default(null),
  /** Answers whose judgement was taken over from the earlier run. Absent if there are none. */
  takenOver: z.int().optional(),
  /** Answers that did not change and were judged again, and how many of these the judges now decide differently. */
  unchanged: z.strictObject({ n: z.int(), flipped: z.int() }),
  failing: z.array(ChangedGroup),
  passing: z.array(ChangedGroup),
});
export type AssistantChange = z.infer<typeof AssistantChange>;

/** How often judges prefer each of two answers, over the requests of a run. */
export const PreferenceReport = z.strictObject({
  /** Names of A and B; `A` and `B` if requests name them differently. */
  names: z.tuple([z.string(), z.string()]),
  /** Number of requests where A is preferred. */
  A: z.int(),
  B: z.int(),
  same: z.int(),
  /** Judges whose preference changed with the order of the answers, out of all that answered in both orders. */
  changed: z.strictObject({ n: z.int(), of: z.int() }),
  /** Share of B among the requests with a preference, with its Wilson interval. */
  share: Estimate,
  /** p-value of the two-sided exact sign test, or of its variant for grouped requests. */
  pValue: ReportMeasure,
});
export type PreferenceReport = z.infer<typeof PreferenceReport>;

/** What is not known of answers that were drawn by chance. */
const sampleGaps = {
  /** Drawn, too. */
  unchecked: z.int(),
  /** Those of the unchecked about which people were asked, and are not sure or disagree. */
  unsure: z.int(),
  /** Strata of which none was checked, and how many answers each has. `split`: null if answers are divided by decision alone. */
  unseen: z.array(
    z.strictObject({ decision: z.enum(['pass', 'fail']), split: z.boolean().nullable(), size: z.int() }),
  ),
};

/** What share of the decided answers is truly right, and how that is known. */
export const TrueRate = z.discriminatedUnion('source', [
  /** From labels of all of them. */
  z.strictObject({ source: z.literal('labels'), n: z.int(), ...Estimate.shape }),
  /** From those that were drawn by chance and checked by people. */
  z.strictObject({ source: z.literal('sample'), n: z.int(), ...sampleGaps, ...Estimate.shape }),
  /** From such answers of other runs by the same judges. */
  z.strictObject({
    source: z.literal('other-samples'),
    n: z.int(),
    ...sampleGaps,
    runs: z.int(),
    ...Estimate.shape,
  }),
  /** `because`: the same as data. Absent in reports of versions without it. */
  z.strictObject({ source: z.null(), why: z.string(), because: Unknown.optional() }),
]);
export type TrueRate = z.infer<typeof TrueRate>;

const Counts = z.strictObject({ tp: z.number(), fp: z.number(), fn: z.number(), tn: z.number() });

/** How good an assistant's answers are, as judged by a run's first configuration over all its repeats. */
export const AssistantReport = z.strictObject({
  run: z.string(),
  at: z.number(),
  /** Values of the tag `build`. */
  builds: z.array(z.string()),
  /** How they were judged: rubrics, method and models. */
  rubrics: z.array(z.string()),
  method: z.string(),
  models: z.array(z.string()),
  answers: z.int(),
  /** Answers with a decision or a score. */
  decided: z.int(),
  /** Share of decided answers that pass, or the mean score if answers are scored. */
  rate: z.strictObject({ kind: z.enum(['pass', 'score']), ...Estimate.shape }),
  /** Set if requests have two answers; the report then covers only the preference. */
  preference: PreferenceReport.nullable().default(null),
  /** Decided answers that have a label: the label against the judges' decision. */
  labels: Counts,
  /**
   * Effective number of independent answers among those that are decided (`passed`), labeled (`agreed`), and right or wrong by their label.
   * Null if no answers are grouped.
   */
  independent: z
    .strictObject({ passed: z.number(), agreed: z.number(), right: z.number(), wrong: z.number() })
    .nullable()
    .default(null),
  truth: TrueRate,
  /**
   * Settled votes on verdicts with the same rubric, method and models: the majority vote against the decision. Not a random sample, so
   * nothing follows from them for these answers.
   */
  votes: Counts,
  /** Share of answers that judges decided inconsistently across repeats; null without repeats. */
  flips: ReportMeasure.nullable(),
  /** The assistant's response times in ms; null if none is known. */
  latency: z
    .strictObject({
      n: z.int(),
      median: z.number(),
      /** Interval of the median. */
      interval: ReportInterval,
      slowest: z.array(z.strictObject({ caseId: z.string(), request: z.string(), ms: z.number() })),
    })
    .nullable(),
  changes: z.array(AssistantChange),
  /** Since the run before; all that fail if there is none. Null if no criterion is a blocker. */
  blockers: NewBlockers.nullable().default(null),
  /** For digests that ask for a tag. */
  slices: Slices.nullable().default(null),
});
export type AssistantReport = z.infer<typeof AssistantReport>;
