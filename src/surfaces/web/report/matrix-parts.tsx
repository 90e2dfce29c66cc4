import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import {
  judgedIn,
  LETTERS,
  type Looks,
  type MatrixCell,
  type MatrixData,
  type Preset,
} from './matrix-rows.ts';

/** What stands in a cell. */
export function Mark({ cell, isWrong }: { cell: MatrixCell; isWrong: boolean }): VNode {
  if (cell === null) return <span class="pale">·</span>;
  if (typeof cell === 'number') return <>{String(Math.round(cell * 100) / 100)}</>;
  const letter = cell.charAt(0);
  const { mark, text } = LETTERS[letter] ?? { mark: '?', text: cell };
  const repeats = cell.slice(1);
  const passes = repeats.split('p').length - 1;
  const isMixed = [...repeats].some((one) => one !== repeats.charAt(0));
  return (
    <>
      <span aria-hidden="true">
        {mark}
        {isWrong ? <b class="wrong">≠</b> : null}
      </span>
      <span class="sr">
        {text}
        {isWrong ? ', differs from the label' : ''}
      </span>
      {isMixed ? (
        <small>
          {passes} of {repeats.length} pass
        </small>
      ) : null}
    </>
  );
}

export const LABELS = { pass: '✅', fail: '❌' } as const;

/** `openai/gpt-4o + rules` as `gpt-4o + rules`: all of it is in the tip. */
export const shortModels = (models: string): string => models.replaceAll(/[^\s/]+\//g, '');

/** A column's head, which sorts by it. */
export function Head({
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

/** What is chosen of the cases, and how many that are. */
export function Controls({
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
