import { EvalCase, isRecord, Recommendation } from '../case.ts';
import type { CaseFormat } from '../case-format.ts';
import type { Draft } from './draft.ts';
import { attributeName, type Meaning, type Role, wordOf } from './labels.ts';
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
import { venueEntries } from './venue.ts';

const VENUE_KEYS = new Set(Object.keys(Recommendation.shape));

/** Whose keys these are: it decides whether a location is the user's or the venue's. */
type Owner = 'case' | 'user' | 'system' | 'context' | 'venue';

const CONTEXT_NAMES: Readonly<Record<string, string>> = {
  dateTime: "user's date and time",
  latency: 'latency',
  language: 'language',
};
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
    .filter((entry) => !VENUE_KEYS.has(entry.label) && !isOwnName(entry.label, entry.field, draft))
    .map((entry) => `"${path}.${entry.label}" as its ${attributeName(entry.field)}`);
  for (const read of renamed) addRead(draft, read);
  draft.unused.push(...unused.map((key) => `${path}.${excerpt(key, 40)}`));
}

/** Fields that mean in any object what they mean in a case. */
function takeField(draft: Draft, key: string, value: unknown): boolean {
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
  meaning: Meaning | null;
  word: string;
  unit: { unit?: string };
}

function readTurnList({ draft, key, value, path }: Key): boolean {
  if (!isTurnList(key, draft.format.words) || !Array.isArray(value)) return false;
  if (key !== 'conversation') addRead(draft, `"${path}" as the conversation`);
  addTurns(draft, value, path);
  return true;
}

function readDocuments({ draft, key, value, path }: Key): boolean {
  if (!isDocuments(key, draft.format.words) && (key !== 'context' || isRecord(value))) return false;
  if (key !== 'documents') addRead(draft, `"${path}" as documents`);
  addDocuments(draft, value, path);
  return true;
}

function readParty({ draft, value, owner, path, meaning, word }: Key): boolean {
  if (meaning?.kind !== 'role' || (typeof value === 'object' && owner !== 'case')) return false;
  addParty(draft, meaning.role, word, value, path);
  return true;
}

function readSection({ draft, key, value, path, meaning }: Key): boolean {
  if (meaning?.kind !== 'section' && meaning?.kind !== 'venue-or-name') return false;
  const isVenue =
    meaning.kind === 'venue-or-name' || meaning.section === 'venue' || meaning.section === 'system-block';
  if (typeof value === 'string' && meaning.kind === 'venue-or-name') {
    addRead(draft, `"${path}" as the venue's name`);
    draft.venue.push({ field: 'name', label: key, value });
  } else if (isVenue || Array.isArray(value)) addVenue(draft, value, path);
  else if (isRecord(value)) readKeys(draft, value, 'context', path);
  else return false;
  return true;
}

function readAttribute({ draft, key, value, owner, path, meaning, unit }: Key): boolean {
  const isOfVenue =
    (meaning?.kind === 'venue' && owner !== 'context' && owner !== 'user') ||
    (meaning?.kind === 'place' && (owner === 'system' || owner === 'venue'));
  if (!isOfVenue) return false;
  if (key !== meaning.field && !isOwnName(key, meaning.field, draft))
    addRead(draft, `"${path}" as the venue's ${attributeName(meaning.field)}`);
  draft.venue.push({ field: meaning.field, label: key, value, ...unit });
  return true;
}

/** A timestamp beside a turn is the log's; within a context it is the user's date and time. */
function readSituation({ draft, key, value, owner, path, meaning, unit }: Key): boolean {
  if (meaning?.kind !== 'place' && meaning?.kind !== 'context') return false;
  if (meaning.field === 'timestamp' && owner !== 'context') {
    const hint = momentHint(value, draft.format);
    draft.unused.push(`${path} (the log's time is not the user's${hint === null ? '' : `: ${hint}`})`);
    return true;
  }
  const field = meaning.field === 'timestamp' ? 'dateTime' : meaning.field;
  const name = attributeName(field);
  const usual = typeof field === 'string' ? CONTEXT_NAMES[field] : undefined;
  if (!OWN_NAMES.has(key) && !isOwnName(key, field, draft))
    addRead(draft, `"${path}" as the ${usual ?? `user's ${name}`}`);
  draft.context.push({ field, label: key, value, ...unit });
  return true;
}

/** Whether a key is the very name of a declared field. */
const isOwnName = (key: string, field: string | { name: string }, { format: { words } }: Draft): boolean =>
  typeof field === 'object' && wordOf(field.name, words) === wordOf(key, words);

const OWN_NAMES = new Set(['date', 'time', 'location', 'latitude', 'longitude', 'language']);

const hasRole = (value: object, format: CaseFormat): boolean =>
  Object.keys(value).some((key) => roleOfKey(key, format) !== null);

/** Whether an object is a venue by itself: at least two of its attributes and nobody speaking. */
export const holdsVenue = (value: object, format: CaseFormat): boolean =>
  !hasRole(value, format) &&
  Object.keys(value).filter((key) => keyMeaning(key, format)?.meaning.kind === 'venue' || key === 'title')
    .length >= 2;

/** A venue under a key that no table knows, such as `result`. */
function readHiddenVenue({ draft, value, path }: Key): boolean {
  const [first] = Array.isArray(value) ? value : [value];
  if (!isRecord(first) || !holdsVenue(first, draft.format)) return false;
  addVenue(draft, value, path);
  return true;
}

function readWrapper({ draft, key, value, owner, path }: Key): boolean {
  if (!isRecord(value) || !isWrapper(key, draft.format.words)) return false;
  readKeys(draft, value, owner, path);
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

/** Each says whether the key was its own; the first that says so has it. */
const READERS: readonly ((key: Key) => boolean)[] = [
  readTurnList,
  readGroup,
  ({ draft, key, value }) => takeField(draft, key, value),
  readDocuments,
  readParty,
  readSection,
  readAttribute,
  readSituation,
  readHiddenVenue,
  readWrapper,
];

function readKey(draft: Draft, key: string, value: unknown, owner: Owner, path: string): void {
  const found = keyMeaning(key, draft.format, value);
  const unit = found?.unit === undefined ? {} : { unit: found.unit };
  const whole: Key = {
    draft,
    key,
    value,
    owner,
    path,
    meaning: found?.meaning ?? null,
    word: found?.word ?? key,
    unit,
  };
  if (!READERS.some((read) => read(whole))) draft.unused.push(path);
}

/** Reads all keys of an object of a foreign shape into the draft. */
export function readKeys(draft: Draft, value: object, owner: Owner, path = ''): void {
  const isFlatVenue =
    Object.keys(value).filter((key) => keyMeaning(key, draft.format)?.meaning.kind === 'venue').length === 1;
  for (const [key, inner] of Object.entries(value)) {
    const at = path === '' ? excerpt(key, 60) : `${path}.${excerpt(key, 60)}`;
    if (inner === null || inner === undefined) continue;
    if ((owner === 'user' || owner === 'system') && isTextKey(key, draft.format.words)) continue;
    // A lone "name" beside a conversation is the name of the test, not of a restaurant.
    if (key === 'name' && isFlatVenue && owner === 'case') draft.unused.push(at);
    else readKey(draft, key, inner, owner, at);
  }
}

/** Whether an object says anything that we can read. */
export const isReadable = (value: object, format: CaseFormat): boolean =>
  turnOf(value, format) !== null ||
  Object.keys(value).some(
    (key) => keyMeaning(key, format) !== null || isTurnList(key, format.words) || format.groups.has(key),
  );
