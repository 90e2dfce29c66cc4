/** Markup that is safe to put into a page. Only `html` and `raw` create it. */
export interface Html {
  readonly markup: string;
}

/** Text is escaped, markup is not; null and undefined become empty. */
export type Part = string | number | Html | null | undefined | readonly Part[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/**
 * Control characters, invisible ones and those that change the text direction, except line breaks and the joiners that scripts and
 * emoji need.
 */
const INVISIBLE = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029\ufffe\uffff]/gu;

/** Shows invisible characters as code points, such as `[U+202E]`: they could change what a page seems to say. */
export const showInvisible = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replaceAll(
      INVISIBLE,
      (character) => `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    );

/** Text as markup, for HTML and XML, in elements and in quoted attributes. */
export const escaped = (text: string): string =>
  showInvisible(text).replaceAll(/[&<>"'`]/g, (character) => entities[character] ?? '');

const rendered = (part: Part): string => {
  if (part === null || part === undefined) return '';
  if (typeof part === 'string') return escaped(part);
  if (typeof part === 'number') return String(part);
  if ('markup' in part) return part.markup;
  return part.map(rendered).join('');
};

/** A template of markup: `html\`<p>${text}</p>\``. Values are escaped unless they are markup. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  markup: texts.map((text, index) => text + rendered(parts[index])).join(''),
});

/** Trusted markup, unescaped. */
export const raw = (markup: string): Html => ({ markup });
