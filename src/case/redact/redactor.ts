import { type CaseParts, type EvalCase, isRecord, KeptCase, keptParts } from '../index.ts';
import { builtIn, type Pattern, type Redactable, redactable } from './patterns.ts';

/** Placeholders in templates such as `KD-######`: `#` is a digit, `?` a letter, and `*` (at most one) the rest of a word. */
const TEMPLATE_SIGNS: Readonly<Record<string, string>> = {
  '#': '\\d',
  '?': '\\p{L}',
  '*': '[\\p{L}\\p{N}_-]{1,40}',
  ' ': '\\s{1,3}',
};
const LONGEST_TEMPLATE = 100;
const MOST_TEMPLATES = 500;

/** What is wrong with a template; null if it is valid. */
function templateProblem(template: string): string | null {
  if (template.length > LONGEST_TEMPLATE) return `is longer than ${LONGEST_TEMPLATE} characters`;
  if (template.replaceAll(/[#?*\s]/g, '').length + (template.match(/#/g)?.length ?? 0) < 3)
    return 'needs at least three digits (#) or characters of its own, or it would match too much';
  return (template.match(/\*/g)?.length ?? 0) > 1 ? 'may hold one *' : null;
}

/**
 * Reads custom patterns, keyed by the name that replaces a match. They are templates and not regular expressions, so that
 * none of them can be slow.
 * @param value an object such as `{"customer number": ["KD-######"]}`
 * @returns the patterns, or a problem as the rest of a sentence
 */
export function readTemplates(value: unknown): Pattern[] | { problem: string } {
  if (!isRecord(value)) return { problem: 'must be an object such as {"customer number": ["KD-######"]}' };
  const patterns: Pattern[] = [];
  for (const [name, given] of Object.entries(value)) {
    if (!/^\p{L}[\p{L}\p{N} -]{0,39}$/u.test(name))
      return {
        problem: `the name ${JSON.stringify(name.slice(0, 60))} must be 1 to 40 letters, digits and spaces`,
      };
    for (const template of [given].flat()) {
      if (typeof template !== 'string')
        return { problem: `"${name}" must be a text or a list of texts, such as "KD-######"` };
      const problem = templateProblem(template.trim());
      if (problem !== null)
        return { problem: `"${name}": ${JSON.stringify(template.slice(0, 60))} ${problem}` };
      const source = [...template.trim()].map(
        (sign) =>
          TEMPLATE_SIGNS[sign] ??
          sign.replace(/[^\p{L}\p{N}]/u, (other) => `\\u{${other.codePointAt(0)?.toString(16)}}`),
      );
      patterns.push({
        name,
        find: new RegExp(`(?<![\\p{L}\\p{N}])${source.join('')}(?![\\p{L}\\p{N}])`, 'giu'),
      });
    }
  }
  return patterns.length > MOST_TEMPLATES
    ? { problem: `has more than ${MOST_TEMPLATES} patterns` }
    : patterns;
}

/** A part of a text and the placeholder that replaces it. */
interface Redaction {
  from: number;
  to: number;
  by: string;
}

/** Replaces personal details in pasted text with placeholders such as `[phone number]`. */
export interface Redactor {
  /** The names of what it redacts: `phone number`, `VIN`. Empty if it redacts nothing. */
  names: readonly string[];
  text: (text: string) => string;
  /** What it replaces in a text, in order: each part of the text and its placeholder. */
  find: (text: string) => Redaction[];
  /** Redacts every text in a case and removes exact positions. Returns the same object if there is nothing to redact. */
  case: (evalCase: EvalCase) => EvalCase;
  /** Redacts a partial case in the same way. */
  parts: (parts: CaseParts) => CaseParts;
  /** Counts the placeholders in a case by name. */
  count: (evalCase: EvalCase) => ReadonlyMap<string, number>;
}

/** Paths of fields that are never redacted: they identify or classify a case, or hold its roles, date and time. */
const NAMING: ReadonlySet<string> = new Set([
  ...['id', 'rubric', 'language', 'label', 'answerNames'],
  ...['conversation.role', 'history.role', 'context.date', 'context.time'],
]);

const isDegrees = (key: string): boolean => /^(?:lat(?:itude)?|lon(?:gitude)?|lng)$/i.test(key);

const isExact = (degrees: unknown): boolean =>
  ['number', 'string'].includes(typeof degrees) && /^\s*[-+]?\d{1,3}[.,]\d{4,}\s*$/.test(String(degrees));

/** Paths of data in any form: what a tool was given, what it answered, and what it controls. */
const ANY_DATA =
  /^(?:(?:(?:conversation|history|alternative)\.)?toolCalls\.(?:arguments|result)|expectedCalls\.anyOf\.(?:arguments|tolerance)|initialState|expectedState)(?:\.|$)/;

/** A number of data in any form, such as a phone number without its plus sign; its key says what it is. */
function mappedNumber(number: number, text: (text: string) => string, path: string): unknown {
  const label = `${path.split('.').at(-1) ?? ''}: `;
  const labeled = text(`${label}${number}`);
  if (labeled === `${label}${number}`) return number;
  return labeled.startsWith(label) ? labeled.slice(label.length) : text(String(number));
}

/** A key that no other key of its object has: two addresses are two entries, though their placeholders are the same. */
function freeKey(key: string, taken: ReadonlySet<string>): string {
  let free = key;
  for (let number = 2; taken.has(free); number += 1) free = `${key} ${number}`;
  return free;
}

/**
 * Maps every text in a value, except those that name or classify it. Keys only change in data in any form.
 * @param hidesPlaces whether objects with exact coordinates get a placeholder instead
 * @param path dotted path of the value
 */
function mapped(value: unknown, text: (text: string) => string, hidesPlaces: boolean, path = ''): unknown {
  const isAnyData = ANY_DATA.test(path);
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') return isAnyData ? mappedNumber(value, text, path) : value;
  if (Array.isArray(value)) {
    const isPlace = hidesPlaces && isAnyData && value.filter(isExact).length >= 2;
    return isPlace ? [`[${redactable.position}]`] : value.map((one) => mapped(one, text, hidesPlaces, path));
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  // A key that stays keeps its name, whatever stands before it.
  const taken = new Set(isAnyData ? entries.flatMap(([key]) => (text(key) === key ? [key] : [])) : []);
  const keyOf = (key: string): string => {
    const redacted = isAnyData ? text(key) : key;
    if (redacted === key) return key;
    const free = freeKey(redacted, taken);
    taken.add(free);
    return free;
  };
  const inner = entries.map(([key, one]): [string, unknown] => {
    const at = path === '' ? key : `${path}.${key}`;
    return [keyOf(key), NAMING.has(at) ? one : mapped(one, text, hidesPlaces, at)];
  });
  if (!hidesPlaces || !entries.some(([key, one]) => isDegrees(key) && isExact(one)))
    return Object.fromEntries(inner);
  const { description, ...rest } = Object.fromEntries(inner.filter(([key]) => !isDegrees(key)));
  const prefix = typeof description === 'string' ? `${description} ` : '';
  return { ...rest, description: `${prefix}[${redactable.position}]` };
}

/**
 * Creates a redactor. Custom patterns come before the built-in ones.
 * @param customPatterns custom patterns from {@link readTemplates}; none by default
 */
export function createRedactor(
  kinds: readonly Redactable[],
  customPatterns: readonly Pattern[] = [],
): Redactor {
  // The order matters: a labeled plate is not a phone number, and an e-mail address may contain digits.
  const order = ['email', 'position', 'vin', 'plate', 'phone'] as const;
  const patterns = [
    ...customPatterns,
    ...order.flatMap((kind) => (kinds.includes(kind) ? builtIn[kind]() : [])),
  ];
  const names = [...new Set(patterns.map(({ name }) => name))];
  const standIns = new RegExp(`(\\[(?:${names.join('|')})\\])`, 'u');
  const everyStandIn = new RegExp(standIns, 'gu');
  /** The parts of a text that a pattern replaces. @param at the position of the text in the whole */
  const foundIn = (text: string, at: number, { name, find, isIt }: Pattern): Redaction[] =>
    [...text.matchAll(find)].flatMap((match) => {
      const [all] = match;
      const detail = match.groups?.detail ?? all;
      const start = match.index + all.length - detail.length;
      if (isIt?.(detail, text.slice(Math.max(0, start - 60), start)) === false) return [];
      return [{ from: at + start, to: at + start + detail.length, by: `[${name}]` }];
    });
  /** The stretches of a text that nothing has replaced yet, with their positions. */
  const between = (text: string, taken: readonly Redaction[]) => {
    const ends = [...taken.map(({ from }) => from), text.length];
    return ends.map((end, index) => {
      const at = taken[index - 1]?.to ?? 0;
      return { at, text: text.slice(at, end) };
    });
  };
  const find = (text: string): Redaction[] => {
    // Existing placeholders are skipped, so text that is already redacted does not change.
    let taken = [...text.matchAll(everyStandIn)].map(({ index, 0: by }) => ({
      from: index,
      to: index + by.length,
      by,
    }));
    for (const pattern of patterns) {
      const found = between(text, taken).flatMap((part) => foundIn(part.text, part.at, pattern));
      taken = [...taken, ...found].sort((a, b) => a.from - b.from);
    }
    return taken.filter(({ from, to, by }) => text.slice(from, to) !== by);
  };
  const text = (given: string): string => {
    const parts = find(given);
    const kept = between(given, parts).map((part) => part.text);
    return kept.map((part, index) => part + (parts[index]?.by ?? '')).join('');
  };
  const count = (evalCase: EvalCase): Map<string, number> => {
    const counts = new Map<string, number>();
    const counting = (text: string): string => {
      for (const part of text.split(standIns).filter((_, index) => index % 2 === 1))
        counts.set(part.slice(1, -1), (counts.get(part.slice(1, -1)) ?? 0) + 1);
      return text;
    };
    if (names.length > 0) mapped(evalCase, counting, false);
    return counts;
  };
  const redacted = (value: CaseParts): unknown => mapped(value, text, kinds.includes('position'));
  const isNone = names.length === 0;
  return {
    names,
    text: isNone ? (given) => given : text,
    find: isNone ? () => [] : find,
    case: (evalCase) => {
      if (isNone) return evalCase;
      const changed = redacted(evalCase);
      return JSON.stringify(changed) === JSON.stringify(evalCase) ? evalCase : KeptCase.parse(changed);
    },
    parts: (parts) => {
      const changed = isNone ? null : redacted(parts);
      return isRecord(changed) ? keptParts(changed) : parts;
    },
    count,
  };
}

/** A redactor that changes nothing. */
export const noRedaction = createRedactor([]);
