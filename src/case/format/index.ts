/**
 * Which fields a case may have, which words people use for them, and how they are shown. The words and the declared
 * fields are data in `prompts/`; this room checks and joins them. Start reading: `case-format.ts`.
 */
export {
  type CaseFormat,
  caseFormat,
  declaredFields,
  explainMissing,
  type Field,
  FieldFile,
  howToWrite,
  isOpenGroup,
  knownPart,
  labelOfField,
  lineFor,
  pathOfField,
  schemaOfField,
} from './case-format.ts';
export {
  clockTime,
  groupsOf,
  namesDaySpan,
  neighborDay,
  parseHours,
  type ReadSpan,
  type Span,
  startsWithDay,
  weekdayNamed,
  weekdayOf,
} from './opening-hours.ts';
export { nounOf, type ShownPart, shownFields } from './shown-fields.ts';
export {
  type Condition,
  joinReaders,
  type MessageWords,
  type RecordReader,
  type SaidBy,
  TraceFile,
  type TraceReaders,
} from './trace-readers.ts';
export {
  alternatives,
  joinWords,
  type LabelName,
  labelLists,
  months,
  type SomeWords,
  WordFile,
  type Words,
} from './words.ts';
