import { grouped } from '../../../common/text.ts';
import { NONE, rangeText } from '../format.ts';
import { publishedHeat } from '../published-results.ts';
import type { Report, SetupReport } from '../report.ts';
import { type Html, html } from './html.ts';
import { dataTable, type Labels } from './table.ts';

/** Number of shades. Cells show numbers too, so that no one has to tell colors apart. */
const STEPS = 9;

export interface HeatScale {
  low: number;
  high: number;
}

/** The range of the values, the lower end rounded down to a tenth, the upper one 1. */
export function scaleOf(values: readonly (number | null)[]): HeatScale {
  const known = values.filter((value) => value !== null);
  const least = known.length === 0 ? 0 : Math.min(...known);
  return { low: Math.max(0, Math.min(0.9, Math.floor(least * 10) / 10)), high: 1 };
}

const stepOf = ({ low, high }: HeatScale, value: number): number =>
  Math.max(0, Math.min(STEPS - 1, Math.floor(((value - low) / (high - low)) * STEPS)));

/** @param notes small lines below the number */
export function heatCell(
  scale: HeatScale,
  value: number | null,
  notes: readonly string[],
  title: string,
): Html {
  if (value === null) return html`<td class="none" title="${title}">${NONE}</td>`;
  const small = notes.map((note) => html`<small>${note}</small>`);
  return html`<td class="h${stepOf(scale, value)}" title="${title}">${value.toFixed(3)}${small}</td>`;
}

export const heatLegend = ({ low, high }: HeatScale): Html =>
  html`<p class="legend" aria-hidden="true"><span>${low.toFixed(1)}</span>${Array.from({ length: STEPS }, (_, step) => html`<i class="h${step}"></i>`)}<span>${high.toFixed(1)}</span></p>`;

const f1Of = ({ effectiveness }: SetupReport): number | null =>
  effectiveness.f1.measure.defined ? effectiveness.f1.measure.value : null;

/** F1 by method (rows) and model (columns), as in figure 3 of Habicht et al. */
export function heatMap({ setups }: Report, labels: Labels): Html {
  const ways = [...new Set(setups.map(labels.way))];
  const models = [...new Set(setups.map(labels.models))];
  const scale = scaleOf(setups.map(f1Of));
  const cellOf = (way: string, model: string): Html => {
    const setup = setups.find((one) => labels.way(one) === way && labels.models(one) === model);
    if (setup === undefined) return html`<td class="none">·</td>`;
    const { f1, coverage } = setup.effectiveness;
    const covered =
      coverage.defined && coverage.value < 1 ? `, ${(100 * coverage.value).toFixed(1)} % decided` : '';
    const title = f1.measure.defined
      ? `${labels.text(setup.id)}: F1 ${f1.measure.value.toFixed(3)}, 95 % interval ${rangeText(f1.interval)}${covered}`
      : `not defined: ${f1.measure.why}`;
    return heatCell(scale, f1Of(setup), [rangeText(f1.interval, 2)], title);
  };
  const headOf = (model: string): Html | string => {
    const setup = setups.find((one) => labels.models(one) === model);
    return setup === undefined ? model : labels.modelNames(setup);
  };
  const rows = ways.map(
    (way) => html`<th scope="row">${way}</th>${models.map((model) => cellOf(way, model))}`,
  );
  return html`${dataTable('F1 by method and model', ['Method', ...models.map(headOf)], rows, 'heat')}${heatLegend(scale)}`;
}

/** The paper's F1, on its own data. */
export function publishedHeatMap(): Html {
  const { source, models, methods, f1 } = publishedHeat();
  const scale = scaleOf(f1.flat());
  const rows = methods.map(
    (way, row) =>
      html`<th scope="row">${way}</th>${models.map((model, column) =>
        heatCell(scale, f1[row]?.[column] ?? null, [], `${model}, ${way}`),
      )}`,
  );
  return html`<h3>Published F1</h3><p>${source}: measured on other cases than this run, so compare rankings rather than numbers.</p>${dataTable('Published F1 by method and model', ['Method', ...models], rows, 'heat')}${heatLegend(scale)}`;
}

const categoryOf = ({ categories }: SetupReport, name: string) =>
  categories.find(({ category }) => category === name);

const accuracyOf = (setup: SetupReport, name: string): number | null => {
  const measure = categoryOf(setup, name)?.accuracy.measure;
  return measure?.defined === true ? measure.value : null;
};

/** Accuracy by error type, as in figures 7 to 9 of Habicht et al. */
export function categoriesSection({ setups }: Report, labels: Labels): Html | null {
  const names = [...new Set(setups.flatMap(({ categories }) => categories.map(({ category }) => category)))];
  if (names.length === 0) return null;
  const scale = scaleOf(setups.flatMap((setup) => names.map((name) => accuracyOf(setup, name))));
  const sizes = new Map(
    names.map((name) => [name, Math.max(...setups.map((setup) => sizeOf(setup, name)))] as const),
  );
  const cellOf = (setup: SetupReport, name: string): Html => {
    const found = categoryOf(setup, name);
    if (found === undefined) return html`<td class="none">·</td>`;
    const { accuracy, undecided, unscored } = found;
    const missing = undecided + unscored > 0 ? `, ${undecided} undecided, ${unscored} unscored` : '';
    const title = `${labels.text(setup.id)}, ${name}: ${accuracy.measure.n} decided${missing}`;
    const gaps = undecided + unscored > 0 ? [`of ${grouped(accuracy.measure.n)}`] : [];
    return heatCell(scale, accuracyOf(setup, name), [rangeText(accuracy.interval, 2), ...gaps], title);
  };
  const heads = names.map((name) => html`${name}<small>n = ${grouped(sizes.get(name) ?? 0)}</small>`);
  const rows = setups.map((setup) => html`${labels.head(setup)}${names.map((name) => cellOf(setup, name))}`);
  return html`${dataTable('Accuracy by error type', ['Configuration', ...heads], rows, 'heat')}${heatLegend(scale)}<p class="note">Share of right decisions among trials with a decision (their number after “of” if some have none); n counts all trials of a configuration.</p>`;
}

const sizeOf = (setup: SetupReport, name: string): number => {
  const found = categoryOf(setup, name);
  return found === undefined ? 0 : found.accuracy.measure.n + found.undecided + found.unscored;
};
