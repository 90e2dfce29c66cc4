import { isDeepStrictEqual } from 'node:util';
import { isRecord, type ToolCall } from '../../case/index.ts';
import { fold } from '../../common/text/index.ts';
import type { CompiledLexicon } from './lexicon.ts';
import type { Vocabulary } from './match-phrases.ts';

/** The lexicon of the words that tools use: how they report what came of a call, and how those that only read are named. */
export const TOOL_WORDS = 'tool-words';

/** A name as written in any style: `setTemperature`, `set_temperature` and `Set-Temperature` are the same. */
export const plainName = (name: string): string => fold(name).replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** The words of a name: `setTemperature` has `set` and `temperature`. */
export const wordsOfName = (name: string): string[] =>
  name
    .replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, ' ')
    .split(/[^\p{L}\p{N}]+/u)
    .map(fold)
    .filter((word) => word !== '');

const lexiconOf = ({ lexicons }: Vocabulary): CompiledLexicon | undefined => lexicons.get(TOOL_WORDS);

const hasWord = (vocabulary: Vocabulary, term: string, word: string): boolean =>
  (lexiconOf(vocabulary)?.terms.get(term)?.words ?? []).some((one) => plainName(one) === plainName(word));

/** Whether the name of a tool says that it only reads: `get_weather`. */
export const isReading = (name: string, vocabulary: Vocabulary): boolean =>
  hasWord(vocabulary, 'reading', wordsOfName(name)[0] ?? '');

/** What came of a call, as far as its result says so plainly. */
export type CallOutcome = 'done' | 'failed' | 'unknown';

/** What one key of a result says: `nothing` if it is understood and tells no more, `unknown` if a reader has to understand it. */
type Said = CallOutcome | 'nothing';

/** What a word says. Numbers are codes only under a key that says so: alone, they are a number of a booking or a new value. */
function outcomeOfWord(value: unknown, vocabulary: Vocabulary): CallOutcome {
  if (typeof value !== 'string') return 'unknown';
  const is = (term: string) => hasWord(vocabulary, term, value);
  return is('done') ? 'done' : is('failed') ? 'failed' : 'unknown';
}

/** Codes of HTTP that say that it was done. Others of the 200s say that it is still to be done, or done in part. */
const DONE_CODES: ReadonlySet<number> = new Set([200, 201, 204]);

const outcomeOfCode = (value: number): CallOutcome =>
  DONE_CODES.has(value) ? 'done' : value >= 400 && value < 600 ? 'failed' : 'unknown';

/** Whether the value of a key for faults names one; null if that is not plain. */
function isFault(value: unknown, vocabulary: Vocabulary): boolean | null {
  if (value === null || value === false || value === 0) return false;
  if (typeof value === 'string') return value.trim() !== '' && !hasWord(vocabulary, 'no-fault', value);
  if (Array.isArray(value)) return value.length > 0;
  if (value === true) return true;
  return isRecord(value) && Object.keys(value).length === 0 ? false : null;
}

function saidByFault(value: unknown, vocabulary: Vocabulary): Said {
  const fault = isFault(value, vocabulary);
  return fault === null ? 'unknown' : fault ? 'failed' : 'nothing';
}

function saidBy(key: string, value: unknown, vocabulary: Vocabulary): Said {
  const is = (term: string) => hasWord(vocabulary, term, key);
  if (is('fault')) return saidByFault(value, vocabulary);
  if (is('flag')) return typeof value !== 'boolean' ? 'unknown' : value ? 'done' : 'failed';
  if (is('code') && typeof value === 'number') return outcomeOfCode(value);
  return is('report') ? outcomeOfWord(value, vocabulary) : 'unknown';
}

/** Whether a key of a result only repeats an argument of its call. */
const isRepeated = (key: string, value: unknown, given: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(given).some(
    ([name, argument]) => plainName(name) === plainName(key) && isDeepStrictEqual(argument, value),
  );

/** What a result says of its call. Signs that contradict each other say nothing, and any key that is not understood may take back a "done". */
export function outcomeOf(
  { arguments: given = {}, result }: Pick<ToolCall, 'arguments' | 'result'>,
  vocabulary: Vocabulary,
): CallOutcome {
  if (!isRecord(result)) return outcomeOfWord(result, vocabulary);
  const said = new Set(
    Object.entries(result).map(([key, value]) =>
      isRepeated(key, value, given) ? 'nothing' : saidBy(key, value, vocabulary),
    ),
  );
  if (said.has('done')) return said.has('failed') || said.has('unknown') ? 'unknown' : 'done';
  return said.has('failed') ? 'failed' : 'unknown';
}

/** Whether a call took effect: one without a result did, as far as anyone knows. */
export function effectOf(call: Pick<ToolCall, 'arguments' | 'result'>, vocabulary: Vocabulary): CallOutcome {
  const { result } = call;
  return result === undefined || result === null || result === true || result === 'true'
    ? 'done'
    : outcomeOf(call, vocabulary);
}
