import type { Parsed, Received, Span } from '../case/paste/index.ts';
import { plainKey } from '../common/text/index.ts';
import type { JudgeRequest } from '../judging/index.ts';

/** The methods that a paste can name, by id. */
export type NamedMethods = ReadonlyMap<string, { title: string }>;

/** How to judge, as the lines around a paste say it. */
export interface AskedWish {
  /** The text without those lines. */
  text: string;
  wish: Pick<JudgeRequest, 'method' | 'models'>;
  /** What was not used, as notes of a case. */
  ignored: string[];
  /** The lines that were taken out of the text, in order. */
  lines: WishLine[];
}

/** A line that says how to judge. */
interface WishLine {
  text: string;
  isAbove: boolean;
  /** What it sets. */
  path: 'method' | 'model';
  /** Where its value is in it. */
  value: readonly [from: number, to: number];
  /** Why it was not used; null if it was. */
  unused: string | null;
}

const LABELED = /^[\s>*_]*(?<label>methods?|models?)[\s*_]*:[\s*_]*(?<value>\S.*?)[\s*_]*$/i;
const MODEL = /^(?:rules|rules\+[\w-]+\/\S+|[a-z][\w-]*\/\S+)$/;

/** The lines at the start and at the end of a text that may say how to judge, by their number. */
function outerLines(lines: readonly string[]): number[] {
  const isOuter = (line = '') => line.trim() === '' || LABELED.test(line) || /^\s*rubric\s*:/i.test(line);
  const first = lines.findIndex((line) => !isOuter(line));
  const last = lines.findLastIndex((line) => !isOuter(line));
  return lines.flatMap((_, index) => (first < 0 || index < first || index > last ? [index] : []));
}

/**
 * Reads `Method: …` and `Model: …` above or below a paste. `Model:` counts only with the name of a model, such as
 * `openai/gpt-4o-mini`: it may also be how a system's turn is labeled. An unknown method stays in the text: it may be what the system
 * answered.
 */
export function wishIn(text: string, methods: NamedMethods): AskedWish {
  const lines = text.split('\n');
  const outer = new Set(outerLines(lines));
  const wish: AskedWish['wish'] = {};
  const ignored: string[] = [];
  const taken = new Map<number, WishLine>();
  const firstOther = lines.findIndex((line, index) => line.trim() !== '' && !outer.has(index));
  const methodOf = (name: string) =>
    [...methods].find(([id, { title }]) => [id, title].some((one) => plainKey(one) === plainKey(name)))?.[0];
  /** @returns whether the line is used; null if it does not say how to judge */
  const takeModels = (value: string): boolean | null => {
    const models = value.split(/\s*,\s*/);
    if (!models.every((one) => MODEL.test(one))) return null;
    if (wish.models !== undefined) return false;
    wish.models = models;
    return true;
  };
  const takeMethod = (value: string): boolean | null => {
    const method = methodOf(value);
    if (method === undefined) return null;
    if (wish.method !== undefined) return false;
    wish.method = method;
    return true;
  };
  for (const index of outer) {
    const line = lines[index] ?? '';
    const { label = '', value = '' } = LABELED.exec(line)?.groups ?? {};
    if (label === '') continue;
    const path = /^model/i.test(label) ? 'model' : 'method';
    const isUsed = (path === 'model' ? takeModels : takeMethod)(value);
    if (isUsed === null) continue;
    if (!isUsed) ignored.push(`not used: ${label} “${value}”, a second one`);
    const from = line.indexOf(value, line.indexOf(':'));
    taken.set(index, {
      ...{ text: line, path, isAbove: firstOther < 0 || index < firstOther },
      value: [from, from + value.length],
      unused: isUsed ? null : 'a second one',
    });
  }
  if (taken.size === 0) return { text, wish, ignored, lines: [] };
  return {
    text: lines
      .filter((_, index) => !taken.has(index))
      .join('\n')
      .trim(),
    wish,
    ignored,
    lines: [...taken.values()],
  };
}

/**
 * Adds the lines that say how to judge to what was received of a case, see {@link withWishLines}. With several cases, they belong to none.
 * The object stays the same, because its spans are made on first use.
 */
export function addWishLines(
  items: readonly Parsed[],
  lines: readonly WishLine[],
  why: string | null = null,
): void {
  const [only, ...others] = items;
  if (only === undefined || !('case' in only) || only.received === undefined) return;
  if (others.length === 0 && lines.length > 0) only.received = withWishLines(only.received, lines, why);
}

/**
 * A text as it was received, with the lines that say how to judge: they stand above and below it again, and are read as what they set.
 *
 * @param why why all of them were left out; null if those were used that say so
 */
export function withWishLines(
  { text, spans }: Received,
  lines: readonly WishLine[],
  why: string | null = null,
): Received {
  const above = lines.filter(({ isAbove }) => isAbove);
  const below = lines.filter(({ isAbove }) => !isAbove);
  const whole = [...above.map((one) => one.text), text, ...below.map((one) => one.text)].join('\n');
  const spansOf = (line: WishLine, start: number): Span[] => {
    const [from, to] = [start + line.value[0], start + line.value[1]];
    const unused = why ?? line.unused;
    const read: Pick<Span, 'is' | 'path' | 'why'> =
      unused === null ? { is: 'field', path: line.path } : { is: 'left out', why: unused };
    return [
      { from: start, to: from, is: 'label' },
      { from, to, ...read },
      ...(start + line.text.length > to
        ? [{ from: to, to: start + line.text.length, is: 'label' as const }]
        : []),
    ];
  };
  let at = 0;
  const placed = (part: readonly WishLine[]): Span[] =>
    part.flatMap((line) => {
      const start = at;
      at += line.text.length + 1;
      return spansOf(line, start);
    });
  const first = placed(above);
  const shift = at;
  at += text.length + 1;
  const moved = spans.map((span) => ({ ...span, from: span.from + shift, to: span.to + shift }));
  return { text: whole, spans: [...first, ...moved, ...placed(below)] };
}
