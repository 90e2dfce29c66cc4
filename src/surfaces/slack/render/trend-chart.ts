import type { Block } from '@slack/types';
import type { DigestBlock } from '../../../core/digest.ts';
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

/** A line chart of the newest points; where two names are the same once shortened they are numbered. */
export function trendChart({
  title,
  categories,
  series,
}: Extract<DigestBlock, { kind: 'trend' }>): ChartBlock {
  const from = Math.max(0, categories.length - POINTS);
  const shown = categories.slice(from);
  const names = series.slice(0, SERIES).map(({ name }, n, all) => {
    const whole = short(name, NAME);
    const twin = all.some((other, m) => m !== n && short(other.name, NAME) === whole);
    return twin ? `${short(name, NAME - 3)} ${n + 1}` : whole;
  });
  return {
    type: 'data_visualization',
    title: short(title, TITLE),
    chart: {
      type: 'line',
      series: series.slice(0, SERIES).map(({ values }, n) => ({
        name: names[n] ?? '',
        data: values.slice(from).flatMap((value, at) => {
          const label = shown[at];
          return value === null || label === undefined ? [] : [{ label, value }];
        }),
      })),
      axis_config: { categories: shown, y_label: '%' },
    },
  };
}
