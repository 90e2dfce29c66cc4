/**
 * Measures with their uncertainty: proportions, paired differences, tests, the jackknife, seeded randomness. Arrays in, measures
 * out: it knows neither cases nor judges, and reads no clock. Start reading: `measure.ts` says what a measure is.
 */
export { type Account, afterLook, capitalOf, richestOf, SURE, type Unit } from './betting.ts';
export {
  type Aim,
  casesToShow,
  designEffectOf,
  discordanceOf,
  holm,
  type Objective,
  paretoFront,
  signFlipTest,
  signTest,
} from './comparison.ts';
export {
  type CorrectedShare,
  carriedShare,
  correctedDifference,
  type Known,
  type PartlyKnown,
  postStratifiedShare,
  type SampledAnswer,
} from './corrected-share.ts';
export {
  type Contribution,
  clusterFactor,
  pairedScoreInterval,
  sameDistributionTest,
  sumInterval,
} from './differences.ts';
export { tCdf } from './distributions.ts';
export {
  type Estimate,
  estimateOfShare,
  jackknifeEstimate,
  jackknifeInterval,
  type Range,
} from './jackknife.ts';
export {
  type Bin,
  createSum,
  distributionOf,
  type Interval,
  indexOfCategories,
  itemsIn,
  type Measure,
  meanNoise,
  measured,
  medianInterval,
  medianNoise,
  mergedBins,
  quantileOfSorted,
  ranks,
  ratio,
  singly,
  standardDeviation,
  sum,
  unmeasured,
} from './measure.ts';
export {
  clusteredShareInterval,
  differenceInterval,
  effectiveItems,
  pairedDifferenceInterval,
  type Share,
  type Trend,
  trendOf,
  wilsonInterval,
} from './proportions.ts';
export { createRandom, type Random } from './random.ts';
export { swapTest } from './swap-test.ts';
