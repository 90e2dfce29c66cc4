/**
 * How good the assistant's answers in a run are, and what changed since another run, in numbers and in words. The judges are taken
 * as they are: the other rooms measure them. Start reading: `make-assistant-report.ts`.
 */
export { answerDrifts, judgingObstacles, strictChange } from './answer-changes.ts';
export { type Answer, type Answers, createAnswers, readAnswers } from './answers.ts';
export {
  AssistantChange,
  AssistantReport,
  type ChangedGroup,
  type NewBlockers,
  TrendName,
} from './assistant-report.ts';
export {
  baselineText,
  basisText,
  changeSections,
  closingLines,
  groupRows,
  headlineText,
  kindsText,
  latencyText,
  sizeOf,
  slowestRows,
  sureText,
  turnedText,
} from './assistant-words.ts';
export { blockersText, untold } from './blocker-words.ts';
export { type KnownFigure, knownFigures } from './known-figures.ts';
export { type Against, assistantReport, withVotes } from './make-assistant-report.ts';
export { slicesTable, slicesText } from './slice-words.ts';
export type { ReviewedRun } from './true-rate.ts';
