import { grouped, usd } from '../../../common/text.ts';
import { duration, fixed, hasDecisions, rangeText, shown } from '../format.ts';
import type { CriterionReport, Report, ReportMeasure, SetupReport } from '../report.ts';
import { agreementOn } from '../setup-report.ts';
import { heatCell, heatLegend, scaleOf } from './heat-map.ts';
import { type Html, html } from './html.ts';
import { cell, dataTable, type Labels, noneCell } from './table.ts';
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
  return pareto.all.incomparable.includes(id) ? 'unknown' : 'dominated';
}

/** @param decides whether there is an F1 */
function effortTable(report: Report, labels: Labels, decides: boolean): Html {
  const heads = ['Calls', 'Tokens', 'Cost per trial', 'Total cost', 'Latency', 'From cache'];
  const rows = report.setups.map((setup) => {
    const { calls, tokens, costUsd, latencyMs, totalCostUsd, fromCache } = setup.efficiency;
    const missing = costUsd.missing > 0 ? `${grouped(costUsd.missing)} unknown` : undefined;
    const f1 = decides ? cell(fixed(setup.effectiveness.f1.measure)) : null;
    const place = decides ? html`<td>${placeOf(report, setup)}</td>` : null;
    return html`${labels.head(setup)}${f1}${cell(shown(calls.mean, (n) => n.toFixed(1)))}${cell(shown(tokens.median, grouped), shown(tokens.p95, grouped))}${cell(shown(costUsd.mean, usd), missing)}${cell(totalCostUsd === null ? '–' : usd(totalCostUsd))}${cell(shown(latencyMs.median, duration), shown(latencyMs.p95, duration))}${cell(grouped(fromCache))}${place}`;
  });
  const all = decides ? ['Configuration', 'F1', ...heads, 'F1, cost, time'] : ['Configuration', ...heads];
  return html`${dataTable('Cost and time', all, rows)}
<p class="note">Calls: mean per trial. Tokens and latency: median, with the 95th percentile below. Trials with cached answers do not count for cost and latency.</p>`;
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
  const cost = { id: 'cost', title: 'F1 against cost', xTitle: 'mean cost per trial', xText: usd, ...f1 };
  const time = {
    id: 'time',
    title: 'F1 against time',
    xTitle: 'median latency per trial',
    xText: duration,
    ...f1,
  };
  const charts = [
    ...(byCost.length === 0 ? [] : [tradeOffChart(cost, byCost)]),
    ...(byTime.length === 0 ? [] : [tradeOffChart(time, byTime)]),
  ];
  const unknown = report.pareto.cost.incomparable;
  return html`<div class="charts">${charts}</div>
<p class="note">◆ and line: the Pareto front, not dominated in both. ○ dominated. Numbers as in the tables; bars are 95 % intervals of F1; cost and time on a logarithmic scale.${
    unknown.length === 0
      ? null
      : ` F1 or cost is not known for ${unknown.map((id) => labels.number(id)).join(', ')}: not in the chart of cost.`
  }</p>`;
}

/** Effectiveness against cost and time. */
export function tradeOffSection(report: Report, labels: Labels): Html {
  const decides = hasDecisions(report);
  return html`${decides ? chartsOf(report, labels) : null}${effortTable(report, labels, decides)}`;
}

const criterionOf = ({ criteria }: SetupReport, id: string): CriterionReport | undefined =>
  criteria.find((one) => one.id === id);

const valueOfMeasure = (measure: ReportMeasure | null | undefined): number | null =>
  measure?.defined === true ? measure.value : null;

/** Agreement by criterion, with the Pareto front over all criteria. */
function agreementTable(
  { setups }: Report,
  labels: Labels,
  pareto: NonNullable<Report['pareto']['criteria']>,
): Html {
  const { criteria, front, incomparable } = pareto;
  const valueAt = (setup: SetupReport, id: string): number | null => {
    const found = criterionOf(setup, id);
    return found === undefined ? null : valueOfMeasure(agreementOn(found));
  };
  const scale = scaleOf(setups.flatMap((setup) => criteria.map((id) => valueAt(setup, id))));
  const cellOf = (setup: SetupReport, id: string): Html => {
    const found = criterionOf(setup, id);
    const agreement = found?.accuracy ?? found?.scores?.against?.spearman;
    if (found === undefined || agreement === undefined) return noneCell();
    const gaps = found.undecided + found.unscored;
    const n = `of ${grouped(agreement.measure.n)}${gaps > 0 ? `, ${grouped(gaps)} open` : ''}`;
    const notes = [rangeText(agreement.interval, 2), n];
    return heatCell(scale, valueAt(setup, id), notes, `${labels.text(setup.id)}, ${id}`);
  };
  const placeOf = ({ id }: SetupReport): string =>
    front.includes(id) ? '◆ front' : incomparable.includes(id) ? 'unknown' : 'dominated';
  const rows = setups.map(
    (setup) =>
      html`${labels.head(setup)}${criteria.map((id) => cellOf(setup, id))}<td>${placeOf(setup)}</td>`,
  );
  const heads = ['Configuration', ...criteria, 'All together'];
  return html`${dataTable('Agreement with labels by criterion', heads, rows, 'heat')}${heatLegend(scale)}<p class="note">Share of right decisions on labeled criteria; for criteria with scores, Spearman’s correlation with the labels. ◆ marks the Pareto front: configurations that no other one beats on all criteria. Small numbers: 95 % intervals, and the number of trials.</p>`;
}

/** The front over two criteria, as marked in table II of Giebisch et al. */
function frontChart({ setups, pareto }: Report, labels: Labels): Html | null {
  const [first, second, ...others] = pareto.criteria?.criteria ?? [];
  if (first === undefined || second === undefined || others.length > 0) return null;
  const points = setups.flatMap((setup): ChartPoint[] => {
    const [across, up] = [criterionOf(setup, first), criterionOf(setup, second)].map((one) =>
      one?.accuracy?.measure.defined === true ? { value: one.accuracy.measure.value, ...one.accuracy } : null,
    );
    if (across === null || across === undefined || up === null || up === undefined) return [];
    return [
      {
        number: labels.number(setup.id),
        name: `${labels.way(setup)}, ${labels.models(setup)}`,
        x: across.value,
        y: up.value,
        interval: up.interval,
        onFront: pareto.criteria?.front.includes(setup.id) === true,
      },
    ];
  });
  if (points.length === 0) return null;
  const text = {
    id: 'criteria-front',
    title: `Accuracy on ${second} against ${first}`,
    xTitle: first,
    xText: (value: number) => value.toFixed(2),
    yTitle: second,
    x: 'share',
  } as const;
  return html`<div class="charts">${tradeOffChart(text, points)}</div>`;
}

function scoreTable({ setups }: Report, labels: Labels): Html | null {
  const ids = [
    ...new Set(
      setups.flatMap(({ criteria }) => criteria.filter(({ scores }) => scores !== null).map(({ id }) => id)),
    ),
  ];
  if (ids.length === 0) return null;
  const cellOf = (setup: SetupReport, id: string): Html => {
    const mean = criterionOf(setup, id)?.scores?.mean;
    return mean === undefined ? noneCell() : cell(fixed(mean.measure, 2), rangeText(mean.interval, 2));
  };
  const rows = setups.map((setup) => html`${labels.head(setup)}${ids.map((id) => cellOf(setup, id))}`);
  return html`<h3>Mean scores</h3>${dataTable('Mean scores by criterion', ['Configuration', ...ids], rows)}`;
}

export function criteriaSection(report: Report, labels: Labels): Html | null {
  const { criteria } = report.pareto;
  const agreement = criteria === null ? null : agreementTable(report, labels, criteria);
  const scores = scoreTable(report, labels);
  if (agreement === null && scores === null) return null;
  return html`${frontChart(report, labels)}${agreement}${scores}`;
}
