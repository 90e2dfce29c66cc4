import type { DigestBlock } from '../../digests/digest.ts';
import { shortLine } from '../safe-text.ts';

/** Shares over time, in percent. */
export type Trend = Extract<DigestBlock, { kind: 'trend' }>;

/** What chats take of a chart: points of a line, and lines. */
const POINTS = 20;
const LINES = 6;

const short = (text: string, most: number): string => shortLine(text, most) || '–';

/** Names of the lines of a chart, of so many characters at most; where two are the same once shortened they are numbered. */
export function distinctNames(names: readonly string[], most: number): string[] {
  const shown = names.map((name) => short(name, most));
  return shown.map((name, n) => {
    const isTwin = shown.some((other, m) => m !== n && other === name);
    return isTwin ? `${short(names[n] ?? '', most - 3)} ${n + 1}` : name;
  });
}

/** A trend as chats draw it: its newest points, without the lines that have none among them; names of so many characters at most. */
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
