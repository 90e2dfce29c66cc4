import * as z from 'zod';
import type { Bin } from '../../statistics/index.ts';
import type { Confusion } from '../../statistics/raters/index.ts';
import type { ReportInterval, ReportMeasure } from '../estimates/index.ts';
import type { Setup, TrialFacts } from '../facts/index.ts';
import type { CsvColumns } from './csv-columns.ts';
import type { With } from './setup-head.ts';
import type { Cell, Column, ReportTable, SetupColumn } from './table.ts';

const front = z.strictObject({
  front: z.array(z.string()),
  dominated: z.array(z.string()),
  /** Ids of setups without a known F1, cost or latency. */
  incomparable: z.array(z.string()),
});

/** Pareto fronts over F1, mean cost and median latency together, and over F1 with either alone. */
export const ParetoFronts = z.strictObject({
  all: front,
  cost: front,
  latency: front,
  /**
   * The front over all criteria: accuracy, or Spearman's correlation of scores with
   * labels. Giebisch et al., Automated Factual Benchmarking, III-F and table II (relevance and consistency). Null where
   * fewer than two criteria have labels.
   */
  criteria: front.extend({ criteria: z.array(z.string()) }).nullable(),
});
export type ParetoFronts = z.infer<typeof ParetoFronts>;

/** What a metric is computed from: the trials of one configuration, or of one group of them. */
interface Sample {
  setup: Setup;
  facts: readonly TrialFacts[];
  /** Outcomes of the labeled trials of each case, or of each group of cases that belong together. */
  labeled: readonly Bin<Confusion>[];
}

/** A row of docs/metrics.md. */
interface Definition {
  /** Which of the page's tables it is in. */
  part: 'decisions' | 'scores';
  name: string;
  definition: string;
  /** What has to hold for the number, and what is printed where it does not. */
  needs: string;
  source: string;
  /** Its name for `--fail-under`, if it is one of the metric's `thresholds`. */
  threshold?: string;
}

/** Sections of a report, in the order of `report-sections.ts`. */
export type SectionId =
  | 'decisions'
  | 'f1'
  | 'scores'
  | 'points'
  | 'trade-off'
  | 'errors'
  | 'criteria'
  | 'reliability';

/** A table of one metric. Other metrics may add columns to it by its id. */
interface MetricTable<Whole> {
  id: string;
  section: SectionId;
  of: (report: { setups: readonly Whole[]; pareto: ParetoFronts }) => ReportTable | null;
}

/** A column in the table of another metric. */
export interface AddedColumn<Whole> extends SetupColumn<Whole> {
  /** The table's id. */
  table: string;
  /** How to read the column: a sentence after the table's own note. */
  note?: string;
}

/** A number for `--fail-under`. */
export interface ThresholdMetric<Whole> {
  of: (setup: Whole) => ReportMeasure;
  /** Its interval. Absent: it is counted, not estimated, so that it stands for itself. */
  interval?: (setup: Whole) => ReportInterval;
  /** Its least and its greatest possible value; default 0 and 1. */
  from?: number;
  to?: number;
}

/**
 * A metric: everything that a report says of one property of a configuration, declared in one file and registered by one line in
 * `registry.ts`. JSON, tables on the page and in the terminal, CSV files, thresholds and docs/metrics.md follow from it.
 *
 * `Whole`: what it reads of a configuration's report, if more than its own value.
 */
export interface Metric<Key extends string, Value, Whole = With<Key, Value>> {
  /** Its key in a configuration's report as JSON. */
  key: Key;
  definitions: readonly Definition[];
  schema: z.ZodType<Value>;
  of: (sample: Sample) => Value;
  tables?: readonly MetricTable<Whole>[];
  /** Columns in tables of other metrics. */
  columns?: readonly AddedColumn<Whole>[];
  /** Columns of the table by groups. Null: nothing to show; a column without anything in any group is left out. */
  groupColumns?: readonly (Column & { of: (setup: Whole) => Cell | null })[];
  csv?: readonly CsvColumns<Whole>[];
  /** By their names on the command line. */
  thresholds?: Readonly<Record<string, ThresholdMetric<Whole>>>;
}
