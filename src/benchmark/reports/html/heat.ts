import { NONE } from '../format.ts';
import { type Html, html } from './html.ts';

/** Shades from the least to the most; the numbers stand in the cells, so that no color has to be told from another. */
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
