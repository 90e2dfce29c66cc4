/**
 * What a report says of one configuration: a file for each metric, with its definition, tables, CSV columns and thresholds. It reads
 * no run and compares nothing. Start reading: `metric.ts` says what a metric declares, `registry.ts` lists them.
 */
export { categoriesCsv } from './categories.ts';
export { eachScore, isLabeled, type ScoreName, scoreNames, scores } from './classification.ts';
export { criteriaCsv, criterionOf } from './criteria.ts';
export {
  type CsvColumns,
  column,
  csvOf,
  estimateColumns,
  groupValueColumns,
  measureColumn,
  nameColumns,
} from './csv-columns.ts';
export { decisionsOf } from './decisions.ts';
export { flipsOf } from './flips.ts';
export { readLabelScale } from './label-scale.ts';
export { type AddedColumn, ParetoFronts, type SectionId, type ThresholdMetric } from './metric.ts';
export { inPlacesOf, type JudgedCases, judgedCases, rankedTogether } from './paired-lead.ts';
export { paretoOf } from './pareto.ts';
export {
  caseMeans,
  compareScores,
  createTies,
  meanCell,
  PointsDifference,
  rankable,
  scoresOf,
} from './scores.ts';
export type { SetupHead } from './setup-head.ts';
export { everyMetric, highestF1, SetupReport, setupReport } from './setup-report.ts';
export {
  type Cell,
  type Column,
  differenceCell,
  estimateCell,
  gapsText,
  methodOf,
  NAMES_NOTE,
  notApplicable,
  numberOf,
  plain,
  type ReportTable,
  unique,
  valueCell,
} from './table.ts';
