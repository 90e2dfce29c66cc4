/**
 * What a run's trials say, as plain facts: read in one pass, kept without texts. It knows which cases are the same and which belong
 * together, but computes no number of them. Start reading: `trial-facts.ts`.
 */
export { type CaseMark, markOf } from './case-marks.ts';
export { clustersOf, readClusterTag } from './clusters.ts';
export { createRows } from './fact-list.ts';
export {
  judgementsOf,
  MAX_MISTAKES,
  MIN_PER_SETUP,
  Mistake,
  Mistakes,
  outcome,
  textsOf,
  truth,
  Words,
} from './mistakes.ts';
export {
  type Pricing,
  type ReadingWishes,
  readCaseFacts,
  readingOf,
  readMistaken,
  readSpoken,
  requireRun,
  tagNames,
  wordsFor,
} from './read-run.ts';
export { repeatsOf, type Setup, setupsOf } from './setups.ts';
export { takenOverNotes } from './taken-over.ts';
export type { TrialFacts } from './trial-facts.ts';
export { type EachTrial, type TrialTable, tabulate } from './trial-table.ts';
