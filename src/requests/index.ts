/**
 * What people ask in a chat: recorded, taken up under a lease, judged, shown, finished after any crash. It shows results through a
 * port, `Presenter`, and knows no platform. Start reading: `take-up-requests.ts`.
 */
export { addWishLines, type NamedMethods, wishIn } from './asked-wish.ts';
export type { CheckObserver } from './check-run.ts';
export { forgetEdit, forgetEdits, noteEdit, recordEdit } from './edited-requests.ts';
export { canTryAgain, failedRequest, forgetFailed } from './failed-requests.ts';
export { createFairQueue } from './fair-queue.ts';
export { MAX_CASES } from './finish-check.ts';
export {
  holdsPaste,
  isHalf,
  joinThread,
  type Thread,
  type ThreadMessage,
  type ThreadReading,
} from './join-thread.ts';
export { type Planning, planRequest } from './judge-one-case.ts';
export { newerAnswer } from './judged-again.ts';
export type {
  Answer,
  AnswerFailure,
  CaseState,
  CheckProblem,
  CheckSurface,
  Mark,
  Presenter,
  Watcher,
} from './presenter.ts';
export { askReader } from './read-by-model.ts';
export { isGreeting, isThanks, type MessageSource, readMessage, threadReading } from './read-message.ts';
export { findPeople, forgetPeople, ownChatKey, peopleKey, profileKey } from './requesters.ts';
export { noteFollowing, noteShown, shownFor } from './shown-messages.ts';
export {
  type Asked,
  type AskedCase,
  askedCase,
  chosenKey,
  JudgedCases,
  LONGEST_LEASE_MS,
  type MessageInput,
  messageKey,
  type RequestStore,
  recordRequest,
  requestId,
  SpotCheck,
  type SpotCheckInput,
  verdictIdOf,
} from './spot-check.ts';
export { createSpotChecks, type SpotChecks } from './take-up-requests.ts';
