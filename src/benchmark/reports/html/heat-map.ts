import { rangeText } from '../format.ts';
import { publishedHeat } from '../published-twin.ts';
import type { Report, SetupReport } from '../report.ts';
import { heatCell, heatLegend, scaleOf } from './heat.ts';
import { type Html, html } from './html.ts';
import type { Labels } from './labels.ts';
import { dataTable } from './table.ts';

const f1Of = ({ effectiveness }: SetupReport): number | null =>
  effectiveness.f1.measure.defined ? effectiveness.f1.measure.value : null;

/** F1 of every method (down) and model (across), as figure 3 of Habicht et al. */
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

/** The same of the paper, on its own data. */
export function publishedHeatMap(): Html {
  const { source, models, methods, f1 } = publishedHeat();
  const scale = scaleOf(f1.flat());
  const rows = methods.map(
    (way, row) =>
      html`<th scope="row">${way}</th>${models.map((model, column) =>
        heatCell(scale, f1[row]?.[column] ?? null, [], `${model}, ${way}`),
      )}`,
  );
  return html`<h3>Published F1</h3><p>${source}: other cases than those of this run, so compare orders rather than numbers.</p>${dataTable('Published F1 by method and model', ['Method', ...models], rows, 'heat')}${heatLegend(scale)}`;
}
