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

function outcomeOfValue(value: unknown, vocabulary: Vocabulary): CallOutcome {
  if (typeof value === 'boolean') return value ? 'done' : 'failed';
  if (typeof value === 'number')
    return value >= 200 && value < 300 ? 'done' : value >= 400 && value < 600 ? 'failed' : 'unknown';
  if (typeof value !== 'string') return 'unknown';
  const is = (term: string) => hasWord(vocabulary, term, value);
  return is('done') ? 'done' : is('failed') ? 'failed' : 'unknown';
}

const isNothing = (value: unknown): boolean =>
  value === null ||
  value === false ||
  value === '' ||
  value === 0 ||
  (Array.isArray(value) && value.length === 0);

/** What a result says of its call. Signs that contradict each other say nothing. */
export function outcomeOf(result: unknown, vocabulary: Vocabulary): CallOutcome {
  if (!isRecord(result)) return outcomeOfValue(result, vocabulary);
  const said = Object.entries(result).flatMap(([key, value]): CallOutcome[] => {
    if (hasWord(vocabulary, 'fault', key)) return isNothing(value) ? [] : ['failed'];
    if (hasWord(vocabulary, 'flag', key))
      return typeof value === 'boolean' ? [value ? 'done' : 'failed'] : [];
    return hasWord(vocabulary, 'report', key) ? [outcomeOfValue(value, vocabulary)] : [];
  });
  const plain = new Set(said.filter((outcome) => outcome !== 'unknown'));
  const [only = 'unknown', ...others] = plain;
  return others.length === 0 ? only : 'unknown';
}
