import type { Block, DataTableBlock, ImageBlock, KnownBlock, RichTextElement } from '@slack/types';
import type { Digest, DigestBlock, DigestMark } from '../../../digests/digest.ts';
import { type Trend, trendLines } from '../../charts/trend.ts';
import { shortened, shortLine } from '../../safe-text.ts';
import { bold, bulletBlocks, context, italic, limits, link, message, paragraph, words } from './blocks.ts';

/** Slack's chart block, which its types do not know yet. */
interface ChartBlock extends Block {
  type: 'data_visualization';
  title: string;
  chart: {
    type: 'line';
    series: { name: string; data: { label: string; value: number }[] }[];
    axis_config: { categories: string[]; y_label: string };
  };
}

/** What Slack takes of a chart. */
const TITLE = 50;
const NAME = 20;

/** A text in one line, shortened; a dash where there is none. */
const digestLine = (text: string, most: number): string => shortLine(text, most) || '–';

/** A line chart of the newest points; Slack refuses lines without any. */
function trendChart(trend: Trend): ChartBlock {
  const { categories, lines } = trendLines(trend, NAME);
  return {
    type: 'data_visualization',
    title: digestLine(trend.title, TITLE),
    chart: {
      type: 'line',
      series: lines.map(({ name, points }) => ({ name, data: points })),
      axis_config: { categories, y_label: '%' },
    },
  };
}

/** How tables and charts are shown: as Slack's own, or as what workspaces take that refuse those. */
export interface DigestStyle {
  tables: 'native' | 'text';
  /** A picture is the id of a file that was uploaded. */
  chart: { kind: 'native' } | { kind: 'picture'; file: string } | { kind: 'text' };
}

/** How much of each thing is shown, in characters, and how many of a kind. */
export interface Room {
  line: number;
  cell: number;
  items: number;
}

const titled = (title: string, items: readonly RichTextElement[][]): KnownBlock[] =>
  items.length === 0 ? [] : [paragraph(bold(digestLine(title, limits.header))), ...bulletBlocks(items)];

/** As many as there is room for, each as a line, and how many more there are. */
function linesOf<T>(
  items: readonly T[],
  { items: most }: Room,
  more: number,
  show: (item: T) => RichTextElement[],
): RichTextElement[][] {
  const left = more + Math.max(0, items.length - most);
  return [...items.slice(0, most).map(show), ...(left === 0 ? [] : [italic(`${left} more`)])];
}

type Table = Extract<DigestBlock, { kind: 'table' }>;

function dataTable({ title, columns, rows, more }: Table, room: Room): (KnownBlock | Block)[] {
  const cells = (texts: readonly string[]) =>
    texts.map((text) => ({ type: 'raw_text' as const, text: digestLine(text, room.cell) }));
  const left = more + Math.max(0, rows.length - room.items);
  const table: DataTableBlock = {
    type: 'data_table',
    caption: digestLine(title, limits.header),
    page_size: 10,
    rows: [cells(columns.map((column) => column.title)), ...rows.slice(0, room.items).map(cells)],
  };
  return [table, ...(left === 0 ? [] : [context(`${left} more rows`)])];
}

/** Each row as a line: its first cell, then the others under the names of their columns. */
const tableLines = ({ title, columns, rows, more }: Table, room: Room): KnownBlock[] =>
  titled(
    title,
    linesOf(rows, room, more, ([first = '', ...others]) => {
      const cells = others.map((cell, n) => {
        const name = columns[n + 1]?.title ?? '';
        return `${name} ${digestLine(cell, room.cell)}`.trim();
      });
      return [...bold(digestLine(first, room.cell)), ...words(`: ${cells.join(', ')}`)];
    }),
  );

/** All points of each line. */
const trendWords = ({ title, categories, series }: Trend, room: Room): KnownBlock[] =>
  titled(
    title,
    linesOf(series, room, 0, ({ name, values }) => {
      const points = values.flatMap((value, n) =>
        value === null ? [] : [`${categories[n] ?? ''} ${value} %`],
      );
      return [
        ...bold(digestLine(name, room.cell)),
        ...words(`: ${digestLine(points.join(' → '), room.line)}`),
      ];
    }),
  );

/** What the lines say goes with the picture, for those who cannot see it. */
function pictureOf({ title, series }: Trend, file: string, room: Room): ImageBlock {
  const said = series.map(({ name, values }) => {
    const known = values.filter((value) => value !== null);
    return `${digestLine(name, room.cell)} from ${known[0] ?? '–'} % to ${known.at(-1) ?? '–'} %`;
  });
  return {
    type: 'image',
    slack_file: { id: file },
    alt_text: shortened(`${digestLine(title, room.line)}: ${said.join('; ')}`, limits.altText),
  };
}

function chartOf(trend: Trend, { chart }: DigestStyle, room: Room): (KnownBlock | Block)[] {
  switch (chart.kind) {
    case 'native':
      return [trendChart(trend)];
    case 'picture':
      return [pictureOf(trend, chart.file, room)];
    case 'text':
      return trendWords(trend, room);
  }
}

/** A part of a digest as Slack's blocks. */
function digestBlocks(block: DigestBlock, style: DigestStyle, room: Room): (KnownBlock | Block)[] {
  switch (block.kind) {
    case 'text':
      return [context(block.text)];
    case 'facts':
      return titled(
        block.title,
        linesOf(block.facts, room, 0, ({ label, value }) => [
          ...bold(digestLine(label, room.cell)),
          ...words(`: ${digestLine(value, room.line)}`),
        ]),
      );
    case 'table':
      return style.tables === 'text' ? tableLines(block, room) : dataTable(block, room);
    case 'trend':
      return chartOf(block, style, room);
    case 'cases':
      return titled(
        block.title,
        linesOf(block.items, room, block.more, ({ title, request, answer, reason, issue, ...item }) => [
          ...bold(digestLine(title, room.cell)),
          ...link(item.link, 'open'),
          ...link(issue, 'create issue'),
          ...words(`\n${digestLine(request, room.line)}`),
          ...words(answer === '' ? '' : `\n→ ${digestLine(answer, room.line)}`),
          ...words(`\n✗ ${digestLine(reason, room.line)}`),
        ]),
      );
    case 'list':
      return titled(
        block.title,
        linesOf(block.items, room, block.more, (item) => [
          ...words(digestLine(item.text, room.line)),
          ...link(item.link, 'open'),
        ]),
      );
  }
}

export const nativeStyle: DigestStyle = { tables: 'native', chart: { kind: 'native' } };
export const textStyle: DigestStyle = { tables: 'text', chart: { kind: 'text' } };

/** As a message of other kinds, with blocks that Slack's types do not know yet. */
export interface DigestMessage {
  text: string;
  blocks: (KnownBlock | Block)[];
}

const HEADLINE = 600;

/** From what is good to read to what any digest fits into; what has no room is counted. */
const ROOMS: readonly Room[] = [
  { line: 240, cell: 60, items: 20 },
  { line: 140, cell: 40, items: 10 },
  { line: 80, cell: 24, items: 5 },
];
const LEAST: Room = { line: 60, cell: 16, items: 3 };

const marks: Record<DigestMark, string> = {
  better: '📈',
  worse: '📉',
  steady: '➡️',
  unknown: '🧭',
  alert: '🔔',
  recovery: '✅',
};

/** Characters of all text in blocks, with some that Slack may not count. */
function charsIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce((sum, [key, inner]) => sum + (key === 'type' ? 0 : charsIn(inner)), 0);
}

const fits = (blocks: readonly unknown[]): boolean =>
  blocks.length <= limits.messageBlocks && charsIn(blocks) <= limits.messageText;

/** With as much room as Slack leaves. */
function fitted(render: (room: Room) => (KnownBlock | Block)[]): (KnownBlock | Block)[] {
  for (const room of ROOMS) {
    const blocks = render(room);
    if (fits(blocks)) return blocks;
  }
  return render(LEAST);
}

/** The digest's own message: the headline with what belongs beside it. A quiet one is a line. */
export function digestMessage(digest: Digest, style: DigestStyle): DigestMessage {
  const { headline, trend, note, quiet, blocks } = digest;
  const head = paragraph(words(`${quiet ? '💤' : marks[trend]} `), bold(digestLine(headline, HEADLINE)));
  const text = note === null ? headline : `${headline} ${note}`;
  return {
    ...message(text, []),
    blocks: [
      head,
      ...(note === null ? [] : [context(note)]),
      ...fitted((room) => blocks.flatMap((block) => digestBlocks(block, style, room))),
    ],
  };
}

/** What goes into the digest's thread. */
export const digestDetails = (digest: Digest, style: DigestStyle): DigestMessage => ({
  ...message('Details of the digest', []),
  blocks: fitted((room) => digest.details.flatMap((block) => digestBlocks(block, style, room))),
});
