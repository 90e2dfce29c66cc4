import type { ITextRun } from '@microsoft/teams.cards';
import type { Digest, DigestBlock, DigestMark } from '../../../digests/digest.ts';
import { type Trend, trendLines } from '../../charts/trend.ts';
import { shortLine } from '../../safe-text.ts';
import type { TeamsMessage } from '../messages.ts';
import { bold, bytesOf, type Element, heading, lines, message, note, run } from './elements.ts';

const marks: Record<DigestMark, string> = {
  better: '📈',
  worse: '📉',
  steady: '➡️',
  unknown: '🧭',
  alert: '🔔',
  recovery: '✅',
};

/** How much of each thing is shown: characters of a line and of a cell, items of a kind. */
interface Room {
  line: number;
  cell: number;
  items: number;
}

/** From what is good to read to what any digest fits into. */
const ROOMS: readonly Room[] = [
  { line: 240, cell: 60, items: 20 },
  { line: 140, cell: 40, items: 10 },
  { line: 80, cell: 24, items: 5 },
  { line: 60, cell: 16, items: 3 },
];
const BYTES = 24_000;

const cut = (text: string, most: number): string => shortLine(text, most) || '–';

/** As many as there is room for, a line each, and how many more there are. */
function listed<T>(
  title: string,
  items: readonly T[],
  { items: most }: Room,
  more: number,
  show: (item: T) => ITextRun[],
): Element[] {
  const left = more + Math.max(0, items.length - most);
  return items.length === 0
    ? []
    : [
        heading(title),
        ...items.slice(0, most).map((item) => lines(run('• '), ...show(item))),
        ...(left === 0 ? [] : [note(`${left} more`)]),
      ];
}

/** What a line shows, in words. */
const lineWords = ({ categories }: Trend, { values }: Trend['series'][number], { line }: Room): string => {
  const points = values.flatMap((value, n) => (value === null ? [] : [`${categories[n] ?? ''} ${value} %`]));
  return cut(points.join(' → '), line);
};

/** All points of each line, in words. */
const trendWords = (trend: Trend, room: Room): Element[] =>
  listed(trend.title, trend.series, room, 0, (line) => [
    bold(cut(line.name, room.cell)),
    run(`: ${lineWords(trend, line, room)}`),
  ]);

/** The same for who listens. */
const spokenTrend = (trend: Trend, room: Room): string =>
  [
    trend.title,
    ...trend.series
      .slice(0, room.items)
      .map((line) => `${cut(line.name, room.cell)}: ${lineWords(trend, line, room)}`),
  ]
    .map((part) => shortLine(part, room.line))
    .join('. ');

/** A chart where the client draws charts, else its picture, else what it shows in words. */
function trendElement(trend: Trend, room: Room, picture: string | null): Element[] {
  const { lines: drawn } = trendLines(trend, room.cell);
  const words = trendWords(trend, room);
  if (drawn.length === 0) return words;
  return [
    {
      type: 'Chart.Line',
      title: cut(trend.title, room.line),
      yAxisTitle: '%',
      data: drawn.map(({ name, points }) => ({
        legend: name,
        values: points.map(({ label: x, value: y }) => ({ x, y })),
      })),
      fallback:
        picture === null
          ? { type: 'Container', items: words }
          : { type: 'Image', url: picture, altText: spokenTrend(trend, room), size: 'Stretch' },
    },
  ];
}

function blockElements(block: DigestBlock, room: Room, picture: string | null): Element[] {
  switch (block.kind) {
    case 'text':
      return [note(block.text)];
    case 'facts':
      return listed(block.title, block.facts, room, 0, ({ label, value }) => [
        bold(cut(label, room.cell)),
        run(`: ${cut(value, room.line)}`),
      ]);
    case 'table':
      return listed(block.title, block.rows, room, block.more, ([first = '', ...others]) => {
        const cells = others.map((cell, n) =>
          `${block.columns[n + 1]?.title ?? ''} ${cut(cell, room.cell)}`.trim(),
        );
        return [bold(cut(first, room.cell)), run(`: ${cells.join(', ')}`)];
      });
    case 'trend':
      return trendElement(block, room, picture);
    case 'cases': {
      const left = block.more + Math.max(0, block.items.length - room.items);
      return [
        heading(block.title),
        ...block.items.slice(0, room.items).flatMap(({ title, request, answer, reason, link, issue }) => [
          lines(
            run(cut(title, room.cell), {
              weight: 'Bolder',
              ...(link === null ? {} : { selectAction: { type: 'Action.OpenUrl', url: link } }),
            }),
          ),
          lines(run(cut(request, room.line))),
          ...(answer === '' ? [] : [lines(run(`→ ${cut(answer, room.line)}`))]),
          lines(
            run(`✗ ${cut(reason, room.line)}`),
            ...(issue === null
              ? []
              : [run(' · create issue', { selectAction: { type: 'Action.OpenUrl', url: issue } })]),
          ),
        ]),
        ...(left === 0 ? [] : [note(`${left} more`)]),
      ];
    }
    case 'list':
      return listed(block.title, block.items, room, block.more, ({ text, link }) => [
        run(
          cut(text, room.line),
          link === null ? {} : { selectAction: { type: 'Action.OpenUrl', url: link } },
        ),
      ]);
  }
}

/** With as much room as a message leaves. */
function elementsOf(blocks: readonly DigestBlock[], picture: string | null): Element[] {
  const [first, ...rest] = ROOMS.map(
    (room) => () => blocks.flatMap((block) => blockElements(block, room, picture)),
  );
  let elements = first?.() ?? [];
  for (const smaller of rest) {
    if (bytesOf(elements) <= BYTES) break;
    elements = smaller();
  }
  return elements;
}

/** The chart that has a picture: each takes much of what a card may have. */
export const chartOf = (blocks: readonly DigestBlock[]): Trend | undefined => {
  const trends = blocks.flatMap((block) => (block.kind === 'trend' ? [block] : []));
  return trends.length === 1 ? trends[0] : undefined;
};

/**
 * The digest's own message: the headline with what belongs beside it. A quiet one is a line.
 *
 * @param picture of its only chart, for clients that draw none
 */
export function digestMessage(
  { headline, trend, note: remark, quiet, blocks }: Digest,
  picture: string | null = null,
): TeamsMessage {
  const text = remark === null ? headline : `${headline} ${remark}`;
  const chart = chartOf(blocks);
  const [room] = ROOMS;
  return message(text, {
    body: [
      lines(run(`${quiet ? '💤' : marks[trend]} `), bold(cut(headline, 600))),
      ...(remark === null ? [] : [note(remark)]),
      ...elementsOf(blocks, picture),
    ],
    speak: [text, ...(chart === undefined || room === undefined ? [] : [spokenTrend(chart, room)])].join(' '),
  });
}

/** What goes into the digest's thread. */
export const digestDetails = (digest: Digest, picture: string | null = null): TeamsMessage =>
  message('Details of the digest', { body: [heading('Details'), ...elementsOf(digest.details, picture)] });
