import type { EChartsOption } from 'echarts';

/** One configuration in a chart: x is its cost, its time or a share; y, how good it is, is a share. */
export interface ChartPoint {
  /** The configuration's number, the same as in every table of the report. */
  number: number;
  name: string;
  label: string;
  x: number;
  y: number;
  /** The ends of y's interval; null if there is none. */
  low: number | null;
  high: number | null;
  xText: string;
  yText: string;
  range: string;
  onFront: boolean;
}

export interface ChartData {
  title: string;
  xTitle: string;
  yTitle: string;
  /** The unit of x. Less is better for costs and times, more for shares. */
  unit: 'usd' | 'ms' | 'share';
  isLogarithmic: boolean;
  points: ChartPoint[];
}

/** The page's colors in its current theme, light or dark. */
export interface ChartColors {
  ink: string;
  pale: string;
  line: string;
  ground: string;
  accent: string;
}

/** Pixels to the right of a chart for the names of its points, or only their numbers if the chart is narrower than `isNarrow`. */
const ROOM = { names: 200, numbers: 40, isNarrow: 460 } as const;

const AREA = { left: 60, top: 16, bottom: 56 } as const;

/** Pixels between the centers of two names. */
const LINE = 15;

/** The heights of the names beside a chart: as close to their points as possible without overlapping. */
function namePlaces(heights: readonly number[], low: number, high: number): number[] {
  const order = heights.map((_, at) => at).sort((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0));
  const places = [...heights];
  let last = low - LINE;
  for (const at of order) {
    last = Math.max(heights[at] ?? 0, last + LINE);
    places[at] = last;
  }
  // Names pushed out at the bottom move back in and push the others up.
  let next = high + LINE;
  for (const at of order.reverse()) {
    next = Math.min(places[at] ?? 0, next - LINE);
    places[at] = next;
  }
  return places;
}

/** The ticks of a logarithmic axis: powers of ten, and twice and five times these on an axis too short for powers alone. */
function logTicks(low: number, high: number): number[] {
  const [from, to] = [Math.floor(Math.log10(low) + 1e-9), Math.ceil(Math.log10(high) - 1e-9)];
  const factors = high / low <= 100 ? [1, 2, 5] : [1];
  return (
    Array.from({ length: to - from + 1 }, (_, at) => 10 ** (from + at))
      .flatMap((power) => factors.map((factor) => factor * power))
      // Some room for rounding: a tick at the very end stays.
      .filter((tick) => tick >= low * 0.999 && tick <= high * 1.001)
  );
}

/** A logarithmic axis drawn as a linear axis of exponents, so that it can show 0, to the left of everything else. */
function exponents(values: readonly number[]) {
  const positive = values.filter((value) => value > 0);
  const [least, most] = positive.length === 0 ? [1, 10] : [Math.min(...positive), Math.max(...positive)];
  // The axis spans at least a factor of ten, so that even a single point has ticks beside it.
  const room = Math.max(1.5, Math.sqrt((10 * least) / most));
  const [low, high] = [Math.log10(least / room), Math.log10(most * room)];
  const hasZero = positive.length < values.length;
  const min = hasZero ? low - (high - low) / 8 : low;
  const ticks = logTicks(10 ** low, 10 ** high).map(Math.log10);
  return {
    ...{ min, max: high, ticks: hasZero ? [min, ...ticks] : ticks },
    at: (value: number) => (value > 0 ? Math.log10(value) : min),
    valueAt: (at: number) => (hasZero && at < low - 1e-9 ? 0 : 10 ** at),
  };
}

/** Two significant digits, or a whole number from 10 up: `0.0005`, `0.2`, `40`. */
const brief = (value: number): string =>
  value >= 10 ? String(Math.round(value)) : String(Number(value.toPrecision(2)));

function axisText(unit: ChartData['unit'], value: number): string {
  switch (unit) {
    case 'usd':
      return `$${brief(value)}`;
    case 'ms':
      return value < 1000
        ? `${brief(value)} ms`
        : value < 60_000
          ? `${brief(value / 1000)} s`
          : `${brief(value / 60_000)} min`;
    case 'share':
      return value.toFixed(2);
  }
}

/** Where the axis of a share begins: at a multiple of 0.05 below all points, and at most at 0.9, so that it never spans a few points only. */
const bottomOf = (values: readonly number[]): number =>
  Math.max(0, Math.min(0.9, Math.floor(Math.min(...values) * 20) / 20));

/** The outline of the area that the front dominates: to its right and below if less x is better, to its left and below if more is. */
function frontLine(points: readonly (readonly [x: number, y: number])[], isShare: boolean) {
  const [first, ...others] = [...points].sort(([a, up], [b, high]) => a - b || high - up);
  if (first === undefined || others.length === 0) return [];
  let [x, y] = first;
  const line: [number, number][] = [[x, y]];
  for (const [nextX, nextY] of others) {
    line.push(isShare ? [x, nextY] : [nextX, y], [nextX, nextY]);
    [x, y] = [nextX, nextY];
  }
  return line;
}

/** The ECharts option of a chart of configurations. The last parameter is the canvas's size in pixels. */
export function tradeOffOption(
  chart: ChartData,
  { ink, pale, line, ground, accent }: ChartColors,
  { width, height }: { width: number; height: number },
): EChartsOption {
  const { points, unit, isLogarithmic, xTitle, yTitle } = chart;
  const scale = exponents(points.map(({ x }) => x));
  const xAt = isLogarithmic ? scale.at : (value: number) => value;
  const lows = points.map(({ low, y }) => Math.min(low ?? y, y));
  const yMin = bottomOf(lows);
  const inner = height - AREA.top - AREA.bottom;
  const heights = points.map(({ y }) => AREA.top + inner * (1 - (y - yMin) / (1 - yMin)));
  const places = namePlaces(heights, AREA.top, height - AREA.bottom);
  const text = { color: pale, fontSize: 12 };
  const axis = {
    type: 'value' as const,
    nameLocation: 'middle' as const,
    nameTextStyle: { ...text, fontSize: 13 },
    // At the edge of the chart, even if 0 is inside it.
    axisLine: { show: true, onZero: false, lineStyle: { color: pale } },
    splitLine: { lineStyle: { color: line } },
  };
  const isNamed = width >= ROOM.isNarrow;
  const right = isNamed ? ROOM.names : ROOM.numbers;
  const placesOf = (onFront: boolean) => places.filter((_, at) => points[at]?.onFront === onFront);
  const item = (onFront: boolean) => ({
    type: 'scatter' as const,
    symbol: onFront ? 'diamond' : 'circle',
    symbolSize: onFront ? 14 : 10,
    z: onFront ? 4 : 3,
    itemStyle: onFront
      ? { color: accent, borderColor: ground, borderWidth: 1 }
      : { color: ground, borderColor: ink, borderWidth: 1.5 },
    label: {
      show: true,
      position: 'right' as const,
      formatter: ({ name }: { name: string }) => name,
      color: ink,
      fontSize: 12,
      fontWeight: onFront ? ('bold' as const) : ('normal' as const),
      width: right - 22,
      overflow: 'truncate' as const,
    },
    // Names are in a column beside the chart, each with a line to its point, so that they cover neither points nor each other.
    labelLayout: ({ dataIndex = 0 }: { dataIndex?: number }) => ({
      x: width - right + 18,
      y: placesOf(onFront)[dataIndex] ?? 0,
      verticalAlign: 'middle' as const,
    }),
    labelLine: { show: true, length2: 4, lineStyle: { color: pale, opacity: 0.45 } },
    data: points
      .filter((point) => point.onFront === onFront)
      .map((point) => ({
        name: isNamed ? `${point.number} ${point.label}` : String(point.number),
        value: [xAt(point.x), point.y],
        said: `${point.name}\n${yTitle} ${point.yText} (${point.range}), ${point.xText}${onFront ? '\non the Pareto front' : ''}`,
      })),
  });
  return {
    animation: false,
    // Not transparent: a chart that was drawn on a dark page stays legible on paper.
    backgroundColor: ground,
    grid: { ...AREA, right: right + 10 },
    tooltip: {
      renderMode: 'richText',
      backgroundColor: ground,
      borderColor: line,
      textStyle: { color: ink, fontSize: 13 },
      confine: true,
      formatter: (over) => {
        const data: unknown = Array.isArray(over) ? over[0]?.data : over.data;
        return typeof data === 'object' && data !== null && 'said' in data ? String(data.said) : '';
      },
    },
    xAxis: {
      ...axis,
      name: xTitle,
      nameGap: 34,
      ...(isLogarithmic
        ? {
            min: scale.min,
            max: scale.max,
            axisTick: { customValues: scale.ticks },
            splitLine: { show: false },
          }
        : { min: bottomOf(points.map(({ x }) => x)), max: 1 }),
      axisLabel: {
        ...text,
        hideOverlap: true,
        ...(isLogarithmic ? { customValues: scale.ticks } : {}),
        formatter: (at: number) => axisText(unit, isLogarithmic ? scale.valueAt(at) : at),
      },
    },
    yAxis: {
      ...axis,
      name: yTitle,
      nameGap: 44,
      min: yMin,
      max: 1,
      axisLabel: { ...text, formatter: (at: number) => at.toFixed(2) },
    },
    series: [
      // The interval bars: one line with gaps between the bars.
      {
        type: 'line',
        silent: true,
        symbol: 'none',
        z: 1,
        lineStyle: { color: pale, width: 1.5, opacity: 0.5 },
        data: points.flatMap(({ x, low, high }) =>
          low === null || high === null
            ? []
            : [
                [xAt(x), low],
                [xAt(x), high],
                ['-', '-'],
              ],
        ),
      },
      {
        type: 'line',
        silent: true,
        symbol: 'none',
        z: 2,
        lineStyle: { color: accent, width: 1.5, type: 'dashed' },
        data: frontLine(
          points.filter(({ onFront }) => onFront).map(({ x, y }) => [xAt(x), y]),
          unit === 'share',
        ),
      },
      item(false),
      item(true),
    ],
  };
}
