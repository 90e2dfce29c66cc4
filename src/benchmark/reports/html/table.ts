import { type Html, html } from './html.ts';

/** A table that scrolls by itself where the screen is too narrow; reachable by keyboard. */
const scrolling = (label: string, table: Html): Html =>
  html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${table}</div>`;

/** @param rows each a head (`th`) followed by its cells */
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

/** Nothing to show, and why where there is something to say. */
export const noneCell = (why?: string): Html =>
  why === undefined ? html`<td class="none">·</td>` : html`<td class="none">–<small>${why}</small></td>`;
