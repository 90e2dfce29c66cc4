import type { Digest, DigestBlock, DigestMark } from '../../digests/index.ts';
import { shortLine } from '../wording/index.ts';

const marks: Record<DigestMark, string> = {
  better: '📈',
  worse: '📉',
  steady: '➡️',
  unknown: '🧭',
  alert: '🔔',
  recovery: '✅',
};

/** The sign before a headline. */
export const digestMark = ({ quiet, trend }: Pick<Digest, 'quiet' | 'trend'>): string =>
  quiet ? '💤' : marks[trend];

/** How much is shown: the most characters of a line and of a cell, and the most items of a block. */
export interface Room {
  line: number;
  cell: number;
  items: number;
}

/** From easy to read to small enough for any digest; items without room are counted. */
const ROOMS: readonly Room[] = [
  { line: 240, cell: 60, items: 20 },
  { line: 140, cell: 40, items: 10 },
  { line: 80, cell: 24, items: 5 },
];
const LEAST: Room = { line: 60, cell: 16, items: 3 };

/** Renders with the largest {@link Room} whose result fits. */
export function roomed<T>(render: (room: Room) => T, fits: (rendered: T) => boolean): T {
  for (const room of ROOMS) {
    const rendered = render(room);
    if (fits(rendered)) return rendered;
  }
  return render(LEAST);
}

/** A text as one line of at most `most` characters; a dash if empty. */
export const digestLine = (text: string, most: number): string => shortLine(text, most) || '–';

/** A line of a digest: an emphasized start, the rest, and a link. */
export interface DigestLine {
  lead: string;
  text: string;
  link: string | null;
  /** A link that opens a new issue about it. */
  issue: string | null;
}

type Worded = Exclude<DigestBlock, { kind: 'text' }>;

const plain = (lead: string, text: string): DigestLine => ({ lead, text, link: null, issue: null });

function linesOf(block: Worded, { line, cell }: Room): DigestLine[] {
  switch (block.kind) {
    case 'facts':
      return block.facts.map(({ label, value }) =>
        plain(digestLine(label, cell), `: ${digestLine(value, line)}`),
      );
    case 'table':
      // Each row: the first cell, then the others after their columns' titles.
      return block.rows.map(([first = '', ...others]) => {
        const cells = others.map((text, n) =>
          `${block.columns[n + 1]?.title ?? ''} ${digestLine(text, cell)}`.trim(),
        );
        return plain(digestLine(first, cell), `: ${cells.join(', ')}`);
      });
    case 'trend':
      return block.series.map(({ name, values }) => {
        const points = values.flatMap((value, n) =>
          value === null ? [] : [`${block.categories[n] ?? ''} ${value} %`],
        );
        return plain(digestLine(name, cell), `: ${digestLine(points.join(' → '), line)}`);
      });
    case 'cases':
      return block.items.map(({ title, request, answer, reason, link, issue }) => ({
        lead: digestLine(title, cell),
        text: [
          `\n${digestLine(request, line)}`,
          answer === '' ? '' : `\n→ ${digestLine(answer, line)}`,
          `\n❌ ${digestLine(reason, line)}`,
        ].join(''),
        link,
        issue,
      }));
    case 'list':
      return block.items.map(({ text, link }) => ({ ...plain('', digestLine(text, line)), link }));
  }
}

/** A block of a digest as lines: as many as there is room for, and the number of the others. */
export function digestWords(block: Worded, room: Room): { lines: DigestLine[]; left: number } {
  const all = linesOf(block, room);
  const more = 'more' in block ? block.more : 0;
  return { lines: all.slice(0, room.items), left: more + Math.max(0, all.length - room.items) };
}

/** Shares over time, in percent. */
export type Trend = Extract<DigestBlock, { kind: 'trend' }>;

/** The most points of a line, and the most lines, that chats accept in a chart. */
const POINTS = 20;
const LINES = 6;

const short = (text: string, most: number): string => shortLine(text, most) || '–';

/** Names for the lines of a chart, of at most `most` characters; names that would be the same when shortened are numbered. */
export function distinctNames(names: readonly string[], most: number): string[] {
  const shown = names.map((name) => short(name, most));
  return shown.map((name, n) => {
    const isTwin = shown.some((other, m) => m !== n && other === name);
    return isTwin ? `${short(names[n] ?? '', most - 3)} ${n + 1}` : name;
  });
}

/** A trend for a chat's chart: the newest points, and the lines that have any; names have at most `mostOfName` characters. */
export function trendLines({ categories, series }: Trend, mostOfName: number) {
  const from = Math.max(0, categories.length - POINTS);
  const shown = categories.slice(from);
  const drawn = series
    .map(({ name, values }) => ({
      name,
      points: values.slice(from).flatMap((value, at) => {
        const label = shown[at];
        return value === null || label === undefined ? [] : [{ label, value }];
      }),
    }))
    .filter(({ points }) => points.length > 0)
    .slice(0, LINES);
  const names = distinctNames(
    drawn.map(({ name }) => name),
    mostOfName,
  );
  return { categories: shown, lines: drawn.map(({ points }, n) => ({ name: names[n] ?? '', points })) };
}
