import type * as z from 'zod';
import { Context, EvalCase, Place, type Turn } from '../../case/case.ts';
import { type CaseFormat, schemaOfField } from '../../case/case-format.ts';
import type { Field } from '../../case/field.ts';
import { howToWrite } from '../../case/lines.ts';
import { isLoss, readDeclaredValue } from '../../case/paste/context.ts';
import type { Understood } from '../../case/paste/draft.ts';
import { type Parsed, parseInput } from '../../case/paste/parse-input.ts';
import { type CaseField, type ContractPath, valueAt } from './case-fields.ts';

const LABEL = /^(\s*)(user|system)\s*:/i;
const TURN = /^(user|system)\s*: ?/i;

/** Turns as lines `User: …` and `System: …`. A line within a turn that looks like a new one is set in by a space. */
export const writeTurns = (turns: readonly Turn[]): string =>
  turns
    .map(({ role, text }) => {
      const [first = '', ...rest] = text.split('\n');
      const lines = [first, ...rest.map((line) => (LABEL.test(line) ? ` ${line}` : line))];
      return `${role === 'user' ? 'User' : 'System'}: ${lines.join('\n')}`;
    })
    .join('\n');

/** Reads {@link writeTurns}, and what people type like it: text before the first label is the user's. */
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

function placeText({ latitude, longitude, description }: Place): string {
  const point = latitude === undefined || longitude === undefined ? '' : `${latitude}, ${longitude}`;
  if (description === undefined) return point;
  return point === '' ? description : `${description} (${point})`;
}

/** One turn of the user needs no label, unless it would be read as more than that. */
function conversationText(turns: readonly Turn[]): string {
  const [only, ...more] = turns;
  if (only?.role !== 'user' || more.length > 0) return writeTurns(turns);
  const [read, ...others] = readTurns(only.text);
  return read?.role === 'user' && read.text === only.text && others.length === 0
    ? only.text
    : writeTurns(turns);
}

function contractText(understood: Understood, path: ContractPath): string | undefined {
  switch (path) {
    case 'conversation':
      return conversationText(understood.conversation ?? []);
    case 'history':
      return writeTurns(understood.history ?? []);
    case 'response':
    case 'groundTruth':
    case 'language':
      return understood[path];
    case 'context.date':
      return understood.context?.date;
    case 'context.time':
      return understood.context?.time;
    case 'context.location':
      return placeText(understood.context?.location ?? {});
    case 'latencyMs':
      return String(understood.latencyMs);
    case 'documents':
      return (understood.documents ?? [])
        .map(({ id, text }, index) => `Document ${id ?? index + 1}: ${text}`)
        .join('\n\n');
    case 'recommendations':
      return (understood.recommendations ?? []).map((list) => list.join('; ')).join('\n');
    case 'recommendation':
      return JSON.stringify(understood.recommendation, null, 1);
  }
}

function listText(items: readonly unknown[]): string {
  const words = items.map(String);
  return words.length === 0 ? 'none' : words.join(words.some((word) => word.includes(',')) ? '; ' : ', ');
}

/** The value of a declared field: what it is was checked when the draft was read. */
function declaredText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return listText(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const place = Place.safeParse(value);
  return place.success && Object.keys(value).length > 0
    ? placeText(place.data)
    : Object.entries(value)
        .map(([day, spans]) => `${day}: ${spans}`)
        .join('\n');
}

/** What a draft holds of a field, as people would type it; undefined where it holds nothing. */
export function textOfField(understood: Understood, field: CaseField): string | undefined {
  const value = valueAt(understood, field.path);
  if (value === undefined) return undefined;
  return field.declared === null ? contractText(understood, field.path) : declaredText(value);
}

/** The value that a field was given, for its path of the case, or what is wrong with it. */
export type ReadField = { value: unknown } | { error: string };

const USER = 'x';
const SYSTEM = 'y';

/** Lines as the paste parser reads them beside an exchange that says nothing. */
function parsedBeside(lines: string, format: CaseFormat): Parsed {
  const [parsed, ...more] = parseInput(`User: ${USER}\nSystem: ${SYSTEM}\n${lines}`, {
    maxCaseChars: 2 * lines.length + 1_000,
    format,
  });
  if (parsed === undefined || more.length > 0)
    return {
      problem: 'This looks like more than one case. Give only this field.',
      missing: [],
      understood: {},
    };
  return parsed;
}

/** One field of what the parser made of lines; everything else that it found there is an error. */
function fieldBeside(
  key: 'recommendation' | 'documents' | 'context',
  lines: string,
  format: CaseFormat,
  how: string,
): ReadField {
  const parsed = parsedBeside(lines, format);
  if ('problem' in parsed) return { error: `${parsed.problem} ${how}` };
  const lost = parsed.assumed.filter(isLoss);
  if (lost.length > 0) return { error: `Not understood: ${lost.join('; ')}. ${how}` };
  const { conversation, response, [key]: value, ...others } = parsed.case;
  const elsewhere = Object.keys(others);
  if (
    value === undefined ||
    response !== SYSTEM ||
    conversation.length !== 1 ||
    conversation[0]?.text !== USER
  )
    return { error: `This could not be read. ${how}` };
  if (elsewhere.length > 0)
    return { error: `Some of this is part of ${elsewhere.join(', ')}, not of this field. ${how}` };
  return { value };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A value that must be what a schema says of it. */
function checked(schema: z.ZodType, value: unknown): ReadField {
  const result = schema.safeParse(value);
  if (result.success) return { value: result.data };
  const issues = result.error.issues.slice(0, 3);
  return { error: issues.map(({ path, message }) => [path.join('.'), message].join(' ').trim()).join('; ') };
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
  if (Array.isArray(value)) return checked(shape.recommendations, value);
  const lists = text
    .split('\n')
    .map((line) => line.split(';').map((item) => item.trim()))
    .map((items) => items.filter((item) => item !== ''))
    .filter((items) => items.length > 0);
  return checked(shape.recommendations, lists);
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
  return place === undefined || Object.keys(others).length > 0
    ? { error: `This could not be read. ${how}` }
    : { value: place };
}

function contractField(path: ContractPath, text: string, format: CaseFormat): ReadField {
  switch (path) {
    case 'conversation':
    case 'history':
      return checked(shape[path], readTurns(text));
    case 'response':
    case 'groundTruth':
    case 'language':
      return checked(shape[path], text.trim());
    case 'context.date':
      return checked(Context.shape.date, text.trim());
    case 'context.time':
      return checked(Context.shape.time, text.trim());
    case 'latencyMs':
      return checked(shape.latencyMs, Number(text));
    case 'context.location':
      return location(text, format);
    case 'recommendation':
      return recommendation(text, format);
    case 'documents':
      return documents(text, format);
    case 'recommendations':
      return recommendations(text);
  }
}

function declaredField(field: Field, text: string, format: CaseFormat): ReadField {
  const value = readDeclaredValue(field, text, format);
  return value === null
    ? { error: `This could not be read. ${howToWrite(field).hint}`.trim() }
    : checked(schemaOfField(field), value);
}

/** Reads what was typed into a field. */
export const readField = (field: CaseField, text: string, format: CaseFormat): ReadField =>
  field.declared === null
    ? contractField(field.path, text, format)
    : declaredField(field.declared, text, format);
