import { isBad, letterOf, type MatrixCell, type MatrixRow } from '../../../reports/index.ts';

/** A configuration, as a column of the matrix. */
export interface MatrixColumn {
  id: string;
  /** The configuration's number, the same as in every table of the report. */
  number: number;
  method: string;
  models: string;
}

/** The data of a page's matrix, in a file or in the console. */
export interface MatrixData {
  columns: readonly MatrixColumn[];
  rows: readonly MatrixRow[];
  /** The pairs of columns that are compared; empty if the page is not a comparison. */
  pairs: readonly (readonly [before: number, after: number])[];
  /** The address of a case's details, with `{row}` for its row number; null if they are in the file itself. */
  url: string | null;
  /** The column that every printed page has: the configuration with the highest F1, otherwise the first. */
  best: number;
}

/** Whether a cell differs from its label. */
export const isWrong = (row: Pick<MatrixRow, 'truth'>, cell: MatrixCell | undefined): boolean =>
  row.truth !== null && isBad(row, cell);

export const badIn = (row: MatrixRow): number => row.cells.filter((cell) => isBad(row, cell)).length;

/** The cells of a row that have a trial. */
export const judgedIn = (row: MatrixRow): MatrixCell[] => row.cells.filter((cell) => cell !== null);

const outcomesIn = (row: MatrixRow): Set<string | number> =>
  new Set(judgedIn(row).map((cell) => (typeof cell === 'number' ? cell : letterOf(cell))));

/** A named filter for rows. */
export interface Preset {
  id: string;
  title: string;
  has: (row: MatrixRow) => boolean;
}

/** The filters that make sense for a matrix: those for comparisons or for several columns only if it has these. */
export function presetsOf({
  rows,
  columns,
  pairs,
}: Pick<MatrixData, 'rows' | 'columns' | 'pairs'>): Preset[] {
  const isLabeled = rows.some(({ truth }) => truth !== null);
  const bad = isLabeled ? 'wrong' : 'failing';
  const turned =
    (is: (row: MatrixRow, before: MatrixCell, after: MatrixCell) => boolean) => (row: MatrixRow) =>
      pairs.some(([before, after]) => {
        const [cellBefore = null, cellAfter = null] = [row.cells[before], row.cells[after]];
        return cellBefore !== null && cellAfter !== null && is(row, cellBefore, cellAfter);
      });
  const changes: Preset[] =
    pairs.length === 0
      ? []
      : [
          {
            id: 'worse',
            title: isLabeled ? 'now wrong' : 'newly failing',
            has: turned((row, before, after) => !isBad(row, before) && isBad(row, after)),
          },
          {
            id: 'better',
            title: isLabeled ? 'now right' : 'no longer failing',
            has: turned((row, before, after) => isBad(row, before) && !isBad(row, after)),
          },
          {
            id: 'changed',
            title: 'changed',
            has: turned((_, before, after) =>
              typeof before === 'number' ? before !== after : letterOf(before) !== letterOf(after),
            ),
          },
        ];
  const several: Preset[] =
    columns.length < 2 || pairs.length > 0
      ? []
      : [
          {
            id: 'bad-in-all',
            title: `${bad} in every configuration`,
            has: (row) => badIn(row) > 0 && badIn(row) === judgedIn(row).length,
          },
          { id: 'differ', title: 'decided differently', has: (row) => outcomesIn(row).size > 1 },
        ];
  return [
    ...changes,
    ...several,
    { id: 'bad', title: columns.length < 2 ? bad : `${bad} somewhere`, has: (row) => badIn(row) > 0 },
    {
      id: 'open',
      title: 'not decided',
      has: (row) => row.cells.some((cell) => ['u', 'n', 'a'].includes(letterOf(cell))),
    },
  ];
}

/** Columns that fit side by side on a landscape page. */
const COLUMNS_A_PAGE = 10;

/**
 * The columns of a matrix as they are printed, one block below the other. Every block begins with the best column; the columns of a pair stay
 * together.
 */
export function printedBlocks({
  columns,
  pairs,
  best,
}: Pick<MatrixData, 'columns' | 'pairs' | 'best'>): number[][] {
  const whole = pairs.length > 0 ? pairs.map((pair) => [...pair]) : columns.map((_, at) => [at]);
  if (columns.length <= COLUMNS_A_PAGE) return [whole.flat()];
  const kept = whole.find((one) => one.includes(best)) ?? [];
  const others = whole.filter((one) => one !== kept);
  const each = Math.floor((COLUMNS_A_PAGE - kept.length) / kept.length);
  return Array.from({ length: Math.ceil(others.length / each) }, (_, at) => [
    ...kept,
    ...others.slice(at * each, (at + 1) * each).flat(),
  ]);
}

/** How a matrix is searched, filtered and sorted. Kept in the page's address. */
export interface Looks {
  q: string;
  /** The id of a preset; any other text shows all rows. */
  show: string;
  /** `order` (of the cases), `bad` (how many cells are wrong, or fail), `label` or the index of a column. */
  sort: string;
  descending: boolean;
}

/** The sort key of a cell: its score, or a rank with failures first. Empty cells come last. */
function rankOf(cell: MatrixCell | undefined): number {
  if (typeof cell === 'number') return cell;
  const at = 'fuanp'.indexOf(letterOf(cell) || '-');
  return at < 0 ? Number.POSITIVE_INFINITY : at;
}

function keyOf(sort: string): (row: MatrixRow) => number {
  if (sort === 'bad') return badIn;
  if (sort === 'label')
    return ({ truth, labelScore }) => labelScore ?? (truth === null ? 2 : truth === 'fail' ? 0 : 1);
  return ({ cells }) => rankOf(cells[Number(sort)]);
}

/** The indices of the rows to show, in order. */
export function shownRows(
  { rows }: Pick<MatrixData, 'rows'>,
  presets: readonly Preset[],
  looks: Looks,
): number[] {
  const words = looks.q.toLowerCase().split(/\s+/).filter(Boolean);
  const preset = presets.find(({ id }) => id === looks.show);
  const chosen = rows.flatMap((row, at) => {
    if (judgedIn(row).length === 0 || preset?.has(row) === false) return [];
    const text = words.length === 0 ? '' : `${row.id} ${row.request} ${row.errorType ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word)) ? [at] : [];
  });
  if (looks.sort === 'order') return looks.descending ? chosen.reverse() : chosen;
  const sign = looks.descending ? -1 : 1;
  const key = keyOf(looks.sort);
  const keys = new Map(chosen.map((at) => [at, rows[at] === undefined ? 0 : key(rows[at])]));
  const of = (at: number) => keys.get(at) ?? 0;
  return chosen.sort((a, b) => (of(a) === of(b) ? a - b : (of(a) < of(b) ? -1 : 1) * sign));
}

/** What a page shows at first: wrong or failing cases at the top or, in a comparison, only the cases that changed. */
export function plainLooks(data: Pick<MatrixData, 'rows' | 'columns' | 'pairs'>): Looks {
  const { rows, columns } = data;
  const hasChanged = presetsOf(data).some(({ id, has }) => id === 'changed' && rows.some(has));
  const isMixed = rows.some((row) => badIn(row) > 0);
  return {
    q: '',
    show: hasChanged ? 'changed' : 'all',
    sort: isMixed && !hasChanged ? (columns.length > 1 ? 'bad' : '0') : 'order',
    descending: isMixed && !hasChanged && columns.length > 1,
  };
}

/** The sort order as text, with a minus for descending: `-bad`. */
const sortText = ({ sort, descending }: Pick<Looks, 'sort' | 'descending'>): string =>
  (descending ? '-' : '') + sort;

/** The state in the page's address, so that a link shares it. */
export interface Address extends Looks {
  /** The row whose case is open, and the column it was opened from (-1: the row's head); null if none is open. */
  open: { row: number; column: number } | null;
}

/** Reads the state from the query of the page's address. @param plain the defaults */
export function readAddress(search: string, plain: Looks): Address {
  const params = new URLSearchParams(search);
  const sort = params.get('sort') ?? sortText(plain);
  const [row = Number.NaN, column = -1] = (params.get('case') ?? '').split('.').map(Number);
  return {
    q: params.get('q') ?? '',
    show: params.get('show') ?? plain.show,
    sort: sort.replace(/^-/, ''),
    descending: sort.startsWith('-'),
    open: params.has('case') && Number.isInteger(row) ? { row: row - 1, column } : null,
  };
}

/** Writes the state to the page's address, leaving out what is at its default. */
export function writeAddress({ open, ...looks }: Address, plain: Looks): void {
  const { q, show } = looks;
  const address = new URL(location.href);
  const values = {
    q,
    show: show === plain.show ? '' : show,
    sort: sortText(looks) === sortText(plain) ? '' : sortText(looks),
    case: open === null ? '' : open.column < 0 ? `${open.row + 1}` : `${open.row + 1}.${open.column}`,
  };
  for (const [name, value] of Object.entries(values))
    if (value === '') address.searchParams.delete(name);
    else address.searchParams.set(name, value);
  try {
    history.replaceState(null, '', address);
  } catch {
    // Some browsers don't let a page opened from a file change its address. Then the state isn't kept.
  }
}
