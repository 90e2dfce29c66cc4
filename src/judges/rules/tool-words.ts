import { isRecord } from '../../case/index.ts';
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

/** What a word says. Numbers are codes only under a key that says so: alone, they are a number of a booking or a new value. */
function outcomeOfWord(value: unknown, vocabulary: Vocabulary): CallOutcome {
  if (typeof value !== 'string') return 'unknown';
  const is = (term: string) => hasWord(vocabulary, term, value);
  return is('done') ? 'done' : is('failed') ? 'failed' : 'unknown';
}

function outcomeOfCode(value: number): CallOutcome {
  return value >= 200 && value < 300 ? 'done' : value >= 400 && value < 600 ? 'failed' : 'unknown';
}

/** Whether the value of a key for faults names one; null if that is not plain. */
function isFault(value: unknown, vocabulary: Vocabulary): boolean | null {
  if (value === null || value === false || value === 0) return false;
  if (typeof value === 'string') return value.trim() !== '' && !hasWord(vocabulary, 'no-fault', value);
  if (Array.isArray(value)) return value.length > 0;
  if (value === true) return true;
  return isRecord(value) && Object.keys(value).length === 0 ? false : null;
}

/** What a key of a result says with its value; null if it says something that cannot be read. */
function saidBy(key: string, value: unknown, vocabulary: Vocabulary): CallOutcome | null {
  const is = (term: string) => hasWord(vocabulary, term, key);
  if (is('fault')) {
    const fault = isFault(value, vocabulary);
    return fault === null ? null : fault ? 'failed' : 'unknown';
  }
  if (is('flag')) return typeof value !== 'boolean' ? 'unknown' : value ? 'done' : 'failed';
  if (is('code') && typeof value === 'number') return outcomeOfCode(value);
  return is('report') ? outcomeOfWord(value, vocabulary) : 'unknown';
}

/** What a result says of its call. Signs that contradict each other say nothing. */
export function outcomeOf(result: unknown, vocabulary: Vocabulary): CallOutcome {
  if (!isRecord(result)) return outcomeOfWord(result, vocabulary);
  const said = Object.entries(result).map(([key, value]) => saidBy(key, value, vocabulary));
  if (said.includes(null)) return 'unknown';
  const plain = new Set(said.flatMap((outcome) => (outcome === 'unknown' ? [] : (outcome ?? []))));
  const [only = 'unknown', ...others] = plain;
  return others.length === 0 ? only : 'unknown';
}

/** Whether a call took effect: one without a result did, as far as anyone knows. */
export const effectOf = (result: unknown, vocabulary: Vocabulary): CallOutcome =>
  result === undefined || result === null || result === true || result === 'true'
    ? 'done'
    : outcomeOf(result, vocabulary);
