import type { CaseFormat } from '../case-format.ts';
import { type AnswerNames, pairOf } from '../pair.ts';
import { finishDraft } from './finish-draft.ts';
import { addRead, addTurns, readKeys } from './keys.ts';
import { roleOfKey, textOf, turnOf, wordOf } from './labels.ts';
import { emptyDraft, type Parsed } from './problems.ts';

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
function readPairObject(value: object, format: CaseFormat, read: (value: object) => Parsed): Parsed | null {
  const keys = answerKeys(Object.keys(value), format);
  const answers = keys?.map((key): unknown => Reflect.get(value, key)) ?? [];
  if (keys === null || !answers.every((answer) => typeof answer === 'string' && answer.trim() !== ''))
    return null;
  const shared = Object.entries(value).filter(([key]) => !keys.includes(key));
  const [first, second] = answers.map((response) => read({ ...Object.fromEntries(shared), response }));
  return first === undefined || second === undefined ? null : joinedPair(first, second, keys);
}

/** An object of any shape, by what its keys usually mean. In `{system, user, response}` the system's key holds its instructions. */
export function readForeign(value: object, format: CaseFormat, assumed: readonly string[]): Parsed {
  const pair = readPairObject(value, format, (one) => readForeign(one, format, assumed));
  if (pair !== null) return pair;
  const draft = emptyDraft(format, assumed);
  const answers = Object.keys(value).some((key) => key !== 'system' && roleOfKey(key, format) === 'system');
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !answers || key !== 'system'));
  if (answers && 'system' in value) draft.assumed.push('left out: "system", read as instructions');
  if (turnOf(rest, format)?.found) addTurns(draft, [rest], 'object');
  else readKeys(draft, rest, 'case');
  // What a model answered may stand beside the messages that it got.
  const reply = draft.isOrdered && draft.turns.at(-1)?.role === 'user' ? textOf(rest, format.words) : null;
  if (reply !== null) {
    addRead(draft, 'its text as the answer');
    draft.turns.push({ role: 'system', word: 'assistant', text: reply, marked: false });
  }
  if (draft.turns.at(-1)?.role === 'system' && !('response' in value))
    addRead(draft, 'the last turn as the response');
  // Keys have no order: what the user said comes before the one answer to it.
  if (!draft.isOrdered && draft.turns.length === 2 && draft.turns[0]?.role === 'system')
    draft.turns.reverse();
  return finishDraft(draft);
}
