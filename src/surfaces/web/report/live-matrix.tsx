import type { RunMatrix } from '../../../benchmark/reports/matrix.ts';
import type { Report } from '../../../benchmark/reports/report.ts';
import { methodOf, numberOf } from '../../../benchmark/reports/tables.ts';
import { Matrix } from './matrix.tsx';
import type { MatrixData } from './matrix-rows.ts';

/** The columns and rows of a report's matrix. @param url where its cases are fetched from; null: from the file */
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
});

/** JSON that ends no element that it stands in. */
const inert = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** Data of the page, for its script; browsers do not run it. */
export const PageData = ({ id, data }: { id: string; data: unknown }) => (
  <script type="application/json" id={id} dangerouslySetInnerHTML={{ __html: inert(data) }} />
);

/** The matrix with the data that makes it live. */
export const LiveMatrix = ({ data }: { data: MatrixData }) => (
  <>
    <div id="matrix">
      <Matrix data={data} load={() => Promise.reject(new Error('Only browsers open cases.'))} />
    </div>
    <p class="note">
      A cell opens its case; arrows move between cells.
      {data.rows.some(({ truth }) => truth !== null) ? ' ≠ differs from the label.' : ''}
    </p>
    <noscript>
      <p class="note">Without scripts, the first cases are shown, and none can be opened.</p>
    </noscript>
    <PageData id="matrix-data" data={data} />
  </>
);
