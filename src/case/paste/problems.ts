import type * as z from 'zod';
import { describeIssue, keysAt, oncePer } from '../../common/index.ts';
import { grouped, nearestTo } from '../../common/text/index.ts';
import type { CaseFormat } from '../format/index.ts';
import { type CaseParts, type EvalCase, fieldOf, isRecord, keptParts } from '../index.ts';
import { excerpt } from './clean-text.ts';
import type { Received } from './received-text.ts';
import type { Claim, Span } from './spans.ts';
import type { Tracked } from './tracked-text.ts';

/** A paste, as given to the reader of each form of input. */
export interface Paste {
  /** The text without what a chat or a terminal added. */
  text: Tracked;
  /** The same text with marks where quotes and fences begin and end. */
  marked: Tracked;
  /** Maximum length of one case, in characters. */
  limit: number;
  format: CaseFormat;
}

/** The missing fields of a paste without a conversation. */
export const BOTH_SIDES = ['conversation', 'response'];

/** Says that an item is not a case. */
export const refused = (problem: string, missing: string[] = [], understood: Understood = {}): Refused => ({
  problem,
  missing,
  understood,
});

/** Adds the name of the item, such as `Line 3`, to the problem of one that was refused. */
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

/** Maximum number of items in one input. */
export const MAX_ITEMS = 10_000;

export const tooMany = (length: number): Refused[] => [
  refused(
    `Too many cases: ${grouped(length)} in one input, the limit is ${grouped(MAX_ITEMS)}: split it into several files.`,
  ),
];

type Issue = z.core.$ZodIssue;

/** Maximum number of issues in one message. */
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

/** Maximum number of allowed keys listed in a message; more would not help. */
const MAX_LISTED = 8;

interface Allowed {
  /** The allowed keys. */
  allowed: readonly string[];
  /** The keys of the objects among them, by name and with their path. */
  inside: readonly { inner: string; whole: string }[];
  /** Cache: the allowed key most like each unknown one, or null. */
  meant: Map<string, string | null>;
}

/** The keys allowed at a path in a case, cached. */
const allowedAt = oncePer(({ schema }: CaseFormat) => {
  const byPlace = new Map<string, Allowed>();
  return (path: readonly PropertyKey[]): Allowed => {
    const place = path.map(String).join('\n');
    const before = byPlace.get(place);
    if (before) return before;
    const allowed = keysAt(schema, path) ?? [];
    const inside = allowed.flatMap((key) =>
      (keysAt(schema, [...path, key]) ?? []).map((inner) => ({ inner, whole: `${key}.${inner}` })),
    );
    const allowedHere = { allowed, inside, meant: new Map() };
    if (byPlace.size < MOST_PLACES) byPlace.set(place, allowedHere);
    return allowedHere;
  };
});
/** Maximum number of cached paths, and of cached keys at each. Paths have list indexes, so there can be many. */
const MOST_PLACES = 200;

function unknownKeys(keys: readonly string[], path: readonly PropertyKey[], format: CaseFormat): string[] {
  const place = path.filter((key) => typeof key === 'string').join('.');
  const { allowed, inside, meant: meantKeys } = allowedAt(format)(path);
  const nearest = (key: string): string | null => {
    const inner = nearestTo(
      key,
      inside.map((one) => one.inner),
    );
    return nearestTo(key, allowed) ?? inside.find((one) => one.inner === inner)?.whole ?? null;
  };
  const meantBy = (key: string): string | null => {
    const before = meantKeys.get(key);
    if (before !== undefined) return before;
    const meant = nearest(key);
    if (meantKeys.size < MOST_PLACES) meantKeys.set(key, meant);
    return meant;
  };
  const list =
    allowed.length > MAX_LISTED
      ? ' (docs/cases.md lists what a case can have)'
      : ` (allowed${place === '' ? '' : ` in ${place}`}: ${allowed.join(', ')})`;
  const meant = keys.slice(0, MAX_TOLD).map(meantBy);
  // The allowed keys are listed once, after the last key without a suggestion.
  const last = meant.lastIndexOf(null);
  return meant.map((word, index) => {
    const problem = `unknown key "${pathOf([...path, excerpt(keys[index] ?? '', 60)])}"`;
    return `${problem}${word === null ? '' : ` (did you mean "${word}"?)`}${index === last ? list : ''}`;
  });
}

function explain(issue: Issue, value: unknown, format: CaseFormat): string[] {
  if (issue.code === 'unrecognized_keys') return unknownKeys(issue.keys, issue.path, format);
  const path = pathOf(issue.path);
  const given = fieldOf(value, issue.path);
  if (given === undefined) return [`"${path}" is missing`];
  const type = issue.code === 'invalid_type' ? TYPES[issue.expected] : undefined;
  const message = type === undefined ? describeIssue(format.schema, issue).message : `must be ${type}`;
  const what = message.startsWith('must be ') ? `${message}, found ${foundText(given)}` : message;
  return [`${path === '' ? 'it' : `"${path}"`} ${what}`];
}

/** The fields that are valid by themselves, to prefill a form. */
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

/**
 * Says what is wrong with a value that is not a case: the paths, what is allowed, and what was found.
 * @param what the start of the message, such as `The case is not valid`
 */
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

/** Lines that may be part of a turn, or a remark about it. */
export interface Unsure {
  /** The lines as written. */
  text: string;
  /** Set if some of them follow turns other than the answer. */
  isOfTurns?: true;
  /** The case as it is if they are part of the turns. */
  withIt: EvalCase;
}

/** The note on such lines, for readers who see the case but not the paste. */
export const unsureNote = ({ text, isOfTurns }: Pick<Unsure, 'text' | 'isOfTurns'>): string =>
  `left out: text that may be part of ${isOfTurns ? 'what was said' : 'the response'}, or a remark about it ("${excerpt(text)}")`;

/** An item that is not a case. */
interface Refused {
  /** What is wrong and how to correct it. */
  problem: string;
  /** Paths of missing fields, such as `context.date`. */
  missing: string[];
  /** The parts that could be read, such as for a form. */
  understood: Understood;
  /** The whole text, if it is this item alone and those who pass it on want a model to read it; never set by plain reading. */
  unread?: string;
}

/** The common part of {@link Parsed} and {@link ReadItem}. */
interface Understandable {
  case: EvalCase;
  /** What was assumed or left out, in words. */
  assumed: string[];
  /** Lines that may be part of a turn. `case` is without them, and no judgement may depend on them. */
  unsure?: Unsure;
  /** Set if nothing in the text says who speaks, so that it may not be a conversation at all. */
  isUnlabeled?: true;
}

/** One item of input: a case, or what is wrong, what is missing, and what was understood. */
export type Parsed =
  | (Understandable & {
      /**
       * The parts of the paste that this case was read from, in order. Each character that is not blank is in exactly one
       * span of one case; text between two cases is in one of them. Made on first use: most callers judge the case and never ask.
       */
      readonly spans: Span[];
      /** The whole text with its spans, to store and show. Absent if the text holds more than this case. */
      received?: Received;
    })
  | Refused;

/** One item of input with claims, from which its spans follow. */
export type ReadItem =
  | (Understandable & {
      claims: () => readonly Claim[];
      /** The end of its part of the paste, if not the end of the paste. */
      end?: number;
    })
  | (Refused & { end?: number });
