import type { Block, DataTableBlock, ImageBlock, KnownBlock, RichTextElement } from '@slack/types';
import type { DigestBlock } from '../../../digests/digest.ts';
import { limits } from './limits.ts';
import { bold, bulletBlocks, context, italic, paragraph, words } from './rich.ts';
import { oneLine, shortened } from './safe-text.ts';
import { trendChart } from './trend-chart.ts';

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

/** A text in one line, shortened; a dash where there is none. */
export const digestLine = (text: string, most: number): string => shortened(oneLine(text) || '–', most);

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

type Trend = Extract<DigestBlock, { kind: 'trend' }>;

/** All points of each line. */
const trendLines = ({ title, categories, series }: Trend, room: Room): KnownBlock[] =>
  titled(
    title,
    linesOf(series, room, 0, ({ name, values }) => {
      const points = values.flatMap((value, n) =>
        value === null ? [] : [`${categories[n] ?? ''} ${value}%`],
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
    return `${digestLine(name, room.cell)} from ${known[0] ?? '–'}% to ${known.at(-1) ?? '–'}%`;
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
      return trendLines(trend, room);
  }
}

const link = (url: string | null): RichTextElement[] =>
  url?.startsWith('https://') === true ? [...words(' · '), { type: 'link', url, text: 'open' }] : [];

/** A part of a digest as Slack's blocks. */
export function digestBlocks(block: DigestBlock, style: DigestStyle, room: Room): (KnownBlock | Block)[] {
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
    case 'list':
      return titled(
        block.title,
        linesOf(block.items, room, block.more, (item) => [
          ...words(digestLine(item.text, room.line)),
          ...link(item.link),
        ]),
      );
  }
}
