import * as z from 'zod';
import { RunManifest } from '../benchmark/index.ts';
import { AssistantReport } from './assistant/assistant-report.ts';
import {
  CriterionCorrelations,
  Estimate,
  eachScore,
  GroupValues,
  gapCounts,
  PairReport,
  Recall,
  ReportMeasure,
} from './measures.ts';
import { Mistake } from './mistake.ts';

/** Every score with the counts that it comes from. `pass` is the positive class: the response is right. */
export const Scored = z.strictObject({
  counts: z.strictObject({ tp: z.int(), fp: z.int(), fn: z.int(), tn: z.int() }),
  ...eachScore(() => Estimate),
});
export type Scored = z.infer<typeof Scored>;

/** Results of labeled trials. A trial without a decision counts as the wrong one, so that no score is won by giving none. */
export const Effectiveness = Scored.extend({
  /** Number of labeled trials, decided or not, and of their cases. */
  n: z.int(),
  cases: z.int(),
  ...gapCounts,
  /** Share of `n` that got a decision. */
  coverage: ReportMeasure,
  /** The same over the trials that got a decision. */
  decided: Scored,
});
export type Effectiveness = z.infer<typeof Effectiveness>;

/** What was decided, regardless of the labels. */
export const Decisions = z.strictObject({
  /** Number of trials, with labels or without, and of their cases. */
  n: z.int(),
  cases: z.int(),
  pass: z.int(),
  fail: z.int(),
  ...gapCounts,
  /** Share of passes among all of them. */
  passRate: Estimate,
  /** Share of passes among those that got a decision. */
  decided: Estimate,
  /** Share of `n` that got a decision. */
  coverage: ReportMeasure,
});
export type Decisions = z.infer<typeof Decisions>;

const Distribution = z.strictObject({
  missing: z.int(),
  mean: ReportMeasure,
  median: ReportMeasure,
  p95: ReportMeasure,
  least: ReportMeasure,
  most: ReportMeasure,
});

/** The effort per trial. Trials with cached answers are `missing` in cost and latency. */
export const Efficiency = z.strictObject({
  calls: Distribution,
  /** Calls saved over all trials because the majority was already decided. */
  savedCalls: z.int(),
  /** Prompt and completion tokens together. */
  tokens: Distribution,
  outputTokens: Distribution,
  /** US dollars. `noise`: half of the 95 % interval of the mean. */
  costUsd: Distribution.extend({ noise: z.number() }),
  /** Milliseconds. `noise`: half of the 95 % interval of the median. */
  latencyMs: Distribution.extend({ noise: z.number() }),
  /** Latencies of all of a trial's calls added up, as if made one after another. */
  sequentialMs: Distribution,
  /** Those of all trials over their tokens. Giebisch et al., Automated Factual Benchmarking, table V. */
  secondsPerToken: ReportMeasure,
  /** Known costs of all trials in US dollars; null if none is known. */
  totalCostUsd: z.number().nullable(),
  /** Trials with at least one answer from the cache. */
  fromCache: z.int(),
});
export type Efficiency = z.infer<typeof Efficiency>;

const CalibrationBin = z.strictObject({
  from: z.number(),
  to: z.number(),
  n: z.int(),
  accuracy: ReportMeasure,
  meanConfidence: ReportMeasure,
});

/** Scores, and their distance from labels. */
export const Scores = z.strictObject({
  /** Number of trials with a score, and of their cases. */
  n: z.int(),
  cases: z.int(),
  mean: Estimate,
  /** Standard deviation of single scores, with n − 1. */
  deviation: ReportMeasure,
  /** Compared with labels; null if there are none. */
  against: z
    .strictObject({
      /** Trials with a score and a label. */
      n: z.int(),
      /** Their share of the labeled trials. */
      coverage: ReportMeasure,
      spearman: Estimate,
      kendall: ReportMeasure,
      pearson: ReportMeasure,
      /** Krippendorff's alpha of scores and labels as two raters; `ordinal` if both are a few whole numbers. */
      alpha: Estimate,
      alphaScale: z.enum(['ordinal', 'interval']),
      meanAbsoluteError: Estimate,
    })
    .nullable(),
});
export type Scores = z.infer<typeof Scores>;

export const CriterionReport = z.strictObject({
  id: z.string(),
  /** Share of right decisions on labeled cases, and among those with a decision; null without labels. */
  accuracy: Estimate.nullable(),
  decided: Estimate.nullable(),
  /** Cohen's kappa of decisions and labels; null without labels. */
  kappa: Estimate.nullable(),
  ...gapCounts,
  /** Null if neither a label nor a panel finds the criterion not relevant to some case. */
  relevance: z
    .strictObject({
      /** Trials by what the panel found. */
      relevant: z.int(),
      notRelevant: z.int(),
      /** Of these findings with labels that say whether it is relevant; null without such labels. */
      accuracy: Estimate.nullable(),
      kappa: Estimate.nullable(),
      /** Of decisions with labels, those about trials that the panel found not relevant included; null without labels. */
      anyway: z.strictObject({ accuracy: Estimate, kappa: Estimate }).nullable(),
    })
    .nullable()
    .default(null),
  /** Null without scores. */
  scores: Scores.nullable(),
});
export type CriterionReport = z.infer<typeof CriterionReport>;

/** One way of judging with all its repeats. */
export const SetupReport = z.strictObject({
  /** The configuration's id without its repeat. */
  id: z.string(),
  /** Its run, if a report is about several; otherwise null. */
  run: z.string().nullable().default(null),
  method: z.string(),
  models: z.array(z.string()),
  /** Null: the method's own. */
  temperature: z.number().nullable(),
  /** For a plain vote: ID of the debate whose number of calls it matches; null for other setups. */
  equalCallsOf: z.string().nullable(),
  repeats: z.int(),
  trials: z.int(),
  planned: z.int(),
  /** Number of unlabeled trials; they count for decisions, efficiency and flip rate only. */
  unlabeled: z.int(),
  /** Null if every trial gives a score instead. */
  decisions: Decisions.nullable(),
  effectiveness: Effectiveness,
  categories: z.array(
    z.strictObject({
      category: z.string(),
      /** Share of right decisions, and among the trials with a decision. */
      accuracy: Estimate,
      decided: Estimate,
      ...gapCounts,
    }),
  ),
  efficiency: Efficiency,
  /** Beyond chance: Cohen's kappa of decisions with labels, Krippendorff's alpha of a panel's judges in the first round. */
  agreement: z.strictObject({
    /** No decision is an answer of its own, which no label has. */
    labels: Estimate,
    /** Over the trials that got a decision. */
    decided: Estimate,
    /** Null if no trial has answers of two judges. `n`: trials with at least two, labeled or not. */
    judges: Estimate.nullable(),
  }),
  /** Null without repeats. */
  flips: z.strictObject({ anyFlip: ReportMeasure, pairwise: ReportMeasure, skipped: z.int() }).nullable(),
  /** Null if no trial states a confidence. */
  calibration: z
    .strictObject({
      missing: z.int(),
      brier: ReportMeasure,
      ece: ReportMeasure,
      bins: z.array(CalibrationBin),
    })
    .nullable(),
  /** Null if the rubric gives no scores. */
  scores: Scores.nullable(),
  /** Criteria with labels or scores. */
  criteria: z.array(CriterionReport),
});
export type SetupReport = z.infer<typeof SetupReport>;

const front = z.strictObject({
  front: z.array(z.string()),
  dominated: z.array(z.string()),
  /** Ids of setups without a known F1, cost or latency. */
  incomparable: z.array(z.string()),
});

/** A run's report as data; all outputs are made from it. */
export const Report = z.strictObject({
  version: z.literal(1),
  run: RunManifest,
  trials: z.int(),
  planned: z.int(),
  /** What readers must know of the methods: see `methodNotes`. */
  notes: z.array(z.string()).default([]),
  /** Of a report on several runs: what they have in common; null for one run. */
  joined: z
    .strictObject({
      /** Number of cases that are in all runs with the same content and label. */
      shared: z.int(),
      runs: z.array(
        z.strictObject({
          name: z.string(),
          cases: z.int(),
          trials: z.int(),
          planned: z.int(),
          /** From the first run, in words. */
          differences: z.array(z.string()),
        }),
      ),
    })
    .nullable()
    .default(null),
  /** Null if the run is about judges. */
  assistant: AssistantReport.nullable().default(null),
  setups: z.array(SetupReport),
  /** Pareto fronts over F1, mean cost and median latency together, and over F1 with either alone. */
  pareto: z.strictObject({
    all: front,
    cost: front,
    latency: front,
    /**
     * The front over all criteria: accuracy, or Spearman's correlation of scores with
     * labels. Giebisch et al., Automated Factual Benchmarking, III-F and table II (relevance and consistency). Null where
     * fewer than two criteria have labels.
     */
    criteria: front.extend({ criteria: z.array(z.string()) }).nullable(),
  }),
  correlations: z.array(CriterionCorrelations).default([]),
  /** Empty if no case has recommendations and what was wanted. */
  recall: z.array(Recall).default([]),
  /** Each setup's trials by tags of their cases, or by who judged; null if nothing was to be grouped. */
  groups: z
    .strictObject({
      by: z.array(z.string()),
      reports: z.array(z.strictObject({ values: GroupValues, setup: SetupReport })),
    })
    .nullable()
    .default(null),
  /** Debates (first) compared with a plain vote with as many calls (second). */
  equalCalls: z.array(PairReport),
  mistakes: z.strictObject({
    shown: z.array(Mistake),
    /** Number in each setup, shown or not. */
    counts: z.record(z.string(), z.int()),
  }),
});
export type Report = z.infer<typeof Report>;
