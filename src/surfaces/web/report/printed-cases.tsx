import type { MatrixRow } from '../../../reports/index.ts';
import { Mark } from './case-view.tsx';
import {
  isWrong,
  judgedIn,
  type Looks,
  type MatrixColumn,
  type MatrixData,
  type Preset,
  printedBlocks,
} from './matrix-rows.ts';

/** The most cases that are printed, some hundred pages. More are counted, and can be chosen by words or by what is wrong. */
const MOST_PRINTED = 2_000;

/** `openai/gpt-4o + rules` without providers: `gpt-4o + rules`. */
export const ModelNames = ({ models }: Pick<MatrixColumn, 'models'>) => (
  <span class="model">{models.replaceAll(/[^\s/]+\//g, '')}</span>
);

/** What a case is labeled with: quietly, because it says nothing about the judges. */
export const Label = ({ row: { truth, labelScore, errorType } }: { row: MatrixRow }) => (
  <>
    {truth ?? labelScore ?? <span class="pale">·</span>}{' '}
    {errorType === null ? null : (
      <small>
        <bdi>{errorType}</bdi>
      </small>
    )}
  </>
);

const numbersOf = (columns: readonly MatrixColumn[]): string =>
  columns.length === 0
    ? ''
    : columns.length === 1
      ? `${columns[0]?.number}`
      : `${columns[0]?.number}–${columns.at(-1)?.number}`;

const casesOf = (n: number): string => (n === 1 ? '1 case' : `${n} cases`);

/** Which of all cases are on paper. */
function casesText(
  { rows }: Pick<MatrixData, 'rows'>,
  { q, show }: Looks,
  presets: readonly Preset[],
  shown: number,
): string {
  const all = rows.filter((row) => judgedIn(row).length > 0).length;
  const by = [
    ...presets.flatMap(({ id, title }) => (id === show ? [title] : [])),
    ...(q.trim() === '' ? [] : [`with the words “${q.trim()}”`]),
  ];
  const chosen = by.length === 0 ? '' : ` (${by.join(', ')})`;
  const some = shown === all ? `All ${casesOf(all)}` : `${shown} of ${casesOf(all)}`;
  return shown > MOST_PRINTED
    ? `The first ${MOST_PRINTED} of ${casesOf(shown)}${chosen}: choose fewer to print others.`
    : `${some}${chosen}.`;
}

/**
 * The matrix on paper: the cases that the screen shows, all of them, and the columns in blocks that fit a page. Only the first block has the
 * requests; the others name their cases by number and id.
 */
export function PrintedCases({
  data,
  looks,
  presets,
  shown,
}: {
  data: MatrixData;
  looks: Looks;
  presets: readonly Preset[];
  /** The indices of the rows, in order. */
  shown: readonly number[];
}) {
  const { columns, rows, pairs, best } = data;
  const blocks = printedBlocks(data);
  const isLabeled = rows.some(({ truth, labelScore }) => truth !== null || labelScore !== null);
  const printed = shown.slice(0, MOST_PRINTED).flatMap((at) => rows[at] ?? []);
  const kept = columns[best];
  return (
    <div class="printed">
      <p>{casesText(data, looks, presets, shown.length)}</p>
      {blocks.map((block, number) => {
        const own = block.flatMap((at) => columns[at] ?? []);
        const others = own.slice(pairs.length > 0 ? 2 : 1);
        return (
          <section key={number} class={number > 0 ? 'short' : undefined}>
            {blocks.length === 1 ? null : (
              <h3>
                {pairs.length > 0 ? 'Pairs' : 'Configurations'} {numbersOf(others)} beside {kept?.number}
              </h3>
            )}
            <table class={own.length > 4 ? 'grid cases' : 'grid cases few'}>
              <thead>
                <tr>
                  <th scope="col">Case</th>
                  {isLabeled ? <th scope="col">Label</th> : null}
                  {own.map((column) => (
                    <th scope="col" key={column.id}>
                      <span class="no">{column.number}</span> {column.method}{' '}
                      <ModelNames models={column.models} />
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {printed.map((row, at) => (
                  <tr key={at}>
                    <th scope="row">
                      {at + 1}. <bdi>{row.id}</bdi>{' '}
                      {number > 0 ? null : <bdi class="pale">{row.request}</bdi>}
                    </th>
                    {isLabeled ? (
                      <td>
                        <Label row={row} />
                      </td>
                    ) : null}
                    {block.map((column) => {
                      const cell = row.cells[column] ?? null;
                      return (
                        <td key={column} class={isWrong(row, cell) ? 'bad' : undefined}>
                          <Mark cell={cell} truth={row.truth} />
                        </td>
                      );
                    })}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        );
      })}
    </div>
  );
}
