/**
 * Plans and runs a benchmark: a trial is one case × configuration × repeat, judged once and kept. It makes no reports. Start
 * reading: `plan-run.ts`, then `run-benchmark.ts`.
 */
export {
  type BenchmarkDefinition,
  benchmarkIds,
  loadBenchmarks,
  ReviewSettings,
  readBaseline,
  type Sample,
  setBaseline,
} from './benchmark-definition.ts';
export { estimateRun, type Range, type RunEstimate, requireBudgetable } from './estimate-run.ts';
export { changedWordings, planRun } from './plan-run.ts';
export { casesAt, type RunEnd, runBenchmark, runChain } from './run-benchmark.ts';
export type { BenchmarkOutcome } from './run-defined-benchmark.ts';
export {
  type Configuration,
  IMPORTED,
  methodNotes,
  openKeys,
  placesOf,
  plannedTrials,
  RunManifest,
  RunName,
  type RunSettings,
  rubricTexts,
  runDifferences,
  Subject,
  subjectOf,
  trialKey,
} from './run-manifest.ts';
export { seriesOf } from './series.ts';
export { allSeries, finishedRuns, type SeriesRun } from './series-runs.ts';
export { casesLeft, findTakeOver, type TakeOver, takeOver } from './take-over.ts';
export {
  addWords,
  type ConfigurationSummary,
  isSplitTrial,
  outcomeOf,
  ownEffort,
  type SpokenTrial,
  summarizeRun,
  Trial,
  trialOf,
} from './trial.ts';
export {
  askBudget,
  erasedCase,
  erasedTrial,
  eraseInRuns,
  isCaseErased,
  noTotals,
  plusShare,
  RunTotals,
  redactedRuns,
  runsWithout,
  shareOf,
  type TrialStore,
  TrialVerdict,
  type TrialWriter,
} from './trial-store.ts';
export { yardstickHash, yardstickOf } from './yardstick.ts';
