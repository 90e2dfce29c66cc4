import type { Block } from '@slack/types';
import type { DigestBlock } from '../../../digests/digest.ts';
import { distinctNames } from '../../charts/distinct-names.ts';
import { oneLine, shortened } from './safe-text.ts';

/** Slack's chart block, which its types do not know yet. */
export interface ChartBlock extends Block {
  type: 'data_visualization';
  title: string;
  chart: {
    type: 'line';
    series: { name: string; data: { label: string; value: number }[] }[];
    axis_config: { categories: string[]; y_label: string };
  };
}

/** What Slack takes of a chart. */
const TITLE = 50;
const NAME = 20;
const POINTS = 20;
const SERIES = 6;

const short = (text: string, most: number): string => shortened(oneLine(text) || '–', most);

/** A line chart of the newest points. Lines without one among them, which Slack refuses, are left out. */
export function trendChart({
  title,
  categories,
  series,
}: Extract<DigestBlock, { kind: 'trend' }>): ChartBlock {
  const from = Math.max(0, categories.length - POINTS);
  const shown = categories.slice(from);
  const drawn = series
    .map(({ name, values }) => ({
      name,
      data: values.slice(from).flatMap((value, at) => {
        const label = shown[at];
        return value === null || label === undefined ? [] : [{ label, value }];
      }),
    }))
    .filter(({ data }) => data.length > 0)
    .slice(0, SERIES);
  const names = distinctNames(
    drawn.map(({ name }) => name),
    NAME,
    short,
  );
  return {
    type: 'data_visualization',
    title: short(title, TITLE),
    chart: {
      type: 'line',
      series: drawn.map(({ data }, n) => ({ name: names[n] ?? '', data })),
      axis_config: { categories: shown, y_label: '%' },
    },
  };
}
