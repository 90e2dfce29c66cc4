/**
 * Whether a run is good enough: thresholds, and changes since a baseline, for CI systems, and which cases broke a build. It computes no
 * number itself. Start reading: `thresholds.ts`, then `build.ts`.
 */
export { type Build, type CasePlace, readBuildCases } from './build.ts';
export { type AnnotationForm, annotationLines } from './build-annotations.ts';
export { codeQualityFile } from './build-code-quality.ts';
export { junitFile } from './build-junit.ts';
export { summaryFile } from './build-summary.ts';
export { buildLines, headlineOf } from './build-words.ts';
export { changesSince, checkChange, type Margin } from './no-worse-than.ts';
export {
  type Check,
  checkThresholds,
  type FailUnderBy,
  readThreshold,
  type Threshold,
  thresholdMetrics,
  withCoverage,
} from './thresholds.ts';
