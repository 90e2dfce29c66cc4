import type * as z from 'zod';
import { type CaseFormat, type Field, howToWrite, schemaOfField } from '../../case/format/index.ts';
import { Context, EvalCase, noteKind, Place, placeText, type Turn } from '../../case/index.ts';
import { parseInput, readDeclaredValue } from '../../case/paste/index.ts';

const LABEL = /^(\s*)(user|system)\s*:/i;
const TURN = /^(user|system)\s*: ?/i;

/** Writes turns as lines `User: …` and `System: …`. A line within a turn that looks like a new turn gets a space before it. */
export const writeTurns = (turns: readonly Turn[]): string =>
  turns
    .map(({ role, text }) => {
      const [first = '', ...rest] = text.split('\n');
      const lines = [first, ...rest.map((line) => (LABEL.test(line) ? ` ${line}` : line))];
      return `${role === 'user' ? 'User' : 'System'}: ${lines.join('\n')}`;
    })
    .join('\n');

/** Reads turns as {@link writeTurns} writes them, or typed that way. Text before the first label is the user's. */
export function readTurns(text: string): Turn[] {
  const turns: { role: Turn['role']; lines: string[] }[] = [];
  for (const line of text.replaceAll(/\r\n?/g, '\n').split('\n')) {
    const [label, role] = TURN.exec(line) ?? [];
    const last = turns.at(-1);
    if (label !== undefined && role !== undefined)
      turns.push({
        role: role.toLowerCase() === 'user' ? 'user' : 'system',
        lines: [line.slice(label.length)],
      });
    else if (last === undefined) turns.push({ role: 'user', lines: [line] });
    else last.lines.push(LABEL.test(line) ? line.slice(1) : line);
  }
  return turns
    .map(({ role, lines }) => ({ role, text: lines.join('\n').trimEnd() }))
    .filter(({ text: said }) => said.trim() !== '');
}

/** A conversation as text. A single user turn has no label, unless it would then be read differently. */
export function conversationText(turns: readonly Turn[]): string {
  const [only, ...more] = turns;
  if (only?.role !== 'user' || more.length > 0) return writeTurns(turns);
  const [read, ...others] = readTurns(only.text);
  const isPlain = read?.role === 'user' && read.text === only.text && others.length === 0;
  return isPlain ? only.text : writeTurns(turns);
}

/** The value of a declared field as people type it. Its type was checked when the draft was read. */
export function declaredText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) {
    const words = value.map(String);
    return words.length === 0 ? 'none' : words.join(words.some((word) => word.includes(',')) ? '; ' : ', ');
  }
  if (typeof value !== 'object' || value === null) return String(value);
  const place = Place.safeParse(value);
  const entries = Object.entries(value);
  if (place.success && entries.length > 0) return placeText(place.data);
  return entries.map(([day, spans]) => `${day}: ${spans}`).join('\n');
}

/** The value of a field for the case, or why it could not be read. */
export type ReadField = { value: unknown } | { error: string };

/** Checks a value with a schema. */
function checked(schema: z.ZodType, value: unknown): ReadField {
  const result = schema.safeParse(value);
  if (result.success) return { value: result.data };
  const issues = result.error.issues.slice(0, 3);
  return { error: issues.map(({ path, message }) => [path.join('.'), message].join(' ').trim()).join('; ') };
}

/** In characters, labels included. */
const LONGEST_FIELD = 10_000;

const USER = 'x';
const SYSTEM = 'y';

/** Reads a field's lines with the paste parser, next to a dummy exchange. It is an error if the parser finds anything else. */
function fieldBeside(
  key: 'recommendation' | 'documents' | 'context',
  lines: string,
  format: CaseFormat,
  how: string,
): ReadField {
  // Fields are parsed in the main thread, so they must be short; long pastes are parsed in a thread of their own.
  if (lines.length > LONGEST_FIELD)
    return {
      error: `This is too long for a field: the limit is ${LONGEST_FIELD} characters. Paste the whole case.`,
    };
  const maxCaseChars = 2 * lines.length + 1_000;
  const [parsed, ...more] = parseInput(`User: ${USER}\nSystem: ${SYSTEM}\n${lines}`, {
    maxCaseChars,
    format,
  });
  if (parsed === undefined || more.length > 0)
    return { error: `This looks like more than one case. Give only this field. ${how}` };
  if ('problem' in parsed) return { error: `${parsed.problem} ${how}` };
  const lost = parsed.assumed.filter((note) => noteKind(note) === 'left out');
  if (lost.length > 0) return { error: `Not understood: ${lost.join('; ')}. ${how}` };
  const { conversation, response, [key]: value, ...others } = parsed.case;
  const isIntact = response === SYSTEM && conversation.length === 1 && conversation[0]?.text === USER;
  if (value === undefined || !isIntact) return { error: `This could not be read. ${how}` };
  const elsewhere = Object.keys(others).join(', ');
  return elsewhere === ''
    ? { value }
    : { error: `Some of this is part of ${elsewhere}, not of this field. ${how}` };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const { shape } = EvalCase;

function recommendation(text: string, format: CaseFormat): ReadField {
  const schema = format.shape.recommendation ?? shape.recommendation;
  const exact = schema.safeParse(json(text));
  if (exact.success && exact.data !== undefined) return { value: exact.data };
  const how = 'Give lines such as "Cuisine: French", or JSON.';
  const read = fieldBeside('recommendation', `Recommendation:\n${text}`, format, how);
  return 'error' in read ? read : checked(schema, read.value);
}

function recommendations(text: string): ReadField {
  const value = json(text);
  const lists = text
    .split('\n')
    .map((line) => line.split(';').flatMap((item) => item.trim() || []))
    .filter((items) => items.length > 0);
  return checked(shape.recommendations, Array.isArray(value) ? value : lists);
}

function documents(text: string, format: CaseFormat): ReadField {
  const value = json(text);
  if (Array.isArray(value)) return checked(shape.documents, value);
  if (!/^\s*document\b[^\n:]{0,60}:/i.test(text)) return checked(shape.documents, [{ text: text.trim() }]);
  return fieldBeside('documents', text, format, 'Begin each document with "Document NAME:".');
}

function location(text: string, format: CaseFormat): ReadField {
  const how = 'Give a name, or coordinates such as 52.53, 13.41.';
  const read = fieldBeside('context', `Location: ${text.replaceAll(/\s+/g, ' ')}`, format, how);
  if ('error' in read) return read;
  const { location: place, ...others } = Context.parse(read.value);
  const isPlace = place !== undefined && Object.keys(others).length === 0;
  return isPlace ? { value: place } : { error: `This could not be read. ${how}` };
}

/** How each field of the case contract is read from typed text. */
export const readers = {
  turns: (text: string): ReadField => checked(shape.conversation, readTurns(text)),
  history: (text: string): ReadField => checked(shape.history, readTurns(text)),
  response: (text: string): ReadField => checked(shape.response, text.trim()),
  text: (text: string): ReadField => checked(shape.groundTruth, text.trim()),
  language: (text: string): ReadField => checked(shape.language, text.trim()),
  date: (text: string): ReadField => checked(Context.shape.date, text.trim()),
  time: (text: string): ReadField => checked(Context.shape.time, text.trim()),
  latency: (text: string): ReadField => checked(shape.latencyMs, Number(text)),
  location,
  recommendation,
  recommendations,
  documents,
};

/** Reads the text of a declared field. */
export function readDeclared(field: Field, text: string, format: CaseFormat): ReadField {
  const value = readDeclaredValue(field, text, format);
  return value === null
    ? { error: `This could not be read. ${howToWrite(field).hint}`.trim() }
    : checked(schemaOfField(field), value);
}
