import * as z from 'zod';
import { RunManifest } from '../benchmark/index.ts';
import { AssistantReport } from './assistant/index.ts';
import { BestModel } from './best-by-criterion.ts';
import { PairReport } from './comparison/index.ts';
import { Estimate, ReportMeasure } from './estimates/index.ts';
import { Mistakes } from './facts/index.ts';
import { ParetoFronts, SetupReport } from './metrics/index.ts';
import { PanelReport } from './panels.ts';
import { ScorePanelReport } from './score-panels.ts';

/** How the scores of criteria correlate. */
export const CriterionCorrelations = z.strictObject({
  /** Id of the setup; null for the scores of labels. */
  setup: z.string().nullable(),
  criteria: z.array(z.string()),
  /** Every pair of criteria, in the order of the criteria. */
  pairs: z.array(z.strictObject({ first: z.string(), second: z.string(), pearson: ReportMeasure })),
  /** Over the pairs that have one; `n` counts them. */
  mean: ReportMeasure,
});
export type CriterionCorrelations = z.infer<typeof CriterionCorrelations>;

/** The values of a group, in the order of the dimensions; null where cases have no value. */
export const GroupValues = z.array(z.string().nullable());
export type GroupValues = z.infer<typeof GroupValues>;

/** How often what the user wanted was recommended, in cases of one group or, without values, in all. */
export const Recall = z.strictObject({
  /** Of a group; empty: of all cases. */
  values: GroupValues,
  /** Its run, if a report is about several with different cases; otherwise null. */
  run: z.string().nullable().default(null),
  cases: z.int(),
  /** Items that come again in the joined lists and count at their first place alone, and the cases that have some. */
  repeats: z.strictObject({ items: z.int(), cases: z.int() }).default({ items: 0, cases: 0 }),
  at: z.array(
    z.strictObject({
      /** Number of items, from the first, that count. */
      cutoff: z.int(),
      recall: Estimate,
      /** With the scores of labels. */
      spearman: ReportMeasure,
      kendall: ReportMeasure,
    }),
  ),
});
export type Recall = z.infer<typeof Recall>;

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
  pareto: ParetoFronts,
  /** Of configurations with one model each, the best on each criterion with scores. */
  bestByCriterion: z.array(BestModel).default([]),
  correlations: z.array(CriterionCorrelations).default([]),
  /** Empty if no case has recommendations and what was wanted. */
  recall: z.array(Recall).default([]),
  /** Each setup's trials by tags of their cases, or by who judged; null if nothing was to be grouped. */
  groups: z
    .strictObject({
      by: z.array(z.string()),
      /** Whether panels stopped once the majority was decided, so that judges asked later answered other cases. */
      anyStopped: z.boolean().default(false),
      reports: z.array(z.strictObject({ values: GroupValues, setup: SetupReport })),
    })
    .nullable()
    .default(null),
  /** Debates (first) compared with a plain vote with as many calls (second). */
  equalCalls: z.array(PairReport),
  /** Several judges of the same labeled cases, and what they are worth together. Empty in a report on several runs. */
  panels: z.array(PanelReport).default([]),
  /** The same for judges that give scores. */
  scorePanels: z.array(ScorePanelReport).default([]),
  mistakes: Mistakes,
});
export type Report = z.infer<typeof Report>;

/** Whether setups can be compared: those of several runs only on the same cases. */
export const isRanked = ({ joined }: Pick<Report, 'joined'>): boolean =>
  joined === null || joined.runs.every(({ cases }) => cases === joined.shared);
