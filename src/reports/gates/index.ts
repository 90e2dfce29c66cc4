/**
 * Whether a run is good enough: thresholds, and changes since a baseline, for CI systems. It computes no number itself. Start
 * reading: `thresholds.ts`.
 */
export { changesSince, checkChange } from './no-worse-than.ts';
export {
  checkThresholds,
  junitFile,
  readThreshold,
  type Threshold,
  thresholdMetrics,
  unfinishedFile,
  withCoverage,
} from './thresholds.ts';
