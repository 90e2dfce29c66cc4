import type { CaseFormat } from '../case-format.ts';
import { type AnswerNames, pairOf } from '../pair.ts';
import type { Parsed } from './draft.ts';
import { wordOf } from './labels.ts';

/** One case of two answers that were each read like any other. */
export function joinedPair(
  first: Parsed,
  second: Parsed,
  names: AnswerNames,
  assumed: readonly string[] = [],
): Parsed {
  if ('problem' in first) return first;
  if ('problem' in second) return second;
  const once = new Set([...assumed, ...first.assumed, ...second.assumed]);
  return { case: pairOf(first.case, second.case, names), assumed: [...once] };
}

/** The keys or columns that hold two answers, in the pair's order; null where there are none. */
export function answerKeys(keys: readonly string[], { words }: CaseFormat): [string, string] | null {
  const wordsOfKeys = new Map(keys.map((key) => [wordOf(key, words), key]));
  for (const pair of words.answers) {
    const [first, second] = pair.map((label) => wordsOfKeys.get(wordOf(label, words)));
    if (first !== undefined && second !== undefined) return [first, second];
  }
  return null;
}

/**
 * An object with two answers as a pair; null for any other.
 *
 * @param read reads an object with one answer
 */
export function readPairObject(
  value: object,
  format: CaseFormat,
  read: (value: object) => Parsed,
): Parsed | null {
  const keys = answerKeys(Object.keys(value), format);
  const answers = keys?.map((key): unknown => Reflect.get(value, key)) ?? [];
  if (keys === null || !answers.every((answer) => typeof answer === 'string' && answer.trim() !== ''))
    return null;
  const shared = Object.entries(value).filter(([key]) => !keys.includes(key));
  const [first, second] = answers.map((response) => read({ ...Object.fromEntries(shared), response }));
  return first === undefined || second === undefined ? null : joinedPair(first, second, keys);
}
