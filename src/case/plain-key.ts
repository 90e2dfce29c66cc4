/**
 * A text as it is compared with others of the same words: case, white space, control and invisible characters do not count,
 * nor does the apostrophe that tables put before what could be a formula.
 */
export const plainKey = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replace(/^\s*'+/, '')
    .trim()
    .toLowerCase();
