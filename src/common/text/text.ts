import { stripVTControlCharacters } from 'node:util';
import { distance } from 'fastest-levenshtein';
import type * as z from 'zod';
import { JuryError, lazily } from '../index.ts';

/** Strips case, accents and apostrophes: `Café` → `cafe`, `I’d` → `id`, `groß` → `gross`. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replace(/['’‘`´]/g, '');

/**
 * Makes outside text safe to show or to write to a file. Keeps line breaks and tabs; removes escape sequences, control characters,
 * bidirectional marks, zero-width characters and lone surrogates. A joiner between two emoji stays, since it makes them one sign.
 */
export const safeText = (text: string): string =>
  stripVTControlCharacters(text.toWellFormed())
    .replaceAll(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replaceAll(
      /(?<!\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d|\u200d(?!\p{Extended_Pictographic})/gu,
      '',
    )
    .replaceAll(/(?![\n\t\u200d])[\p{Cc}\p{Cf}]/gu, '');

/** {@link safeText} for a terminal, where the width of a tab varies: tabs become two spaces. */
export const plainText = (text: string): string => safeText(text).replaceAll('\t', '  ');

/** A text on one line, with single spaces. */
export const singleSpaced = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** {@link safeText} on one line. */
export const plainLine = (text: string): string => singleSpaced(safeText(text));

/** Shortens a text to at most `most` characters, ending in an ellipsis if cut. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;

/** The first `most` characters of a text, with a note on how many more there are. */
export const clipped = (text: string, most: number): string =>
  text.length <= most
    ? text
    : `${text.slice(0, most).toWellFormed()} … (${text.length - most} more characters)`;

/** A time in UTC to the minute: `2026-11-22 09:30 UTC`. @param at ms since the epoch, or ISO 8601 */
export const minuteText = (at: number | string): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** A UTC date: `2026-11-22`. @param at a Date, or ms since the epoch */
export const dayOf = (at: number | Date): string => new Date(at).toISOString().slice(0, 10);

/** Parses JSON with a schema. Null if the text is not JSON or does not match. */
export function readJson<T extends z.ZodType>(schema: T, text: string): { value: z.output<T> } | null {
  try {
    const { success, data } = schema.safeParse(JSON.parse(text));
    return success ? { value: data } : null;
  } catch {
    return null;
  }
}

/** One-line JSON that is safe to print: control and invisible characters are escaped, so it parses to the same value. */
export const jsonLine = (value: unknown): string => escapedJson(JSON.stringify(value));

/** {@link jsonLine} for text that is already JSON. */
export const escapedJson = (json: string): string =>
  // Characters below space are already escaped. These ranges cover every character to escape and few others.
  /[\u007f-\u009f\u00ad\u0600-\u08ff\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\ud800-\udfff\ufeff\ufff0-\uffff]/.test(
    json,
  )
    ? json.replaceAll(/(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
        character
          .split('')
          .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
          .join(''),
      )
    : json;

/** `1,200`. Without `Intl`, which takes 10 ms at its first use. */
export const grouped = (value: number): string =>
  String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** `1 case`, `1,200 cases`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;

/** `82 %`. @param share from 0 to 1 */
export const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** US dollars: `$4.20`. Amounts below ten cents get two significant digits, never `1.2e-4`. */
export function usd(value: number): string {
  if (value === 0) return '$0';
  // From here on, two digits round to ten cents or more.
  if (Math.abs(value) >= 0.0995) return `$${value.toFixed(2)}`;
  const digits = Math.min(12, 1 - Math.floor(Math.log10(Math.abs(value))));
  return `$${value.toFixed(digits)}`;
}

/** The first `most` items, then the number of remaining ones. */
export const listed = (items: readonly string[], most: number, joint = ', '): string =>
  items.length <= most
    ? items.join(joint)
    : `${items.slice(0, most).join(joint)} and ${grouped(items.length - most)} more (--json lists all)`;

/** Comparing takes time, and what is longer is hardly meant as a name: pasted text can be of any length. */
const LONGEST_NAME = 60;

/** The known word closest to the given one, ignoring case, spaces, hyphens and underscores; null if none is close. */
export function nearestTo(word: string, names: readonly string[]): string | null {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[ _-]/g, '');
  const typed = plain(word.slice(0, LONGEST_NAME));
  const most = Math.min(3, Math.floor(typed.length / 3));
  const [nearest] = names
    .map((one) => ({ one, far: distance(typed, plain(one)) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far);
  return nearest?.one ?? null;
}

/** The name that was meant: one that begins with the word, else the nearest. Null if the word is a name or none is close. */
export function meantBy(word: string, names: readonly string[]): string | null {
  if (names.includes(word)) return null;
  const typed = word.toLowerCase();
  const begun = typed.length > 2 ? names.find((one) => one.startsWith(typed)) : undefined;
  return begun ?? nearestTo(word, names);
}

/** ` Did you mean "x"?`, also for the start of a known word. Empty if the word is known or none is close. */
export function didYouMean(word: string, names: readonly string[]): string {
  const nearest = meantBy(word, names);
  return nearest === null ? '' : ` Did you mean "${nearest}"?`;
}

/**
 * An error saying that there is no such item, with the closest match and the available ones.
 * @param none what to say if there are no items of this kind at all
 */
export function noSuch(kind: string, name: string, names: readonly string[], none = ''): JuryError {
  const rest = names.length === 0 ? none : `There are: ${names.join(', ')}.`;
  const message = `There is no ${kind} "${name.slice(0, LONGEST_NAME)}".${didYouMean(name, names)} ${rest}`;
  return new JuryError('usage', message.trim());
}

const LONGEST_REASON = 200;

/**
 * The first sentence of a text, or an empty string if there is none. A long sentence is cut between words and ends with an ellipsis; the
 * judgement keeps the full text.
 */
export function firstSentence(text: string | null): string {
  const line = singleSpaced(text ?? '');
  const sentence = /^.*?[.!?](?=\s+\p{Lu}|\s*$)/u.exec(line)?.[0].replace(/\.$/, '') ?? line;
  if (sentence.length <= LONGEST_REASON) return sentence;
  const cut = sentence.slice(0, LONGEST_REASON);
  return `${cut.slice(0, cut.lastIndexOf(' ') > 0 ? cut.lastIndexOf(' ') : LONGEST_REASON).toWellFormed()} …`;
}

/**
 * A key for comparing texts by their words: ignores case, white space, control and invisible characters, and the apostrophe that tables
 * put before a possible formula.
 */
export const plainKey = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replace(/^\s*'+/, '')
    .trim()
    .toLowerCase();

/** `a, b and c`. */
export const andList = (items: readonly string[], joint = 'and'): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${joint} ${items.at(-1)}`;

/** Compares texts with numbers by value: `build 9` before `build 10`. */
export const naturalOrder = (one: string, other: string): number => collator().compare(one, other);

const collator = lazily(() => new Intl.Collator('en', { numeric: true }));

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Whether a host name or address (possibly in brackets) is reachable only from this machine. */
export const isLoopback = (host: string): boolean =>
  /^(?:localhost|127(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}|\[?::1\]?)$/i.test(host);
