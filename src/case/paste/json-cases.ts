import { isRecord } from '../case.ts';
import type { CaseFormat } from '../case-format.ts';
import { emptyDraft, type Parsed } from './draft.ts';
import { finishDraft, missingMoment } from './finish-draft.ts';
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
} from './json.ts';
import { addRead, addTurns, readKeys } from './keys.ts';
import { momentHint } from './moments.ts';
import {
  closestKey,
  explainIssues,
  HOW,
  MAX_ITEMS,
  numbered,
  type Paste,
  refused,
  tooLong,
  tooMany,
} from './problems.ts';
import { readText } from './read-text.ts';
import { excerpt } from './text.ts';
import { isTurnList, isWrapper, roleOfKey, textOf, turnOf } from './turns.ts';

const isOurTurn = (turn: unknown): boolean =>
  isRecord(turn) && 'role' in turn && 'text' in turn && (turn.role === 'user' || turn.role === 'system');

/**
 * Whether an object is meant to be a case as the contract has it, and so must keep to it. Other shapes are told by
 * keys or turns that the contract does not know.
 */
function isOurs(value: object, format: CaseFormat): boolean {
  const { shape, words } = format;
  const keys = Object.keys(value);
  const strange = keys.filter((key) => !Object.hasOwn(shape, key));
  const conversation: unknown = Reflect.get(value, 'conversation');
  if (Array.isArray(conversation)) {
    const isForeign =
      conversation.length > 0 &&
      conversation.every((turn) => isOurTurn(turn) || turnOf(turn, format)?.found) &&
      !conversation.every(isOurTurn);
    if (isForeign) return false;
    if (keys.includes('response')) return true;
    const last: unknown = conversation.at(-1);
    const endsWithSystem = isRecord(last) && isOurTurn(last) && Reflect.get(last, 'role') === 'system';
    const isMistyped = strange.some((key) => closestKey(key, ['response']) !== null);
    if (endsWithSystem) return isMistyped;
  }
  const speaks = strange.some((key) => isTurnList(key, words) || roleOfKey(key, format) !== null);
  return !speaks && !strange.some((key) => isWrapper(key, words) && isRecord(Reflect.get(value, key)));
}

function readStrictly(value: object, format: CaseFormat): Parsed {
  const checked = format.schema.safeParse(value);
  if (!checked.success)
    return explainIssues(checked.error.issues, value, 'The JSON is no valid case', format);
  return { case: checked.data, assumed: missingMoment(checked.data) };
}

/** In `{system, user, response}` the system's key holds its instructions. */
export function readForeign(value: object, format: CaseFormat, assumed: readonly string[]): Parsed {
  const draft = emptyDraft(format, assumed);
  const answers = Object.keys(value).some((key) => key !== 'system' && roleOfKey(key, format) === 'system');
  const rest = answers
    ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'system'))
    : value;
  if (answers && 'system' in value) draft.assumed.push('left out: "system", read as instructions');
  if (turnOf(rest, format)?.found) addTurns(draft, [rest], 'object');
  else readKeys(draft, rest, 'case');
  // What a model answered may stand beside the messages that it got.
  const reply = draft.isOrdered && draft.turns.at(-1)?.role === 'user' ? textOf(rest, format.words) : null;
  if (reply !== null) {
    addRead(draft, 'its text as the answer');
    draft.turns.push({ role: 'system', word: 'assistant', text: reply, marked: false });
  }
  if (draft.turns.at(-1)?.role === 'system' && !('response' in value))
    addRead(draft, 'the last turn as the response');
  // Keys have no order: what the user said comes before the one answer to it.
  if (!draft.isOrdered && draft.turns.length === 2 && draft.turns[0]?.role === 'system')
    draft.turns.reverse();
  return finishDraft(draft);
}

/** An object as a case: strictly by the contract where it is meant to be one, else by what its keys usually mean. */
function readObject(value: object, format: CaseFormat, assumed: readonly string[] = []): Parsed {
  if (!isOurs(value, format)) return readForeign(value, format, assumed);
  const parsed = readStrictly(value, format);
  return 'case' in parsed ? { ...parsed, assumed: [...assumed, ...parsed.assumed] } : parsed;
}

/** Whether an object holds a whole exchange by itself. */
function holdsExchange(value: object, format: CaseFormat): boolean {
  const keys = Object.keys(value);
  const { words } = format;
  if (keys.some((key) => isTurnList(key, words) && Array.isArray(Reflect.get(value, key)))) return true;
  if (turnOf(value, format) !== null) return false;
  const roles = new Set(keys.map((key) => roleOfKey(key, format)));
  const wraps = keys.some(
    (key) =>
      isWrapper(key, words) &&
      isRecord(Reflect.get(value, key)) &&
      holdsExchange(Reflect.get(value, key), format),
  );
  return (roles.has('user') && roles.has('system')) || wraps;
}

/** @param length characters of its JSON, where they are known */
function fromValue(value: unknown, { limit, format }: Paste, length?: number): Parsed {
  if (!isRecord(value))
    return refused(
      `Not a case: an object such as {"conversation":[…],"response":"…"} was expected, found ${Array.isArray(value) ? 'a list' : JSON.stringify(value)?.slice(0, 40)}.`,
      ['conversation', 'response'],
    );
  const size = length ?? JSON.stringify(value).length;
  return size > limit ? tooLong(size, limit) : readObject(value, format);
}

function fromTurns(turns: readonly unknown[], { limit, format }: Paste): Parsed {
  const length = JSON.stringify(turns).length;
  if (length > limit) return tooLong(length, limit);
  const draft = emptyDraft(format);
  addTurns(draft, turns, 'list');
  draft.assumed.push('the list was read as one conversation, its last turn as the response');
  return finishDraft(draft);
}

/** A request to a model and what came back, one after the other, are one exchange. */
function asExchange(list: readonly unknown[], { words }: CaseFormat): object | null {
  const [request, reply, ...more] = list;
  const holds = (value: unknown, keys: readonly string[]) =>
    isRecord(value) && keys.some((key) => Array.isArray(value[key]));
  const isPair =
    more.length === 0 && holds(request, words.keys.turns) && holds(reply, words.keys.alternatives);
  return isPair ? { request, reply } : null;
}

function fromArray(list: readonly unknown[], paste: Paste): Parsed[] {
  if (list.length === 0)
    return [refused(`The list is empty: there is no case in it. ${HOW}`, ['conversation', 'response'])];
  if (list.every((item) => turnOf(item, paste.format) !== null)) return [fromTurns(list, paste)];
  if (list.length > MAX_ITEMS) return tooMany(list.length);
  const exchange = asExchange(list, paste.format);
  if (exchange) return [fromValue(exchange, paste)];
  return list.map((item, index) => numbered(fromValue(item, paste), `Item ${index + 1}`));
}

interface Line {
  text: string;
  number: number;
}

const tooDeep = (): Parsed =>
  refused(`The brackets are nested more than ${MAX_DEPTH} deep: write the case as docs/cases.md shows.`);

/** Lines of JSON: at least half begin like an object, the first one does, and one of the first hundred is one. */
function jsonLines(text: string): Line[] | null {
  const lines = text
    .split('\n')
    .map((line, index) => ({ text: line.trim(), number: index + 1 }))
    .filter((line) => line.text !== '');
  const starting = lines.filter((line) => line.text.startsWith('{'));
  if (
    lines.length < 2 ||
    starting.length * 2 < lines.length ||
    (!lines[0]?.text.startsWith('{') && starting.length * 3 < lines.length * 2)
  )
    return null;
  const isLine = (line: Line) =>
    line.text.endsWith('}') && !isTooDeep(line.text) && 'value' in parseJson(line.text);
  return starting.slice(0, 100).some(isLine) ? lines : null;
}

/** What one line holds, or why nothing was read from it. */
function readLine({ text, number }: Line, { limit }: Paste): { value: unknown } | { failed: Parsed } {
  const where = `Line ${number}`;
  if (text.length > limit) return { failed: numbered(tooLong(text.length, limit), where) };
  if (isTooDeep(text)) return { failed: numbered(tooDeep(), where) };
  const parsed = parseJson(text);
  if ('value' in parsed) return parsed;
  const problem = `${where}: not valid JSON (${parsed.error}). Write one JSON case per line.`;
  return { failed: refused(problem, ['conversation', 'response']) };
}

function fromLines(lines: readonly Line[], paste: Paste): Parsed[] {
  if (lines.length > MAX_ITEMS) return tooMany(lines.length);
  const read = lines.map((line) => readLine(line, paste));
  const turns = read.flatMap((one) =>
    'value' in one && turnOf(one.value, paste.format) !== null ? [one.value] : [],
  );
  if (turns.length === lines.length) return [fromTurns(turns, paste)];
  const exchange = asExchange(
    read.map((one) => ('value' in one ? one.value : null)),
    paste.format,
  );
  if (exchange) return [fromValue(exchange, paste)];
  return read.map((one, index) => {
    if ('failed' in one) return one.failed;
    const { value } = one;
    const isDialog = Array.isArray(value) && value.some((item) => turnOf(item, paste.format));
    const { number, text = '' } = lines[index] ?? {};
    return numbered(
      isDialog ? fromTurns(value, paste) : fromValue(value, paste, text.length),
      `Line ${number}`,
    );
  });
}

/** JSON in its usual forms, or null where the text is something else. */
export function readJson(paste: Paste): Parsed[] | null {
  const { text } = paste;
  if (!/^[{[]/.test(text)) {
    const lines = text.includes('\n{') ? jsonLines(text) : null;
    return lines && fromLines(lines, paste);
  }
  // A list with an object on each line is no JSONL.
  const parsed = isTooDeep(text) ? null : parseJson(text);
  if (parsed && 'value' in parsed)
    return Array.isArray(parsed.value) ? fromArray(parsed.value, paste) : [fromValue(parsed.value, paste)];
  const lines = jsonLines(text);
  if (lines) return fromLines(lines, paste);
  return parsed === null ? [tooDeep()] : null;
}

/** What is nearly JSON, repaired where that changes no value; what was cut off is refused, for its end is not known. */
export function readBroken(paste: Paste): Parsed[] | null {
  const { text } = paste;
  const parsed = isJsonLike(text) ? parseJson(text) : null;
  if (parsed === null || 'value' in parsed) return null;
  const value = isCutOff(text) ? null : repairJson(text);
  if (value !== null) {
    const items = Array.isArray(value) ? fromArray(value, paste) : [fromValue(value, paste)];
    return items.map((item) => ('case' in item ? { ...item, assumed: [NOT_STRICT, ...item.assumed] } : item));
  }
  if (beginsWithObject(text)) return null;
  const why = isCutOff(text)
    ? 'it is cut off, or a quote within a text is not escaped. Paste it whole'
    : `${parsed.error}. Fix it`;
  return [
    refused(`Not valid JSON: ${why}, or write "User: …" and "System: …" lines.`, [
      'conversation',
      'response',
    ]),
  ];
}

/** A case in YAML: told by a key that holds a list of turns. */
export function readYaml({ text, format }: Paste): Parsed[] | null {
  if (!/^(?:conversation|messages|turns) ?: ?$/m.test(text)) return null;
  const value = parseYaml(text);
  return value !== null && holdsExchange(value, format) ? [readObject(value, format)] : null;
}

/** The beginning of a line of a log before the object at `start`, where that begins with a time; else nothing. */
function logLead(text: string, start: number, format: CaseFormat): { lead: string; hint: string | null } {
  const near = text.slice(Math.max(0, start - 200), start);
  const lead = near.slice(near.lastIndexOf('\n') + 1);
  const hint = /^[ [(]{0,3}\d/.test(lead) ? momentHint(lead, format) : null;
  return { lead: hint === null ? '' : lead, hint };
}

/** Whole exchanges as objects among other text, such as lines of a log: a case each. */
export function readLog({ text, format }: Paste): Parsed[] | null {
  const objects = findJson(text)
    .filter(({ value }) => isRecord(value) && holdsExchange(value, format))
    .map((object) => ({ ...object, ...logLead(text, object.start, format) }));
  if (objects.length === 0) return null;
  const pieces = objects.map(({ start, lead }, index) =>
    text.slice(objects[index - 1]?.end ?? 0, start - lead.length),
  );
  const around = readText(pieces.join('') + text.slice(objects.at(-1)?.end), format);
  const isBare = around.turns.length === 0 && around.context.length === 0 && around.venue.length === 0;
  if (!isBare && (objects.length === 1 || around.turns.length > 0)) return null;
  return objects.map(({ value, isStrict, lead, hint }) =>
    readObject(value, format, [
      ...(hint === null ? [] : [`left out: "${excerpt(lead)}" before the object: ${hint}`]),
      ...(isStrict ? [] : [NOT_STRICT]),
      ...around.assumed,
    ]),
  );
}
