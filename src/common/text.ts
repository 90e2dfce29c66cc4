import { stripVTControlCharacters } from 'node:util';

/**
 * Text that came from outside, safe to print: no escape sequences, no control or invisible format characters (they
 * could move the cursor, repaint a verdict or turn the reading direction); tabs become spaces, line breaks stay.
 */
export const plainText = (text: string): string =>
  stripVTControlCharacters(text)
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll('\t', '  ')
    .replaceAll(/(?!\n)[\p{Cc}\p{Cf}]/gu, '');

/** JSON in one line, safe to print: control and invisible characters are escaped, so that it still reads the same. */
export function jsonLine(value: unknown): string {
  const json = JSON.stringify(value);
  // Everything below a space is escaped already. These ranges hold all that has to be, and little else.
  return /[\u007f-\u009f\u00ad\u0600-\u08ff\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\ud800-\udfff\ufeff\ufff0-\uffff]/.test(
    json,
  )
    ? escaped(json)
    : json;
}

const escaped = (json: string): string =>
  json.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );

/** `1 case`, `600 cases`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
