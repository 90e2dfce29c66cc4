/**
 * What is judged: a conversation, one response or two, and the data that the rubric needs. It does not know where a case
 * comes from or who judges it. Start reading: `case.ts`.
 */
export {
  Answer,
  type CaseParts,
  Context,
  contentOf,
  cutDocuments,
  EvalCase,
  fieldOf,
  GROUP_TAG,
  greatCircleKm,
  isCalendarDate,
  isFromChat,
  isRecord,
  isWithheld,
  KeptCase,
  keptParts,
  Label,
  lastRequest,
  MAX_TURNS,
  missingFields,
  noteKind,
  OpeningHours,
  Place,
  pathsOf,
  placeText,
  Recommendation,
  Turn,
  type Weekday,
  WITHHELD_FIELDS,
  weekdays,
  withoutPaths,
} from './case.ts';
export { filled } from './filled.ts';
export {
  type AnswerNames,
  answerNamesOf,
  answersOf,
  eitherAnswer,
  isPair,
  namedAnswers,
  pairOf,
  pairParts,
  swapped,
} from './pair.ts';
export { caseHash, requestHash, responseHash } from './same-request.ts';
export { callsText, ExpectedCalls, expectedText, State, stateText, ToolCalls } from './tool-calls.ts';
