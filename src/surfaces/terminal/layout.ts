import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { plainLine } from '../../common/text/index.ts';
import type { Screen, Terminal } from './command-context.ts';

/** The width of a text in terminal columns; color codes take none. */
export const widthOf = (text: string): number => stringWidth(text);

interface WrapOptions {
  /** Whether words wider than a line are broken. */
  hard?: boolean;
  /** Whether spaces at line ends are kept. */
  keepSpaces?: boolean;
}

/** Wraps text to a width in columns. Existing line breaks stay. */
export const wrap = (text: string, width: number, { hard = false, keepSpaces = false }: WrapOptions = {}) =>
  wrapAnsi(text, width, { hard, trim: !keepSpaces });

/** Splits a text after as much as fits into a width in columns. */
export function splitAt(text: string, width: number): [start: string, rest: string] {
  let [at, used] = [0, 0];
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += widthOf(segment);
    if (used > width) break;
    at += segment.length;
  }
  return [text.slice(0, at), text.slice(at)];
}

interface HangOptions extends WrapOptions {
  /** Colors a line after it has been measured. */
  paint?: (line: string, isFirst: boolean) => string;
}

/** Text wrapped to a width: the first line after `head`, which may be colored, the others indented as far. */
export function hang(
  head: string,
  text: string,
  width: number,
  { paint = (line) => line, ...options }: HangOptions = {},
): string[] {
  const indent = widthOf(head);
  const [first = '', ...rest] = wrap(text, Math.max(20, width - indent), options).split('\n');
  return [head + paint(first, true), ...rest.map((line) => ' '.repeat(indent) + paint(line, false))];
}

/** A column: its title, and its cell in a row. */
export type Column<T> = readonly [title: string, cell: (row: T) => string, align?: 'left'];

/** A table of rows. The first columns name the row and are left-aligned. */
export const tableOf = <T>(
  screen: Screen,
  rows: readonly T[],
  columns: readonly Column<T>[],
  labels = 1,
): string[] =>
  textTable(
    screen,
    columns.map(([title, , align], at) => ({
      title: plainLine(title),
      align: at < labels ? 'left' : (align ?? 'right'),
    })),
    rows.map((row) => columns.map(([, cell]) => plainLine(cell(row)))),
    labels,
  );

/** The same under a title, after an empty line; nothing if there are no rows. */
export const titledTable = <T>(
  screen: Screen,
  title: string,
  rows: readonly T[],
  columns: readonly Column<T>[],
): string[] => (rows.length === 0 ? [] : ['', screen.colors.bold(title), ...tableOf(screen, rows, columns)]);

/** A list entry: its name, what it is, and where it comes from. */
export interface Listed {
  id: string;
  lines: string[];
  source: string;
}

/** Prints a list: names in one column, and what each is wrapped beside them. */
export function list({ screen, out }: Terminal, items: readonly Listed[]): void {
  // Names of files and of users' own prompts are untrusted.
  const plain = items.map(({ id, lines, source }) => ({
    id: plainLine(id),
    lines: lines.map(plainLine),
    source: plainLine(source),
  }));
  const { bold, dim } = screen.colors;
  const indent = 2 + Math.max(...plain.map(({ id }) => id.length)) + 2;
  for (const { id, lines, source } of plain) {
    const last = lines.length;
    const texts = [...lines, ...(source === '' ? [] : [`from ${source}`])].flatMap((text, at) =>
      hang(at === 0 ? `  ${bold(id.padEnd(indent - 4))}  ` : ' '.repeat(indent), text, screen.width, {
        paint: (line) => (at === last ? dim(line) : line),
      }),
    );
    out(texts.join('\n'));
  }
}

/** A text cut to a width, with an ellipsis if it is too wide. */
export function cut(text: string, width: number): string {
  // Measuring is slow, and this is more than enough.
  const start = text.slice(0, 20 * width);
  return widthOf(start) <= width ? start : `${splitAt(start, Math.max(1, width - 1))[0].trimEnd()}…`;
}

/** Text padded with spaces to a width. */
export const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)));

export interface TextColumn {
  title: string;
  align: 'left' | 'right';
}

const GAP = 2;
/** Row labels never wrap narrower than this, whatever the terminal. */
const NARROWEST_LABEL = 12;

const widestOf = (cells: readonly string[]): number => Math.max(0, ...cells.map(widthOf));

const totalOf = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width + GAP, 0);

/** The widths of label columns in a limited room: the widest that may shrink does so first. Undefined if they cannot fit. */
function fitted(
  labels: readonly number[],
  room: number,
  least: (column: number) => number,
): number[] | undefined {
  const widths = [...labels];
  for (let excess = totalOf(widths) - room; excess > 0; excess -= 1) {
    const widest = Math.max(...widths.filter((width, column) => width > least(column)));
    if (!Number.isFinite(widest)) return undefined;
    widths[widths.findIndex((width, column) => width === widest && width > least(column))] = widest - 1;
  }
  return widths;
}

/** Splits columns into blocks that fit beside the labels. Every block has at least one column. */
function blocksOf(widths: readonly number[], columns: readonly number[], room: number): number[][] {
  const blocks: number[][] = [];
  let left = 0;
  for (const column of columns) {
    const needed = (widths[column] ?? 0) + GAP;
    const block = blocks.at(-1);
    if (block === undefined || needed > left) {
      blocks.push([column]);
      left = room - needed;
    } else {
      block.push(column);
      left -= needed;
    }
  }
  return blocks;
}

/**
 * A table as lines of text, no wider than the screen if possible: cells wider than half of it wrap, and columns that do not fit
 * beside the labels go into further blocks, each with the labels again. Nothing is cut.
 *
 * @param rows cells in the order of the columns, without colors
 * @param labels how many of the first columns name the row
 * @param paint colors a line of a cell
 */
export function textTable(
  screen: Screen,
  columns: readonly TextColumn[],
  rows: readonly (readonly string[])[],
  labels: number,
  paint: (text: string, row: number, column: number) => string = (text) => text,
): string[] {
  const natural = columns.map(({ title }, index) =>
    widestOf([title, ...rows.map((row) => row[index] ?? '')]),
  );
  const others = [...columns.keys()].slice(labels);
  // Prose wraps too, and is left-aligned.
  const widestCell = Math.max(NARROWEST_LABEL, Math.floor(screen.width / 2));
  const isProse = (index: number): boolean => index >= labels && (natural[index] ?? 0) > widestCell;
  const ownLabels = natural.slice(0, labels);
  // A broken id cannot be copied, and a broken name is hard to read.
  const longestWord = (column: number): number =>
    widestOf(
      [columns[column]?.title ?? '', ...rows.map((row) => row[column] ?? '')].flatMap((text) =>
        text.split(' '),
      ),
    );
  // A title of one word, such as "configuration", is never broken.
  const titleOf = (column: number): number =>
    Math.max(NARROWEST_LABEL, widestOf((columns[column]?.title ?? '').split(' ')));
  const words = ownLabels.map((_, column) =>
    Math.max(NARROWEST_LABEL, Math.min(longestWord(column), Math.floor((screen.width * 2) / 3))),
  );
  const wordOf = (column: number): number => words[column] ?? 0;
  const widthsWith = (titleWidth: (title: string) => number): number[] =>
    others.map((column) => {
      const cells = widestOf(rows.map((row) => row[column] ?? ''));
      return Math.min(widestCell, Math.max(cells, titleWidth(columns[column]?.title ?? '')));
    });
  const isOneBlock = (widths: readonly number[]): boolean =>
    fitted(ownLabels, screen.width - totalOf(widths), wordOf) !== undefined;
  const [whole, wrapped] = [widthsWith(widthOf), widthsWith((title) => widestOf(title.split(' ')))];
  // Titles wrap if that saves a second block.
  const otherWidths = !isOneBlock(whole) && isOneBlock(wrapped) ? wrapped : whole;
  // Wrapped labels are easier to read than a second block; if there has to be one anyway, labels keep what room they can.
  const labelWidths =
    fitted(ownLabels, screen.width - totalOf(otherWidths), wordOf) ??
    fitted(ownLabels, screen.width - GAP - Math.max(0, ...otherWidths), wordOf) ??
    fitted(ownLabels, screen.width - GAP - Math.max(0, ...otherWidths), titleOf) ??
    ownLabels.map((width, column) => Math.min(width, titleOf(column)));
  const widths = [...labelWidths, ...otherWidths];
  const labelColumns = [...columns.keys()].slice(0, labels);
  const labelWidth = totalOf(labelWidths);

  const line = (
    cells: readonly string[],
    shown: readonly number[],
    painted: (text: string, column: number) => string,
  ): string[] => {
    const wrapped = shown.map((index) =>
      wrap(cells[index] ?? '', widths[index] ?? 0, { hard: true }).split('\n'),
    );
    const height = Math.max(...wrapped.map((lines) => lines.length));
    return Array.from({ length: height }, (_, at) =>
      shown
        .map((index, place) => {
          const text = wrapped[place]?.[at] ?? '';
          const space = ' '.repeat(Math.max(0, (widths[index] ?? 0) - widthOf(text)));
          const colored = text === '' ? '' : painted(text, index);
          return (
            ' '.repeat(GAP) +
            (columns[index]?.align === 'right' && !isProse(index) ? space + colored : colored + space)
          );
        })
        .join('')
        .trimEnd(),
    );
  };
  const titles = columns.map(({ title }) => title);
  return blocksOf(widths, others, screen.width - labelWidth).flatMap((block, index) => {
    const shown = [...labelColumns, ...block];
    return [
      ...(index === 0 ? [] : ['']),
      ...line(titles, shown, (text) => screen.colors.bold(text)),
      ...rows.flatMap((row, at) => line(row, shown, (text, column) => paint(text, at, column))),
    ];
  });
}
