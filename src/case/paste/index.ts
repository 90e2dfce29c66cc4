/**
 * Reads what people paste and says what each character was read as. It does not guess: lines that may or may not be part
 * of a turn are returned as a question. It knows no judge and no chat platform. Start reading: `parse-input.ts`.
 */
export { readDeclaredValue, readFields, readPlaceText } from './attributes.ts';
export { cleanText, excerpt, isBlank, listed, withoutMarks } from './clean-text.ts';
export {
  cutParts,
  fieldParts,
  type GivenPart,
  maskSheet,
  partNames,
  sheetOf,
} from './cut-parts.ts';
export { readDate, readTime } from './dates-and-times.ts';
export { isTooDeep, MAX_DEPTH, parseJson } from './find-json.ts';
export { readHours } from './hours.ts';
export {
  answerKeys,
  isOfTool,
  isOwnLabel,
  keyMeaning,
  type Meaning,
  meaningOf,
  partsOfTools,
  roleOf,
  turnOf,
  wordOf,
} from './label-meanings.ts';
export { begins, findLetters, isLetter, isRemark } from './line-labels.ts';
export { type Line, linesOf } from './lines.ts';
export { decodeInput, type Parsed, type PasteOptions, parseInput, type ReadPaste } from './parse-input.ts';
export { explainIssues, refused, type Understood, type Unsure, unsureNote } from './problems.ts';
export { toolCallsIn } from './read-calls.ts';
export { Received, type Stretch, stretchesOf } from './received-text.ts';
export type { Span } from './spans.ts';
export { isSpeech } from './subtitles.ts';
export { readTraceFiles, type TraceFiles } from './trace-cases.ts';
export { Tracked } from './tracked-text.ts';
export {
  type Reading,
  readDistanceKm,
  readDurationMin,
  readLatencyMs,
  readRating,
  readsAsThousands,
  thousands,
} from './values.ts';
