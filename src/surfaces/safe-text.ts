/**
 * Text from outside as it may be shown: line breaks and tabs stay; control characters, marks that turn the reading
 * direction, zero-width characters and halves of characters go. A joiner between two emoji stays, they are one sign.
 */
export const safeText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replaceAll(
      /(?<!\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d|\u200d(?!\p{Extended_Pictographic})/gu,
      '',
    )
    .replaceAll(/(?![\n\t\u200d])[\p{Cc}\p{Cf}]/gu, '');

/** The same in one line. */
export const oneLine = (text: string): string => safeText(text).replaceAll(/\s+/g, ' ').trim();

/**
 * The beginning of a text, cut between words where it is too long; the cut shows as " …". Never longer than `most`.
 *
 * @param most characters, at least 2
 */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const room = text.slice(0, most - 1);
  const space = room.search(/\s\S*$/);
  const cut = space > most / 2 ? room.slice(0, space) : room.slice(0, most - 2);
  return `${cut
    .toWellFormed()
    .replace(/\ufffd$/, '')
    .trimEnd()} …`;
}

/**
 * Divides room among texts: short ones get all that they need, the long ones share the rest evenly.
 *
 * @param lengths characters that each text has
 * @param room characters for all together
 * @returns characters that each may have, in the same order; their sum is at most `room`
 */
export function shares(lengths: readonly number[], room: number): number[] {
  const order = lengths.map((length, index) => ({ length, index })).sort((a, b) => a.length - b.length);
  const given = lengths.map(() => 0);
  let left = room;
  order.forEach(({ length, index }, done) => {
    const share = Math.min(length, Math.floor(left / (order.length - done)));
    given[index] = share;
    left -= share;
  });
  return given;
}

/** The beginning of a text in one line. */
export const shortLine = (text: string, most: number): string => shortened(oneLine(text), most);

/** Texts that were made to fit, and what that took away. */
export interface Fitted {
  texts: string[];
  /** Whether any of them was shortened. */
  cut: boolean;
}

const LEAST = 40;

/**
 * Texts, short ones whole and long ones cut between words, that take at most `room` characters together and `each` one by
 * one.
 */
export function fitted(texts: readonly string[], room: number, each = room): Fitted {
  const safe = texts.map((text) => safeText(text).trim());
  const given = shares(
    safe.map(({ length }) => length),
    room,
  );
  const fit = safe.map((text, index) => {
    const most = Math.min(given[index] ?? 0, each);
    return most >= Math.min(text.length, LEAST) ? shortened(text, most) : '…';
  });
  return { texts: fit, cut: fit.some((text, index) => text !== safe[index]) };
}
