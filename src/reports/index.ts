/**
 * What trials show: one report as data, comparisons, the assistant's results, thresholds, published tables. It runs nothing and
 * asks no model; pages, tables and files are functions of its data. Start reading: `make-report.ts`.
 */
export {
  type AssistantChange,
  type AssistantReport,
  type ChangedGroup,
  TrendName,
} from './assistant/assistant-report.ts';
export {
  baselineText,
  basisText,
  changeSections,
  closingLines,
  groupRows,
  headlineText,
  latencyText,
  sizeOf,
  slowestRows,
  sureText,
  turnedText,
} from './assistant/assistant-words.ts';
export { type Against, withVotes } from './assistant/make-assistant-report.ts';
export {
  type AssistantHistory,
  type BenchmarkHistory,
  type BenchmarkRun,
  type BenchmarkSource,
  endedRuns,
  type JudgesHistory,
} from './benchmark-history.ts';
export {
  type CaseDetails,
  type ComparedCases,
  createMatrix,
  type MatrixRow,
  type RunMatrix,
  readCaseDetails,
  readComparedCase,
  readComparedCases,
  sideId,
  type TrialDetails,
  titled,
  trialDetails,
} from './case-results.ts';
export { readClusterTag } from './case-statistics.ts';
export { compareRuns, estimatePower, type RunPower, type Side } from './compare-runs.ts';
export {
  COMPARISON_NOTE,
  type Comparison,
  casesOf,
  differenceRows,
  differenceTitles,
  type Flip,
  labeledTexts,
  leftOutTexts,
  type Move,
  pointTexts,
} from './comparison.ts';
export {
  changesSince,
  checkChange,
  checkThresholds,
  junitFile,
  readThreshold,
  type Threshold,
  thresholdMetrics,
  unfinishedFile,
  withCoverage,
} from './gates.ts';
export { readDimensions } from './groups.ts';
export { makeJoinedReport } from './joined-report.ts';
export { makeReport, readSpoken, requireRun, type Wishes } from './make-report.ts';
export {
  alphaText,
  type Difference,
  duration,
  Estimate,
  fixed,
  NONE,
  type PairReport,
  percent,
  percentRange,
  pText,
  ReportMeasure,
  rangeText,
  signedRange,
} from './measures.ts';
export { type Mistake, textsOf } from './mistake.ts';
export {
  type Contradiction,
  type PublishedTable,
  paperPrices,
  printed,
  publishedTables,
} from './published/published-tables.ts';
export { Report, type SetupReport } from './report.ts';
export {
  categoriesCsv,
  correlationsCsv,
  criteriaCsv,
  groupsCsv,
  recallCsv,
  setupsCsv,
  trialHeads,
  trialRecord,
} from './report-csv.ts';
export type { EachTrial } from './report-of.ts';
export { reportMarkdown, reportSections, reportTables } from './report-sections.ts';
export { readLabelScale } from './scores.ts';
export {
  type Cell,
  criterionOf,
  isLabeled,
  isRanked,
  methodOf,
  NAMES_NOTE,
  numberOf,
  type ReportTable,
} from './tables.ts';
export { repeatsOf, type TrialFacts } from './trial-facts.ts';
