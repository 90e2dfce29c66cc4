/** Markup that is safe to put into a page. Only `html` and `raw` make it. */
export interface Html {
  readonly markup: string;
}

/** What a template takes: text is escaped, markup is not; nothing stands for null and undefined. */
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
 * Control characters and those that turn the reading direction or show nothing, except what scripts and emoji need (joiners)
 * and line breaks.
 */
const INVISIBLE = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029\ufffe\uffff]/gu;

/** Text with unseen characters as their code points, such as `[U+202E]`: they could make a page say something else. */
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

/** A template of markup: `html\`<p>${text}</p>\``. Whatever is put in is escaped unless it is markup itself. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  markup: texts.map((text, index) => text + rendered(parts[index])).join(''),
});

/** Markup of our own making, as it is. */
export const raw = (markup: string): Html => ({ markup });
