/**
 * How raters agree, with each other and with labels: kappa, alpha, confusion, correlation, Dawid–Skene. Arrays in, measures out,
 * as in `statistics`. Start reading: `agreement.ts`.
 */
export {
  type Contingency,
  cohenKappa,
  contingencyOfBins,
  type Distance,
  fleissKappa,
  flipRate,
  gwetAc1,
  krippendorffAlpha,
  pairable,
  pairwiseAgreement,
  ratingsIn,
  scoreAlpha,
  type Tally,
  type TallyHistogram,
  tallyHistogram,
} from './agreement.ts';
export { altTest } from './alt-test.ts';
export {
  accuracy,
  type BinaryCounts,
  balancedAccuracy,
  type Confusion,
  calibrationOf,
  classify,
  f1,
  type Gap,
  type GapRule,
  gapNames,
  gapsIn,
  mcc,
  noConfusion,
  type Outcome,
  precision,
  recall,
} from './classification.ts';
export { kendallTau, pearson, scoreTable, spearman, timesOf } from './correlation.ts';
export { dawidSkene, type ItemVote } from './dawid-skene.ts';
export {
  bestOfOtherHalf,
  closestOfOtherHalf,
  type ErrorSums,
  effectiveVotes,
  errorCorrelations,
  errorCounts,
  errorSums,
  meanErrorCorrelation,
  pairsOf,
} from './shared-errors.ts';
