import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { CaseDetails } from '../../../reports/index.ts';
import { CaseDialog, Mark } from './case-view.tsx';
import {
  type Address,
  badIn,
  isWrong,
  judgedIn,
  type Looks,
  type MatrixData,
  type Preset,
  plainLooks,
  presetsOf,
  readAddress,
  shownRows,
  writeAddress,
} from './matrix-rows.ts';
import { Label, ModelNames, PrintedCases } from './printed-cases.tsx';

/** The head of a column; clicking it sorts by that column. */
function Head({
  looks,
  by,
  title,
  children,
  sort,
}: {
  looks: Looks;
  by: string;
  title?: string;
  children: VNode | string | (VNode | string)[];
  sort: (by: string) => void;
}) {
  const order = looks.sort !== by ? 'none' : looks.descending ? 'descending' : 'ascending';
  return (
    <th scope="col" aria-sort={order} class={by === 'order' ? 'case' : undefined}>
      <button type="button" title={title} onClick={() => sort(by)}>
        {children}
        <span class="arrow" aria-hidden="true">
          {order === 'none' ? '' : order === 'ascending' ? ' ▲' : ' ▼'}
        </span>
      </button>
    </th>
  );
}

/** The search box, the filter and the number of cases shown. */
function Controls({
  data,
  looks,
  presets,
  shown,
  change,
}: {
  data: MatrixData;
  looks: Looks;
  presets: readonly Preset[];
  shown: number;
  change: (looks: Partial<Looks>) => void;
}) {
  const counts = useMemo(
    () => new Map(presets.map(({ id, has }) => [id, data.rows.filter(has).length])),
    [data, presets],
  );
  const all = useMemo(() => data.rows.filter((row) => judgedIn(row).length > 0).length, [data]);
  return (
    <search class="how" aria-label="Find cases">
      <label>
        Words{' '}
        <input
          type="search"
          value={looks.q}
          onInput={({ currentTarget }) => change({ q: currentTarget.value })}
        />
      </label>
      <label>
        Show{' '}
        <select value={looks.show} onChange={({ currentTarget }) => change({ show: currentTarget.value })}>
          <option value="all">all cases</option>
          {presets.map(({ id, title }) => (
            <option key={id} value={id} selected={id === looks.show}>
              {title} ({counts.get(id)})
            </option>
          ))}
        </select>
      </label>
      <p class="count" role="status">
        {shown === all ? `${shown} cases` : `${shown} of ${all} cases`}
      </p>
    </search>
  );
}

/** Whether the page is being printed: paper has all rows and columns, which a screen scrolls to. */
function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const [begin, end] = [() => setPrinting(true), () => setPrinting(false)];
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, []);
  return isPrinting;
}

/** The number of rows drawn at first, and added on scrolling near the end. */
const WINDOW = 50;

const STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-20, 0],
  PageDown: [20, 0],
  Home: [0, -1000],
  End: [0, 1000],
};

/**
 * A grid of cases by configurations, to sort, filter and search; a cell opens its case. The server renders its first rows, and the browser
 * hydrates it. Only one cell at a time is a tab stop; arrow keys move between cells.
 */
export function Matrix({ data, load }: { data: MatrixData; load: (row: number) => Promise<CaseDetails> }) {
  const { columns, rows } = data;
  const plain = useMemo(() => plainLooks(data), [data]);
  const [address, setAddress] = useState<Address>({ ...plain, open: null });
  const [limit, setLimit] = useState(WINDOW);
  const [at, setAt] = useState({ row: 0, column: -1 });
  const box = useRef<HTMLElement>(null);
  const isRead = useRef(false);
  const presets = useMemo(() => presetsOf(data), [data]);
  const shown = useMemo(
    () => shownRows(data, presets, address),
    [data, presets, address.q, address.show, address.sort, address.descending],
  );
  const isPrinting = usePrinting();
  const isLabeled = useMemo(() => rows.some(({ truth }) => truth !== null), [rows]);
  const hasBad = useMemo(
    () => rows.some((row) => row.cells.some((cell) => typeof cell === 'string')),
    [rows],
  );

  useEffect(() => {
    if (isRead.current) writeAddress(address, plain);
    else setAddress(readAddress(location.search, plain));
    isRead.current = true;
  }, [address]);

  const change = (looks: Partial<Looks>) => {
    setAddress((now) => ({ ...now, ...looks }));
    setLimit(WINDOW);
    setAt({ row: 0, column: -1 });
    box.current?.scrollTo?.({ top: 0 });
  };
  const sort = (by: string) =>
    change({ sort: by, descending: address.sort === by ? !address.descending : by === 'bad' });
  // Buttons elsewhere on the page filter the cases (data-show) or open one (data-open).
  useEffect(() => {
    const choose = ({ target }: Event) => {
      const button =
        target instanceof Element ? target.closest<HTMLElement>('[data-show], [data-open]') : null;
      const { show, open: at } = button?.dataset ?? {};
      if (show !== undefined) change({ ...plain, show });
      const [row, column = -1] = (at ?? '').split('.').map(Number);
      if (row !== undefined && Number.isInteger(row) && at !== undefined)
        setAddress({ ...address, open: { row, column } });
    };
    document.addEventListener('click', choose);
    return () => document.removeEventListener('click', choose);
  });

  const focus = (row: number, column: number) =>
    box.current?.querySelector<HTMLElement>(`[data-at="${row}.${column}"]`)?.focus();
  const isMoved = useRef(false);
  useEffect(() => {
    if (isMoved.current) focus(at.row, at.column);
    isMoved.current = false;
  }, [at]);
  const open = (row: number, column: number) => {
    const number = shown[row];
    if (number !== undefined) setAddress({ ...address, open: { row: number, column } });
  };
  const press = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset.at === undefined) return;
    const step = STEPS[event.key];
    if (event.key === 'Enter' || event.key === ' ') open(at.row, at.column);
    else if (step !== undefined) {
      const row = Math.max(0, Math.min(shown.length - 1, at.row + step[0]));
      const column = Math.max(-1, Math.min(columns.length - 1, at.column + step[1]));
      isMoved.current = true;
      if (row >= limit) setLimit(row + WINDOW);
      setAt({ row, column });
    } else return;
    event.preventDefault();
  };
  const click = ({ target }: Event) => {
    const cell = target instanceof Element ? target.closest<HTMLElement>('[data-at]') : null;
    const [row, column] = (cell?.dataset.at ?? '').split('.').map(Number);
    if (row === undefined || column === undefined) return;
    setAt({ row, column });
    open(row, column);
  };
  const grow = ({ currentTarget }: Event) => {
    if (!(currentTarget instanceof HTMLElement) || limit >= shown.length) return;
    const { scrollTop, clientHeight, scrollHeight } = currentTarget;
    if (scrollTop + clientHeight > scrollHeight - 800) setLimit(limit + WINDOW);
  };
  const step = (by: number) => {
    const row = shown.indexOf(address.open?.row ?? -1) + by;
    const number = shown[row];
    if (number === undefined) return;
    if (row >= limit) setLimit(row + WINDOW);
    setAt({ row, column: address.open?.column ?? -1 });
    setAddress({ ...address, open: { row: number, column: address.open?.column ?? -1 } });
  };
  const close = () => {
    isMoved.current = true;
    setAddress({ ...address, open: null });
    setAt({ ...at });
  };
  const cell = (row: number, column: number) => ({
    'data-at': `${row}.${column}`,
    tabIndex: at.row === row && at.column === column ? 0 : -1,
  });

  return (
    <>
      <Controls data={data} looks={address} presets={presets} shown={shown.length} change={change} />
      {isPrinting ? <PrintedCases data={data} looks={address} presets={presets} shown={shown} /> : null}
      <section
        ref={box}
        class={isPrinting ? 'scroll cases-box screen' : 'scroll cases-box'}
        aria-label="Cases and configurations"
        onScroll={grow}
      >
        <table
          // With more than eight configurations, columns are narrow.
          class={columns.length > 8 ? 'grid cases many' : 'grid cases'}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrows move between its cells
          role="grid"
          aria-rowcount={shown.length + 1}
          onKeyDown={press}
          onClick={click}
        >
          <thead>
            <tr>
              <Head looks={address} by="order" sort={sort}>
                Case
              </Head>
              {isLabeled ? (
                <Head looks={address} by="label" sort={sort}>
                  Label
                </Head>
              ) : null}
              {hasBad && columns.length > 1 ? (
                <Head looks={address} by="bad" sort={sort}>
                  {isLabeled ? 'Wrong' : 'Failing'}
                </Head>
              ) : null}
              {columns.map(({ id, number, method, models }, index) => (
                <Head
                  key={id}
                  looks={address}
                  by={String(index)}
                  title={`${number} ${method}, ${models}`}
                  sort={sort}
                >
                  <span class="no">{number}</span>
                  <span class="method">{method}</span>
                  {/* The tooltip has the full names. */}
                  <ModelNames models={models} />
                </Head>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, limit).map((number, place) => {
              const row = rows[number];
              if (row === undefined) return null;
              const { id, request, truth, cells } = row;
              return (
                <tr key={place} aria-rowindex={place + 2}>
                  <th scope="row" {...cell(place, -1)}>
                    <bdi>{request === '' ? id : request}</bdi>
                    <small>
                      <bdi>{id}</bdi>
                    </small>
                  </th>
                  {isLabeled ? (
                    <td>
                      <Label row={row} />
                    </td>
                  ) : null}
                  {hasBad && columns.length > 1 ? <td>{badIn(row)}</td> : null}
                  {cells.map((value, index) => (
                    <td
                      key={columns[index]?.id}
                      class={isWrong(row, value) ? 'bad' : undefined}
                      {...cell(place, index)}
                    >
                      <Mark cell={value} truth={truth} />
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      {address.open === null ? null : (
        <CaseDialog data={data} open={address.open} load={load} onStep={step} onClose={close} />
      )}
    </>
  );
}
