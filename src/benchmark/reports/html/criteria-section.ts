import { agreementOn } from '../criteria.ts';
import { fixed, grouped, rangeText } from '../format.ts';
import type { CriterionReport, Report, ReportMeasure, SetupReport } from '../report.ts';
import { heatCell, heatLegend, scaleOf } from './heat.ts';
import { type Html, html } from './html.ts';
import type { Labels } from './labels.ts';
import { cell, dataTable, noneCell } from './table.ts';
import { type ChartPoint, tradeOffChart } from './trade-off-chart.ts';

const criterionOf = ({ criteria }: SetupReport, id: string): CriterionReport | undefined =>
  criteria.find((one) => one.id === id);

const valueOfMeasure = (measure: ReportMeasure | null | undefined): number | null =>
  measure?.defined === true ? measure.value : null;

/** How well each criterion is judged, and who is beaten by nobody in all of them. */
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
    const told = found?.accuracy ?? found?.scores?.against?.spearman;
    if (found === undefined || told === undefined) return noneCell();
    const gaps = found.undecided + found.unscored;
    const n = `of ${grouped(told.measure.n)}${gaps > 0 ? `, ${grouped(gaps)} open` : ''}`;
    const notes = [rangeText(told.interval, 2), n];
    return heatCell(scale, valueAt(setup, id), notes, `${labels.text(setup.id)}, ${id}`);
  };
  const placeOf = ({ id }: SetupReport): string =>
    front.includes(id) ? '◆ front' : incomparable.includes(id) ? 'not known' : 'beaten';
  const rows = setups.map(
    (setup) =>
      html`${labels.head(setup)}${criteria.map((id) => cellOf(setup, id))}<td>${placeOf(setup)}</td>`,
  );
  const heads = ['Configuration', ...criteria, 'All together'];
  return html`${dataTable('Agreement with labels by criterion', heads, rows, 'heat')}${heatLegend(scale)}<p class="note">Share of right decisions among those that were reached, where a label says what is right; of criteria with scores, Spearman’s correlation with the labels. ◆ is the Pareto front: beaten by nobody in all criteria together. Small numbers: 95 % intervals, and of how many trials.</p>`;
}

/** Of two criteria the front can be drawn, as the bold figures of table II of Giebisch et al. mark it. */
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

/** What was found criterion by criterion. */
export function criteriaSection(report: Report, labels: Labels): Html | null {
  const { criteria } = report.pareto;
  const agreement = criteria === null ? null : agreementTable(report, labels, criteria);
  const scores = scoreTable(report, labels);
  if (agreement === null && scores === null) return null;
  return html`${frontChart(report, labels)}${agreement}${scores}`;
}
