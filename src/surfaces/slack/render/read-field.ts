import { EvalCase } from '../../../core/case.ts';
import { type Parsed, parseInput } from '../../../core/paste/parse-input.ts';
import type { InputPath } from './case-inputs.ts';
import { limits } from './limits.ts';
import { readTurns } from './turns-text.ts';

/** The part of a case that one input gave, or what is wrong with it. */
export type ReadField = { part: Partial<EvalCase> } | { error: string };

const USER = 'x';
const SYSTEM = 'y';

/** Lines as the paste parser reads them beside an exchange that says nothing. */
function parsedBeside(lines: string): Parsed {
  const [parsed, ...more] = parseInput(`User: ${USER}\nSystem: ${SYSTEM}\n${lines}`, {
    maxCaseChars: 2 * limits.inputText,
  });
  if (parsed === undefined || more.length > 0)
    return {
      problem: 'These lines are more than one case: give this field only.',
      missing: [],
      understood: {},
    };
  return parsed;
}

const NOT_READ = /^(left out|not used)/;

/** One field of what the parser made of lines; everything else that it found there is an error. */
function fieldBeside<Key extends 'recommendation' | 'documents' | 'context'>(
  key: Key,
  lines: string,
  how: string,
): ReadField {
  const parsed = parsedBeside(lines);
  if ('problem' in parsed) return { error: `${parsed.problem} ${how}` };
  const lost = parsed.assumed.filter((assumption) => NOT_READ.test(assumption));
  if (lost.length > 0) return { error: `Not understood: ${lost.join('; ')}. ${how}` };
  const { conversation, response } = parsed.case;
  const value = parsed.case[key];
  if (
    value === undefined ||
    response !== SYSTEM ||
    conversation.length !== 1 ||
    conversation[0]?.text !== USER
  )
    return { error: `This could not be read. ${how}` };
  return { part: { [key]: value } };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A value that must be what the case's schema says of it. */
function checked(key: keyof EvalCase, value: unknown): ReadField {
  const result = EvalCase.shape[key].safeParse(value);
  if (result.success) return { part: { [key]: result.data } };
  const issues = result.error.issues.slice(0, 3);
  return { error: issues.map(({ path, message }) => [path.join('.'), message].join(' ').trim()).join('; ') };
}

function recommendations(text: string): ReadField {
  const value = json(text);
  if (Array.isArray(value)) return checked('recommendations', value);
  const lists = text
    .split('\n')
    .map((line) => line.split(';').map((item) => item.trim()))
    .map((items) => items.filter((item) => item !== ''))
    .filter((items) => items.length > 0);
  return checked('recommendations', lists);
}

function documents(text: string): ReadField {
  const value = json(text);
  if (Array.isArray(value)) return checked('documents', value);
  if (!/^\s*document\b[^\n:]{0,60}:/i.test(text)) return checked('documents', [{ text: text.trim() }]);
  return fieldBeside('documents', text, 'Begin each document with "Document NAME:".');
}

/** Reads what was typed into one input of the form. */
export function readField(path: InputPath, text: string): ReadField {
  switch (path) {
    case 'conversation':
    case 'history':
      return checked(path, readTurns(text));
    case 'response':
    case 'groundTruth':
    case 'language':
      return checked(path, text.trim());
    case 'context.date':
      return checked('context', { date: text.trim() });
    case 'context.time':
      return checked('context', { time: text.trim() });
    case 'latencyMs':
      return checked(path, Number(text));
    case 'context.location':
      return fieldBeside(
        'context',
        `Location: ${text.replaceAll(/\s+/g, ' ')}`,
        'Give a name, or coordinates such as 52.53, 13.41.',
      );
    case 'recommendation':
      return fieldBeside(
        'recommendation',
        `Recommendation:\n${text}`,
        'Give lines such as "Cuisine: French", or JSON.',
      );
    case 'documents':
      return documents(text);
    case 'recommendations':
      return recommendations(text);
  }
}
