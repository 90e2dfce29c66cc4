import type { CaseFormat } from '../case-format.ts';
import type { Words } from '../words.ts';
import { type LabelMeaning, meaningOf, type Role, wordOf } from './labels.ts';

/** Whether a key holds a list of turns. */
export const isTurnList = (key: string, words: Words): boolean =>
  words.keys.turns.includes(wordOf(key, words)) || words.keys.alternatives.includes(key);

/** Whether a key holds documents. */
export const isDocuments = (key: string, { keys }: Words): boolean =>
  keys.documents.includes(key.toLowerCase());

/** Whether a key stands around a case, so that what it holds is read as if it stood outside. */
export const isWrapper = (key: string, { keys }: Words): boolean => keys.wrapper.includes(key.toLowerCase());

/** What a key of an object stands for. */
export function keyMeaning(key: string, format: CaseFormat, value?: unknown): LabelMeaning | null {
  const found = meaningOf(key, format, value);
  return found !== null && format.words.keys.ignored.includes(found.word) && !/^[qa]$/i.test(key)
    ? null
    : found;
}

/** Whose turn a key holds, or null. */
export function roleOfKey(key: string, format: CaseFormat): Role | null {
  const meaning = keyMeaning(key, format)?.meaning;
  return meaning?.kind === 'role' ? meaning.role : null;
}

/** Who a role, speaker or author is; null for tools and anybody unknown. */
export function roleOf(value: unknown, format: CaseFormat): { role: Role; word: string } | null {
  if (typeof value === 'object' && value !== null && 'role' in value) return roleOf(value.role, format);
  const found = typeof value === 'string' ? meaningOf(value, format) : null;
  if (found?.meaning.kind !== 'role') return null;
  // One letter may be a speaker among others (A, B).
  const isLetter = found.word.length === 1 && !format.words.keys.roleLetters.includes(found.word);
  return isLetter ? null : { role: found.meaning.role, word: found.word };
}

/** The text of a turn: as it stands, or the text parts of a list, or the text of an object. */
export function textOf(value: unknown, words: Words): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) {
    const parts = value.map((part) => textOf(part, words)).filter((part) => part !== null);
    return parts.length === 0 ? null : parts.join('\n');
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const key of words.keys.text) {
    const text = Object.hasOwn(value, key) ? textOf(Reflect.get(value, key), words) : null;
    if (text !== null) return text;
  }
  return null;
}

export const isTextKey = (key: string, { keys }: Words): boolean => keys.text.includes(key);

/** One turn as an object, `{role, content}` with any usual keys; the speaker as written where nobody known. */
export function turnOf(
  value: unknown,
  format: CaseFormat,
): { speaker: unknown; found: ReturnType<typeof roleOf>; text: string | null; rest: string[] } | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const { words } = format;
  const known = words.keys.speaker.find((candidate) => Object.hasOwn(value, candidate));
  // {"type": "user_utterance"}; most types and events say something else.
  const key =
    known ?? words.keys.maybeSpeaker?.find((name) => roleOf(Reflect.get(value, name), format) !== null);
  const others = Object.keys(value).filter((candidate) => candidate !== key);
  if (key === undefined || !others.some((candidate) => isTextKey(candidate, words))) return null;
  const speaker: unknown = Reflect.get(value, key);
  return {
    speaker,
    found: roleOf(speaker, format),
    text: textOf(value, words),
    rest: others.filter((candidate) => !isTextKey(candidate, words)),
  };
}
