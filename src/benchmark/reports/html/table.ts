import type { SetupReport } from '../report.ts';
import { type Cell, methodOf, numberOf, type ReportTable } from '../tables.ts';
import { type Html, html, raw } from './html.ts';

/** Names of models may break after a slash and between models. */
const breakable = (text: string): Html =>
  html`${text.split(' + ').map((model, index) => html`${index > 0 ? raw(' +<br>') : null}${model.split('/').map((part, at) => html`${at > 0 ? raw('/<wbr>') : null}${part}`)}`)}`;

/** `2 mad, openai/gpt-4o`. */
export function setupName(setups: readonly SetupReport[], id: string): string {
  const setup = setups.find((one) => one.id === id);
  return setup === undefined
    ? id
    : `${numberOf(setups, id)} ${methodOf(setup, setups)}, ${setup.models.join(' + ')}`;
}

const rowHead = (setups: readonly SetupReport[], head: SetupReport | string): Html =>
  typeof head === 'string'
    ? html`<th scope="row">${head}</th>`
    : html`<th scope="row"><span class="no">${numberOf(setups, head.id)}</span> <b>${methodOf(head, setups)}</b> <span class="model">${breakable(head.models.join(' + '))}</span></th>`;

/** Number of shades. Cells show numbers too, so that no one has to tell colors apart. */
const STEPS = 9;

/** The palest and the deepest shade stand for the same values in every table of every report, so that tables can be held side by side. */
const SHADES = { low: 0.5, high: 1 };

const stepOf = (value: number): number => {
  const { low, high } = SHADES;
  return Math.max(0, Math.min(STEPS - 1, Math.floor(((value - low) / (high - low)) * STEPS)));
};

function cellOf({ text, note, none = false, shade }: Cell): Html {
  const small = note === undefined ? null : html`<small>${note}</small>`;
  const lines = text.split('\n');
  if (lines.length > 1)
    return html`<td class="bins">${lines.map((line, index) => html`${index > 0 ? raw('<br>') : null}${line}`)}</td>`;
  if (none) return html`<td class="none">${text}${small}</td>`;
  return shade === undefined
    ? html`<td>${text}${small}</td>`
    : html`<td class="h${stepOf(shade)}">${text}${small}</td>`;
}

const legend = ({ low, high }: typeof SHADES): Html =>
  html`<p class="legend" aria-hidden="true"><span>${low.toFixed(1)} or less</span>${Array.from({ length: STEPS }, (_, step) => html`<i class="h${step}"></i>`)}<span>${high.toFixed(1)}</span></p>`;

/** A table that scrolls on narrow screens and can be reached by keyboard. */
export function tableHtml(setups: readonly SetupReport[], table: ReportTable): Html {
  const { title, head, columns, rows, note } = table;
  const isShaded = rows.some(({ cells }) => cells.some(({ shade }) => shade !== undefined));
  const heads = columns.map(
    ({ title: text, below }) =>
      html`<th scope="col">${breakable(text)}${below === undefined ? null : html`<small>${below}</small>`}</th>`,
  );
  const body = rows.map(
    (row) => html`<tr>${rowHead(setups, row.head)}${row.cells.map((cell) => cellOf(cell))}</tr>`,
  );
  return html`<div class="scroll" role="region" aria-label="${title}" tabindex="0"><table class="${isShaded ? 'heat' : 'data'}"><thead><tr><th scope="col">${head}</th>${heads}</tr></thead><tbody>${body}</tbody></table></div>${isShaded ? legend(SHADES) : null}${note === undefined ? null : html`<p class="note">${note}</p>`}`;
}
