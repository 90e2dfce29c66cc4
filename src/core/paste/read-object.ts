import { EvalCase, Recommendation } from '../case.ts';
import { excerpt } from './clean-text.ts';
import { type Draft, emptyDraft, type Parsed } from './draft.ts';
import { closestKey, explainIssues } from './explain-issues.ts';
import { finishDraft, missingMoment } from './finish-draft.ts';
import type { Role } from './labels.ts';
import { venueEntries } from './read-venue.ts';
import { isTextKey, isTurnList, keyMeaning, textOf, turnOf } from './turn-keys.ts';

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const CASE_KEYS = Object.keys(EvalCase.shape);
const VENUE_KEYS = new Set(Object.keys(Recommendation.shape));

/** Whose keys these are: it decides whether a location is the user's or the venue's. */
type Owner = 'case' | 'user' | 'system' | 'context' | 'venue';

const WRAPPERS = new Set([
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
const DOCUMENT_KEYS = new Set([
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
const CONTEXT_NAMES: Readonly<Record<string, string>> = { when: "user's date and time", latency: 'latency', language: 'language' };
const ROLE_NAMES: Readonly<Record<Role, string>> = { user: "the user's turn", system: "the system's turn" };

/** Adds one turn given as an object; says what it could not use. */
function addTurn(draft: Draft, value: unknown, path: string): void {
  const turn = turnOf(value);
  if (turn === null && isRecord(value)) {
    readKeys(draft, value, 'case', path);
    return;
  }
  if (!turn?.found || turn.text === null) {
    draft.unused.push(
      turn === null
        ? path
        : `${path} (${turn.found ? 'no text' : `role "${excerpt(String(turn.speaker), 20)}"`})`,
    );
    return;
  }
  const said = String(turn.speaker);
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

function addRead(draft: Draft, read: string): void {
  if (!draft.reads.includes(read)) draft.reads.push(read);
}

export function addTurns(draft: Draft, list: readonly unknown[], path: string): void {
  for (const [index, value] of list.entries()) addTurn(draft, value, `${path}[${index}]`);
}

function addDocuments(draft: Draft, value: unknown, path: string): void {
  for (const [index, item] of (Array.isArray(value) ? value : [value]).entries()) {
    const text = isRecord(item) && 'page_content' in item ? textOf(item.page_content) : textOf(item);
    const id =
      isRecord(item) && 'id' in item && (typeof item.id === 'string' || typeof item.id === 'number')
        ? String(item.id)
        : undefined;
    if (text === null) draft.unused.push(`${path}[${index}]`);
    else draft.documents.push({ text, ...(id === undefined ? {} : { id }) });
  }
}

function addParty(draft: Draft, role: Role, word: string, value: unknown, path: string): void {
  if (Array.isArray(value) && value.some((item) => turnOf(item) !== null)) {
    addRead(draft, `"${path}" as the conversation`);
    addTurns(draft, value, path);
    return;
  }
  const text = textOf(value);
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
  const { entries, unused } = venueEntries(first);
  if (!/^(?:recommendation|venue)$/.test(path)) addRead(draft, `"${path}" as the recommended venue`);
  if (list.length > 1)
    draft.assumed.push(
      `not used: ${list.length - 1} more of "${path}" (one venue is judged, the first counts)`,
    );
  for (const entry of entries) draft.venue.push(entry);
  const renamed = entries
    .filter((entry) => !VENUE_KEYS.has(entry.label))
    .map((entry) => `"${path}.${entry.label}" as its ${entry.field}`);
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

function readKey(draft: Draft, key: string, value: unknown, owner: Owner, path: string): void {
  const found = keyMeaning(key);
  const meaning = found?.meaning;
  const unit = found?.unit === undefined ? {} : { unit: found.unit };
  const isVenueOwner = owner === 'system' || owner === 'venue';
  if (isTurnList(key) && Array.isArray(value)) {
    if (key !== 'conversation') addRead(draft, `"${path}" as the conversation`);
    addTurns(draft, value, path);
  } else if (takeField(draft, key, value)) return;
  else if (DOCUMENT_KEYS.has(key.toLowerCase()) || (key === 'context' && !isRecord(value))) {
    if (key !== 'documents') addRead(draft, `"${path}" as documents`);
    addDocuments(draft, value, path);
  } else if (meaning?.kind === 'role' && (typeof value !== 'object' || owner === 'case'))
    addParty(draft, meaning.role, found?.word ?? key, value, path);
  else if (meaning?.kind === 'section' && isRecord(value)) {
    if (meaning.section === 'venue' || meaning.section === 'system-block') addVenue(draft, value, path);
    else readKeys(draft, value, 'context', path);
  } else if ((meaning?.kind === 'venue-or-name' || meaning?.kind === 'section') && Array.isArray(value))
    addVenue(draft, value, path);
  else if (meaning?.kind === 'venue-or-name' && isRecord(value)) addVenue(draft, value, path);
  else if (meaning?.kind === 'venue-or-name' && typeof value === 'string') {
    addRead(draft, `"${path}" as the venue's name`);
    draft.venue.push({ field: 'name', label: key, value });
  } else if (meaning?.kind === 'venue' && owner !== 'context' && owner !== 'user') {
    if (key !== meaning.field) addRead(draft, `"${path}" as the venue's ${meaning.field}`);
    draft.venue.push({ field: meaning.field, label: key, value, ...unit });
  } else if (meaning?.kind === 'place' && isVenueOwner)
    draft.venue.push({ field: meaning.field, label: key, value, ...unit });
  else if (meaning?.kind === 'place' || meaning?.kind === 'context')
    addContext(draft, key, value, owner, path);
  else if (isRecord(value) && WRAPPERS.has(key.toLowerCase())) readKeys(draft, value, owner, path);
  else draft.unused.push(path);
}

/** A timestamp beside a turn is the log's; within a context it is the user's date and time. */
function addContext(draft: Draft, key: string, value: unknown, owner: Owner, path: string): void {
  const found = keyMeaning(key);
  const meaning = found?.meaning;
  if (meaning?.kind !== 'place' && meaning?.kind !== 'context') return;
  const isLogTime = meaning.field === 'timestamp' && owner !== 'context';
  if (isLogTime) {
    draft.unused.push(`${path} (the log's time is not the user's)`);
    return;
  }
  const field = meaning.field === 'timestamp' ? 'when' : meaning.field;
  if (!['date', 'time', 'location', 'latitude', 'longitude', 'language'].includes(key))
    addRead(draft, `"${path}" as the ${CONTEXT_NAMES[field] ?? `user's ${field}`}`);
  draft.context.push({
    field,
    label: key,
    value,
    ...(found?.unit === undefined ? {} : { unit: found.unit }),
  });
}

/** Reads all keys of an object of a foreign shape into the draft. */
export function readKeys(draft: Draft, value: object, owner: Owner, path = ''): void {
  const isFlatVenue =
    Object.keys(value).filter((key) => keyMeaning(key)?.meaning.kind === 'venue').length === 1;
  for (const [key, inner] of Object.entries(value)) {
    const at = path === '' ? excerpt(key, 60) : `${path}.${excerpt(key, 60)}`;
    if (inner === null || inner === undefined) continue;
    if ((owner === 'user' || owner === 'system') && isTextKey(key)) continue;
    // A lone "name" beside a conversation is the name of the test, not of a restaurant.
    if (key === 'name' && isFlatVenue && owner === 'case') draft.unused.push(at);
    else readKey(draft, key, inner, owner, at);
  }
}

const hasRole = (value: object): boolean =>
  Object.keys(value).some((key) => keyMeaning(key)?.meaning.kind === 'role');

const isOurTurn = (turn: unknown): boolean =>
  isRecord(turn) && 'role' in turn && 'text' in turn && (turn.role === 'user' || turn.role === 'system');

/**
 * Whether an object is meant to be a case as the contract has it, and so must keep to it. Other shapes are told by
 * keys or turns that the contract does not know.
 */
function isOurs(value: object): boolean {
  const keys = Object.keys(value);
  const strange = keys.filter((key) => !CASE_KEYS.includes(key));
  const conversation: unknown = Reflect.get(value, 'conversation');
  if (Array.isArray(conversation)) {
    const isForeign =
      conversation.length > 0 &&
      conversation.every((turn) => isOurTurn(turn) || turnOf(turn)?.found) &&
      !conversation.every(isOurTurn);
    if (isForeign) return false;
    if (keys.includes('response')) return true;
    const last: unknown = conversation.at(-1);
    const endsWithSystem = isRecord(last) && isOurTurn(last) && Reflect.get(last, 'role') === 'system';
    const isMistyped = strange.some((key) => closestKey(key, ['response']) !== null);
    if (endsWithSystem) return isMistyped;
  }
  const speaks = strange.some((key) => isTurnList(key) || keyMeaning(key)?.meaning.kind === 'role');
  return (
    !speaks && !strange.some((key) => WRAPPERS.has(key.toLowerCase()) && isRecord(Reflect.get(value, key)))
  );
}

function readStrictly(value: object): Parsed {
  const checked = EvalCase.safeParse(value);
  if (!checked.success) return explainIssues(checked.error.issues, value, 'The JSON is no valid case');
  return { case: checked.data, assumed: missingMoment(checked.data) };
}

/** In `{system, user, response}` the system's key holds its instructions. */
function readForeign(value: object, assumed: readonly string[]): Parsed {
  const draft = emptyDraft();
  draft.assumed.push(...assumed);
  const answers = Object.keys(value).some(
    (key) => key !== 'system' && keyMeaning(key)?.meaning.kind === 'role' && roleOfKey(key) === 'system',
  );
  const rest = answers
    ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'system'))
    : value;
  if (answers && 'system' in value) draft.assumed.push('left out: "system", read as instructions');
  readKeys(draft, rest, 'case');
  if (draft.turns.at(-1)?.role === 'system' && !('response' in value))
    addRead(draft, 'the last turn as the response');
  // Keys have no order: what the user said comes before the one answer to it.
  if (draft.turns.length === 2 && draft.turns[0]?.role === 'system') draft.turns.reverse();
  return finishDraft(draft);
}

const roleOfKey = (key: string): Role | null => {
  const meaning = keyMeaning(key)?.meaning;
  return meaning?.kind === 'role' ? meaning.role : null;
};

/** An object as a case: strictly by the contract where it is meant to be one, else by what its keys usually mean. */
export function readObject(value: object, assumed: readonly string[] = []): Parsed {
  if (!isOurs(value)) return readForeign(value, assumed);
  const parsed = readStrictly(value);
  return 'case' in parsed ? { ...parsed, assumed: [...assumed, ...parsed.assumed] } : parsed;
}

/** Whether an object holds a whole exchange by itself. */
export function holdsExchange(value: object): boolean {
  const keys = Object.keys(value);
  if (keys.some((key) => isTurnList(key) && Array.isArray(Reflect.get(value, key)))) return true;
  if (turnOf(value) !== null) return false;
  const roles = new Set(keys.map(roleOfKey));
  const wraps = keys.some(
    (key) =>
      WRAPPERS.has(key.toLowerCase()) &&
      isRecord(Reflect.get(value, key)) &&
      holdsExchange(Reflect.get(value, key)),
  );
  return (roles.has('user') && roles.has('system')) || wraps;
}

/** Whether an object is a venue by itself: at least two of its attributes and nobody speaking. */
export const holdsVenue = (value: object): boolean =>
  !hasRole(value) &&
  Object.keys(value).filter((key) => keyMeaning(key)?.meaning.kind === 'venue' || key === 'title').length >=
    2;

/** Whether an object says anything that we can read. */
export const isReadable = (value: object): boolean =>
  turnOf(value) !== null ||
  hasRole(value) ||
  Object.keys(value).some((key) => keyMeaning(key) !== null || isTurnList(key));
