import type * as z from 'zod';
import { describeIssue, keysAt, oncePer } from '../../common/index.ts';
import { grouped, nearestTo } from '../../common/text/index.ts';
import type { CaseFormat } from '../format/index.ts';
import { type CaseParts, type EvalCase, fieldOf, isRecord, keptParts } from '../index.ts';
import type { Received } from './received.ts';
import type { Claim, Span } from './spans.ts';
import { excerpt } from './text.ts';
import type { Tracked } from './tracked.ts';

/** What was pasted, as every form of it gets it. */
export interface Paste {
  /** Without what a chat or a terminal added. */
  text: Tracked;
  /** The same with marks where quotes and fences begin and end. */
  marked: Tracked;
  /** Most characters of one case. */
  limit: number;
  format: CaseFormat;
}

/** What a paste without any conversation lacks. */
export const BOTH_SIDES = ['conversation', 'response'];

/** What is said of input that makes no case. */
export const refused = (problem: string, missing: string[] = [], understood: Understood = {}): Refused => ({
  problem,
  missing,
  understood,
});

/** The same, saying which of several items it is. */
export const numbered = (parsed: ReadItem, where: string): ReadItem =>
  'problem' in parsed ? { ...parsed, problem: `${where}: ${parsed.problem}` } : parsed;

export const HOW = 'Write "User: …" on one line and "System: …" on the next, or give a JSON case.';

export const tooLong = (length: number, limit: number): Refused =>
  refused(
    `Too long: ${grouped(length)} characters, the limit for one case is ${grouped(limit)}: shorten it, or raise JURY_MAX_CASE_CHARS.`,
  );

export const tooManyLines = (lines: number, most: number): Refused =>
  refused(
    `Too many lines: ${grouped(lines)}, the limit for one case is ${grouped(most)}: paste only the turns that matter, or give a JSON case.`,
  );

/** Most items of one input; more belong into several files. */
export const MAX_ITEMS = 10_000;

export const tooMany = (length: number): Refused[] => [
  refused(
    `Too many cases: ${grouped(length)} in one input, the limit is ${grouped(MAX_ITEMS)}: split it into several files.`,
  ),
];

type Issue = z.core.$ZodIssue;

/** Most issues that are named at once. */
const MAX_TOLD = 5;

const pathOf = (path: readonly PropertyKey[]): string =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');

function foundText(value: unknown): string {
  if (typeof value === 'string') return `the text "${excerpt(value, 40)}"`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  object: 'an object',
  record: 'an object',
};

/** More allowed keys than this are no help in a message. */
const MAX_LISTED = 8;

interface Allowed {
  /** The keys that are allowed at a place of a case. */
  allowed: readonly string[];
  /** Those of the objects there. */
  inside: readonly { inner: string; whole: string }[];
  /** What unknown keys were taken to mean. */
  meant: Map<string, string | null>;
}

/** What is allowed at a place of a case. */
const allowedAt = oncePer(({ schema }: CaseFormat) => {
  const known = new Map<string, Allowed>();
  return (path: readonly PropertyKey[]): Allowed => {
    const place = path.map(String).join('\n');
    const before = known.get(place);
    if (before) return before;
    const allowed = keysAt(schema, path) ?? [];
    const inside = allowed.flatMap((key) =>
      (keysAt(schema, [...path, key]) ?? []).map((inner) => ({ inner, whole: `${key}.${inner}` })),
    );
    const found = { allowed, inside, meant: new Map() };
    if (known.size < MOST_PLACES) known.set(place, found);
    return found;
  };
});
/** Places are few, but what is in a list has its number in its path. */
const MOST_PLACES = 200;

function unknownKeys(keys: readonly string[], path: readonly PropertyKey[], format: CaseFormat): string[] {
  const place = path.filter((key) => typeof key === 'string').join('.');
  const { allowed, inside, meant: known } = allowedAt(format)(path);
  const nearest = (key: string): string | null => {
    const inner = nearestTo(
      key,
      inside.map((one) => one.inner),
    );
    return nearestTo(key, allowed) ?? inside.find((one) => one.inner === inner)?.whole ?? null;
  };
  const meantBy = (key: string): string | null => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const meant = nearest(key);
    if (known.size < MOST_PLACES) known.set(key, meant);
    return meant;
  };
  const list =
    allowed.length > MAX_LISTED
      ? ' (docs/cases.md lists what a case can have)'
      : ` (allowed${place === '' ? '' : ` in ${place}`}: ${allowed.join(', ')})`;
  const meant = keys.slice(0, MAX_TOLD).map(meantBy);
  // What is allowed is said once, behind the last key that it helps with.
  const last = meant.lastIndexOf(null);
  return meant.map((word, index) => {
    const said = `unknown key "${pathOf([...path, excerpt(keys[index] ?? '', 60)])}"`;
    return `${said}${word === null ? '' : ` (did you mean "${word}"?)`}${index === last ? list : ''}`;
  });
}

function explain(issue: Issue, value: unknown, format: CaseFormat): string[] {
  if (issue.code === 'unrecognized_keys') return unknownKeys(issue.keys, issue.path, format);
  const path = pathOf(issue.path);
  const found = fieldOf(value, issue.path);
  if (found === undefined) return [`"${path}" is missing`];
  const type = issue.code === 'invalid_type' ? TYPES[issue.expected] : undefined;
  const message = type === undefined ? describeIssue(format.schema, issue).message : `must be ${type}`;
  const what = message.startsWith('must be ') ? `${message}, found ${foundText(found)}` : message;
  return [`${path === '' ? 'it' : `"${path}"`} ${what}`];
}

/** The fields that are right on their own, so that a form can be filled with them. */
function rightFields(value: unknown, { shape }: CaseFormat): Understood {
  if (!isRecord(value)) return {};
  const right = Object.entries(shape).flatMap(([key, schema]): [string, unknown][] => {
    const checked = Object.hasOwn(value, key) ? schema.safeParse(value[key]) : null;
    return checked?.success && checked.data !== undefined ? [[key, checked.data]] : [];
  });
  return keptParts(Object.fromEntries(right));
}

const EXAMPLES: Readonly<Record<string, string>> = {
  conversation: '"conversation": [{"role": "user", "text": "…"}]',
  response: '"response": "…"',
};

/** Says what is wrong with a value that is not a case: path, what is allowed, what was found. */
export function explainIssues(
  issues: readonly Issue[],
  value: unknown,
  what: string,
  format: CaseFormat,
): Refused {
  const told = issues.slice(0, MAX_TOLD).flatMap((issue) => explain(issue, value, format));
  const more = issues.length > MAX_TOLD ? `; and ${issues.length - MAX_TOLD} more` : '';
  const missing = issues
    .filter((issue) => issue.path.length === 1 && fieldOf(value, issue.path) === undefined)
    .map((issue) => String(issue.path[0]));
  const examples = missing.flatMap((key) => EXAMPLES[key] ?? []);
  const add = examples.length > 0 ? ` Add ${examples.join(' and ')}.` : '';
  return {
    problem: `${what}: ${told.join('; ')}${more}.${add}`,
    missing,
    understood: rightFields(value, format),
  };
}

/** The parts of a case that could be read. */
export type Understood = CaseParts;

/** Lines that may belong to what was said or be said about it, and the case as it would be with them in their turns. */
export interface Unsure {
  text: string;
  /** Whether some of them stand below another turn than the answer. */
  isOfTurns?: true;
  withIt: EvalCase;
}

/** The note about such lines, for readers who see the case but not the paste. */
export const unsureNote = ({ text, isOfTurns }: Pick<Unsure, 'text' | 'isOfTurns'>): string =>
  `left out: text that may be part of ${isOfTurns ? 'what was said' : 'the response'}, or a remark about it ("${excerpt(text)}")`;

/** What is wrong with an item of input that makes no case. */
interface Refused {
  /** What is wrong and how to give it. */
  problem: string;
  /** Names of fields. */
  missing: string[];
  understood: Understood;
}

/** What is common to a case as it is read and as it is given. */
interface Understandable {
  case: EvalCase;
  /** Every assumption in plain words. */
  assumed: string[];
  /** Lines that could be either; `case` is without them, and nothing may rest on them. */
  unsure?: Unsure;
  /** Whether nothing in the text says who speaks: it may be no conversation at all. */
  isUnlabeled?: true;
}

/** What one item of input was read as: a case, or what is wrong, what is missing, and what was understood. */
export type Parsed =
  | (Understandable & {
      /**
       * The parts of the paste that the case stands in, in order: each character that is not blank is in exactly one. Of several cases in
       * one paste each has its own part of it; together these cover all of it, what parts them being in one of the two.
       */
      spans: Span[];
      /** The whole text with these parts, as it may be kept and shown; absent where it holds more than this case. */
      received?: Received;
    })
  | Refused;

/** The same before it is settled which characters of the paste are what. */
export type ReadItem =
  | (Understandable & {
      claims: readonly Claim[];
      /** Where its part of the paste ends, where that is not the end of the paste. */
      end?: number;
    })
  | (Refused & { end?: number });
