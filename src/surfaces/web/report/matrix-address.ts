import { badIn, type Looks, type MatrixData, presetsOf } from './matrix-rows.ts';

/** What a page shows at first: what is wrong or fails before the rest, and of two runs those that came out differently. */
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

/** `-bad`: a column to sort by, with a minus for the largest first. */
const sortText = ({ sort, descending }: Pick<Looks, 'sort' | 'descending'>): string =>
  (descending ? '-' : '') + sort;

/** What is looked at: kept in the page's address, so that it can be sent to others. */
export interface Address extends Looks {
  /** Number of the row whose case is open, and the column that it was opened at. */
  open: { row: number; column: number } | null;
}

/** @param search of the page's address */
export function readAddress(search: string, plain: Looks): Address {
  const found = new URLSearchParams(search);
  const sort = found.get('sort') ?? sortText(plain);
  const [row = Number.NaN, column = -1] = (found.get('case') ?? '').split('.').map(Number);
  return {
    q: found.get('q') ?? '',
    show: found.get('show') ?? plain.show,
    sort: sort.replace(/^-/, ''),
    descending: sort.startsWith('-'),
    open: found.has('case') && Number.isInteger(row) ? { row: row - 1, column } : null,
  };
}

/** Puts what is looked at into the page's address. */
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
    // Some browsers let no page that is a file change its address: then it keeps none.
  }
}
