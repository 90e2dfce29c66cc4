import { plannedTrials, seriesOf } from '../../benchmark/index.ts';
import { counted, grouped, minuteText } from '../../common/text/index.ts';
import { fixed, percent, percentRange, rangeText } from '../../reports/estimates/index.ts';
import { setupsOf } from '../../reports/facts/index.ts';
import { judgingChanges, type RunNumbers, type RunScore } from '../../reports/history/index.ts';
import { NAMES_NOTE } from '../../reports/metrics/index.ts';
import { Select } from './form.tsx';
import type { CountedRun, ListedRun } from './run-summaries.ts';

/** A result with the name of its measure: `F1 0.83 (0.69–0.92)`. */
function scoreText({ kind, measure, interval }: RunScore): string {
  switch (kind) {
    case 'f1':
      return `F1 ${fixed(measure, 2)} (${rangeText(interval, 2)})`;
    case 'pass-rate':
      return `${percent(measure)} pass (${percentRange(interval)})`;
    case 'mean-score':
      return `mean score ${fixed(measure, 2)} (${rangeText(interval, 2)})`;
  }
}

/** The ends of a result's interval, and the result itself. */
function pointsOf({ measure, interval }: RunScore): number[] {
  if (!measure.defined) return [];
  return interval.defined ? [interval.low, measure.value, interval.high] : [measure.value];
}

const [WIDTH, EDGE] = [120, 6];

/** A result and its interval as a point on a line; below each other they show the trend. The text beside it says the same. */
function Strip({ score, scale: [least, most] }: { score: RunScore; scale: readonly [number, number] }) {
  const points = pointsOf(score).map(
    (value) => EDGE + ((value - least) / (most - least || 1)) * (WIDTH - 2 * EDGE),
  );
  const [first = 0, last = first] = [points[0], points.at(-1)];
  return points.length === 0 ? null : (
    <svg class="strip" viewBox={`0 0 ${WIDTH} 16`} aria-hidden="true">
      <line x1={first} x2={last} y1="8" y2="8" />
      <circle cx={points[points.length > 1 ? 1 : 0]} cy="8" r="4" />
    </svg>
  );
}

/** What one configuration came to in a run. */
const numbersOf = (numbers: RunNumbers | null, id: string | null) =>
  numbers?.setups.find((setup) => setup.id === id) ?? null;

function turnedText(turned: NonNullable<RunNumbers['setups'][number]['turned']>, cases: number): string {
  const { worse, better, labeled } = turned;
  if (turned.cases === 0) return 'no case is the same';
  const parts = [
    ...(worse > 0 ? [`${grouped(worse)} ${labeled ? 'now wrong' : 'newly failing'}`] : []),
    ...(better > 0 ? [`${grouped(better)} ${labeled ? 'now right' : 'no longer failing'}`] : []),
  ];
  const some = turned.cases < cases ? `, of the ${grouped(turned.cases)} that are the same` : '';
  return `${parts.length === 0 ? 'nothing turned' : parts.join(', ')}${some}`;
}

/** What turned since the run before, with the way to see it. */
function Turned({
  run,
  follow,
  changes,
}: {
  run: CountedRun;
  follow: string | null;
  changes: readonly string[];
}) {
  const { manifest, before, numbers } = run;
  if (before === null) return null;
  const turned = numbersOf(numbers, follow)?.turned ?? null;
  if (numbers === null) return null;
  if (changes.length === 0 && turned === null) return <span class="pale">not in the run before</span>;
  return (
    <a href={`/runs/${manifest.name}?against=${before.manifest.name}`}>
      {changes.length > 0 || turned === null ? 'not comparable' : turnedText(turned, manifest.dataset.cases)}
      <span class="sr"> since {before.manifest.name}</span>
    </a>
  );
}

function Result({ run, follow }: { run: CountedRun; follow: string | null }) {
  const { manifest, totals, numbers } = run;
  const [own, planned] = [numbersOf(numbers, follow), plannedTrials(manifest)];
  return (
    <>
      {numbers === null ? (
        <span class="pale">
          {totals.trials === 0 ? 'no trial yet' : 'being prepared: reload for the result'}
        </span>
      ) : own === null || own.score === null ? (
        <span class="pale">{own === null ? 'without this configuration' : 'no result'}</span>
      ) : (
        <>
          <b>{scoreText(own.score)}</b>
          <small class="block">{percent(own.score.coverage)} decided</small>
        </>
      )}
      {totals.trials < planned ? (
        <small class="block">
          not complete: {grouped(totals.trials)} of {grouped(planned)} trials
        </small>
      ) : null}
    </>
  );
}

const COLUMNS = ['Run', 'Result (95 %)', 'Trend', 'Build', 'Since the run before'];

/** Runs of one series, newest first, as one configuration judged them; a line between two that cannot be compared says why. */
function SeriesTable({ runs, follow }: { runs: readonly CountedRun[]; follow: string | null }) {
  const scores = runs.flatMap(({ numbers }) => numbersOf(numbers, follow)?.score ?? []);
  const kind = scores[0]?.kind;
  const values = scores.filter((score) => score.kind === kind).flatMap(pointsOf);
  const scale = [Math.min(...values), Math.max(...values)] as const;
  return (
    <table class="series">
      <thead>
        <tr>
          {COLUMNS.map((title) => (
            <th scope="col" key={title}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => {
          const { manifest, before, numbers } = run;
          const { name, createdAt, dataset } = manifest;
          const score = numbersOf(numbers, follow)?.score ?? null;
          const changes =
            before === null || follow === null ? [] : judgingChanges(before.manifest, manifest, follow);
          return (
            <>
              <tr key={name}>
                <th scope="row">
                  <a href={`/runs/${name}`}>{name}</a>
                  <small class="block">
                    {minuteText(createdAt)} · {counted(dataset.cases, 'case')} ×{' '}
                    {counted(setupsOf(manifest).length, 'configuration')}
                  </small>
                </th>
                <td>
                  <Result run={run} follow={follow} />
                </td>
                <td>
                  {score === null || score.kind !== kind ? null : <Strip score={score} scale={scale} />}
                </td>
                <td>
                  <bdi>{numbers?.builds.join(', ')}</bdi>
                </td>
                <td>
                  <Turned run={run} follow={follow} changes={changes} />
                </td>
              </tr>
              {changes.length === 0 ? null : (
                <tr class="break" key={`${name} break`}>
                  <td colSpan={COLUMNS.length}>
                    Not comparable with the runs below: <bdi>{changes.join('; ')}</bdi>
                  </td>
                </tr>
              )}
            </>
          );
        })}
      </tbody>
    </table>
  );
}

/** The address of a series. */
const addressOf = (series: string): string => `/runs?${new URLSearchParams({ series })}`;

/** A series with its newest runs. */
export interface ShownSeries {
  series: string;
  /** Newest first. */
  runs: readonly CountedRun[];
  /** How many runs there are. */
  count: number;
  /** The configuration that is followed. */
  follow: string | null;
}

/** All series, the one with the newest run first, with their newest runs. */
export const RunsPage = ({ all }: { all: readonly ShownSeries[] }) => (
  <>
    <h1>Runs</h1>
    {all.length === 0 ? (
      <p>
        There are no runs yet. <code>npx jury bench run cases.jsonl --name first</code> makes one.
      </p>
    ) : (
      <p class="pale">Each series follows one configuration over time. {NAMES_NOTE}</p>
    )}
    {all.map(({ series, runs, count, follow }) => (
      <section key={series}>
        <h2>{series}</h2>
        <p class="pale">
          Follows {follow}.{' '}
          <a href={addressOf(series)}>
            {count === 1 ? `The run of ${series}` : `All ${grouped(count)} runs of ${series}`}, and other
            configurations
          </a>
        </p>
        <SeriesTable runs={runs} follow={follow} />
      </section>
    ))}
  </>
);

/** All runs of one series. @param setups the configurations to choose from */
export const SeriesPage = ({
  shown: { series, runs, count, follow },
  setups,
}: {
  shown: ShownSeries;
  setups: readonly string[];
}) => (
  <>
    <h1>{series}</h1>
    <p class="pale">
      <a href="/runs">All series</a> · {counted(count, 'run')}
    </p>
    <form class="how wide" method="get" action="/runs" aria-label="Follow">
      <input type="hidden" name="series" value={series} />
      <Select
        name="follow"
        label="Follow"
        choices={setups.map((id) => ({ id, title: id }))}
        chosen={follow ?? undefined}
      />
      <button type="submit">Show</button>
    </form>
    <SeriesTable runs={runs} follow={follow} />
  </>
);

/** The configurations of a series' runs, those of the newest first. */
export const setupsIn = (runs: readonly ListedRun[]): string[] => [
  ...new Set(runs.flatMap(({ manifest }) => setupsOf(manifest).map(({ id }) => id))),
];

/** Runs to compare one with, those of its series first. */
export const othersFor = (run: ListedRun['manifest'], all: readonly ListedRun[]): string[] => {
  const others = all.map(({ manifest }) => manifest).filter(({ name }) => name !== run.name);
  const isOwn = (other: ListedRun['manifest']) => seriesOf(other) === seriesOf(run);
  return [...others.filter(isOwn), ...others.filter((other) => !isOwn(other))].map(({ name }) => name);
};
