/**
 * Whether a run is good enough: thresholds, and changes since a baseline, for CI systems. It computes no number itself. Start
 * reading: `thresholds.ts`.
 */
export { changesSince, checkChange, type Margin } from './no-worse-than.ts';
export {
  type Check,
  checkThresholds,
  type FailUnderBy,
  junitFile,
  readThreshold,
  type Threshold,
  thresholdMetrics,
  unfinishedFile,
  withCoverage,
} from './thresholds.ts';
