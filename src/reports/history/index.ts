/**
 * The runs of a benchmark over time, as digests and alerts read them. It posts nothing and knows no schedule. Start reading:
 * `benchmark-history.ts`.
 */
export type {
  AssistantHistory,
  BenchmarkHistory,
  BenchmarkRun,
  BenchmarkSource,
  JudgesHistory,
} from './benchmark-history.ts';
export {
  followedSetup,
  judgingChanges,
  RunNumbers,
  RunScore,
  readRunNumbers,
  runsBefore,
} from './run-numbers.ts';
export { type RunSample, readRunSample } from './run-sample.ts';
