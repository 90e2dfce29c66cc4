import { EvalCase, isRecord, Recommendation } from '../case.ts';
import type { CaseFormat } from '../case-format.ts';
import type { ContextEntry, Draft } from './draft.ts';
import { attributeName, type LabelMeaning, type Role, wordOf } from './labels.ts';
import { momentHint } from './moments.ts';
import { excerpt } from './text.ts';
import {
  isDocuments,
  isTextKey,
  isTurnList,
  isWrapper,
  keyMeaning,
  roleOfKey,
  textOf,
  turnOf,
} from './turns.ts';
import { type VenueEntry, venueEntries } from './venue.ts';

const VENUE_KEYS = new Set(Object.keys(Recommendation.shape));

/** Whose keys these are: it decides whether a location is the user's or the venue's. */
type Owner = 'case' | 'user' | 'system' | 'context' | 'venue';

const ROLE_NAMES: Readonly<Record<Role, string>> = { user: "the user's turn", system: "the system's turn" };

/** A speaker as written; objects hold theirs in `role`. */
const spoken = (speaker: unknown): string =>
  typeof speaker === 'string' ? speaker : (JSON.stringify(speaker) ?? '');

/** Adds one turn given as an object; says what it could not use. */
function addTurn(draft: Draft, value: unknown, path: string): void {
  const turn = turnOf(value, draft.format);
  if (turn === null && isRecord(value)) {
    readKeys(draft, value, 'case', path);
    return;
  }
  if (!turn?.found || turn.text === null) {
    draft.unused.push(
      turn === null
        ? path
        : `${path} (${turn.found ? 'no text' : `role "${excerpt(spoken(turn.speaker), 20)}"`})`,
    );
    return;
  }
  const said = spoken(turn.speaker);
  if (turn.found.word !== turn.found.role || said !== said.toLowerCase())
    addRead(draft, `role "${excerpt(said, 20)}" as ${turn.found.role}`);
  draft.turns.push({ ...turn.found, text: turn.text, marked: false });
  const isOfTurn = (key: string) => key === 'id' || key === 'name' || key === 'type';
  draft.unused.push(...turn.rest.filter(isOfTurn).map((key) => `${path}.${key}`));
  const rest = turn.rest
    .filter((key) => !isOfTurn(key))
    .map((key): [string, unknown] => [key, Reflect.get(Object(value), key)]);
  if (rest.length > 0) readKeys(draft, Object.fromEntries(rest), turn.found.role, path);
}

export function addRead(draft: Draft, read: string): void {
  if (!draft.reads.includes(read)) draft.reads.push(read);
}

export function addTurns(draft: Draft, list: readonly unknown[], path: string): void {
  draft.isOrdered = true;
  for (const [index, value] of list.entries()) addTurn(draft, value, `${path}[${index}]`);
}

function addDocuments(draft: Draft, value: unknown, path: string): void {
  const { words } = draft.format;
  for (const [index, item] of (Array.isArray(value) ? value : [value]).entries()) {
    const text =
      isRecord(item) && 'page_content' in item ? textOf(item.page_content, words) : textOf(item, words);
    const id =
      isRecord(item) && 'id' in item && (typeof item.id === 'string' || typeof item.id === 'number')
        ? String(item.id)
        : undefined;
    if (text === null) draft.unused.push(`${path}[${index}]`);
    else draft.documents.push({ text, ...(id === undefined ? {} : { id }) });
  }
}

function addParty(draft: Draft, role: Role, word: string, value: unknown, path: string): void {
  if (Array.isArray(value) && value.some((item) => turnOf(item, draft.format) !== null)) {
    addRead(draft, `"${path}" as the conversation`);
    addTurns(draft, value, path);
    return;
  }
  const text = textOf(value, draft.format.words);
  if (text !== null) {
    if (word !== 'response' || isRecord(value)) addRead(draft, `"${path}" as ${ROLE_NAMES[role]}`);
    draft.turns.push({ role, word, text, marked: false });
  }
  if (isRecord(value)) readKeys(draft, value, role, path);
  else if (text === null) draft.unused.push(path);
}

export function addVenue(draft: Draft, value: unknown, path: string): void {
  const list = Array.isArray(value) ? value.filter(isRecord) : [value];
  const [first] = list;
  if (!isRecord(first)) {
    draft.unused.push(path);
    return;
  }
  const { entries, unused } = venueEntries(first, draft.format);
  if (!/^(?:recommendation|venue)$/.test(path)) addRead(draft, `"${path}" as the recommended venue`);
  if (list.length > 1)
    draft.assumed.push(
      `not used: ${list.length - 1} more of "${path}" (one venue is judged, the first counts)`,
    );
  for (const entry of entries) draft.venue.push(entry);
  const renamed = entries
    .filter(
      (entry) =>
        !VENUE_KEYS.has(entry.label) &&
        (typeof entry.field === 'string' || !isOwnName(entry.label, entry.field, draft.format)),
    )
    .map((entry) => `"${path}.${entry.label}" as its ${attributeName(entry.field)}`);
  for (const read of renamed) addRead(draft, read);
  draft.unused.push(...unused.map((key) => `${path}.${excerpt(key, 40)}`));
}

/** Fields that mean in any object what they mean in a case. */
function takeField({ draft, key, value, owner }: Key): boolean {
  if (key === 'id' && owner !== 'case') return false;
  if (!['id', 'rubric', 'groundTruth', 'history', 'label', 'recommendations'].includes(key)) return false;
  const given = key === 'id' && typeof value === 'number' ? String(value) : value;
  const checked = EvalCase.partial().safeParse({ [key]: given });
  if (checked.success) Object.assign(draft.fields, checked.data);
  return checked.success;
}

/** One key of an object of a foreign shape, with what it stands for. */
interface Key {
  draft: Draft;
  key: string;
  value: unknown;
  owner: Owner;
  /** From the top of the input, for messages. */
  path: string;
  found: LabelMeaning | null;
}

/** Names of keys that need not be explained. */
const OWN_NAMES = new Set(['date', 'time', 'location', 'latitude', 'longitude', 'language']);

/** Whether a key is the very name of a field. */
const isOwnName = (key: string, field: string | { name: string }, { words }: CaseFormat): boolean =>
  typeof field === 'string' ? key === field : wordOf(field.name, words) === wordOf(key, words);

function readDocuments({ draft, key, value, path }: Key): boolean {
  if (!isDocuments(key, draft.format.words) && (key !== 'context' || isRecord(value))) return false;
  if (key !== 'documents') addRead(draft, `"${path}" as documents`);
  addDocuments(draft, value, path);
  return true;
}

function readSection({ draft, key, value, path, found }: Key): boolean {
  const meaning = found?.meaning;
  const isName = meaning?.kind === 'venue-or-name';
  const isVenue =
    isName || (meaning?.kind === 'section' && ['recommendation', 'systemBlock'].includes(meaning.section));
  if (isName && typeof value === 'string') {
    addRead(draft, `"${path}" as the venue's name`);
    draft.venue.push({ field: 'name', label: key, value });
  } else if (isVenue || Array.isArray(value)) addVenue(draft, value, path);
  else if (isRecord(value)) readKeys(draft, value, 'context', path);
  else return false;
  return true;
}

function addAttribute({ draft, key, value, path, found }: Key, field: VenueEntry['field']): void {
  if (!isOwnName(key, field, draft.format))
    addRead(draft, `"${path}" as the venue's ${attributeName(field)}`);
  draft.venue.push({ field, label: key, value, ...unitOf(found) });
}

/** A timestamp beside a turn is the log's; within a context it is the user's date and time. */
function addSituation(at: Key, named: ContextEntry['field']): void {
  const { draft, key, value, owner, path, found } = at;
  if (named === 'timestamp' && owner !== 'context') {
    const hint = momentHint(value, draft.format);
    draft.unused.push(`${path} (the log's time is not the user's${hint === null ? '' : `: ${hint}`})`);
    return;
  }
  const field = named === 'timestamp' ? 'dateTime' : named;
  const owned = field === 'latency' || field === 'language' ? '' : "user's ";
  if (!OWN_NAMES.has(key) && (typeof field === 'string' || !isOwnName(key, field, draft.format)))
    addRead(draft, `"${path}" as the ${owned}${attributeName(field)}`);
  draft.context.push({ field, label: key, value, ...unitOf(found) });
}

const unitOf = (found: LabelMeaning | null) => (found?.unit === undefined ? {} : { unit: found.unit });

/** Answers among which a model let choose: the first is what it said. */
function readAlternatives({ draft, key, value, path }: Key): boolean {
  if (!draft.format.words.keys.alternatives.includes(key) || !Array.isArray(value)) return false;
  const [first, ...more] = value;
  const text = textOf(first, draft.format.words);
  if (text === null) draft.unused.push(path);
  else draft.turns.push({ role: 'system', word: 'assistant', text, marked: false });
  addRead(draft, `"${path}[0]" as the system's turn`);
  if (more.length > 0) draft.assumed.push(`not used: ${more.length} more of "${path}" (the first is judged)`);
  return true;
}

/** Reads a key by what it means as a label; whether it could. */
function readMeaning(at: Key): boolean {
  const { draft, value, owner, path, found } = at;
  const meaning = found?.meaning;
  switch (meaning?.kind) {
    case 'role':
      if (typeof value === 'object' && owner !== 'case') return false;
      addParty(draft, meaning.role, found?.word ?? '', value, path);
      return true;
    case 'section':
    case 'venue-or-name':
      return readSection(at);
    case 'venue':
      if (owner === 'context' || owner === 'user') return false;
      addAttribute(at, meaning.field);
      return true;
    case 'place':
      if (owner === 'system' || owner === 'venue') addAttribute(at, meaning.field);
      else addSituation(at, meaning.field);
      return true;
    case 'context':
      addSituation(at, meaning.field);
      return true;
    default:
      return false;
  }
}

/** Whether an object is a venue by itself: at least two of its attributes and nobody speaking. */
export function holdsVenue(value: object, format: CaseFormat): boolean {
  const keys = Object.keys(value);
  const attributes = keys.filter(
    (key) => key === 'title' || keyMeaning(key, format)?.meaning.kind === 'venue',
  );
  return attributes.length >= 2 && !keys.some((key) => roleOfKey(key, format) !== null);
}

/** A venue under a key that no list knows, such as `result`. */
function readHiddenVenue({ draft, value, path }: Key): boolean {
  const [first] = Array.isArray(value) ? value : [value];
  if (!isRecord(first) || !holdsVenue(first, draft.format)) return false;
  addVenue(draft, value, path);
  return true;
}

/** An object that declared fields make up, such as `action`; its keys are named as in a paste. */
function readGroup({ draft, key, value, path }: Key): boolean {
  const { groups, words } = draft.format;
  const fields = groups.get(key);
  if (key === 'recommendation' || key === 'context' || fields === undefined || !isRecord(value)) return false;
  for (const [label, inner] of Object.entries(value)) {
    const word = wordOf(label, words);
    const field = fields.find(({ name, labels }) =>
      [name, ...labels].some((known) => wordOf(known, words) === word),
    );
    if (field === undefined) draft.unused.push(`${path}.${excerpt(label, 40)}`);
    else draft.venue.push({ field, label, value: inner });
  }
  return true;
}

function readKey(at: Key): void {
  const { draft, key, value, owner, path } = at;
  const { words } = draft.format;
  if (readAlternatives(at)) return;
  if (isTurnList(key, words) && Array.isArray(value)) {
    if (key !== 'conversation') addRead(draft, `"${path}" as the conversation`);
    addTurns(draft, value, path);
    return;
  }
  if (readGroup(at) || takeField(at) || readDocuments(at)) return;
  if (readMeaning(at) || readHiddenVenue(at)) return;
  if (isRecord(value) && isWrapper(key, words) && turnOf(value, draft.format)?.found)
    addTurns(draft, [value], path);
  else if (isRecord(value) && isWrapper(key, words)) readKeys(draft, value, owner, path);
  else draft.unused.push(path);
}

/** Reads all keys of an object of a foreign shape into the draft. */
export function readKeys(draft: Draft, object: object, owner: Owner, parent = ''): void {
  const { format } = draft;
  const attributes = Object.keys(object).filter((key) => keyMeaning(key, format)?.meaning.kind === 'venue');
  for (const [key, value] of Object.entries(object)) {
    const path = parent === '' ? excerpt(key, 60) : `${parent}.${excerpt(key, 60)}`;
    if (value === null || value === undefined) continue;
    if ((owner === 'user' || owner === 'system') && isTextKey(key, format.words)) continue;
    // A lone "name" beside a conversation is the name of the test, not of a restaurant.
    if (key === 'name' && attributes.length === 1 && owner === 'case') draft.unused.push(path);
    else readKey({ draft, key, value, owner, path, found: keyMeaning(key, format, value) });
  }
}

/** Whether an object says anything that we can read. */
export const isReadable = (value: object, format: CaseFormat): boolean =>
  turnOf(value, format) !== null ||
  Object.keys(value).some(
    (key) => keyMeaning(key, format) !== null || isTurnList(key, format.words) || format.groups.has(key),
  );
