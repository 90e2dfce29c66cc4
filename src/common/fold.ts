/** Text without case, accents and apostrophes: `Café` → `cafe`, `I’d` → `id`, `groß` → `gross`. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replace(/['’‘`´]/g, '');
