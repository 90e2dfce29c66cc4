import { grouped, rangeText } from '../format.ts';
import type { Report, SetupReport } from '../report.ts';
import { heatCell, heatLegend, scaleOf } from './heat.ts';
import { type Html, html } from './html.ts';
import type { Labels } from './labels.ts';
import { dataTable } from './table.ts';

const categoryOf = ({ categories }: SetupReport, name: string) =>
  categories.find(({ category }) => category === name);

const accuracyOf = (setup: SetupReport, name: string): number | null => {
  const measure = categoryOf(setup, name)?.accuracy.measure;
  return measure?.defined === true ? measure.value : null;
};

/** Accuracy by the kind of error that was put into the cases, as figures 7 to 9 of Habicht et al. */
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
  return html`${dataTable('Accuracy by kind of error', ['Configuration', ...heads], rows, 'heat')}${heatLegend(scale)}<p class="note">Share of right decisions among the trials that got one, “of” so many where some got none; n counts all trials of a configuration.</p>`;
}

const sizeOf = (setup: SetupReport, name: string): number => {
  const found = categoryOf(setup, name);
  return found === undefined ? 0 : found.accuracy.measure.n + found.undecided + found.unscored;
};
