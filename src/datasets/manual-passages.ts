import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { parseDocument } from 'htmlparser2';
import { singleSpaced } from '../common/text/index.ts';

type ChildNode = ReturnType<typeof parseDocument>['children'][number];

/** A piece of a manual that can be read on its own. */
export interface Passage {
  /** Its place in the manuals and a hash of its words, such as `p012-3fa9c1d2`: passages of two manuals are never taken for the same. */
  id: string;
  /** The headings above it, outermost first. */
  headings: readonly string[];
  text: string;
}

/** A paragraph, an item of a list or a row of a table, under its headings. */
interface Block {
  headings: readonly string[];
  text: string;
}

/** Blocks under one heading are joined up to this many characters. */
const MAX_PASSAGE = 1_200;

const HEADING = /^h([1-6])$/;
/** Elements whose text is not part of the manual's. */
const SKIPPED = new Set(['head', 'script', 'style', 'template', 'nav', 'noscript', 'svg']);
/** Elements that end what stands before them. */
const BLOCKS = new Set(
  'address article aside blockquote body br dd div dl dt figcaption figure footer form header hr html li main ol p pre section table tbody tfoot thead tr ul'.split(
    ' ',
  ),
);

/** Reads the blocks of a page. */
async function blocksOfHtml(html: string): Promise<Block[]> {
  const { parseDocument } = await import('htmlparser2');
  const blocks: Block[] = [];
  let headings: string[] = [];
  let said = '';
  const end = () => {
    const text = singleSpaced(said);
    if (text !== '') blocks.push({ headings, text });
    said = '';
  };
  const textOf = (nodes: readonly ChildNode[]): string =>
    nodes
      .map((node) => (node.type === 'text' ? node.data : 'children' in node ? textOf(node.children) : ''))
      .join('');
  function readElement(name: string, children: readonly ChildNode[]): void {
    const level = HEADING.exec(name)?.[1];
    if (SKIPPED.has(name)) return;
    const isBlock = BLOCKS.has(name) || level !== undefined;
    if (isBlock) end();
    // Cells of a row stay on one line.
    if (name === 'td' || name === 'th') said += ' ';
    // Levels that were left out count as one.
    if (level !== undefined)
      headings = [...headings.slice(0, Number(level) - 1), singleSpaced(textOf(children))];
    else read(children);
    if (isBlock) end();
  }
  function read(nodes: readonly ChildNode[]): void {
    for (const node of nodes)
      if (node.type === 'text') said += node.data;
      else if ('children' in node) readElement('name' in node ? node.name.toLowerCase() : '', node.children);
  }
  read(parseDocument(html).children);
  end();
  return blocks;
}

/** Paragraphs of plain text, which are separated by blank lines. */
const blocksOfText = (text: string): Block[] =>
  text
    .split(/\n\s*\n/)
    .map((paragraph) => ({ headings: [], text: singleSpaced(paragraph) }))
    .filter((block) => block.text !== '');

export type ManualFormat = 'markdown' | 'html' | 'text';

/** The format of a manual, by its file name; null for one that cannot be read. */
export function manualFormat(name: string): ManualFormat | null {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  if (ending === 'md' || ending === 'markdown') return 'markdown';
  if (ending === 'html' || ending === 'htm' || ending === 'xhtml') return 'html';
  return ending === 'txt' ? 'text' : null;
}

async function blocksOf(text: string, format: ManualFormat): Promise<Block[]> {
  if (format === 'text') return blocksOfText(text);
  if (format === 'html') return blocksOfHtml(text);
  const { marked } = await import('marked');
  return blocksOfHtml(await marked.parse(text));
}

const hashOf = (value: unknown, length: number): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, length);

/** Identifies manuals by all of their passages, in order. */
export const manualHash = (passages: readonly Passage[]): string =>
  hashOf(
    passages.map(({ headings, text }) => [headings, text]),
    12,
  );

/** Splits manuals into passages: blocks under the same heading, up to about 1,200 characters each. */
export async function readPassages(
  manuals: readonly { text: string; format: ManualFormat }[],
): Promise<Passage[]> {
  const joined: Block[] = [];
  for (const { text, format } of manuals) {
    // A manual never continues a passage of the one before.
    let last: Block | null = null;
    for (const block of await blocksOf(text, format)) {
      if (
        last !== null &&
        isDeepStrictEqual(last.headings, block.headings) &&
        last.text.length + block.text.length < MAX_PASSAGE
      )
        last.text = `${last.text}\n${block.text}`;
      else {
        last = { ...block };
        joined.push(last);
      }
    }
  }
  const width = Math.max(3, String(joined.length).length);
  return joined.map(({ headings, text }, at) => ({
    id: `p${String(at + 1).padStart(width, '0')}-${hashOf([headings, text], 8)}`,
    headings,
    text,
  }));
}
