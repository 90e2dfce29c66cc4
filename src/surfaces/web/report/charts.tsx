import { usd } from '../../../common/text/index.ts';
import { duration, type Estimate } from '../../../reports/estimates/index.ts';
import type { Report } from '../../../reports/index.ts';
import {
  criterionOf,
  isLabeled,
  methodOf,
  numberOf,
  type SetupReport,
} from '../../../reports/metrics/index.ts';
import type { ChartData, ChartPoint } from './chart-option.ts';
import { setupName, TableView } from './table.tsx';

/** A chart of quality against cost, as in figures 5 and 6 of Habicht et al. A script draws it; without, there is the table of its points. */
function Chart({ chart }: { chart: ChartData }) {
  const { title, xTitle, yTitle, points } = chart;
  return points.length === 0 ? null : (
    <figure class="chart" data-chart={JSON.stringify(chart)}>
      <figcaption>{title}</figcaption>
      <div class="drawing" role="img" aria-label={`${title}; the table below has its points.`} />
      <details>
        <summary>The same as a table</summary>
        <TableView
          table={{
            title,
            head: 'Configuration',
            columns: [xTitle, yTitle, '95 %', 'Pareto front'].map((text) => ({ title: text })),
            rows: points.map(({ name, xText, yText, range, onFront }) => ({
              head: name,
              cells: [xText, yText, range, onFront ? 'on it' : ''].map((text) => ({ text })),
            })),
          }}
        />
      </details>
    </figure>
  );
}

/** The points of the setups whose x and y are both known. */
const pointsOf = (
  { setups }: Report,
  front: readonly string[],
  [xOf, xText]: [(setup: SetupReport) => Estimate['measure'] | undefined, (value: number) => string],
  yOf: (setup: SetupReport) => Estimate | null | undefined,
): ChartPoint[] =>
  setups.flatMap((setup) => {
    const [x, y] = [xOf(setup), yOf(setup)];
    if (x?.defined !== true || y?.measure.defined !== true) return [];
    const { measure, interval } = y;
    const [low, high] = interval.defined ? [interval.low, interval.high] : [null, null];
    return [
      {
        number: numberOf(setups, setup.id),
        name: setupName(setups, setup.id),
        label: `${methodOf(setup, setups)} ${setup.models.map((model) => model.replace(/^.*\//, '')).join('+')}`,
        ...{ x: x.value, y: measure.value, low, high },
        xText: xText(x.value),
        yText: measure.value.toFixed(3),
        range: low === null || high === null ? '–' : `${low.toFixed(3)}–${high.toFixed(3)}`,
        onFront: front.includes(setup.id),
      },
    ];
  });

/** F1 against cost, and against time. */
export function TradeOffCharts({ report }: { report: Report }) {
  const { setups, pareto } = report;
  const f1Of = ({ effectiveness }: SetupReport) => effectiveness.f1;
  const costOf = ({ efficiency }: SetupReport) => efficiency.costUsd.mean;
  const timeOf = ({ efficiency }: SetupReport) => efficiency.latencyMs.median;
  const unknown = pareto.cost.incomparable.map((id) => numberOf(setups, id));
  const f1 = { yTitle: 'F1', isLogarithmic: true };
  return (
    <>
      <div class="charts">
        <Chart
          chart={{
            title: 'F1 against cost',
            xTitle: 'mean cost per trial',
            unit: 'usd',
            ...f1,
            points: pointsOf(report, pareto.cost.front, [costOf, usd], f1Of),
          }}
        />
        <Chart
          chart={{
            title: 'F1 against time',
            xTitle: 'median latency per trial',
            unit: 'ms',
            ...f1,
            points: pointsOf(report, pareto.latency.front, [timeOf, duration], f1Of),
          }}
        />
      </div>
      <p class="note">
        ◆ and line: the Pareto front. No other configuration is better in F1 beyond chance at no more cost, or
        time; costs and times within their noise are equal. ○ dominated: another one is. Numbers as in the
        tables; bars are 95 % intervals of F1; cost and time on a logarithmic scale.
        {unknown.length === 0
          ? ''
          : ` F1 or cost is not known for ${unknown.join(', ')}: not in the chart of cost.`}
      </p>
    </>
  );
}

/** Accuracy on two criteria with their Pareto front, which table II of Giebisch et al. marks; nothing for any other number of criteria. */
export function CriteriaChart({ report }: { report: Report }) {
  const { criteria } = report.pareto;
  const [first, second, ...others] = criteria?.criteria ?? [];
  if (criteria === null || first === undefined || second === undefined || others.length > 0) return null;
  const accuracyOf = (setup: SetupReport, id: string) => criterionOf(setup, id)?.accuracy;
  return (
    <div class="charts">
      <Chart
        chart={{
          title: `Accuracy on ${second} against ${first}`,
          xTitle: first,
          yTitle: second,
          unit: 'share',
          isLogarithmic: false,
          points: pointsOf(
            report,
            criteria.front,
            [(setup) => accuracyOf(setup, first)?.measure, (value) => value.toFixed(3)],
            (setup) => accuracyOf(setup, second),
          ),
        }}
      />
    </div>
  );
}

/** Whether a report has charts. */
export const hasCharts = (report: Report): boolean =>
  isLabeled(report) || report.pareto.criteria?.criteria.length === 2;
