import { usd } from '../../../common/text.ts';
import { duration } from '../format.ts';
import type { Estimate } from '../measures.ts';
import type { Report, SetupReport } from '../report.ts';
import { criterionOf, isLabeled, numberOf } from '../tables.ts';
import { type Html, html } from './html.ts';
import { setupName } from './table.ts';
import { type ChartPoint, tradeOffChart } from './trade-off-chart.ts';

/** The points of the setups for which both values are known. */
const pointsOf = (
  { setups }: Report,
  front: readonly string[],
  xOf: (setup: SetupReport) => Estimate['measure'] | undefined,
  yOf: (setup: SetupReport) => Estimate | null | undefined,
): ChartPoint[] =>
  setups.flatMap((setup) => {
    const [x, y] = [xOf(setup), yOf(setup)];
    if (x?.defined !== true || y?.measure.defined !== true) return [];
    const [number, name] = [numberOf(setups, setup.id), setupName(setups, setup.id)];
    const { measure, interval } = y;
    return [{ number, name, x: x.value, y: measure.value, interval, onFront: front.includes(setup.id) }];
  });

const chartsHtml = (charts: readonly (Html | null)[]): Html | null =>
  charts.every((chart) => chart === null) ? null : html`<div class="charts">${charts}</div>`;

/** Effectiveness against cost and time. */
export function tradeOffCharts(report: Report): Html | null {
  if (!isLabeled(report)) return null;
  const { setups, pareto } = report;
  const f1Of = ({ effectiveness }: SetupReport) => effectiveness.f1;
  const f1 = { yTitle: 'F1', x: 'logarithmic' } as const;
  const unknown = pareto.cost.incomparable.map((id) => numberOf(setups, id));
  const charts = chartsHtml([
    tradeOffChart(
      { id: 'cost', title: 'F1 against cost', xTitle: 'mean cost per trial', xText: usd, ...f1 },
      pointsOf(report, pareto.cost.front, ({ efficiency }) => efficiency.costUsd.mean, f1Of),
    ),
    tradeOffChart(
      { id: 'time', title: 'F1 against time', xTitle: 'median latency per trial', xText: duration, ...f1 },
      pointsOf(report, pareto.latency.front, ({ efficiency }) => efficiency.latencyMs.median, f1Of),
    ),
  ]);
  return html`${charts}<p class="note">◆ and line: the Pareto front, not dominated in both, where costs and times within their noise are equal. ○ dominated. Numbers as in the tables; bars are 95 % intervals of F1; cost and time on a logarithmic scale.${
    unknown.length === 0
      ? null
      : ` F1 or cost is not known for ${unknown.join(', ')}: not in the chart of cost.`
  }</p>`;
}

/** The front over two criteria, as marked in table II of Giebisch et al. */
export function criteriaChart(report: Report): Html | null {
  const { criteria } = report.pareto;
  const [first, second, ...others] = criteria?.criteria ?? [];
  if (criteria === null || first === undefined || second === undefined || others.length > 0) return null;
  const accuracyOf = (setup: SetupReport, id: string) => criterionOf(setup, id)?.accuracy;
  return chartsHtml([
    tradeOffChart(
      {
        id: 'criteria-front',
        title: `Accuracy on ${second} against ${first}`,
        xTitle: first,
        xText: (value) => value.toFixed(2),
        yTitle: second,
        x: 'share',
      },
      pointsOf(
        report,
        criteria.front,
        (setup) => accuracyOf(setup, first)?.measure,
        (setup) => accuracyOf(setup, second),
      ),
    ),
  ]);
}
