import type { CaseFormat } from '../case-format.ts';
import type { Words } from '../words.ts';
import { type LabelMeaning, meaningOf, type Role, wordOf } from './labels.ts';

/** Whether a key says how an object is built: it holds turns, or documents, or stands around a case. */
export const isKey = (
  kind: 'turns' | 'alternatives' | 'documents' | 'wrapper',
  key: string,
  words: Words,
): boolean => words.keys[kind].includes(wordOf(key, words));

export const holdsTurns = (key: string, words: Words): boolean =>
  isKey('turns', key, words) || isKey('alternatives', key, words);

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
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) {
    const parts = value.map((part) => textOf(part, words)).filter((part) => part !== null);
    return parts.length === 0 ? null : parts.join('\n');
  }
  const texts = words.keys.text.filter((key) => Object.hasOwn(value, key));
  return texts.map((key) => textOf(Reflect.get(value, key), words)).find((text) => text !== null) ?? null;
}

/** One turn as an object, `{role, content}` with any usual keys; the speaker as written where nobody known. */
export function turnOf(
  value: unknown,
  format: CaseFormat,
): { speaker: unknown; found: ReturnType<typeof roleOf>; text: string | null; rest: string[] } | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const { keys } = format.words;
  const known = keys.speaker.find((candidate) => Object.hasOwn(value, candidate));
  const key = known ?? keys.maybeSpeaker.find((name) => roleOf(Reflect.get(value, name), format) !== null);
  const others = Object.keys(value).filter((candidate) => candidate !== key);
  if (key === undefined || !others.some((candidate) => keys.text.includes(candidate))) return null;
  const speaker: unknown = Reflect.get(value, key);
  return {
    speaker,
    found: roleOf(speaker, format),
    text: textOf(value, format.words),
    rest: others.filter((candidate) => !keys.text.includes(candidate)),
  };
}
