import type * as z from 'zod';
import { Context, EvalCase } from '../../../case/case.ts';
import { type CaseFormat, schemaOfField } from '../../../case/case-format.ts';
import type { Field } from '../../../case/field.ts';
import { isLoss, readDeclaredValue } from '../../../case/paste/context.ts';
import { type Parsed, parseInput } from '../../../case/paste/parse-input.ts';
import { limits } from './blocks.ts';
import type { CaseInput, ContractPath } from './case-inputs.ts';
import { howToWrite } from './declared-field.ts';
import { readTurns } from './turns-text.ts';

/** The value that one input gave, for its path of the case, or what is wrong with it. */
export type ReadField = { value: unknown } | { error: string };

const USER = 'x';
const SYSTEM = 'y';

/** Lines as the paste parser reads them beside an exchange that says nothing. */
function parsedBeside(lines: string, format: CaseFormat): Parsed {
  const [parsed, ...more] = parseInput(`User: ${USER}\nSystem: ${SYSTEM}\n${lines}`, {
    maxCaseChars: 2 * limits.inputText,
    format,
  });
  if (parsed === undefined || more.length > 0)
    return {
      problem: 'These lines are more than one case: give this field only.',
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
    return { error: `Some of this is no part of this field but of ${elsewhere.join(', ')}. ${how}` };
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

function declaredField(field: Field, text: string): ReadField {
  const value = readDeclaredValue(field, text);
  return value === null
    ? { error: `This could not be read. ${howToWrite(field)}`.trim() }
    : checked(schemaOfField(field), value);
}

/** Reads what was typed into one input of the form. */
export const readField = (input: CaseInput, text: string, format: CaseFormat): ReadField =>
  input.of === 'contract' ? contractField(input.path, text, format) : declaredField(input.field, text);
