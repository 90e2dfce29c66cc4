import { type Looks, type MatrixData, presetsOf } from './matrix-rows.ts';

/** What a page shows at first: every case in order, and of two runs those that came out differently. */
export const plainLooks = (data: Pick<MatrixData, 'rows' | 'columns' | 'pairs'>): Looks => ({
  q: '',
  show: presetsOf(data).some(({ id, has }) => id === 'changed' && data.rows.some(has)) ? 'changed' : 'all',
  sort: '',
  descending: false,
});

/** What is looked at: kept in the page's address, so that it can be sent to others. */
export interface Address extends Looks {
  /** Number of the row whose case is open, and the column that it was opened at. */
  open: { row: number; column: number } | null;
}

/** @param search of the page's address */
export function readAddress(search: string, plain: Looks): Address {
  const found = new URLSearchParams(search);
  const sort = found.get('sort') ?? '';
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
export function writeAddress({ q, show, sort, descending, open }: Address, plain: Looks): void {
  const address = new URL(location.href);
  const values = {
    q,
    show: show === plain.show ? '' : show,
    sort: (descending ? '-' : '') + sort,
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
