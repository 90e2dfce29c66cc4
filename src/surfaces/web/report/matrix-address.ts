import type { Looks } from './matrix-rows.ts';

/** Every case, in order. */
export const plain: Looks = { q: '', show: '', sort: '', descending: false };

/** What is looked at: kept in the page's address, so that it can be sent to others. */
export interface Address extends Looks {
  /** Number of the row whose case is open, and the column that it was opened at. */
  open: { row: number; column: number } | null;
}

/** @param search of the page's address */
export function readAddress(search: string): Address {
  const found = new URLSearchParams(search);
  const sort = found.get('sort') ?? '';
  const [row = Number.NaN, column = -1] = (found.get('case') ?? '').split('.').map(Number);
  return {
    q: found.get('q') ?? '',
    show: found.get('show') ?? '',
    sort: sort.replace(/^-/, ''),
    descending: sort.startsWith('-'),
    open: found.has('case') && Number.isInteger(row) ? { row: row - 1, column } : null,
  };
}

/** Puts what is looked at into the page's address. */
export function writeAddress({ q, show, sort, descending, open }: Address): void {
  const address = new URL(location.href);
  const values = {
    q,
    show,
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
