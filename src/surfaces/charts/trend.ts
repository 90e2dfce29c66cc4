import type { EChartsOption } from 'echarts';
import type { DigestBlock } from '../../digests/digest.ts';
import { shortLine } from '../safe-text.ts';

/** Shares over time, in percent. */
export type Trend = Extract<DigestBlock, { kind: 'trend' }>;

/** What chats take of a chart: points of a line, and lines. */
const POINTS = 20;
const LINES = 6;

const short = (text: string, most: number): string => shortLine(text, most) || '–';

/** Names of the lines of a chart, of so many characters at most; where two are the same once shortened they are numbered. */
export function distinctNames(names: readonly string[], most: number): string[] {
  const shown = names.map((name) => short(name, most));
  return shown.map((name, n) => {
    const isTwin = shown.some((other, m) => m !== n && other === name);
    return isTwin ? `${short(names[n] ?? '', most - 3)} ${n + 1}` : name;
  });
}

/** A trend as chats draw it: its newest points, without the lines that have none among them; names of so many characters at most. */
export function trendLines({ categories, series }: Trend, mostOfName: number) {
  const from = Math.max(0, categories.length - POINTS);
  const shown = categories.slice(from);
  const drawn = series
    .map(({ name, values }) => ({
      name,
      points: values.slice(from).flatMap((value, at) => {
        const label = shown[at];
        return value === null || label === undefined ? [] : [{ label, value }];
      }),
    }))
    .filter(({ points }) => points.length > 0)
    .slice(0, LINES);
  const names = distinctNames(
    drawn.map(({ name }) => name),
    mostOfName,
  );
  return { categories: shown, lines: drawn.map(({ points }, n) => ({ name: names[n] ?? '', points })) };
}

/** In points; pictures have twice as many pixels. */
export const CHART_WIDTH = 900;
/** In points: on a phone, its letters are still large enough to read. */
export const SMALL_WIDTH = 440;
const PLOT_HEIGHT = 300;
const TITLE_HEIGHT = 70;
const AXIS_HEIGHT = 44;
const LEGEND_ROW = 22;
const FONT = 'DejaVu Sans';
const MARGIN = { left: 64, right: 64 };

/** How wide a letter of 13 points is at most on average, and what stays free between two dates below the axis. */
const LETTER = 8;
const GAP = 24;
/** A name and a title may have as many letters as so many points fit into the width. */
const NAME_LETTER = 15;
const TITLE_LETTER = 12.8;

/** Okabe and Ito's colors, which color-blind readers tell apart, without the yellow that is faint on white; shapes tell them apart in gray. */
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00'];
const SHAPES = ['circle', 'rect', 'triangle', 'diamond', 'emptyCircle', 'emptyRect'];
const INK = '#1d1c1d';
const PALE = '#5e5d60';
const GRID = '#e3e3e3';

/** Whole tens around all values with some room, so that small changes can be seen; never beyond 0 and 100. */
function percentRange(values: readonly number[]): { min: number; max: number } {
  if (values.length === 0) return { min: 0, max: 100 };
  const min = Math.max(0, Math.floor((Math.min(...values) - 4) / 10) * 10);
  const max = Math.min(100, Math.ceil((Math.max(...values) + 4) / 10) * 10);
  return { min, max };
}

/** How tall a chart is, in points: each line of more than one has a row in the legend. */
export const chartHeight = ({ series }: Trend): number =>
  TITLE_HEIGHT + PLOT_HEIGHT + AXIS_HEIGHT + (series.length > 1 ? series.length * LEGEND_ROW + 8 : 8);

/** The points of a line: one that has no neighbor to be joined to is shown by itself, and gaps are passed over. */
const lineOf = (name: string, values: readonly (number | null)[], index: number) => ({
  type: 'line' as const,
  name,
  data: [...values],
  connectNulls: true,
  symbol: SHAPES[index % SHAPES.length] ?? 'circle',
  symbolSize: 9,
  lineStyle: { width: 2.5 },
});

/** Every how many points there is room for a date. */
function labelStep(categories: readonly string[], width: number): number {
  const widest = Math.max(...categories.map((label) => label.length)) * LETTER + GAP;
  const room = Math.floor((width - MARGIN.left - MARGIN.right) / widest) + 1;
  return Math.max(1, Math.ceil((categories.length - 1) / Math.max(1, room - 1)));
}

/** What a chart of shares over time looks like, on a ground of its own: it is shown on light and on dark ones. */
export function trendOption(trend: Trend, width: number): EChartsOption {
  const { title, categories, series } = trend;
  const values = series.flatMap((line) => line.values.filter((value) => value !== null));
  const step = labelStep(categories, width);
  const names = distinctNames(
    series.map(({ name }) => name),
    Math.floor(width / NAME_LETTER),
  );
  const text = { fontFamily: FONT, color: PALE, fontSize: 13 };
  return {
    animation: false,
    backgroundColor: '#ffffff',
    color: COLORS,
    textStyle: { fontFamily: FONT },
    title: {
      text: shortLine(title, Math.floor(width / TITLE_LETTER)),
      subtext: names.length === 1 ? (names[0] ?? '') : '',
      left: 20,
      top: 14,
      itemGap: 4,
      textStyle: { fontFamily: FONT, color: INK, fontSize: 17, fontWeight: 'bold' },
      subtextStyle: { ...text },
    },
    legend: {
      show: series.length > 1,
      orient: 'vertical',
      left: MARGIN.left - 8,
      top: TITLE_HEIGHT + PLOT_HEIGHT + AXIS_HEIGHT - 6,
      itemGap: 6,
      itemHeight: 10,
      textStyle: { ...text, color: INK },
    },
    grid: { ...MARGIN, top: TITLE_HEIGHT + 6, height: PLOT_HEIGHT - 6 },
    xAxis: {
      type: 'category',
      data: [...categories],
      boundaryGap: categories.length === 1,
      axisLine: { lineStyle: { color: PALE } },
      axisTick: { alignWithLabel: true },
      // Counted from the newest, so that it always has its date.
      axisLabel: { ...text, interval: (index: number) => (categories.length - 1 - index) % step === 0 },
    },
    yAxis: {
      type: 'value',
      ...percentRange(values),
      axisLabel: { ...text, formatter: '{value} %' },
      splitLine: { lineStyle: { color: GRID } },
    },
    series: series.map(({ values: all }, index) => lineOf(names[index] ?? '', all, index)),
  };
}
