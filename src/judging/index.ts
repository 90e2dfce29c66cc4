/**
 * Judges one case: plans the panel, asks it, deliberates, decides. Judges are asked through one door, `Ask`; which model answers,
 * or whether exact checks do, is not known here. Start reading: `judge-case.ts` is the use case, `deliberate.ts` the loop.
 */
export {
  type AnswerShelf,
  type Ask,
  EndpointRefusedError,
  type Explain,
  JudgeRequest,
  type Payers,
  type Question,
  type Ratings,
  recallAsk,
  redactedCase,
  redactedExplain,
  redactedWords,
  UnsureChoice,
  type VerdictQuestion,
} from './ask.ts';
export { askInBothOrders } from './ask-in-both-orders.ts';
export { decide } from './decide.ts';
export { type DeliberationEvent, deliberate, type Stage } from './deliberate.ts';
export { callsToDecide } from './early-stop.ts';
export { judgeOrCheck, obstacleOf } from './fallback.ts';
export {
  type CallOptions,
  type CasePlan,
  caseForJudges,
  caseIdOf,
  choosePanel,
  type JudgeContext,
  type JudgeOptions,
  judgeCase,
  planCase,
} from './judge-case.ts';
export { asksForDecision, conclude } from './reduce.ts';
export { askOneByOne, splitAsk } from './split-ask.ts';
export { createFirstContact, type FirstContact } from './unreachable-judges.ts';
export { planReading, type ReadCase, type Readings, UnsureError, wholeOf } from './unsure-lines.ts';
