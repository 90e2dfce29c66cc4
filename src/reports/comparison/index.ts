/**
 * Two configurations, or two runs, on the cases that are the same in both: differences, flips, tests. It decides nothing: gates do.
 * Start reading: `pair-report.ts`.
 */
export { compareRuns, estimatePower, type RunPower, type Side, sideOf } from './compare-runs.ts';
export {
  COMPARISON_NOTE,
  Comparison,
  casesOf,
  comparePairs,
  differenceRows,
  differenceTitles,
  Flip,
  labeledTexts,
  leftOutTexts,
  Move,
  matchCases,
  matchSetups,
  pointTexts,
} from './comparison.ts';
export { comparisonLead, leadText, nameOfPair } from './lead.ts';
export { PairReport, pairReport, pTexts, withHolm } from './pair-report.ts';
