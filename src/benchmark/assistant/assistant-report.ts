import * as z from 'zod';
import type { Trend } from '../../statistics/proportions.ts';
import { Estimate, ReportInterval, ReportMeasure } from '../reports/measures.ts';

/** Better or worse only if the change is clearly not chance; steady only if it is clearly small. */
export const TrendName = z.enum(['better', 'worse', 'steady', 'unknown']) satisfies z.ZodType<Trend>;

/** An answer that newly fails or newly passes. */
const ChangedAnswer = z.strictObject({
  caseId: z.string(),
  request: z.string(),
  answer: z.string(),
  /** What the judges found; empty if their verdict is not stored. */
  reason: z.string(),
});
export type ChangedAnswer = z.infer<typeof ChangedAnswer>;

/** Changed answers with a criterion in common. Each answer is in one group: the largest that it fits. */
const ChangedGroup = z.strictObject({
  /** The criterion's title; null: no criterion changed. */
  title: z.string().nullable(),
  n: z.int(),
  /** The finding that is most like the others; null if none is known. */
  reason: z.string().nullable(),
  /** A tag that most of them share and other answers less often; weekday and language count as tags. */
  shared: z.strictObject({ tag: z.string(), value: z.string(), n: z.int() }).nullable(),
  /** The first of them. */
  answers: z.array(ChangedAnswer),
});
export type ChangedGroup = z.infer<typeof ChangedGroup>;

/** What changed since another run, on the requests that both asked. */
export const AssistantChange = z.strictObject({
  run: z.string(),
  at: z.number(),
  builds: z.array(z.string()),
  /** Name of the baseline that the run is; null: another run. */
  baseline: z.string().nullable(),
  requests: z.strictObject({
    /** Asked by both. */
    shared: z.int(),
    onlyNow: z.int(),
    onlyThen: z.int(),
    /** Shared ones with the same answer. */
    sameAnswer: z.int(),
  }),
  /** Why the runs cannot be compared; empty if they can. */
  obstacles: z.array(z.string()),
  /** Now minus then, over the answers decided both times; null if the runs cannot be compared. An unchanged answer counts as no change. */
  difference: z
    .strictObject({ value: z.number(), n: z.int(), interval: ReportInterval, trend: TrendName })
    .nullable(),
  /** Answers that did not change, and of these those that the judges now decide otherwise. */
  unchanged: z.strictObject({ n: z.int(), flipped: z.int() }),
  failing: z.array(ChangedGroup),
  passing: z.array(ChangedGroup),
});
export type AssistantChange = z.infer<typeof AssistantChange>;

/** Which of two answers judges prefer over the requests of a run. */
export const PreferenceReport = z.strictObject({
  /** What A and B are called; A and B where requests name them differently. */
  names: z.tuple([z.string(), z.string()]),
  /** Requests by the answer that is preferred. */
  A: z.int(),
  B: z.int(),
  same: z.int(),
  /** Judges whose answer changed with the order, of all that answered in both. */
  changed: z.strictObject({ n: z.int(), of: z.int() }),
  /** Share of B among the requests where one is preferred, with Wilson's interval. */
  share: Estimate,
  /** p-value of the two-sided exact sign test, or of that of requests that belong together. */
  pValue: ReportMeasure,
});
export type PreferenceReport = z.infer<typeof PreferenceReport>;

const Counts = z.strictObject({ tp: z.number(), fp: z.number(), fn: z.number(), tn: z.number() });

/** How good an assistant's answers are, by the first configuration of a run with all its repeats. */
export const AssistantReport = z.strictObject({
  run: z.string(),
  at: z.number(),
  /** Values of the tag `build`. */
  builds: z.array(z.string()),
  /** How they were judged: the rubrics, the method, the models. */
  rubrics: z.array(z.string()),
  method: z.string(),
  models: z.array(z.string()),
  answers: z.int(),
  /** Answers with a decision or a score. */
  decided: z.int(),
  /** Share of answers that pass, of those with a decision; or the mean score, if answers are scored. */
  rate: z.strictObject({ kind: z.enum(['pass', 'score']), ...Estimate.shape }),
  /** Where requests have two answers; nothing else is said of such a run. */
  preference: PreferenceReport.nullable().default(null),
  /** Decided answers whose label is known: the label against the judges' decision. */
  labels: Counts,
  /**
   * How many independent answers those are worth that were decided (`passed`), that have a label (`agreed`), and that labels find right
   * and wrong; null if no answers belong together.
   */
  independent: z
    .strictObject({ passed: z.number(), agreed: z.number(), right: z.number(), wrong: z.number() })
    .nullable()
    .default(null),
  /** Votes on verdicts of the same rubric, method and models that are settled: what most of them say against the decision. */
  votes: Counts,
  /** Share of answers that judges decided in different ways, if they judged each several times; null if once. */
  flips: ReportMeasure.nullable(),
  /** Response times of the assistant in ms; null if none is known. */
  latency: z
    .strictObject({
      n: z.int(),
      median: z.number(),
      /** Of the median. */
      interval: ReportInterval,
      slowest: z.array(z.strictObject({ caseId: z.string(), request: z.string(), ms: z.number() })),
    })
    .nullable(),
  changes: z.array(AssistantChange),
});
export type AssistantReport = z.infer<typeof AssistantReport>;
