import type { RecordReader } from '../format/index.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

const withoutEntities = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,6})|#x([\da-f]{1,6})|(\w{2,6}));/gi,
    (whole, decimal?: string, hex?: string, name = '') => {
      const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : null;
      if (code !== null) return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      return ENTITIES[name.toLowerCase()] ?? whole;
    },
  );

const squeezed = (text: string): string =>
  text
    .replace(/[ \t\r]{1,1000}/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,1000}/g, '\n\n')
    .trim();

/** A text without the markup of the place that it is from. */
export function plainText(text: string, markup: RecordReader['markup']): string {
  switch (markup) {
    case 'plain':
      return text;
    case 'html':
      return squeezed(
        withoutEntities(
          text
            .replace(/\s{1,1000}/g, ' ')
            .replace(/<(?:br|\/p|\/div|\/li|\/h\d)\b[^>]{0,200}>/gi, '\n')
            .replace(/<[^>]{1,2000}>/g, ''),
        ),
      );
    case 'ssml':
      // SSML is one <speak> element; any other text is said as it is.
      if (!/^\s{0,100}<speak\b/i.test(text)) return text;
      return squeezed(
        withoutEntities(
          text.replace(/<(?:break|\/p|\/s)\b[^>]{0,200}>/gi, ' ').replace(/<[^>]{1,2000}>/g, ''),
        ),
      );
    case 'angled':
      return withoutEntities(
        text
          .replace(/<[@!][^>]{1,200}> ?/g, '')
          .replace(/<#[^>|]{1,60}(?:\|([^>]{0,100}))?>/g, (_, name = '') => (name === '' ? '' : `#${name}`))
          .replace(/<(?:https?|mailto|tel):[^>|]{1,2000}\|([^>]{1,500})>/g, '$1')
          .replace(/<((?:https?|mailto|tel):[^>|]{1,2000})>/g, '$1'),
      ).trim();
  }
}
