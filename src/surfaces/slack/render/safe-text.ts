/**
 * Text from outside as Slack may show it: line breaks and tabs stay; control characters, marks that turn the reading
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
 * Text for where Slack reads marks (a message's `text`): its three control characters are escaped; addresses and the words
 * that call a whole channel are taken apart by a character without width, for clients that look for them in plain text.
 */
export const escapedText = (text: string): string =>
  safeText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/@(?=(?:channel|here|everyone|group)\b)/gi, '@\u2060')
    .replaceAll('://', ':\u2060//');

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

/** One line of {@link escapedText} of at most `most` characters; cut before it is escaped, so that no entity is torn. */
export function escapedLine(text: string, most: number): string {
  const line = oneLine(text);
  let room = most;
  let escaped = escapedText(shortened(line, room));
  while (escaped.length > most) {
    room = Math.max(2, room - (escaped.length - most));
    escaped = escapedText(shortened(line, room));
  }
  return escaped;
}
