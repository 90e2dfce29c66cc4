/**
 * Scheduled messages: when they are due, what they say, delivery exactly once, alerts. It posts through a port and knows no
 * platform. Start reading: `send-digest.ts`.
 */
export { type Alert, readRule, ruleText } from './alert.ts';
export {
  type DigestPoster,
  type DigestTarget,
  LeaseLostError,
  type PostJournal,
  type PostKey,
} from './delivery.ts';
export type { Digest, DigestBlock, DigestMark, VoteScope } from './digest.ts';
export { type DigestPage, readDigestPage } from './digest-page.ts';
export {
  alertsOf,
  type DigestSchedule,
  forgetOwner,
  isAlert,
  isBenchmark,
  isDigest,
  type KnownBenchmarks,
  type NoteSchedule,
  noted,
  Schedule,
  type ScheduleStore,
  scheduledReview,
} from './digest-schedule.ts';
export { createFiguresReader, gatherDigest, previewDigest, unscheduled } from './gather-digest.ts';
export {
  type AlertContext,
  addAlert,
  addSchedule,
  alertText,
  benchmarkText,
  findAlert,
  findSchedule,
  type ListedSchedule,
  listSchedules,
  newAlertText,
  pauseAlert,
  pauseSchedule,
  scheduleText,
  sendNow,
  stateText,
  webhookText,
} from './manage-schedules.ts';
export { isTimeZone, nextSlotOf } from './next-digest-time.ts';
export { readScheduleWords, scheduleWords, timeZones, zoneIn } from './schedule-words.ts';
export {
  type CallWebhook,
  type DigestSender,
  type GatherDigest,
  type RunBenchmarks,
  runDigests,
  type SendOutcome,
  sendDigest,
  type Watched,
} from './send-digest.ts';
