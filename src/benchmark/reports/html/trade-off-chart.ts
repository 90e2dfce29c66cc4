import type { ReportInterval } from '../measures.ts';
import { type Html, html } from './html.ts';
import { labelPlaces } from './label-places.ts';

/** Steps of 1, 2 and 5 that part a range into at most so many pieces. */
export function linearTicks(low: number, high: number, pieces: number): number[] {
  const rough = (high - low) / pieces;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough * 0.999) ?? power;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** Ticks of a logarithmic axis: powers of ten, and 2 and 5 of each where it spans two powers at most. */
export function logTicks(low: number, high: number): number[] {
  const from = Math.floor(Math.log10(low) + 1e-9);
  const to = Math.ceil(Math.log10(high) - 1e-9);
  const factors = high / low <= 100 ? [1, 2, 5] : [1];
  const all = Array.from({ length: to - from + 1 }, (_, index) => from + index).flatMap((power) =>
    factors.map((factor) => factor * 10 ** power),
  );
  return all.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
}

/** One setup: what it takes, or a share of its own (x); how good it is (y). */
export interface ChartPoint {
  number: number;
  name: string;
  x: number;
  y: number;
  interval: ReportInterval;
  onFront: boolean;
}

interface ChartText {
  id: string;
  title: string;
  xTitle: string;
  xText: (value: number) => string;
  /** A share, up to 1. */
  yTitle: string;
  /** Costs, of which less is better, or a share, of which more is better. */
  x: 'logarithmic' | 'share';
}

const WIDTH = 480;
const HEIGHT = 350;
const plot = { left: 54, right: WIDTH - 14, top: 14, bottom: HEIGHT - 44 };
/** Space on the left for 0, which a logarithmic axis cannot show. */
const ZERO_ROOM = 34;
/** Space between the middle of 0 and of the next tick's label. */
const TICK_ROOM = 36;

interface Axis {
  at: (value: number) => number;
  ticks: number[];
  zeroAt: number | null;
}

function logAxis(values: readonly number[]): Axis {
  const positive = values.filter((value) => value > 0);
  const zeroAt = positive.length < values.length ? plot.left + 14 : null;
  const from = zeroAt === null ? plot.left : plot.left + ZERO_ROOM;
  const [least, most] = positive.length === 0 ? [1, 10] : [Math.min(...positive), Math.max(...positive)];
  // At least a power of ten, so that a single point has ticks beside it.
  const room = Math.max(1.5, Math.sqrt((10 * least) / most));
  const [low, high] = [least / room, most * room];
  const scale = (plot.right - from) / Math.log(high / low);
  const at = (value: number) => (value <= 0 ? (zeroAt ?? plot.left) : from + Math.log(value / low) * scale);
  const ticks = positive.length === 0 ? [] : logTicks(low, high);
  return { at, ticks: ticks.filter((tick) => zeroAt === null || at(tick) - zeroAt > TICK_ROOM), zeroAt };
}

/** From a little below the lowest value to 1. */
function shareAxis(values: readonly number[], from: number, to: number): Axis {
  const low = Math.max(0, Math.min(0.9, Math.floor(Math.min(...values) * 20) / 20));
  const at = (value: number) => from + ((value - low) / (1 - low)) * (to - from);
  return { at, ticks: linearTicks(low, 1, 6), zeroAt: null };
}

interface Spot {
  point: ChartPoint;
  x: number;
  y: number;
}

const px = (value: number): string => value.toFixed(1);

const line = (kind: string, x1: number, y1: number, x2: number, y2: number): Html =>
  html`<line class="${kind}" x1="${px(x1)}" y1="${px(y1)}" x2="${px(x2)}" y2="${px(y2)}"/>`;

const text = (kind: string, x: number, y: number, said: string | number, anchor = 'middle'): Html =>
  html`<text class="${kind}" x="${px(x)}" y="${px(y)}" text-anchor="${anchor}">${said}</text>`;

/** The border of what the front beats: right and below if less is better, left and below if more is. */
function frontLine(spots: readonly Spot[], x: ChartText['x']): Html | null {
  const [first, ...others] = spots
    .filter(({ point }) => point.onFront)
    .sort((a, b) => a.x - b.x || b.y - a.y);
  if (first === undefined || others.length === 0) return null;
  const steps = others.map((spot) =>
    x === 'share' ? `V${px(spot.y)}H${px(spot.x)}` : `H${px(spot.x)}V${px(spot.y)}`,
  );
  return html`<path class="front" d="M${px(first.x)} ${px(first.y)}${steps.join('')}"/>`;
}

/** `$0.0010` and `1.0 s` as `$0.001` and `1 s`. */
const plainTick = (tick: string): string =>
  tick.replace(/(\.\d*?)0+(?=\D|$)/, '$1').replace(/\.(?=\D|$)/, '');

const mark = ({ point, x, y }: Spot): Html =>
  point.onFront
    ? html`<rect class="best" x="${px(x - 5)}" y="${px(y - 5)}" width="10" height="10" transform="rotate(45 ${px(x)} ${px(y)})"/>`
    : html`<circle class="other" cx="${px(x)}" cy="${px(y)}" r="4.5"/>`;

/**
 * How good setups are against what they take, as in figures 5 and 6 of Habicht et al.: an SVG with a description in words. Null without
 * points.
 */
export function tradeOffChart(chart: ChartText, points: readonly ChartPoint[]): Html | null {
  if (points.length === 0) return null;
  const { id, title, xTitle, xText, yTitle } = chart;
  const isShare = chart.x === 'share';
  const values = points.map((point) => point.x);
  const x = isShare ? shareAxis(values, plot.left, plot.right) : logAxis(values);
  const lows = points.map((point) =>
    point.interval.defined ? Math.min(point.y, point.interval.low) : point.y,
  );
  const y = shareAxis(lows, plot.bottom, plot.top);
  const spots = points.map((point) => ({ point, x: x.at(point.x), y: y.at(point.y) }));
  const marks = spots.map(({ point: { number, interval }, ...place }) => ({
    ...place,
    text: String(number),
    bar: interval.defined ? { top: y.at(interval.high), bottom: y.at(interval.low) } : null,
  }));
  const labels = labelPlaces(marks, plot).map((place, index) => ({ place, own: marks[index] }));
  const said = ({ name, x: value, y: good, onFront }: ChartPoint): string =>
    `${name}: ${yTitle} ${good.toFixed(3)}, ${isShare ? `${xTitle} ` : ''}${xText(value)}${onFront ? ', on the Pareto front' : ''}`;
  // The front last, so that nothing hides it.
  const drawn = [...spots].sort((a, b) => Number(a.point.onFront) - Number(b.point.onFront));
  const [across, up] = [(plot.left + plot.right) / 2, (plot.top + plot.bottom) / 2];
  return html`<figure class="chart"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}-t ${id}-d"><title id="${id}-t">${title}</title><desc id="${id}-d">${points.map(said).join('; ')}.</desc>
${y.ticks.map((tick) => [line('grid', plot.left, y.at(tick), plot.right, y.at(tick)), text('tick', plot.left - 6, y.at(tick) + 4, tick.toFixed(2), 'end')])}
${x.zeroAt === null ? null : text('tick', x.zeroAt, plot.bottom + 17, '0')}
${x.ticks.map((tick) => [line('grid', x.at(tick), plot.top, x.at(tick), plot.bottom), text('tick', x.at(tick), plot.bottom + 17, plainTick(xText(tick)))])}
<path class="axis" d="M${plot.left} ${plot.top}V${plot.bottom}H${plot.right}"/>
${text('name', across, HEIGHT - 8, xTitle)}<text class="name" x="11" y="${up}" text-anchor="middle" transform="rotate(-90 11 ${up})">${yTitle}</text>
${marks.map(({ x: at, bar }) => (bar === null ? null : line('whisker', at, bar.bottom, at, bar.top)))}
${labels.map(({ place, own }) => (place.away && own !== undefined ? line('leader', own.x, own.y, place.x, place.y) : null))}
${frontLine(spots, chart.x)}${drawn.map((spot) => html`<g><title>${said(spot.point)}</title>${mark(spot)}</g>`)}
${labels.map(({ place, own }) => text('dot', place.x, place.y + 4, own?.text ?? ''))}
</svg><figcaption>${title}</figcaption></figure>`;
}
