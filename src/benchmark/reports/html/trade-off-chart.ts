import type { ReportInterval } from '../report.ts';
import { type Html, html } from './html.ts';
import { type LabelPlace, labelPlaces } from './label-places.ts';
import { linearTicks, logTicks } from './ticks.ts';

/** One setup: what it takes, or another share (x); how good it is (y). */
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
  /** What it takes, the less the better; or another share, the more the better. */
  x: 'logarithmic' | 'share';
}

const WIDTH = 480;
const HEIGHT = 350;
const plot = { left: 54, right: WIDTH - 14, top: 14, bottom: HEIGHT - 44 };
/** Room at the left for what is 0, which a logarithmic axis cannot show. */
const ZERO_ROOM = 34;

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
  // At least a power of ten, so that there are ticks to read a lone point by.
  const room = Math.max(1.5, Math.sqrt((10 * least) / most));
  const [low, high] = [least / room, most * room];
  const at = (value: number) =>
    value <= 0
      ? (zeroAt ?? plot.left)
      : from + ((Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low))) * (plot.right - from);
  return { at, ticks: positive.length === 0 ? [] : logTicks(low, high), zeroAt };
}

/** From a little below the least to 1. */
function shareAxis(values: readonly number[], from: number, to: number): Axis {
  const low = Math.max(0, Math.min(0.9, Math.floor(Math.min(...values) * 20) / 20));
  const at = (value: number) => from + ((value - low) / (1 - low)) * (to - from);
  return { at, ticks: linearTicks(low, 1, 6), zeroAt: null };
}

const lowest = ({ y, interval }: ChartPoint): number => (interval.defined ? Math.min(y, interval.low) : y);

interface Spot {
  point: ChartPoint;
  x: number;
  y: number;
}

/** A line from a point to its number where that stands apart. */
const leaderOf = ({ x, y }: Spot, place: LabelPlace | undefined): Html | null =>
  place?.away === true
    ? html`<line class="leader" x1="${x.toFixed(1)}" y1="${y.toFixed(1)}" x2="${place.x.toFixed(1)}" y2="${place.y.toFixed(1)}"/>`
    : null;

/** The border of what the front beats: to the right and below where less is better, to the left and below where more is. */
function frontLine(spots: readonly Spot[], x: ChartText['x']): Html | null {
  const front = spots.filter(({ point }) => point.onFront).sort((a, b) => a.x - b.x || b.y - a.y);
  const [first, ...others] = front;
  if (first === undefined || others.length === 0) return null;
  const steps = others.map((spot) => {
    const [across, along] = [`H${spot.x.toFixed(1)}`, `V${spot.y.toFixed(1)}`];
    return x === 'share' ? `${along}${across}` : `${across}${along}`;
  });
  return html`<path class="front" d="M${first.x.toFixed(1)} ${first.y.toFixed(1)}${steps.join('')}"/>`;
}

/** `$0.0010` and `1.0 s` as `$0.001` and `1 s`. */
const plainTick = (text: string): string =>
  text.replace(/(\.\d*?)0+(?=\D|$)/, '$1').replace(/\.(?=\D|$)/, '');

const mark = ({ point, x, y }: Spot): Html =>
  point.onFront
    ? html`<rect class="best" x="${(x - 5).toFixed(1)}" y="${(y - 5).toFixed(1)}" width="10" height="10" transform="rotate(45 ${x.toFixed(1)} ${y.toFixed(1)})"/>`
    : html`<circle class="other" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="4.5"/>`;

/** How good setups are against what they take, as figures 5 and 6 of Habicht et al.: an SVG that speaks by itself and has no style of its own. */
export function tradeOffChart(text: ChartText, points: readonly ChartPoint[]): Html {
  const { id, title, xTitle, xText, yTitle } = text;
  const values = points.map((point) => point.x);
  const x = text.x === 'share' ? shareAxis(values, plot.left, plot.right) : logAxis(values);
  const y = shareAxis(points.map(lowest), plot.bottom, plot.top);
  const spots = points.map((point) => ({ point, x: x.at(point.x), y: y.at(point.y) }));
  const marks = spots.map(({ point: { number, interval }, ...place }) => ({
    ...place,
    text: String(number),
    bar: interval.defined ? { top: y.at(interval.high), bottom: y.at(interval.low) } : null,
  }));
  const places = labelPlaces(marks, plot);
  // The front last, so that nothing hides it.
  const drawn = [...spots].sort((a, b) => Number(a.point.onFront) - Number(b.point.onFront));
  const whisker = ({ point: { interval }, x: at }: Spot): Html | null =>
    interval.defined
      ? html`<line class="whisker" x1="${at.toFixed(1)}" x2="${at.toFixed(1)}" y1="${y.at(interval.low).toFixed(1)}" y2="${y.at(interval.high).toFixed(1)}"/>`
      : null;
  const said = points.map(
    ({ number, name, x: value, y: good, onFront }) =>
      `${number} ${name}: ${yTitle} ${good.toFixed(3)}, ${text.x === 'share' ? `${xTitle} ` : ''}${xText(value)}${onFront ? ', on the Pareto front' : ''}`,
  );
  return html`<figure class="chart"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}-t ${id}-d"><title id="${id}-t">${title}</title><desc id="${id}-d">${said.join('; ')}.</desc>
${y.ticks.map((tick) => html`<line class="grid" x1="${plot.left}" x2="${plot.right}" y1="${y.at(tick).toFixed(1)}" y2="${y.at(tick).toFixed(1)}"/><text class="tick" x="${plot.left - 6}" y="${(y.at(tick) + 4).toFixed(1)}" text-anchor="end">${tick.toFixed(2)}</text>`)}
${x.zeroAt === null ? null : html`<text class="tick" x="${x.zeroAt}" y="${plot.bottom + 17}" text-anchor="middle">0</text>`}
${x.ticks.map((tick) => html`<line class="grid" x1="${x.at(tick).toFixed(1)}" x2="${x.at(tick).toFixed(1)}" y1="${plot.top}" y2="${plot.bottom}"/><text class="tick" x="${x.at(tick).toFixed(1)}" y="${plot.bottom + 17}" text-anchor="middle">${plainTick(xText(tick))}</text>`)}
<path class="axis" d="M${plot.left} ${plot.top}V${plot.bottom}H${plot.right}"/>
<text class="name" x="${(plot.left + plot.right) / 2}" y="${HEIGHT - 8}" text-anchor="middle">${xTitle}</text><text class="name" x="11" y="${(plot.top + plot.bottom) / 2}" text-anchor="middle" transform="rotate(-90 11 ${(plot.top + plot.bottom) / 2})">${yTitle}</text>
${spots.map(whisker)}${spots.map((spot, index) => leaderOf(spot, places[index]))}${frontLine(spots, text.x)}${drawn.map((spot) => html`<g><title>${said[spots.indexOf(spot)] ?? ''}</title>${mark(spot)}</g>`)}${places.map((place, index) => html`<text class="dot" text-anchor="middle" x="${place.x.toFixed(1)}" y="${(place.y + 4).toFixed(1)}">${points[index]?.number ?? ''}</text>`)}
</svg><figcaption>${title}</figcaption></figure>`;
}
