import { oncePer } from '../../common/index.ts';
import {
  alternatives,
  type CaseFormat,
  declaredFields,
  type Field,
  type LabelName,
  labelLists,
  nounOf,
  type Words,
} from '../format/index.ts';
import { isRecord } from '../index.ts';
import { namesUnit } from './values.ts';

/** Whose turn a label begins. */
export type Role = (typeof labelLists.role)[number];
export type PlaceField = (typeof labelLists.place)[number];
export type ContextField = (typeof labelLists.context)[number] | 'location';
export type VenueField = (typeof labelLists.venue)[number] | PlaceField;

/** What a label in a text, or a key in an object, stands for. */
export type Meaning =
  | { kind: 'role'; role: Role }
  | { kind: 'context'; field: ContextField | Field }
  /** The section decides whether it is the user's or the venue's. */
  | { kind: 'place'; field: PlaceField }
  | { kind: 'venue'; field: VenueField | Field }
  /** The venue's name if a value follows, otherwise the header of its section. */
  | { kind: 'venue-or-name' }
  | { kind: 'section'; section: (typeof labelLists.section)[number] }
  | { kind: 'document' }
  | { kind: 'field'; field: (typeof labelLists.field)[number] }
  | { kind: 'metadata' };

const MEANINGS: readonly (readonly [LabelName, Meaning])[] = [
  ...labelLists.role.map((role) => [role, { kind: 'role', role }] as const),
  ...labelLists.context.map((field) => [field, { kind: 'context', field }] as const),
  ['userLocation', { kind: 'context', field: 'location' }],
  ...labelLists.place.map((field) => [field, { kind: 'place', field }] as const),
  ...labelLists.venue.map((field) => [field, { kind: 'venue', field }] as const),
  ['venueOrName', { kind: 'venue-or-name' }],
  ...labelLists.section.map((section) => [section, { kind: 'section', section }] as const),
  ['document', { kind: 'document' }],
  ...labelLists.field.map((field) => [field, { kind: 'field', field }] as const),
  ['metadata', { kind: 'metadata' }],
];

const unitPattern = oncePer(
  ({ labelKinds: { beforeUnit, units } }: Words) =>
    new RegExp(`(?: ${alternatives(beforeUnit)})? (${alternatives(units)})$`, 'u'),
);

/** Maximum number of labels cached per vocabulary, since pastes and tables repeat their labels. */
const MOST_WORDS = 2_000;
const knownWords = oncePer((_: Words) => new Map<string, string>());

/**
 * Normalizes a label: `openingHours`, `opening_hours` and `Opening hours (today)` are all `opening hours`. Keeps a unit
 * in brackets, and does not split `kWh`.
 */
export function wordOf(label: string, words: Words): string {
  const cache = knownWords(words);
  const before = cache.get(label);
  if (before !== undefined) return before;
  const word = label
    .normalize('NFC')
    .replace(/(?<=[a-zäöü\d]{2})(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/[([]([^()[\]]{0,40})[)\]]/g, (_, inner: string) =>
      unitPattern(words).test(` ${inner}`) ? ` ${inner}` : '',
    )
    .replace(/[_\-–/&+.*`"'“”‘’?]/g, ' ')
    .replace(/\s{1,40}/g, ' ')
    .trim();
  if (cache.size === MOST_WORDS) cache.clear();
  cache.set(label, word);
  return word;
}

/** A declared field belongs to the user's situation or to what the system recommended or did. */
const declaredMeaning = (field: Field): Meaning => ({
  kind: field.of === 'context' ? 'context' : 'venue',
  field,
});

/** Maps each normalized label to its meaning; the first of two meanings wins. */
function byWord<Of>(pairs: readonly (readonly [string, Of])[], words: Words): ReadonlyMap<string, Of> {
  const firstOfWord = new Map<string, Of>();
  for (const [label, of] of pairs) {
    const word = wordOf(label, words);
    if (!firstOfWord.has(word)) firstOfWord.set(word, of);
  }
  return firstOfWord;
}

/** The contract's own labels. */
const ownLabels = oncePer((words: Words) =>
  byWord(
    MEANINGS.flatMap(([name, meaning]) => words.labels[name].map((label) => [label, meaning] as const)),
    words,
  ),
);

/**
 * The labels of declared fields. The names of objects that hold nothing but declared fields are headers in a text.
 * `shared` are the labels that need the value's unit to tell their fields apart.
 */
const declaredLabels = oncePer(({ groups, words }: CaseFormat) => {
  const fields = declaredFields({ groups });
  const objects = [...groups.keys()].filter((name) => !['', 'recommendation', 'context'].includes(name));
  const header: Meaning = { kind: 'section', section: 'recommendation' };
  const declared = byWord<Meaning>(
    [
      ...fields.flatMap((field) =>
        [field.name, ...field.labels].map((label) => [label, declaredMeaning(field)] as const),
      ),
      ...objects.map((name) => [name, header] as const),
    ],
    words,
  );
  const shared = fields.flatMap((field) =>
    (field.byUnit?.labels ?? []).map((label) => ({ word: wordOf(label, words), field })),
  );
  return { declared, shared };
});

/** Whether the contract itself has a meaning for a label. */
export const isOwnLabel = (label: string, words: Words): boolean =>
  ownLabels(words).has(wordOf(label, words));

/** A label as read: normalized, with its meaning and the unit it names (`distance_km`). */
export interface LabelMeaning {
  word: string;
  meaning: Meaning;
  unit?: string;
}

/** Maximum length of a label, in characters. */
const LONGEST = 60;

/**
 * What a label or key stands for; null if unknown. The contract's own labels come before those of declared fields.
 * @param value the text after the label, whose unit tells apart fields that share the label
 */
export function meaningOf(label: string, format: CaseFormat, value?: unknown): LabelMeaning | null {
  if (label.length > LONGEST) return null;
  const { words } = format;
  const builtIn = ownLabels(words);
  const { declared, shared } = declaredLabels(format);
  const word = wordOf(label, words);
  const isOf = (one: (typeof shared)[number]) =>
    one.word === word && typeof value === 'string' && namesUnit(value, one.field, words);
  const field = shared.find(isOf)?.field;
  if (field) return { word, meaning: declaredMeaning(field) };
  for (const candidate of [word, word.replace(/ ?#? ?\d{1,4}$/, '')]) {
    const meaning = builtIn.get(candidate) ?? declared.get(candidate);
    if (meaning !== undefined) return { word: candidate, meaning };
  }
  const [first = '', ...others] = word.split(' ');
  const rest = others.join(' ');
  // A document with an id ("Document m12"), or a speaker after an article ("The car said").
  const document = /^\S+[ #]+\S{1,40}$/.test(label) ? builtIn.get(first) : undefined;
  if (document?.kind === 'document') return { word: first, meaning: document };
  const speaker = words.labelKinds.articles.includes(first) ? builtIn.get(rest) : undefined;
  if (speaker?.kind === 'role') return { word: rest, meaning: speaker };
  const unit = unitPattern(words).exec(word)?.[1];
  const measure = word.replace(unitPattern(words), '');
  const meaning = builtIn.get(measure);
  return unit === undefined || meaning === undefined ? null : { word: measure, meaning, unit };
}

/** The name of an attribute in a message. */
export const attributeName = (field: string | Field): string =>
  typeof field === 'string' ? nounOf(field) : field.title;

/** Whether a key is a structural one of the given kind: it holds turns, alternatives or documents, or wraps a case. */
export const isKey = (
  kind: 'turns' | 'alternatives' | 'documents' | 'wrapper',
  key: string,
  words: Words,
): boolean => words.keys[kind].includes(wordOf(key, words));

export const holdsTurns = (key: string, words: Words): boolean =>
  isKey('turns', key, words) || isKey('alternatives', key, words);

/** What a key of an object stands for. */
export function keyMeaning(key: string, format: CaseFormat, value?: unknown): LabelMeaning | null {
  const labelMeaning = meaningOf(key, format, value);
  return labelMeaning !== null &&
    format.words.keys.ignored.includes(labelMeaning.word) &&
    !/^[qa]$/i.test(key)
    ? null
    : labelMeaning;
}

/** The role whose turn a key holds, or null. */
export function roleOfKey(key: string, format: CaseFormat): Role | null {
  const meaning = keyMeaning(key, format)?.meaning;
  return meaning?.kind === 'role' ? meaning.role : null;
}

/** The role of a speaker or author, and the label that says so; null for tools and unknown speakers. */
export function roleOf(value: unknown, format: CaseFormat): { role: Role; word: string } | null {
  if (typeof value === 'object' && value !== null && 'role' in value) return roleOf(value.role, format);
  const roleMeaning = typeof value === 'string' ? meaningOf(value, format) : null;
  if (roleMeaning?.meaning.kind !== 'role') return null;
  // A single letter may name any speaker (A, B), so only known ones count.
  const isLetter = roleMeaning.word.length === 1 && !format.words.keys.roleLetters.includes(roleMeaning.word);
  return isLetter ? null : { role: roleMeaning.meaning.role, word: roleMeaning.word };
}

/** Whether a part of a turn, or an object among turns, is a tool's call or result, which neither side said. */
export const isOfTool = (value: unknown, { keys }: Words): boolean =>
  isRecord(value) && typeof value.type === 'string' && keys.tools.includes(value.type);

/** The paths of a turn's tool calls and results: `content[1]`. */
export const partsOfTools = (turn: unknown, words: Words): string[] =>
  words.keys.text.flatMap((key) => {
    const parts = isRecord(turn) ? turn[key] : null;
    if (!Array.isArray(parts)) return [];
    return [...parts.entries()].flatMap(([at, part]) => (isOfTool(part, words) ? [`${key}[${at}]`] : []));
  });

/** The text of a turn given as a plain value, a list of parts, or an object; null if there is none. */
export function textOf(value: unknown, words: Words): string | null {
  if (['string', 'number', 'boolean'].includes(typeof value)) return String(value);
  if (typeof value !== 'object' || value === null) return null;
  const isList = Array.isArray(value);
  const inner: unknown[] = isList
    ? value.filter((part) => !isOfTool(part, words))
    : words.keys.text.filter((key) => Object.hasOwn(value, key)).map((key) => Reflect.get(value, key));
  const texts = inner.map((part) => textOf(part, words)).filter((text) => text !== null);
  return texts.length === 0 ? null : isList ? texts.join('\n') : (texts[0] ?? null);
}

/**
 * Reads one turn from an object such as `{role, content}`, with any common keys, or from a pair of texts.
 * @returns null if it is not a turn; `found` is null if the speaker is unknown; `rest` are the keys not used
 */
export function turnOf(
  value: unknown,
  format: CaseFormat,
): { speaker: unknown; found: ReturnType<typeof roleOf>; text: string | null; rest: string[] } | null {
  // ["user", "open the window"]
  if (Array.isArray(value) && value.length === 2 && roleOf(value[0], format) && typeof value[1] === 'string')
    return turnOf({ role: value[0], text: value[1] }, format);
  if (!isRecord(value)) return null;
  const { keys } = format.words;
  const key =
    keys.speaker.find((candidate) => Object.hasOwn(value, candidate)) ??
    keys.maybeSpeaker.find((name) => roleOf(Reflect.get(value, name), format) !== null);
  const others = Object.keys(value).filter((candidate) => candidate !== key);
  const rest = others.filter((candidate) => !keys.text.includes(candidate));
  if (key === undefined || rest.length === others.length) return null;
  const speaker = value[key];
  return { speaker, found: roleOf(speaker, format), text: textOf(value, format.words), rest };
}

/** The keys or columns that hold two answers, in the pair's order; null if there are none. */
export function answerKeys(keys: readonly string[], { words }: CaseFormat): [string, string] | null {
  const byName = new Map(keys.map((key) => [wordOf(key, words), key]));
  for (const pair of words.answers) {
    const [first, second] = pair.map((label) => byName.get(wordOf(label, words)));
    if (first !== undefined && second !== undefined) return [first, second];
  }
  return null;
}

/** Whether an object, or the first of a list, is a venue: it has two or more venue attributes and no role as a key. */
export function holdsVenue(value: unknown, format: CaseFormat): boolean {
  if (Array.isArray(value)) return holdsVenue(value[0], format);
  const keys = isRecord(value) ? Object.keys(value) : [];
  const isAttribute = (key: string) => key === 'title' || keyMeaning(key, format)?.meaning.kind === 'venue';
  return keys.filter(isAttribute).length >= 2 && !keys.some((key) => roleOfKey(key, format) !== null);
}

/** Whether any part of an object can be read. */
export const isReadable = (value: object, format: CaseFormat): boolean =>
  turnOf(value, format) !== null ||
  Object.keys(value).some(
    (key) => keyMeaning(key, format) !== null || holdsTurns(key, format.words) || format.groups.has(key),
  );
