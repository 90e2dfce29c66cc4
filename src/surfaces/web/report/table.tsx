import type { ComponentChildren } from 'preact';
import type { Report, RunMatrix } from '../../../reports/index.ts';
import {
  type Cell,
  highestF1,
  methodOf,
  numberOf,
  type ReportTable,
  type SetupHead,
  type SetupReport,
} from '../../../reports/metrics/index.ts';
import { Matrix } from './matrix.tsx';
import type { MatrixData } from './matrix-rows.ts';

/** Model names, with line breaks between models and allowed after slashes. */
const Breakable = ({ text }: { text: string }) => (
  <>
    {text.split(' + ').map((model, index) => (
      <>
        {index > 0 ? (
          <>
            {' +'}
            <br />
          </>
        ) : null}
        {model.split('/').map((part, at) => (
          <>
            {at > 0 ? (
              <>
                /<wbr />
              </>
            ) : null}
            {part}
          </>
        ))}
      </>
    ))}
  </>
);

/** A setup's name in text: `2 mad, openai/gpt-4o`. */
export function setupName(setups: readonly SetupReport[], id: string): string {
  const setup = setups.find((one) => one.id === id);
  return setup === undefined
    ? id
    : `${numberOf(setups, id)} ${methodOf(setup, setups)}, ${setup.models.join(' + ')}`;
}

const RowHead = ({ setups, head }: { setups: readonly SetupReport[]; head: SetupHead | string }) =>
  typeof head === 'string' ? (
    <th scope="row">{head}</th>
  ) : (
    <th scope="row">
      <span class="no">{numberOf(setups, head.id)}</span> <b>{methodOf(head, setups)}</b>{' '}
      <span class="model">
        <Breakable text={head.models.join(' + ')} />
      </span>
    </th>
  );

/** The number of shades. Cells show numbers, too, so that nothing depends on telling colors apart. */
const STEPS = 9;

/** The values of the palest and the deepest shade: the same in all reports, so that tables can be compared by color. */
const SHADES = { low: 0.5, high: 1 };

const stepOf = (value: number): number => {
  const { low, high } = SHADES;
  return Math.max(0, Math.min(STEPS - 1, Math.floor(((value - low) / (high - low)) * STEPS)));
};

function DataCell({ cell: { text, note, none = false, shade } }: { cell: Cell }) {
  const lines = text.split('\n');
  const kind =
    lines.length > 1 ? 'bins' : none ? 'none' : shade === undefined ? undefined : `h${stepOf(shade)}`;
  const shown: ComponentChildren =
    lines.length > 1
      ? lines.flatMap((line, index) => (index > 0 ? [<br key={line} />, line] : [line]))
      : text;
  return (
    <td class={kind}>
      {shown}
      {note === undefined || kind === 'bins' ? null : <small>{note}</small>}
    </td>
  );
}

const Legend = ({ low, high }: typeof SHADES) => (
  <p class="legend" aria-hidden="true">
    <span>{low.toFixed(1)} or less</span>
    {Array.from({ length: STEPS }, (_, step) => (
      <i key={step} class={`h${step}`} />
    ))}
    <span>{high.toFixed(1)}</span>
  </p>
);

/** A box that scrolls on narrow screens, also by keyboard. It is no landmark: the heading above it already says its title. */
const Scroll = ({ children }: { children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
  <div class="scroll" role="group" aria-label="Table, may scroll" tabIndex={0}>
    {children}
  </div>
);

/** One table of a report. @param setups all setups of the report, for their numbers; may be left out if no row is a setup */
export function TableView({ setups = [], table }: { setups?: readonly SetupReport[]; table: ReportTable }) {
  const { head, columns, rows, lead = [], note } = table;
  const isShaded = rows.some(({ cells }) => cells.some(({ shade }) => shade !== undefined));
  return (
    <>
      {lead.map((line) => (
        <p key={line}>
          <bdi>{line}</bdi>
        </p>
      ))}
      {/* Where there is nothing to compare, a sentence stands in place of the table. */}
      {columns.length === 0 ? null : (
        <Scroll>
          <table class={isShaded ? 'grid heat' : 'grid'}>
            <thead>
              <tr>
                <th scope="col">{head}</th>
                {columns.map(({ title: text, below }) => (
                  <th scope="col" key={text}>
                    <Breakable text={text} />
                    {below === undefined ? null : <small>{below}</small>}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, at) => (
                <tr key={at}>
                  <RowHead setups={setups} head={row.head} />
                  {row.cells.map((cell, index) => (
                    <DataCell key={index} cell={cell} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {isShaded ? <Legend {...SHADES} /> : null}
      {note === undefined ? null : <p class="note">{note}</p>}
    </>
  );
}

/** The column that every printed page has. */
function bestOf(setups: readonly SetupReport[]): number {
  const best = highestF1(setups);
  return best === null ? 0 : setups.indexOf(best);
}

/** The matrix of a report. @param url the address of its cases; null if they are in the file itself */
export const matrixOf = (
  { setups }: Pick<Report, 'setups'>,
  matrix: RunMatrix,
  url: string | null,
): MatrixData => ({
  columns: setups.map((setup) => ({
    id: setup.id,
    number: numberOf(setups, setup.id),
    method: methodOf(setup, setups),
    models: setup.models.join(' + '),
  })),
  rows: matrix.rows,
  pairs: [],
  url,
  best: bestOf(setups),
});

/** JSON that is safe inside a script element: it cannot close the element. */
const inert = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** Data for the page's script. Browsers don't run a script element of this type. */
export const PageData = ({ id, data }: { id: string; data: unknown }) => (
  <script type="application/json" id={id} dangerouslySetInnerHTML={{ __html: inert(data) }} />
);

/** How many rows of a matrix are written at once. */
const ROWS = 1000;

/** The data of a matrix as `PageData` has them, in pieces: those of many cases would take much memory in one. */
export function* matrixPieces({ rows, ...rest }: MatrixData): Generator<string> {
  yield '<script type="application/json" id="matrix-data">{"rows":[';
  for (let at = 0; at < rows.length; at += ROWS)
    yield `${at === 0 ? '' : ','}${inert(rows.slice(at, at + ROWS)).slice(1, -1)}`;
  yield `],${inert(rest).slice(1)}</script>`;
}

/** The matrix, with the data for the script that hydrates it; a file has them in a place of their own. */
export const LiveMatrix = ({ data }: { data: MatrixData }) => (
  <>
    <div id="matrix">
      <Matrix data={data} load={() => Promise.reject(new Error('Only browsers open cases.'))} />
    </div>
    <p class="note screen">A cell opens its case; arrows move between cells.</p>
    {data.rows.some(({ truth }) => truth !== null) ? (
      <p class="note">
        ✓ agrees with the label. Where a configuration does not, the cell is marked and says what it decided.
      </p>
    ) : null}
    <noscript>
      <p class="note">Without scripts, the first cases are shown, and none can be opened.</p>
    </noscript>
    {data.url === null ? null : <PageData id="matrix-data" data={data} />}
  </>
);
