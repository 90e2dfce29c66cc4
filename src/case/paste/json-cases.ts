import { nearestTo } from '../../common/text/index.ts';
import type { CaseFormat } from '../format/index.ts';
import { type EvalCase, isRecord } from '../index.ts';
import { Draft, finishDraft, missingMoment } from './draft.ts';
import {
  beginsWithObject,
  findJson,
  isCutOff,
  isJsonLike,
  isTooDeep,
  MAX_DEPTH,
  NOT_STRICT,
  parseJson,
  parseYaml,
  repairJson,
} from './find-json.ts';
import { holdsTurns, isKey, roleOfKey, turnOf } from './label-meanings.ts';
import { linesOf } from './lines.ts';
import {
  BOTH_SIDES,
  explainIssues,
  HOW,
  MAX_ITEMS,
  numbered,
  type Paste,
  type ReadItem,
  refused,
  tooLong,
  tooMany,
} from './problems.ts';
import { readLines } from './read-lines.ts';
import { addTurns, readForeign } from './read-objects.ts';
import { type Claim, claim } from './spans.ts';
import { Tracked } from './tracked-text.ts';
import { itemsOf, Leaves } from './value-positions.ts';

const isOurTurn = (turn: unknown): boolean =>
  isRecord(turn) && 'text' in turn && (turn.role === 'user' || turn.role === 'system');

const isSystemTurn = (turn: unknown): boolean => isOurTurn(turn) && isRecord(turn) && turn.role === 'system';

const isWrapper = (key: string, value: object, { words }: CaseFormat): boolean =>
  isKey('wrapper', key, words) && isRecord(Reflect.get(value, key));

/**
 * Whether an object is meant as a case in the contract's format, and so must be valid. Other formats are recognized by
 * keys or turns that the contract does not know.
 */
function isOurs(value: object, format: CaseFormat): boolean {
  const strange = Object.keys(value).filter((key) => !Object.hasOwn(format.shape, key));
  const conversation: unknown = Reflect.get(value, 'conversation');
  if (Array.isArray(conversation) && conversation.length > 0) {
    const areOurs = conversation.every(isOurTurn);
    if (!areOurs && conversation.every((turn) => isOurTurn(turn) || turnOf(turn, format)?.found))
      return false;
    // {"speaker": …, "utterance": …} is not the contract's format, whatever the speaker.
    if (conversation.every((turn) => isRecord(turn) && !('role' in turn) && turnOf(turn, format)))
      return false;
    if ('response' in value) return true;
    if (isSystemTurn(conversation.at(-1)))
      return strange.some((key) => nearestTo(key, ['response']) !== null);
    // A recommender's log that ends with the user: the response has to be found among its turns.
    if ('recommendations' in value && conversation.some(isSystemTurn)) return false;
  }
  return !strange.some(
    (key) =>
      holdsTurns(key, format.words) || roleOfKey(key, format) !== null || isWrapper(key, value, format),
  );
}

/** The values in a JSON text, with their positions. */
const leavesOf = (json: Tracked): Leaves => {
  const leaves = new Leaves();
  leaves.addJson(json);
  return leaves;
};

/** Claims for the values of a case in the contract's format. */
function claimsOf(value: EvalCase, leaves: Leaves): Claim[] {
  const fields = Object.entries(value).flatMap(([key, inner]): Claim[] => {
    if (key === 'response') return [claim({ is: 'system' }, ...leaves.take(inner, key))];
    if (key === 'conversation')
      return value.conversation.map(({ role, text }) => claim({ is: role }, ...leaves.take(text, 'text')));
    return claimsIn(inner, key, key, leaves);
  });
  return [
    ...fields,
    claim(
      { is: 'label' },
      ...leaves.take(
        value.conversation.map(({ role }) => role),
        'role',
      ),
    ),
  ];
}

/** Claims for one field, or for each field in it if it is an object. */
const claimsIn = (value: unknown, key: string, path: string, leaves: Leaves): Claim[] =>
  isRecord(value)
    ? Object.entries(value).flatMap(([inner, one]) => claimsIn(one, inner, `${path}.${inner}`, leaves))
    : [claim({ is: 'field', path }, ...leaves.take(value, key))];

/**
 * Checks a case, and wraps a single text in a list where the format expects a list of texts: `"device": "fog lights"`. Wraps nothing
 * unless that makes the case valid, so that messages about other errors quote the case as given.
 * @returns `wrapped`: the paths of the new lists
 */
function checkedWithLists(value: object, { schema }: CaseFormat) {
  const checked = schema.safeParse(value);
  const unwrapped = { checked, wrapped: [] };
  if (checked.success) return unwrapped;
  const given: object = structuredClone(value);
  const wrapped = checked.error.issues.flatMap(({ path, ...issue }) => {
    const parent = path.slice(0, -1).reduce<unknown>((at, key) => Reflect.get(Object(at), key), given);
    const key = path.at(-1);
    if (key === undefined || !isRecord(parent) || !('expected' in issue) || issue.expected !== 'array')
      return [];
    const text = Reflect.get(parent, key);
    // "soup, steak" may be two items.
    if (typeof text !== 'string' || text.trim() === '' || /[,;/]/.test(text)) return [];
    Reflect.set(parent, key, [text]);
    return [path.join('.')];
  });
  const again = schema.safeParse(given);
  return again.success ? { checked: again, wrapped } : unwrapped;
}

/** Reads an object as a case: strictly by the contract if it is meant as one, otherwise by what its keys usually mean. */
function readObject(
  value: object,
  format: CaseFormat,
  leaves: () => Leaves,
  assumed: readonly string[] = [],
): ReadItem {
  if (!isOurs(value, format)) return readForeign(value, format, assumed, leaves());
  const { checked, wrapped } = checkedWithLists(value, format);
  if (!checked.success) return explainIssues(checked.error.issues, value, 'The case is not valid', format);
  const lists = wrapped.map((path) => `"${path}" was read as a list of one`);
  return {
    case: checked.data,
    assumed: [...assumed, ...lists, ...missingMoment(checked.data)],
    claims: () => claimsOf(checked.data, leaves()),
  };
}

/** Whether an object holds a whole exchange: a list of turns, both roles as keys, or a wrapper around one. */
function holdsExchange(value: unknown, format: CaseFormat): boolean {
  if (!isRecord(value)) return false;
  const keys = Object.keys(value);
  if (keys.some((key) => holdsTurns(key, format.words) && Array.isArray(value[key]))) return true;
  if (turnOf(value, format) !== null) return false;
  const roles = new Set(keys.map((key) => roleOfKey(key, format)));
  const wraps = (key: string) => isWrapper(key, value, format) && holdsExchange(value[key], format);
  return (roles.has('user') && roles.has('system')) || keys.some(wraps);
}

/** Reads one value as one case. A list of turns is one conversation. */
function readValue(value: unknown, text: Tracked, { limit, format }: Paste): ReadItem {
  const json = JSON.stringify(value);
  if (json.length > limit) return tooLong(json.length, limit);
  if (isRecord(value)) return readObject(value, format, () => leavesOf(text));
  if (Array.isArray(value) && value.some((item) => turnOf(item, format) !== null)) {
    const assumption = 'the list was read as one conversation, its last turn as the response';
    const draft = new Draft(format, [], leavesOf(text));
    addTurns(draft, value, 'list');
    draft.assumed.push(assumption);
    return finishDraft(draft);
  }
  const shownValue = Array.isArray(value) ? 'a list' : json.slice(0, 40);
  const problem = `Not a case: an object such as {"conversation":[…],"response":"…"} was expected, found ${shownValue}.`;
  return refused(problem, BOTH_SIDES);
}

/** One of several values, or why it could not be read. `where` is its name in messages. */
type Item = { where: string; text: Tracked } & ({ value: unknown } | { failed: ReadItem });

/**
 * Whether values are the turns of one conversation. If both roles speak, other objects may stand between the turns, such
 * as tool calls.
 */
function areTurns(items: readonly Item[], format: CaseFormat): boolean {
  const turns = items.map((item) => ('value' in item ? turnOf(item.value, format) : null));
  if (turns.every((turn) => turn !== null)) return true;
  const roles = new Set(turns.map((turn) => turn?.found?.role));
  const isAside = (item: Item) =>
    'value' in item && isRecord(item.value) && !holdsExchange(item.value, format);
  return (
    roles.has('user') && roles.has('system') && items.every((item, at) => turns[at] !== null || isAside(item))
  );
}

/**
 * Reads the values of a list, or of lines, as cases. Turns become one conversation, and so do two values if they are a
 * request to a model and its reply.
 */
function readItems(items: readonly Item[], paste: Paste): ReadItem[] {
  const { format, text } = paste;
  if (items.length === 0) return [refused(`The list is empty. ${HOW}`, BOTH_SIDES)];
  const values = items.map((item) => ('value' in item ? item.value : null));
  if (areTurns(items, format)) return [readValue(values, text, paste)];
  if (items.length > MAX_ITEMS) return tooMany(items.length);
  const [request, reply, ...more] = values;
  const holds = (value: unknown, kind: 'turns' | 'alternatives') =>
    isRecord(value) &&
    Object.keys(value).some((key) => isKey(kind, key, format.words) && Array.isArray(value[key]));
  const isReply = holds(reply, 'alternatives') || turnOf(reply, format)?.found?.role === 'system';
  if (more.length === 0 && holds(request, 'turns') && isReply)
    return [readValue({ request, reply }, text, paste)];
  return items.map((item, index) => {
    const read = 'failed' in item ? item.failed : readValue(item.value, item.text, paste);
    const end = index === items.length - 1 ? {} : { end: item.text.end(item.text.text.length) };
    return { ...numbered(read, item.where), ...end };
  });
}

const readParsed = (value: unknown, paste: Paste): ReadItem[] => {
  if (!Array.isArray(value)) return [readValue(value, paste.text, paste)];
  const places = itemsOf(paste.text);
  const items = value.map((item: unknown, index) => ({
    value: item,
    where: `Item ${index + 1}`,
    text: places[index] ?? paste.text.slice(paste.text.text.length),
  }));
  return readItems(items, paste);
};

const tooDeep = (): ReadItem =>
  refused(`The brackets are nested more than ${MAX_DEPTH} deep: write the case as docs/cases.md shows.`);

/** Reads one line of JSONL. */
function readLine(line: Tracked, where: string, { limit }: Paste): Item {
  const { text } = line;
  const item = { where, text: line };
  if (text.length > limit) return { ...item, failed: tooLong(text.length, limit) };
  if (isTooDeep(text)) return { ...item, failed: tooDeep() };
  const parsed = parseJson(text);
  if ('value' in parsed) return { ...item, ...parsed };
  const problem = `not valid JSON (${parsed.error}). Write one JSON case per line.`;
  return { ...item, failed: refused(problem, BOTH_SIDES) };
}

/**
 * Reads JSONL. To count as JSONL, at least half of the lines must start like an object (two thirds if the first does
 * not), and one of the first hundred of those must be one.
 * @returns null for any other text
 */
function readJsonLines(paste: Paste): ReadItem[] | null {
  const lines = paste.text.lines().flatMap((line, index) => {
    const from = line.trim();
    return from.text === '' ? [] : [{ text: from.text, from, where: `Line ${index + 1}` }];
  });
  const starting = lines.filter(({ text }) => text.startsWith('{'));
  // A text that begins with an object is probably JSONL with some lines of a log. One that begins with words may be a message that
  // quotes objects, so there must be twice as many objects as other lines.
  const least = lines[0]?.text.startsWith('{') ? 1 / 2 : 2 / 3;
  if (lines.length < 2 || starting.length < lines.length * least) return null;
  const isLine = ({ text }: { text: string }) =>
    text.endsWith('}') && !isTooDeep(text) && 'value' in parseJson(text);
  // Parsing is slow, and a hundred lines are enough to tell.
  if (!starting.slice(0, 100).some(isLine)) return null;
  return readItems(
    lines.map(({ from, where }) => readLine(from, where, paste)),
    paste,
  );
}

/** Reads strict JSON or JSONL; null for any other text. */
export function readJson(paste: Paste): ReadItem[] | null {
  const { text } = paste.text;
  if (!/^[{[]/.test(text)) return text.includes('\n{') ? readJsonLines(paste) : null;
  // The whole text comes first: a list with one object per line is not JSONL.
  const parsed = isTooDeep(text) ? null : parseJson(text);
  if (parsed && 'value' in parsed) return readParsed(parsed.value, paste);
  return readJsonLines(paste) ?? (parsed === null ? [tooDeep()] : null);
}

/**
 * Reads text that is nearly JSON. It is repaired if that changes no value; JSON that was cut off is refused.
 * @returns null if the text is not meant as JSON, or starts with a valid object
 */
export function readBroken(paste: Paste): ReadItem[] | null {
  const { text } = paste.text;
  const parsed = isJsonLike(text) ? parseJson(text) : null;
  if (parsed === null || 'value' in parsed) return null;
  const repaired = isCutOff(text) ? null : repairJson(text);
  // A repair that turns an object into a list took in the text around the object.
  if (repaired !== null && !(Array.isArray(repaired) && text.startsWith('{')))
    return readParsed(repaired, paste).map((item) =>
      'case' in item ? { ...item, assumed: [NOT_STRICT, ...item.assumed] } : item,
    );
  if (beginsWithObject(text)) return null;
  const why = isCutOff(text)
    ? 'it is cut off, or a quote within a text is not escaped. Paste it whole'
    : `${parsed.error}. Fix it`;
  return [refused(`Not valid JSON: ${why}, or write "User: …" and "System: …" lines.`, BOTH_SIDES)];
}

/** Recognizes YAML by a list of turns, or by a place with a line per part. */
const YAML =
  /^(?:conversation|messages|turns) ?: ?$|^- (?:role|rolle|speaker|sprecher|from|who|author) ?: ?\S|^ {0,20}(?:location|position|standort|ort) ?: ?\n +\S/im;

/**
 * Reads a case in YAML; null for any other text. Drops the notes on how keys were read, because they look like the labels
 * of a paste.
 */
export function readYaml({ text, format }: Paste): ReadItem[] | null {
  const given = YAML.test(text.text) ? parseYaml(text.text) : null;
  const value = Array.isArray(given) ? { turns: given } : given;
  if (value === null || !holdsExchange(value, format)) return null;
  const leaves = new Leaves();
  leaves.addYaml(text);
  const read = readObject(value, format, () => leaves);
  if ('problem' in read) return [read];
  return [{ ...read, assumed: read.assumed.filter((assumption) => !assumption.startsWith('read ')) }];
}

/**
 * Reads objects that each hold a whole exchange from among other text, such as the lines of a log: each is a case. The
 * other text is noted.
 * @returns null if there is none, or if the other text holds turns, or values that may belong to a single object
 */
export function readEmbedded({ text, format }: Paste): ReadItem[] | null {
  const objects = findJson(text.text).filter(({ value }) => holdsExchange(value, format));
  if (objects.length === 0) return null;
  const pieces = objects.map(({ start }, index) => text.slice(objects[index - 1]?.end ?? 0, start));
  const rest = Tracked.join([...pieces, text.slice(objects.at(-1)?.end ?? 0)]);
  const around = readLines(linesOf(rest, format), format);
  const isBare = around.context.length + around.venue.length === 0;
  if (around.turns.length > 0 || (objects.length === 1 && !isBare)) return null;
  return objects.map(({ value, isStrict, start, end }, index) => {
    const object = text.slice(start, end);
    const assumed = [...(isStrict ? [] : [NOT_STRICT]), ...around.assumed];
    const read = readObject(value, format, () => leavesOf(object), assumed);
    const syntax =
      'claims' in read ? { claims: () => [...read.claims(), claim({ is: 'label' }, object)] } : {};
    return { ...read, ...syntax, ...(index === objects.length - 1 ? {} : { end: text.end(end) }) };
  });
}
