import { duration, fixed, grouped, shown, usd } from '../format.ts';
import { hasDecisions } from '../has-decisions.ts';
import type { Report, ReportMeasure, SetupReport } from '../report.ts';
import { type Html, html } from './html.ts';
import type { Labels } from './labels.ts';
import { cell, dataTable } from './table.ts';
import { type ChartPoint, tradeOffChart } from './trade-off-chart.ts';

const points = (
  { setups }: Report,
  labels: Labels,
  front: readonly string[],
  xOf: (setup: SetupReport) => ReportMeasure,
): ChartPoint[] =>
  setups.flatMap((setup) => {
    const { measure, interval } = setup.effectiveness.f1;
    const x = xOf(setup);
    if (!measure.defined || !x.defined) return [];
    const name = `${labels.way(setup)}, ${labels.models(setup)}`;
    return [
      {
        number: labels.number(setup.id),
        name,
        x: x.value,
        y: measure.value,
        interval,
        onFront: front.includes(setup.id),
      },
    ];
  });

function placeOf({ pareto }: Report, { id }: SetupReport): string {
  if (pareto.all.front.includes(id)) return '◆ front';
  return pareto.all.incomparable.includes(id) ? 'not known' : 'beaten';
}

/** @param decides whether there is an F1 to stand beside */
function effortTable(report: Report, labels: Labels, decides: boolean): Html {
  const heads = ['Calls', 'Tokens', 'Cost a trial', 'Cost in all', 'Latency', 'From cache'];
  const rows = report.setups.map((setup) => {
    const { calls, tokens, costUsd, latencyMs, totalCostUsd, fromCache } = setup.efficiency;
    const missing = costUsd.missing > 0 ? `${grouped(costUsd.missing)} not known` : undefined;
    const f1 = decides ? cell(fixed(setup.effectiveness.f1.measure)) : null;
    const place = decides ? html`<td>${placeOf(report, setup)}</td>` : null;
    return html`${labels.head(setup)}${f1}${cell(shown(calls.mean, (n) => n.toFixed(1)))}${cell(shown(tokens.median, grouped), shown(tokens.p95, grouped))}${cell(shown(costUsd.mean, usd), missing)}${cell(totalCostUsd === null ? '–' : usd(totalCostUsd))}${cell(shown(latencyMs.median, duration), shown(latencyMs.p95, duration))}${cell(grouped(fromCache))}${place}`;
  });
  const all = decides ? ['Configuration', 'F1', ...heads, 'F1, cost, time'] : ['Configuration', ...heads];
  return html`${dataTable('Cost and time', all, rows)}
<p class="note">Calls: mean a trial. Tokens and latency: median, below it the 95th percentile. Trials with answers from the cache do not enter cost and latency.</p>`;
}

function chartsOf(report: Report, labels: Labels): Html {
  const byCost = points(
    report,
    labels,
    report.pareto.cost.front,
    ({ efficiency }) => efficiency.costUsd.mean,
  );
  const byTime = points(
    report,
    labels,
    report.pareto.latency.front,
    ({ efficiency }) => efficiency.latencyMs.median,
  );
  const f1 = { yTitle: 'F1', x: 'logarithmic' } as const;
  const cost = { id: 'cost', title: 'F1 against cost', xTitle: 'mean cost a trial', xText: usd, ...f1 };
  const time = {
    id: 'time',
    title: 'F1 against time',
    xTitle: 'median latency of a trial',
    xText: duration,
    ...f1,
  };
  const charts = [
    ...(byCost.length === 0 ? [] : [tradeOffChart(cost, byCost)]),
    ...(byTime.length === 0 ? [] : [tradeOffChart(time, byTime)]),
  ];
  const unknown = report.pareto.cost.incomparable;
  return html`<div class="charts">${charts}</div>
<p class="note">◆ and line: the Pareto front, beaten by nobody in both. ○ beaten. Numbers as in the tables; bars are 95 % intervals of F1; cost and time on a logarithmic scale.${
    unknown.length === 0
      ? null
      : ` F1 or cost is not known for ${unknown.map((id) => labels.number(id)).join(', ')}: not in the chart of cost.`
  }</p>`;
}

/** Effectiveness against cost and time, and what each setup takes. */
export function tradeOffSection(report: Report, labels: Labels): Html {
  const decides = hasDecisions(report);
  return html`${decides ? chartsOf(report, labels) : null}${effortTable(report, labels, decides)}`;
}
