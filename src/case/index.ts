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
  filled,
  GROUP_TAG,
  greatCircleKm,
  isCalendarDate,
  isFromChat,
  isRecord,
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
  weekdays,
  withoutPaths,
} from './case.ts';
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
