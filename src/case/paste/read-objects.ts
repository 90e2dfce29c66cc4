import type { CaseFormat } from '../format/index.ts';
import { EvalCase, isRecord, ToolCall, WITHHELD_FIELDS } from '../index.ts';
import { excerpt } from './clean-text.ts';
import { Draft, finishDraft, joinedPair, leaveOutTime } from './draft.ts';
import {
  answerKeys,
  attributeName,
  holdsVenue,
  isKey,
  isOfTool,
  keyMeaning,
  type LabelMeaning,
  meaningOf,
  type Role,
  roleOfKey,
  textOf,
  turnOf,
  wordOf,
} from './label-meanings.ts';
import { isLetter, readLabel } from './line-labels.ts';
import type { ReadItem } from './problems.ts';
import { toolCallsIn, toolPartsOf } from './read-calls.ts';
import { claim } from './spans.ts';
import type { Leaves } from './value-positions.ts';

/** What an object's keys belong to. Decides, for example, whether a location is the user's or the venue's. */
type Owner = 'case' | 'user' | 'system' | 'context' | 'venue';

/** One key of an object that is not in the contract's format, with its meaning. */
interface Key {
  draft: Draft;
  key: string;
  value: unknown;
  owner: Owner;
  /** The path from the top of the input, for messages. */
  path: string;
  found: LabelMeaning | null;
}

/**
 * Reads a key into the draft.
 * @returns how it was read, for a note; an empty string if no note is needed; null if the key is not for this reader
 */
type KeyReader = (at: Key) => string | null;

/** A speaker as written, for messages. */
const spoken = (speaker: unknown): string =>
  excerpt(typeof speaker === 'string' ? speaker : (JSON.stringify(speaker) ?? ''), 20);

function addRead({ reads }: Draft, read: string, at = reads.length): void {
  if (!reads.includes(read)) reads.splice(at, 0, read);
}

/** Keys of a turn that are never read. */
const ASIDE = ['id', 'name', 'type'];

/** Adds a turn whose text is one value of an object, or is joined from several. */
function pushTurn(draft: Draft, role: Role, word: string, given: string): void {
  const { format, leaves } = draft;
  const whole = leaves.takeText(given, format.words.keys.text);
  const text = withoutLabel(given, role, format);
  const [one, ...more] = whole;
  const at = one === undefined || more.length > 0 || text === given ? -1 : one.text.indexOf(text);
  const from = one === undefined || at < 0 ? whole : [one.slice(at)];
  if (at >= 0) draft.labels.push(...whole);
  const calls = role === 'system' ? draft.calls.splice(0) : [];
  draft.turns.push({
    ...{ role, word, text, from, unsure: [], marked: false },
    ...(calls.length > 0 ? { calls } : {}),
  });
}

/** Strips a label of the same role from the start of a turn's text: `"prompt": "User: …"`. */
function withoutLabel(text: string, role: Role, format: CaseFormat): string {
  const label = readLabel(text.slice(0, text.search(/\n|$/)), format);
  const { labelKinds, keys } = format.words;
  if (label?.meaning.kind !== 'role' || label.meaning.role !== role || label.alone || label.value === '')
    return text;
  const isSure = ![...labelKinds.alsoThings, ...keys.ignored].includes(label.word) && !isLetter(label.word);
  if (!isSure) return text;
  // A prompt ends with an empty label for the model to complete.
  const speech = text.slice(label.at).trimEnd();
  const end = speech.lastIndexOf('\n');
  const last = end < 0 ? null : readLabel(speech.slice(end + 1), format);
  return last?.meaning.kind === 'role' && last.value === '' ? speech.slice(0, end).trimEnd() : speech;
}

/** Whether an object among turns holds part of the case: speech, or an object for the venue or another section. */
const holdsOfCase = (value: object, format: CaseFormat): boolean =>
  Object.entries(value).some(([key, inner]) => {
    const kind = keyMeaning(key, format)?.meaning.kind ?? '';
    return kind === 'role' || (isRecord(inner) && ['section', 'venue-or-name'].includes(kind));
  });

/** Adds the calls and results of an object among turns: calls wait for the words that come of them. */
function addCalls(draft: Draft, value: unknown, turn: ReturnType<typeof turnOf>, path: string) {
  const { words } = draft.format;
  const parts = toolPartsOf(value, words);
  const { calls, results, keys } = parts;
  if (calls.length + results.length + keys.length > 0) draft.hasCalls = true;
  if (turn?.found?.role !== 'user') draft.calls.push(...calls);
  const known = [...draft.turns.flatMap((turn) => turn.calls ?? []), ...draft.calls];
  for (const { id, result } of results) {
    const open = known.filter(({ call }) => call.result === undefined);
    const own = open.find((one) => (id === null ? true : one.id === id));
    const checked = ToolCall.safeParse({ ...own?.call, result });
    if (own !== undefined && checked.success) own.call = checked.data;
    else {
      draft.lostCalls = true;
      draft.unused.push(
        `${path} (${typeof turn?.speaker === 'string' && turn.found === null ? `role "${spoken(turn.speaker)}"` : 'the result of an unknown call'})`,
      );
    }
  }
  const of = isRecord(value) ? value : {};
  draft.claims.push(
    ...[...keys, ...(parts.isWhole ? Object.keys(of) : [])].map((key) =>
      claim({ is: 'field', path: 'toolCalls' }, ...draft.leaves.take(of[key], key)),
    ),
  );
  return parts;
}

/** Gives calls without words of their own to the words before them, if the system said any since the user last spoke. */
function dropCalls(draft: Draft): void {
  const last = draft.turns.at(-1);
  const left = draft.calls.splice(0);
  if (left.length === 0) return;
  if (last?.role === 'system') last.calls = [...(last.calls ?? []), ...left];
  else {
    draft.lostCalls = true;
    draft.unused.push(...left.map(({ call }) => `${excerpt(call.name, 40)} (a call without words after it)`));
  }
}

/** Adds one turn given as an object, and lists what could not be used. */
function addTurn(draft: Draft, value: unknown, path: string): void {
  const turn = turnOf(value, draft.format);
  const ofTool = addCalls(draft, value, turn, path);
  if (ofTool.isWhole) return;
  if (turn?.found?.role === 'user' && turn.text !== null) dropCalls(draft);
  if (turn === null && isOfTool(value, draft.format.words)) {
    draft.lostCalls = true;
    draft.unused.push(`${path} (of a tool)`);
  } else if (turn === null && isRecord(value) && holdsOfCase(value, draft.format))
    readKeys(draft, value, 'case', path);
  else if (turn?.found && turn.text !== null) {
    const { found, text, rest } = turn;
    const { role, word } = found;
    const speakerText = spoken(turn.speaker);
    if (word !== role || speakerText !== speakerText.toLowerCase())
      addRead(draft, `role "${speakerText}" as ${role}`);
    pushTurn(draft, role, word, text);
    const entries = rest
      .filter((key) => !ofTool.keys.includes(key))
      .map((key): [string, unknown] => [key, Reflect.get(Object(value), key)]);
    draft.unused.push(...rest.filter((key) => ASIDE.includes(key)).map((key) => `${path}.${key}`));
    readKeys(draft, Object.fromEntries(entries.filter(([key]) => !ASIDE.includes(key))), role, path);
  } else if (ofTool.keys.length === 0 && ofTool.calls.length + ofTool.results.length === 0) {
    const why = turn?.found ? ' (no text)' : turn ? ` (role "${spoken(turn.speaker)}")` : '';
    draft.unused.push(`${path}${why}`);
  }
}

export function addTurns(draft: Draft, list: readonly unknown[], path: string): void {
  draft.isOrdered = true;
  for (const [index, value] of list.entries()) addTurn(draft, value, `${path}[${index}]`);
}

/** Adds a venue from an object, or from the first object of a list. */
export function addVenue(draft: Draft, value: unknown, path: string): string {
  const [first, ...more] = Array.isArray(value) ? value.filter(isRecord) : [value];
  if (more.length > 0)
    draft.assumed.push(`not used: ${more.length} more of "${path}" (one venue is judged, the first counts)`);
  if (isRecord(first)) readKeys(draft, first, 'venue', path);
  else draft.unused.push(path);
  return path === 'recommendation' ? '' : 'the recommended venue';
}

/** Reads a list of turns, or of a model's alternative answers, of which the first is judged. */
const readTurnList: KeyReader = ({ draft, key, value, path }) => {
  const { words } = draft.format;
  if (!Array.isArray(value)) return null;
  if (isKey('turns', key, words)) {
    addTurns(draft, value, path);
    return 'the conversation';
  }
  if (!isKey('alternatives', key, words)) return null;
  const [first, ...more] = value;
  const text = textOf(first, words);
  if (text === null) draft.unused.push(path);
  else pushTurn(draft, 'system', 'assistant', text);
  if (text !== null && more.length > 0)
    draft.assumed.push(`not used: ${more.length} more of "${path}" (the first is judged)`);
  return "the system's turn";
};

/** Reads an object of declared fields, such as `action`; its keys are the labels of a paste. */
const readGroup: KeyReader = ({ draft, key, value, path }) => {
  const { groups, words } = draft.format;
  const fields = groups.get(key);
  if (key === 'recommendation' || key === 'context' || fields === undefined || !isRecord(value)) return null;
  for (const [label, inner] of Object.entries(value)) {
    const isField = (name: string) => wordOf(name, words) === wordOf(label, words);
    const field = fields.find(({ name, labels }) => [name, ...labels].some(isField));
    if (field === undefined) draft.unused.push(`${path}.${excerpt(label, 40)}`);
    else draft.venue.push({ field, label, value: inner, from: draft.leaves.take(inner, label) });
  }
  return '';
};

/** Some of the fields of a case. */
const AnyPart = EvalCase.partial();

/** Reads fields that mean the same in any object as in a case, including their other names, such as `expected`. */
const readField: KeyReader = ({ draft, key, value, owner, found }) => {
  const name = found?.meaning.kind === 'field' ? found.meaning.field : key;
  const partNames = [
    ...['id', 'rubric', 'groundTruth', 'history', 'label', 'tags', 'recommendations', 'closing'],
    ...['toolCalls', 'trace', ...WITHHELD_FIELDS],
  ];
  const isField = partNames.includes(name);
  if (!isField || (name === 'id' && owner !== 'case')) return null;
  const given = name === 'id' && typeof value === 'number' ? String(value) : value;
  const checked = AnyPart.safeParse({ [name]: given });
  if (!checked.success || Object.hasOwn(draft.fields, name)) return null;
  Object.assign(draft.fields, checked.data);
  draft.claims.push(claim({ is: 'field', path: name }, ...draft.leaves.take(given, key)));
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
    else draft.documents.push({ text, ...name, from: draft.leaves.take(item, key) });
  }
  return 'documents';
};

function readParty({ draft, value, path, found, owner }: Key, role: Role): string | null {
  const { format } = draft;
  if (typeof value === 'object' && owner !== 'case') return null;
  if (Array.isArray(value) && value.some((item) => turnOf(item, format) !== null)) {
    addTurns(draft, value, path);
    return 'the conversation';
  }
  const text = textOf(value, format.words);
  if (text !== null) pushTurn(draft, role, found?.word ?? '', text);
  if (isRecord(value)) readKeys(draft, value, role, path);
  else if (text === null) draft.unused.push(path);
  const isPlain = text === null || (found?.word === 'response' && !isRecord(value));
  return isPlain ? '' : `the ${role}'s turn`;
}

const entryOf = <Of>(field: Of, { draft, key: label, value, found }: Key) => ({
  field,
  label,
  value,
  unit: found?.unit,
  from: draft.leaves.take(value, label),
});

function readAttribute(at: Key, field: Draft['venue'][number]['field']): string {
  at.draft.venue.push(entryOf(field, at));
  const isOfVenue = typeof field === 'string' || field.of === 'recommendation';
  return `${at.owner === 'venue' ? 'its' : isOfVenue ? "the venue's" : 'the'} ${attributeName(field)}`;
}

/** Reads the user's situation. A timestamp in a context is the user's date and time; anywhere else it is the log's. */
function readSituation(at: Key, named: Draft['context'][number]['field']): string {
  const { draft, value, owner, path } = at;
  if (named === 'timestamp' && owner !== 'context') {
    leaveOutTime(draft, path, value, owner === 'user');
    return '';
  }
  const field = named === 'timestamp' ? 'dateTime' : named;
  draft.context.push(entryOf(field, at));
  return `the ${field === 'latency' || field === 'language' ? '' : "user's "}${attributeName(field)}`;
}

/** Reads a key by its meaning as a label. */
const readMeaning: KeyReader = (at) => {
  const { draft, value, owner, path } = at;
  const meaning = at.found?.meaning;
  const isVenue = holdsVenue(value, draft.format);
  switch (meaning?.kind) {
    case 'role':
      return readParty(at, meaning.role);
    case 'section':
      if (typeof value !== 'object' || value === null) return null;
      if (['recommendation', 'systemBlock'].includes(meaning.section) || Array.isArray(value))
        return addVenue(draft, value, path);
      readKeys(draft, value, 'context', path);
      return '';
    case 'venue-or-name':
      return typeof value === 'string' ? readAttribute(at, 'name') : addVenue(draft, value, path);
    case 'venue':
      // {"result": {"name": …, "rating": …}}
      if (isVenue) return addVenue(draft, value, path);
      return owner === 'context' || owner === 'user' ? null : readAttribute(at, meaning.field);
    case 'place':
      return owner === 'system' ? readAttribute(at, meaning.field) : readSituation(at, meaning.field);
    case 'context':
      return readSituation(at, meaning.field);
    default:
      return null;
  }
};

const readWrapper: KeyReader = ({ draft, key, value, owner, path }) => {
  if (!isRecord(value) || !isKey('wrapper', key, draft.format.words)) return null;
  if (turnOf(value, draft.format)?.found) addTurns(draft, [value], path);
  else readKeys(draft, value, owner, path);
  return '';
};

/** Reads a key of a venue. Only its attributes count, on their own or in groups. */
const readVenueKey: KeyReader = (at) => {
  const { draft, key, value, path } = at;
  const meaning = at.found?.meaning;
  if (meaning?.kind === 'venue' || meaning?.kind === 'place') return readAttribute(at, meaning.field);
  if (meaning?.kind === 'venue-or-name' && typeof value === 'string') return readAttribute(at, 'name');
  if (!draft.format.words.keys.venueGroup.includes(key) || !isRecord(value)) return null;
  readKeys(draft, value, 'venue', path);
  return '';
};

/** Reads calls beside a conversation, or beside a request and its answer: they are the answer's. */
const readCalls: KeyReader = ({ draft, key, value, owner }) => {
  const { words } = draft.format;
  if (owner !== 'case' || !words.keys.calls.some((word) => wordOf(word, words) === wordOf(key, words)))
    return null;
  const calls = toolCallsIn(value, words);
  const checked = AnyPart.safeParse({ toolCalls: calls?.map(({ call }) => call) });
  if (calls === null || !checked.success || Object.hasOwn(draft.fields, 'toolCalls')) return null;
  Object.assign(draft.fields, checked.data);
  draft.claims.push(claim({ is: 'field', path: 'toolCalls' }, ...draft.leaves.take(value, key)));
  return 'the tool calls';
};

const READERS = [readTurnList, readGroup, readField, readCalls, readDocuments, readMeaning, readWrapper];

function readKey(at: Key, isLone: boolean): void {
  const { draft, key, owner, path, found } = at;
  // Notes on the keys within it come after its own.
  const before = draft.reads.length;
  let as: string | null = null;
  for (const read of owner === 'venue' ? [readVenueKey] : READERS) as ??= read(at);
  if (as === null) draft.unused.push(path);
  // No note if the words repeat the key: "rating" as its rating.
  const isDoubtful = isLone && as?.startsWith("the venue's");
  const isPlain = as === key || (as?.endsWith(` ${found?.word ?? key}`) && !isDoubtful);
  if (as && !isPlain) addRead(draft, `"${path}" as ${as}`, before);
}

/** Reads all keys of an object into the draft. */
export function readKeys(draft: Draft, object: object, owner: Owner, parent = ''): void {
  const { format } = draft;
  const attributes = Object.keys(object).filter((key) => keyMeaning(key, format)?.meaning.kind === 'venue');
  for (const [key, value] of Object.entries(object)) {
    const path = parent === '' ? excerpt(key, 60) : `${parent}.${excerpt(key, 60)}`;
    const isText = (owner === 'user' || owner === 'system') && format.words.keys.text.includes(key);
    if (value === null || value === undefined || isText) continue;
    // A lone attribute beside a conversation may describe the test and not the venue; a lone name certainly does.
    const isLone = owner === 'case' && attributes.length === 1 && attributes[0] === key;
    const labelMeaning = (owner === 'venue' ? meaningOf : keyMeaning)(key, format, value);
    if (isLone && labelMeaning?.word === 'name') draft.unused.push(path);
    else readKey({ draft, key, value, owner, path, found: labelMeaning }, isLone);
  }
}

/** Reads an object with two answers as a pair; null for any other object. */
function readPairObject(
  value: object,
  format: CaseFormat,
  assumed: readonly string[],
  leaves: Leaves | undefined,
): ReadItem | null {
  const keys = answerKeys(Object.keys(value), format);
  if (keys === null) return null;
  const [first, second] = keys.map((key): unknown => Reflect.get(value, key));
  const isText = (answer: unknown) => typeof answer === 'string' && answer.trim() !== '';
  if (!isText(first) || !isText(second)) return null;
  const shared = Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
  const read = (response: unknown) => readForeign({ ...shared, response }, format, assumed, leaves);
  return joinedPair(read(first), read(second), keys);
}

/**
 * Reads an object in any format, by what its keys usually mean. In `{system, user, response}`, the key `system` holds
 * instructions and is left out.
 * @param assumed notes that come first
 */
export function readForeign(
  value: object,
  format: CaseFormat,
  assumed: readonly string[],
  leaves?: Leaves,
): ReadItem {
  const pair = readPairObject(value, format, assumed, leaves);
  if (pair !== null) return pair;
  const draft = new Draft(format, assumed, leaves);
  const answers = Object.keys(value).some((key) => key !== 'system' && roleOfKey(key, format) === 'system');
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !answers || key !== 'system'));
  if (answers && 'system' in value) draft.assumed.push('left out: "system", read as instructions');
  if (turnOf(rest, format)?.found) addTurns(draft, [rest], 'object');
  else readKeys(draft, rest, 'case');
  const { turns, isOrdered } = draft;
  // A model's reply may be beside the messages that it got.
  const reply = isOrdered && turns.at(-1)?.role === 'user' ? textOf(rest, format.words) : null;
  if (reply !== null) {
    addRead(draft, 'its text as the answer');
    pushTurn(draft, 'system', 'assistant', reply);
  }
  if (turns.at(-1)?.role === 'system' && !('response' in value))
    addRead(draft, 'the last turn as the response');
  // Keys have no order: what the user said comes before the one answer to it.
  if (!isOrdered && turns.length === 2 && turns[0]?.role === 'system') turns.reverse();
  return finishDraft(draft);
}
