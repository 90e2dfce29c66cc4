import type { Report, SetupReport } from '../report.ts';
import { type Html, html, raw } from './html.ts';

/** A table that scrolls on narrow screens; reachable by keyboard. */
const scrolling = (label: string, table: Html): Html =>
  html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${table}</div>`;

/** @param rows each with a head (`th`) and its cells */
export const dataTable = (
  label: string,
  heads: readonly (string | Html)[],
  rows: readonly Html[],
  kind = 'data',
): Html =>
  scrolling(
    label,
    html`<table class="${kind}"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows.map((row) => html`<tr>${row}</tr>`)}</tbody></table>`,
  );

export const cell = (main: string, note?: string): Html =>
  note === undefined ? html`<td>${main}</td>` : html`<td>${main}<small>${note}</small></td>`;

/** An empty cell, with the reason if there is one. */
export const noneCell = (why?: string): Html =>
  why === undefined ? html`<td class="none">·</td>` : html`<td class="none">–<small>${why}</small></td>`;

/** Names of setups on the page. */
export interface Labels {
  /** Its number, the same in every table and chart, from 1. */
  number: (id: string) => number;
  /** The method, with what distinguishes setups of the same method. */
  way: (setup: SetupReport) => string;
  models: (setup: SetupReport) => string;
  /** The models as markup that breaks where it should. */
  modelNames: (setup: Pick<SetupReport, 'models'>) => Html;
  /** Number, method and models as the head of a table's row. */
  head: (setup: SetupReport) => Html;
  text: (id: string) => string;
}

const modelNames = ({ models }: Pick<SetupReport, 'models'>): Html =>
  html`${models.map((model, index) => html`${index > 0 ? raw(' +<br>') : null}${model.split('/').map((part, at) => html`${at > 0 ? raw('/<wbr>') : null}${part}`)}`)}`;

export function labelsFor({ setups }: Pick<Report, 'setups'>): Labels {
  const numbers = new Map(setups.map(({ id }, index) => [id, index + 1]));
  const byId = new Map(setups.map((setup) => [setup.id, setup]));
  const temperatures = new Set(setups.map(({ temperature }) => temperature)).size > 1;
  const number = (id: string) => numbers.get(id) ?? 0;
  const way = ({ method, temperature, equalCallsOf }: SetupReport) =>
    [
      method,
      ...(temperatures && temperature !== null ? [`at ${temperature}`] : []),
      ...(equalCallsOf === null ? [] : ['as a vote with equal calls']),
    ].join(' ');
  const models = (setup: SetupReport) => setup.models.join(' + ');
  return {
    number,
    way,
    models,
    modelNames,
    head: (setup) =>
      html`<th scope="row"><span class="no">${number(setup.id)}</span> <b>${way(setup)}</b> <span class="model">${modelNames(setup)}</span></th>`,
    text: (id) => {
      const setup = byId.get(id);
      return setup === undefined ? id : `${number(id)} ${way(setup)}, ${models(setup)}`;
    },
  };
}
