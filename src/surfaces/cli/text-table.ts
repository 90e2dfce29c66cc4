import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import type { Screen } from './render-card.ts';

export interface TextColumn {
  title: string;
  align: 'left' | 'right';
}

const GAP = 2;
/** A row label is not wrapped narrower than this, whatever the terminal. */
const NARROWEST_LABEL = 12;

const widestOf = (cells: readonly string[]): number => Math.max(0, ...cells.map((cell) => stringWidth(cell)));

const totalOf = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width + GAP, 0);

/** Label columns in so much room: the widest gives way first, and wraps; nothing where none may get narrower. */
function fitted(labels: readonly number[], room: number): number[] | undefined {
  const widths = [...labels];
  for (let excess = totalOf(widths) - room; excess > 0; excess -= 1) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST_LABEL) return undefined;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}

/** Columns that fit beside the labels, in as many blocks as it takes; every block has at least one column. */
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
 * A table as lines of text, no wider than the screen where that is possible: what does not fit beside the labels comes in
 * further blocks, each with the labels again; nothing is cut.
 *
 * @param rows cells in the order of the columns; they may be colored
 * @param labels how many columns, from the first, name the row
 */
export function textTable(
  screen: Screen,
  columns: readonly TextColumn[],
  rows: readonly (readonly string[])[],
  labels: number,
): string[] {
  const natural = columns.map(({ title }, index) =>
    widestOf([title, ...rows.map((row) => row[index] ?? '')]),
  );
  const others = [...columns.keys()].slice(labels);
  const otherWidths = natural.slice(labels);
  const ownLabels = natural.slice(0, labels);
  // Wrapped labels are easier to read than a second block; where it takes one anyway, labels keep what room they can.
  const labelWidths =
    fitted(ownLabels, screen.width - totalOf(otherWidths)) ??
    fitted(ownLabels, screen.width - GAP - Math.max(0, ...otherWidths)) ??
    ownLabels.map((width) => Math.min(width, NARROWEST_LABEL));
  const widths = [...labelWidths, ...otherWidths];
  const labelColumns = [...columns.keys()].slice(0, labels);
  const labelWidth = totalOf(labelWidths);

  const line = (cells: readonly string[], shown: readonly number[]): string[] => {
    const wrapped = shown.map((index) =>
      wrapAnsi(cells[index] ?? '', widths[index] ?? 0, { hard: true }).split('\n'),
    );
    const height = Math.max(...wrapped.map((lines) => lines.length));
    return Array.from({ length: height }, (_, at) =>
      shown
        .map((index, place) => {
          const text = wrapped[place]?.[at] ?? '';
          const space = ' '.repeat(Math.max(0, (widths[index] ?? 0) - stringWidth(text)));
          return ' '.repeat(GAP) + (columns[index]?.align === 'right' ? space + text : text + space);
        })
        .join('')
        .trimEnd(),
    );
  };
  const titles = columns.map(({ title }) => screen.colors.bold(title));
  return blocksOf(widths, others, screen.width - labelWidth).flatMap((block, index) => {
    const shown = [...labelColumns, ...block];
    return [...(index === 0 ? [] : ['']), ...line(titles, shown), ...rows.flatMap((row) => line(row, shown))];
  });
}
