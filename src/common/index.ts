/**
 * What every room needs and no room is about: errors, time, collections, schemas, secrets. It knows nothing of the product. Start
 * reading: `errors.ts` says how failures carry a code and what to do.
 */
export {
  eachMinute,
  endsWithin,
  onAbort,
  once,
  onceIn,
  remembered,
  repeatedly,
  sleep,
  yieldToEventLoop,
} from './async.ts';
export { frequencies, groupedBy, lazily, memoized, nested, oncePer, withValue } from './collections.ts';
export {
  type ErrorCode,
  errorCodes,
  fileReason,
  hasCode,
  isBadInput,
  isEndpointRefused,
  isStoreAway,
  isUndelivered,
  isUntrusted,
  JuryError,
  messageOf,
} from './errors.ts';
export { changeText, DAY_MS, FOREVER_MS, type KeyValue } from './key-value.ts';
export { makeFolder } from './make-folder.ts';
export { describeIssue, Id, jsonSchemaOf, keysAt, line } from './schema.ts';
export { createSecretFilter, type SecretFilter, secretsIn } from './secrets.ts';
export { type Sender, type SentOnce, sendOnce } from './send-once.ts';
