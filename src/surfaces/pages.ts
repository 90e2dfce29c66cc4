/**
 * Items dealt to pages in their order, each page within so many items and so much of their size; an item that is larger than a page has
 * one to itself. At least one page.
 */
export function pagesOf<T>(
  items: readonly T[],
  sizeOf: (item: T) => number,
  most: { items: number; size: number },
): T[][] {
  const pages: T[][] = [];
  let page: T[] = [];
  let used = 0;
  for (const item of items) {
    const size = sizeOf(item);
    if (page.length > 0 && (page.length >= most.items || used + size > most.size)) {
      pages.push(page);
      page = [];
      used = 0;
    }
    page.push(item);
    used += size;
  }
  return page.length > 0 || pages.length === 0 ? [...pages, page] : pages;
}

/** A long text in pieces of at most so many characters, cut between lines or words; nothing is lost but white space there. */
export function pieces(text: string, most: number): string[] {
  const found: string[] = [];
  let rest = text;
  while (rest.length > most) {
    const room = rest.slice(0, most);
    const line = room.lastIndexOf('\n');
    const word = room.lastIndexOf(' ');
    const cut = line > most / 2 ? line : word > most / 2 ? word : wholeCharacters(room);
    found.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut).replace(/^[ \n]/, '');
  }
  return [...found, rest].filter((piece) => piece.trim() !== '');
}

/** The length of a text without half of a character at its end. */
const wholeCharacters = (text: string): number =>
  /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
