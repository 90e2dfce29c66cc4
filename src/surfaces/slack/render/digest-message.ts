import type { Block, DataTableBlock, ImageBlock, KnownBlock, RichTextElement } from '@slack/types';
import type { Digest, DigestBlock, DigestTrend } from '../../../core/digest.ts';
import { limits } from './limits.ts';
import { message } from './message.ts';
import { bold, bulletBlocks, context, italic, paragraph, words } from './rich.ts';
import { oneLine, shortened } from './safe-text.ts';
import { trendChart } from './trend-chart.ts';

/** How tables and charts are shown: as Slack's own, or as what workspaces take that refuse those. */
export interface DigestStyle {
  tables: 'native' | 'text';
  /** A picture is the id of a file that was uploaded. */
  chart: { kind: 'native' } | { kind: 'picture'; file: string } | { kind: 'text' };
}

export const nativeStyle: DigestStyle = { tables: 'native', chart: { kind: 'native' } };
export const textStyle: DigestStyle = { tables: 'text', chart: { kind: 'text' } };

/** As a message of other kinds, with blocks that Slack's types do not know yet. */
export interface DigestMessage {
  text: string;
  blocks: (KnownBlock | Block)[];
}

/** A line of a list. */
const LINE = 240;
const CELL = 60;

const marks: Record<DigestTrend, string> = { better: '📈', worse: '📉', steady: '➡️', unknown: '🧭' };

const line = (text: string, most = LINE): string => shortened(oneLine(text) || '–', most);

const link = (url: string | null): RichTextElement[] =>
  url?.startsWith('https://') === true ? [...words(' · '), { type: 'link', url, text: 'open' }] : [];

const leftOut = (more: number): RichTextElement[][] => (more === 0 ? [] : [italic(`${more} more`)]);

type Table = Extract<DigestBlock, { kind: 'table' }>;

function dataTable({ title, columns, rows }: Table): DataTableBlock {
  const cells = (texts: readonly string[]) =>
    texts.map((text) => ({ type: 'raw_text' as const, text: line(text, CELL) }));
  return {
    type: 'data_table',
    caption: line(title, limits.header),
    page_size: 10,
    rows: [cells(columns.map((column) => column.title)), ...rows.map(cells)],
  };
}

/** Each row as a line: its first cell, then the others under the names of their columns. */
const tableLines = ({ columns, rows }: Table): RichTextElement[][] =>
  rows.map(([first = '', ...others]) => [
    ...bold(line(first, CELL)),
    ...words(
      `: ${others.map((cell, n) => `${columns[n + 1]?.title ?? ''} ${line(cell, CELL)}`.trim()).join(', ')}`,
    ),
  ]);

type Trend = Extract<DigestBlock, { kind: 'trend' }>;

/** First and last point of each line. */
const trendLines = ({ categories, series }: Trend): RichTextElement[][] =>
  series.map(({ name, values }) => {
    const points = values.flatMap((value, n) => (value === null ? [] : [`${categories[n] ?? ''} ${value}%`]));
    return [...bold(line(name, CELL)), ...words(`: ${line(points.join(' → '))}`)];
  });

/** What the lines say goes with the picture, for those who cannot see it. */
function pictureOf(trend: Trend, file: string): ImageBlock {
  const title = line(trend.title);
  const said = trend.series.map(({ name, values }) => {
    const known = values.filter((value) => value !== null);
    return `${line(name, CELL)} from ${known[0] ?? '–'}% to ${known.at(-1) ?? '–'}%`;
  });
  return {
    type: 'image',
    slack_file: { id: file },
    alt_text: shortened(`${title}: ${said.join('; ')}`, limits.altText),
  };
}

function chartOf(trend: Trend, { chart }: DigestStyle): (KnownBlock | Block)[] {
  switch (chart.kind) {
    case 'native':
      return [trendChart(trend)];
    case 'picture':
      return [pictureOf(trend, chart.file)];
    case 'text':
      return titled(trend.title, trendLines(trend));
  }
}

const titled = (title: string, items: readonly RichTextElement[][]): KnownBlock[] =>
  items.length === 0 ? [] : [paragraph(bold(line(title))), ...bulletBlocks(items)];

function blocksOf(block: DigestBlock, style: DigestStyle): (KnownBlock | Block)[] {
  switch (block.kind) {
    case 'text':
      return [context(block.text)];
    case 'facts':
      return titled(
        block.title,
        block.facts.map(({ label, value }) => [...bold(line(label)), ...words(`: ${line(value)}`)]),
      );
    case 'table':
      return style.tables === 'text'
        ? titled(block.title, [...tableLines(block), ...leftOut(block.more)])
        : [dataTable(block), ...(block.more === 0 ? [] : [context(`${block.more} more rows`)])];
    case 'trend':
      return chartOf(block, style);
    case 'list':
      return titled(block.title, [
        ...block.items.map((item) => [...words(line(item.text)), ...link(item.link)]),
        ...leftOut(block.more),
      ]);
  }
}

/** The digest's own message: the headline with what belongs beside it. A quiet one is a line. */
export function digestMessage(digest: Digest, style: DigestStyle): DigestMessage {
  const { headline, trend, note, quiet, blocks } = digest;
  const head = paragraph(words(`${quiet ? '💤' : marks[trend]} `), bold(line(headline, 600)));
  const text = note === null ? headline : `${headline} ${note}`;
  return {
    ...message(text, []),
    blocks: [
      head,
      ...(note === null ? [] : [context(note)]),
      ...blocks.flatMap((block) => blocksOf(block, style)),
    ],
  };
}

/** What goes into the digest's thread. */
export const digestDetails = (digest: Digest, style: DigestStyle): DigestMessage => ({
  ...message('Details of the digest', []),
  blocks: digest.details.flatMap((block) => blocksOf(block, style)),
});
