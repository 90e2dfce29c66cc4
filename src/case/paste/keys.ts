import { EvalCase, isRecord } from '../case.ts';
import type { CaseFormat } from '../case-format.ts';
import {
  attributeName,
  holdsTurns,
  isKey,
  keyMeaning,
  type LabelMeaning,
  meaningOf,
  type Role,
  roleOfKey,
  textOf,
  turnOf,
  wordOf,
} from './labels.ts';
import { momentHint } from './moments.ts';
import type { Draft } from './problems.ts';
import { excerpt } from './text.ts';

/** Whose keys these are: it decides whether a location is the user's or the venue's. */
type Owner = 'case' | 'user' | 'system' | 'context' | 'venue';

/** One key of an object of a foreign shape, with what it stands for. */
interface Key {
  draft: Draft;
  key: string;
  value: unknown;
  owner: Owner;
  /** From the top of the input, for messages. */
  path: string;
  found: LabelMeaning | null;
  /** Whether it is the only attribute of a venue beside a conversation: it may be the test's. */
  isLone: boolean;
}

/** Reads a key into the draft; says as what, in no words where that needs none. Null where it is not for this reader. */
type KeyReader = (at: Key) => string | null;

/** A speaker as written; objects hold theirs in `role`. */
const spoken = (speaker: unknown): string =>
  excerpt(typeof speaker === 'string' ? speaker : (JSON.stringify(speaker) ?? ''), 20);

export function addRead(draft: Draft, read: string): void {
  if (!draft.reads.includes(read)) draft.reads.push(read);
}

/** Adds one turn given as an object; says what it could not use. */
function addTurn(draft: Draft, value: unknown, path: string): void {
  const turn = turnOf(value, draft.format);
  if (!turn?.found || turn.text === null) {
    const why = turn === null ? '' : turn.found ? ' (no text)' : ` (role "${spoken(turn.speaker)}")`;
    if (turn === null && isRecord(value)) readKeys(draft, value, 'case', path);
    else draft.unused.push(`${path}${why}`);
    return;
  }
  const { role, word } = turn.found;
  const said = spoken(turn.speaker);
  if (word !== role || said !== said.toLowerCase()) addRead(draft, `role "${said}" as ${role}`);
  draft.turns.push({ role, word, text: turn.text, marked: false });
  const rest = turn.rest.filter((key) => !['id', 'name', 'type'].includes(key));
  draft.unused.push(...turn.rest.filter((key) => !rest.includes(key)).map((key) => `${path}.${key}`));
  readKeys(draft, Object.fromEntries(rest.map((key) => [key, Reflect.get(Object(value), key)])), role, path);
}

export function addTurns(draft: Draft, list: readonly unknown[], path: string): void {
  draft.isOrdered = true;
  for (const [index, value] of list.entries()) addTurn(draft, value, `${path}[${index}]`);
}

/** Adds the venue that is an object, or the first one of a list. */
export function addVenue(draft: Draft, value: unknown, path: string): void {
  const [first, ...more] = Array.isArray(value) ? value.filter(isRecord) : [value];
  if (more.length > 0)
    draft.assumed.push(`not used: ${more.length} more of "${path}" (one venue is judged, the first counts)`);
  if (isRecord(first)) readKeys(draft, first, 'venue', path);
  else draft.unused.push(path);
}

const asVenue = ({ draft, key, value, path }: Key): string => {
  addVenue(draft, value, path);
  return key === 'recommendation' ? '' : 'the recommended venue';
};

/** Whether an object, or the first of a list, is a venue by itself: at least two of its attributes and nobody speaking. */
export function holdsVenue(value: unknown, format: CaseFormat): boolean {
  if (Array.isArray(value)) return value.length > 0 && holdsVenue(value[0], format);
  if (!isRecord(value)) return false;
  const keys = Object.keys(value);
  const attributes = keys.filter(
    (key) => key === 'title' || keyMeaning(key, format)?.meaning.kind === 'venue',
  );
  return attributes.length >= 2 && !keys.some((key) => roleOfKey(key, format) !== null);
}

/** A list of turns, or of answers among which a model let choose: the first is what it said. */
const readTurnList: KeyReader = ({ draft, key, value, path }) => {
  const { words } = draft.format;
  if (!Array.isArray(value)) return null;
  if (isKey('alternatives', key, words)) {
    const [first, ...more] = value;
    const text = textOf(first, words);
    if (text !== null) draft.turns.push({ role: 'system', word: 'assistant', text, marked: false });
    if (text === null) draft.unused.push(path);
    else if (more.length > 0)
      draft.assumed.push(`not used: ${more.length} more of "${path}" (the first is judged)`);
    return "the system's turn";
  }
  if (!isKey('turns', key, words)) return null;
  addTurns(draft, value, path);
  return 'the conversation';
};

/** An object that declared fields make up, such as `action`; its keys are named as in a paste. */
const readGroup: KeyReader = ({ draft, key, value, path }) => {
  const { groups, words } = draft.format;
  const fields = groups.get(key);
  if (key === 'recommendation' || key === 'context' || fields === undefined || !isRecord(value)) return null;
  for (const [label, inner] of Object.entries(value)) {
    const isField = (known: string) => wordOf(known, words) === wordOf(label, words);
    const field = fields.find(({ name, labels }) => [name, ...labels].some(isField));
    if (field === undefined) draft.unused.push(`${path}.${excerpt(label, 40)}`);
    else draft.venue.push({ field, label, value: inner });
  }
  return '';
};

/** Fields that mean in any object what they mean in a case, also by other names: `expected`. */
const readField: KeyReader = ({ draft, key, value, owner, found }) => {
  const name = found?.meaning.kind === 'field' ? found.meaning.field : key;
  const isField = ['id', 'rubric', 'groundTruth', 'history', 'label', 'recommendations'].includes(name);
  if (!isField || (name === 'id' && owner !== 'case')) return null;
  const given = name === 'id' && typeof value === 'number' ? String(value) : value;
  const checked = EvalCase.partial().safeParse({ [name]: given });
  if (!checked.success || Object.hasOwn(draft.fields, name)) return null;
  Object.assign(draft.fields, checked.data);
  return `the ${wordOf(name, draft.format.words)}`;
};

const readDocuments: KeyReader = ({ draft, key, value, path }) => {
  const { words } = draft.format;
  if (!isKey('documents', key, words) && (key !== 'context' || isRecord(value))) return null;
  for (const [index, item] of (Array.isArray(value) ? value : [value]).entries()) {
    const { page_content: content, id }: Record<string, unknown> = isRecord(item) ? item : {};
    const text = textOf(content ?? item, words);
    const name = typeof id === 'string' || typeof id === 'number' ? { id: String(id) } : {};
    if (text === null) draft.unused.push(`${path}[${index}]`);
    else draft.documents.push({ text, ...name });
  }
  return 'documents';
};

function readParty({ draft, value, path, found }: Key, role: Role): string {
  if (Array.isArray(value) && value.some((item) => turnOf(item, draft.format) !== null)) {
    addTurns(draft, value, path);
    return 'the conversation';
  }
  const text = textOf(value, draft.format.words);
  if (text !== null) draft.turns.push({ role, word: found?.word ?? '', text, marked: false });
  if (isRecord(value)) readKeys(draft, value, role, path);
  else if (text === null) draft.unused.push(path);
  const isPlain = text === null || (found?.word === 'response' && !isRecord(value));
  return isPlain ? '' : `the ${role}'s turn`;
}

const unitOf = ({ found }: Key) => (found?.unit === undefined ? {} : { unit: found.unit });

function readAttribute(at: Key, field: Draft['venue'][number]['field']): string {
  const { draft, key, value, owner } = at;
  draft.venue.push({ field, label: key, value, ...unitOf(at) });
  const isOfVenue = typeof field === 'string' || field.of === 'recommendation';
  return `${owner === 'venue' ? 'its' : isOfVenue ? "the venue's" : 'the'} ${attributeName(field)}`;
}

/** A timestamp beside a turn is the log's; within a context it is the user's date and time. */
function readSituation(at: Key, named: Draft['context'][number]['field']): string {
  const { draft, key, value, owner, path } = at;
  if (named === 'timestamp' && owner !== 'context') {
    const hint = momentHint(value, draft.format);
    draft.unused.push(`${path} (the log's time is not the user's${hint === null ? '' : `: ${hint}`})`);
    return '';
  }
  const field = named === 'timestamp' ? 'dateTime' : named;
  draft.context.push({ field, label: key, value, ...unitOf(at) });
  return `the ${field === 'latency' || field === 'language' ? '' : "user's "}${attributeName(field)}`;
}

function readSection(at: Key, section: string): string | null {
  if (typeof at.value !== 'object' || at.value === null) return null;
  if (['recommendation', 'systemBlock'].includes(section) || Array.isArray(at.value)) return asVenue(at);
  readKeys(at.draft, at.value, 'context', at.path);
  return '';
}

/** Reads a key by what it means as a label. */
const readMeaning: KeyReader = (at) => {
  const { draft, key, value, owner, found } = at;
  const meaning = found?.meaning;
  switch (meaning?.kind) {
    case 'role':
      return typeof value === 'object' && owner !== 'case' ? null : readParty(at, meaning.role);
    case 'section':
      return readSection(at, meaning.section);
    case 'venue-or-name':
      if (typeof value !== 'string') return asVenue(at);
      draft.venue.push({ field: 'name', label: key, value });
      return "the venue's name";
    case 'venue':
      // {"result": {"name": …, "rating": …}}
      if (holdsVenue(value, draft.format)) return asVenue(at);
      return owner === 'context' || owner === 'user' ? null : readAttribute(at, meaning.field);
    case 'place':
      return owner === 'system' ? readAttribute(at, meaning.field) : readSituation(at, meaning.field);
    case 'context':
      return readSituation(at, meaning.field);
    default:
      // A venue under a key that no list knows
      return holdsVenue(value, draft.format) ? asVenue(at) : null;
  }
};

const readWrapper: KeyReader = ({ draft, key, value, owner, path }) => {
  if (!isRecord(value) || !isKey('wrapper', key, draft.format.words)) return null;
  if (turnOf(value, draft.format)?.found) addTurns(draft, [value], path);
  else readKeys(draft, value, owner, path);
  return '';
};

/** What the keys of a venue say of it: its attributes, also in groups; nothing else. */
const readVenueKey: KeyReader = (at) => {
  const { draft, key, value, path } = at;
  const found = meaningOf(key, draft.format, value);
  const meaning = found?.meaning;
  if (meaning?.kind === 'venue-or-name' && typeof value === 'string')
    return readAttribute({ ...at, found }, 'name');
  if (meaning?.kind === 'venue' || meaning?.kind === 'place')
    return readAttribute({ ...at, found }, meaning.field);
  if (!draft.format.words.keys.venueGroup.includes(key) || !isRecord(value)) return null;
  readKeys(draft, value, 'venue', path);
  return '';
};

const READERS = [readTurnList, readGroup, readField, readDocuments, readMeaning, readWrapper];

function readKey(at: Key): void {
  const { draft, owner, path, key, found, isLone } = at;
  // What stands within it is said after it.
  const before = draft.reads.length;
  for (const read of owner === 'venue' ? [readVenueKey] : READERS) {
    const as = read(at);
    if (as === null) continue;
    const said = `"${path}" as ${as}`;
    // "rating" as its rating: that needs no words.
    const isPlain =
      as === '' ||
      (!(isLone && as.startsWith("the venue's")) && (as.endsWith(` ${found?.word ?? key}`) || as === key));
    if (!isPlain && !draft.reads.includes(said)) draft.reads.splice(before, 0, said);
    return;
  }
  draft.unused.push(path);
}

/** Reads all keys of an object of a foreign shape into the draft. */
export function readKeys(draft: Draft, object: object, owner: Owner, parent = ''): void {
  const { format } = draft;
  const attributes = Object.keys(object).filter((key) => keyMeaning(key, format)?.meaning.kind === 'venue');
  for (const [key, value] of Object.entries(object)) {
    const path = parent === '' ? excerpt(key, 60) : `${parent}.${excerpt(key, 60)}`;
    if (value === null || value === undefined) continue;
    if ((owner === 'user' || owner === 'system') && format.words.keys.text.includes(key)) continue;
    // A lone "name" beside a conversation is the name of the test, not of a restaurant.
    const isLone = attributes.length === 1 && attributes[0] === key && owner === 'case';
    if (key === 'name' && isLone) draft.unused.push(path);
    else readKey({ draft, key, value, owner, path, found: keyMeaning(key, format, value), isLone });
  }
}

/** Whether an object says anything that we can read. */
export const isReadable = (value: object, format: CaseFormat): boolean =>
  turnOf(value, format) !== null ||
  Object.keys(value).some(
    (key) => keyMeaning(key, format) !== null || holdsTurns(key, format.words) || format.groups.has(key),
  );
