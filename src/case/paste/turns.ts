import {
  type DeclaredLabels,
  type Meaning,
  meaningOf,
  meaningWith,
  NONE_DECLARED,
  type Role,
  wordOf,
} from './labels.ts';

/** Keys around a case, whose objects are read as if their keys stood outside. */
export const WRAPPERS = new Set([
  'data',
  'payload',
  'case',
  'item',
  'example',
  'record',
  'event',
  'body',
  'params',
  'jsonpayload',
  'interaction',
  'turn',
  'eval',
  'sample',
  'dialog',
  'inputs',
  'outputs',
  'fields',
  'message',
]);

/** Keys that hold documents. */
export const DOCUMENT_KEYS = new Set([
  'documents',
  'docs',
  'contexts',
  'retrieved_contexts',
  'retrievedcontexts',
  'sources',
  'passages',
  'retrieved_documents',
  'document',
  'reference_documents',
]);

const TURN_LISTS = new Set([
  'conversation',
  'messages',
  'turns',
  'dialog',
  'dialogue',
  'chat',
  'transcript',
  'thread',
  'dialog history',
  'chat history',
  'conversation history',
  'previous turns',
  'verlauf',
]);
const SPEAKERS = ['role', 'speaker', 'from', 'author', 'sender', 'who', 'actor', 'sprecher', 'participant'];
const TEXTS = [
  'text',
  'content',
  'message',
  'utterance',
  'value',
  'body',
  'transcript',
  'parts',
  'say',
  'output_text',
];
/** Labels of lines that mean something else as keys of objects. */
const NO_KEYS = new Set([
  'model',
  'agent',
  'vehicle',
  'auto',
  'ai',
  'llm',
  'a',
  'b',
  'c',
  'd',
  'f',
  'h',
  'n',
  'details',
  'note',
  'score',
  'case',
  'tag',
  'source',
  'title',
  'category',
  'client',
  'customer',
  'passenger',
]);
/** One letter may be a speaker among others (A, B), so only these count. */
const LETTERS = new Set(['u', 's']);

/** Whether a key holds a list of turns. */
export const isTurnList = (key: string): boolean => TURN_LISTS.has(wordOf(key));

/** What a key of an object stands for. */
export function keyMeaning(
  key: string,
  declared: DeclaredLabels = NONE_DECLARED,
  value?: unknown,
): { meaning: Meaning; word: string; unit?: string } | null {
  const found = meaningWith(key, value, declared);
  return found === null || (NO_KEYS.has(found.word) && !/^[qa]$/i.test(key)) ? null : found;
}

/** Who a role, speaker or author is; null for tools and anybody unknown. */
export function roleOf(value: unknown): { role: Role; word: string } | null {
  if (typeof value === 'object' && value !== null && 'role' in value) return roleOf(value.role);
  const found = typeof value === 'string' ? meaningOf(value) : null;
  if (found?.meaning.kind !== 'role' || (found.word.length === 1 && !LETTERS.has(found.word))) return null;
  return { role: found.meaning.role, word: found.word };
}

/** The text of a turn: as it stands, or the text parts of a list, or the text of an object. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) {
    const parts = value.map(textOf).filter((part) => part !== null);
    return parts.length === 0 ? null : parts.join('\n');
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const key of TEXTS) {
    const text = Object.hasOwn(value, key) ? textOf(Reflect.get(value, key)) : null;
    if (text !== null) return text;
  }
  return null;
}

export const isTextKey = (key: string): boolean => TEXTS.includes(key);

/** One turn as an object, `{role, content}` with any usual keys; the speaker as written where nobody known. */
export function turnOf(
  value: unknown,
): { speaker: unknown; found: ReturnType<typeof roleOf>; text: string | null; rest: string[] } | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const key = SPEAKERS.find((candidate) => Object.hasOwn(value, candidate));
  if (key === undefined || !Object.keys(value).some((candidate) => candidate !== key && isTextKey(candidate)))
    return null;
  const speaker: unknown = Reflect.get(value, key);
  const rest = Object.keys(value).filter((candidate) => candidate !== key && !isTextKey(candidate));
  return { speaker, found: roleOf(speaker), text: textOf(value), rest };
}
