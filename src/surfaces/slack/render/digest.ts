import type { Block, DataTableBlock, ImageBlock, KnownBlock } from '@slack/types';
import type { Digest, DigestBlock } from '../../../digests/index.ts';
import { type Language, wordsIn } from '../../../words/index.ts';
import {
  digestLine,
  digestMark,
  digestWords,
  type Room,
  roomed,
  type Trend,
  trendLines,
} from '../../chat/index.ts';
import { shortened } from '../../wording/index.ts';
import { actions } from '../ids.ts';
import {
  bold,
  bulletBlocks,
  button,
  buttonRow,
  context,
  italic,
  limits,
  link,
  message,
  paragraph,
  words,
} from './blocks.ts';

/** Slack's chart block, which `@slack/types` does not have yet. */
interface ChartBlock extends Block {
  type: 'data_visualization';
  title: string;
  chart: {
    type: 'line';
    series: { name: string; data: { label: string; value: number }[] }[];
    axis_config: { categories: string[]; y_label: string };
  };
}

/** Slack's limits for charts, in characters. */
const TITLE = 50;
const NAME = 20;

/** A line chart of the latest points; lines without points are left out, because Slack refuses them. */
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

/** How to show tables and charts: with Slack's own blocks, or with alternatives for workspaces that refuse them. */
export interface DigestStyle {
  tables: 'native' | 'text';
  /** `file`: the id of an uploaded picture. */
  chart: { kind: 'native' } | { kind: 'picture'; file: string } | { kind: 'text' };
}

/** A part of a digest as a list, with a count of what does not fit. */
function listBlocks(
  block: Exclude<DigestBlock, { kind: 'text' }>,
  room: Room,
  language: Language,
): KnownBlock[] {
  const { message: texts } = wordsIn(language).digests;
  const { lines, left } = digestWords(block, room);
  if (lines.length === 0) return [];
  const items = lines.map(({ lead, text, link: to, issue }) => {
    const links = [...link(to, texts.open), ...link(issue, texts.createIssue)];
    return lead === '' ? [...words(text), ...links] : [...bold(lead), ...links, ...words(text)];
  });
  return [
    paragraph(bold(digestLine(block.title, limits.header))),
    ...bulletBlocks([...items, ...(left === 0 ? [] : [italic(texts.more(left))])]),
  ];
}

type Table = Extract<DigestBlock, { kind: 'table' }>;

function dataTable(
  { title, columns, rows, more }: Table,
  room: Room,
  language: Language,
): (KnownBlock | Block)[] {
  const cells = (texts: readonly string[]) =>
    texts.map((text) => ({ type: 'raw_text' as const, text: digestLine(text, room.cell) }));
  const left = more + Math.max(0, rows.length - room.items);
  const table: DataTableBlock = {
    type: 'data_table',
    caption: digestLine(title, limits.header),
    page_size: 10,
    rows: [cells(columns.map((column) => column.title)), ...rows.slice(0, room.items).map(cells)],
  };
  return [table, ...(left === 0 ? [] : [context(wordsIn(language).digests.message.moreRows(left))])];
}

/** The picture's alt text names each line's first and last value. */
function pictureOf({ title, series }: Trend, file: string, room: Room, language: Language): ImageBlock {
  const lines = series.map(({ name, values }) => {
    const measured = values.filter((value) => value !== null);
    return wordsIn(language).digests.message.fromTo({
      name: digestLine(name, room.cell),
      first: String(measured[0] ?? '–'),
      last: String(measured.at(-1) ?? '–'),
    });
  });
  return {
    type: 'image',
    slack_file: { id: file },
    alt_text: shortened(`${digestLine(title, room.line)}: ${lines.join('; ')}`, limits.altText),
  };
}

function chartOf(
  trend: Trend,
  { chart }: DigestStyle,
  room: Room,
  language: Language,
): (KnownBlock | Block)[] {
  switch (chart.kind) {
    case 'native':
      return [trendChart(trend)];
    case 'picture':
      return [pictureOf(trend, chart.file, room, language)];
    case 'text':
      return listBlocks(trend, room, language);
  }
}

/** A part of a digest as blocks. */
function digestBlocks(
  block: DigestBlock,
  style: DigestStyle,
  room: Room,
  language: Language,
): (KnownBlock | Block)[] {
  switch (block.kind) {
    case 'text':
      return [context(block.text)];
    case 'trend':
      return chartOf(block, style, room, language);
    case 'table':
      return style.tables === 'text' ? listBlocks(block, room, language) : dataTable(block, room, language);
    case 'facts':
    case 'cases':
    case 'list':
      return listBlocks(block, room, language);
  }
}

export const nativeStyle: DigestStyle = { tables: 'native', chart: { kind: 'native' } };
export const textStyle: DigestStyle = { tables: 'text', chart: { kind: 'text' } };

/** Like {@link SlackMessage}, plus blocks that `@slack/types` does not have yet. */
export interface DigestMessage {
  text: string;
  blocks: (KnownBlock | Block)[];
}

const HEADLINE = 600;

/** The characters of all text in the blocks; may count some that Slack does not. */
function charsIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce((sum, [key, inner]) => sum + (key === 'type' ? 0 : charsIn(inner)), 0);
}

const fits = (blocks: readonly unknown[]): boolean =>
  blocks.length <= limits.messageBlocks && charsIn(blocks) <= limits.messageText;

/** The blocks with as much detail as fits into a message. */
const fitted = (
  blocks: readonly DigestBlock[],
  style: DigestStyle,
  language: Language,
): (KnownBlock | Block)[] =>
  roomed((room) => blocks.flatMap((block) => digestBlocks(block, style, room, language)), fits);

/** The digest's main message: headline, note and blocks. A quiet digest is one line. */
export function digestMessage(digest: Digest, style: DigestStyle, language: Language): DigestMessage {
  const texts = wordsIn(language).digests.message;
  const { headline, note, blocks } = digest;
  const head = paragraph(words(`${digestMark(digest)} `), bold(digestLine(headline, HEADLINE)));
  const text = note === null ? headline : `${headline} ${note}`;
  const pause =
    digest.pause === undefined
      ? []
      : [buttonRow(button({ text: texts.pause, action: actions.pauseAlert, value: digest.pause }))];
  return {
    ...message(text, []),
    blocks: [head, ...(note === null ? [] : [context(note)]), ...fitted(blocks, style, language), ...pause],
  };
}

/** The message in the digest's thread. */
export const digestDetails = (digest: Digest, style: DigestStyle, language: Language): DigestMessage => ({
  ...message(wordsIn(language).digests.message.detailsOf, []),
  blocks: fitted(digest.details, style, language),
});
