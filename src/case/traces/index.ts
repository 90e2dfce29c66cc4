/**
 * Reads traces and logs of other tools: records that declared readers know become conversations, and these become cases. The
 * readers are files in `prompts/traces/`; no code knows a format by name. Start reading: `read-traces.ts`.
 */
export type { InputValue } from './find-records.ts';
export { mayHoldTraces, readTraces, type TraceReading } from './read-traces.ts';
