/**
 * What trials show: one report as data, and the tables, CSV files and Markdown made of it. It runs nothing and asks no model; pages
 * and terminals render its tables. Start reading: `make-report.ts`.
 */
export { bestByCriterionCsv } from './best-by-criterion-tables.ts';
export {
  type CaseDetails,
  type ComparedCases,
  createMatrix,
  matchingKey,
  type RunMatrix,
  readCaseDetails,
  readComparedCase,
  readComparedCases,
  sideId,
  type TrialDetails,
  titled,
  trialDetails,
} from './case-results.ts';
export { readDimensions } from './groups.ts';
export { makeJoinedReport } from './joined-report.ts';
export { makeReport } from './make-report.ts';
export { isBad, letterOf, type MatrixCell, type MatrixRow } from './matrix-cells.ts';
export { poolPanels, poolTable } from './pool-panels.ts';
export { isRanked, Report } from './report.ts';
export { correlationsCsv, groupsCsv, recallCsv, setupsCsv, trialHeads, trialRecord } from './report-csv.ts';
export { markdownText, reportMarkdown } from './report-markdown.ts';
export { reportSections, reportTables } from './report-sections.ts';
