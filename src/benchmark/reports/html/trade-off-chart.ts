import type { ReportInterval } from '../report.ts';
import { type Html, html } from './html.ts';

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

interface Place {
  x: number;
  y: number;
}

/** A mark in a chart with the number that stands beside it. */
export interface Marked extends Place {
  text: string;
  /** The ends of its vertical bar, where it has one. */
  bar: { top: number; bottom: number } | null;
}

/** The area that labels must not leave. */
export interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Where the middle of a label is; `away`: so far from its mark that a line has to lead there. */
export interface LabelPlace extends Place {
  away: boolean;
}

/** Half the size of a mark and of a label's line, and of one digit's width. */
const MARK = 5.5;
const LINE = 6;
const DIGIT = 3.8;

const DISTANCES = [13, 16, 21, 28, 36, 45, 56, 68, 82];
const DIRECTIONS = 16;
/** From which distance on a line leads to the mark. */
const LEAD_FROM = 21;

/** What is worth avoiding, the worst first. */
const COST = {
  outside: 100,
  label: 12,
  mark: 10,
  wrongMark: 5,
  leader: 3,
  bar: 1.5,
  step: 1,
  direction: 0.1,
};

/** Marks that are nearer to each other are drawn as one. */
const SAME = 1;

/** How often every label is placed anew, given all others. */
const SWEEPS = 4;

const isIn = ({ left, right, top, bottom }: Area, { x, y }: Place, halfWidth: number): boolean =>
  x - halfWidth >= left && x + halfWidth <= right && y - LINE >= top && y + LINE <= bottom;

const clash = (a: Place, b: Place, width: number, height: number): boolean =>
  Math.abs(a.x - b.x) < width && Math.abs(a.y - b.y) < height;

const distance = (a: Place, b: Place): number => Math.hypot(a.x - b.x, a.y - b.y);

/** How near a line between two places comes to a third. */
function nearness(from: Place, to: Place, { x, y }: Place): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - from.x) * dx + (y - from.y) * dy) / length));
  return distance({ x: from.x + share * dx, y: from.y + share * dy }, { x, y });
}

const halfWidthOf = ({ text }: Marked): number => text.length * DIGIT;

/** Places around a mark, the nearest first, and of those up and to the right. */
const around = ({ x, y }: Place): (LabelPlace & { cost: number })[] =>
  DISTANCES.flatMap((radius, step) =>
    Array.from({ length: DIRECTIONS }, (_, turn) => {
      const angle = -Math.PI / 4 + (2 * Math.PI * turn) / DIRECTIONS;
      const turned = Math.min(turn, DIRECTIONS - turn);
      return {
        x: x + radius * Math.cos(angle),
        y: y + radius * Math.sin(angle),
        away: radius >= LEAD_FROM,
        cost: step * COST.step + turned * COST.direction,
      };
    }),
  );

/** What is hidden of a mark. */
function hides(place: LabelPlace, half: number, { bar, ...mark }: Marked): number {
  const onMark = clash(place, mark, half + MARK, LINE + MARK) ? COST.mark : 0;
  const besideBar = bar === null || Math.abs(place.x - mark.x) >= half + 1;
  const onBar = !besideBar && place.y + LINE > bar.top && place.y - LINE < bar.bottom ? COST.bar : 0;
  return onMark + onBar;
}

/** How easily a place is taken for the label of another mark. */
function confuses(place: LabelPlace, own: Marked, other: Marked): number {
  const nearer = distance(place, other) < distance(place, own) ? COST.wrongMark : 0;
  return nearer + (place.away && nearness(own, place, other) < MARK ? COST.leader : 0);
}

/** How far a place and another mark's label are in each other's way. */
function crowds(
  place: LabelPlace,
  own: Marked,
  other: Marked,
  label: LabelPlace,
  halfWidths: number,
): number {
  const onLabel = clash(place, label, halfWidths + 1, 2 * LINE) ? COST.label : 0;
  const underIts = label.away && nearness(other, label, place) < LINE ? COST.leader : 0;
  return onLabel + underIts + (place.away && nearness(own, place, label) < LINE ? COST.leader : 0);
}

/** What speaks against a place, given where the other labels are. */
function costOf(
  place: LabelPlace,
  own: Marked,
  marks: readonly Marked[],
  labels: ReadonlyMap<Marked, LabelPlace>,
  area: Area,
): number {
  const half = halfWidthOf(own);
  let cost = isIn(area, place, half) ? 0 : COST.outside;
  for (const mark of marks) {
    // Of marks on top of each other one is as good as all: a line to one leads to the others too.
    const isOwn = mark === own || distance(mark, own) < SAME;
    if (mark === own || !isOwn) cost += hides(place, half, mark);
    if (mark === own) continue;
    if (!isOwn) cost += confuses(place, own, mark);
    const label = labels.get(mark);
    if (label !== undefined) cost += crowds(place, own, mark, label, half + halfWidthOf(mark));
  }
  return cost;
}

/**
 * Where the numbers of marks go, so that they hide neither marks nor each other and stand nearest to what they name: by
 * trying places around each, several times over. The same marks give the same places.
 */
export function labelPlaces(marks: readonly Marked[], area: Area): LabelPlace[] {
  const labels = new Map<Marked, LabelPlace>();
  for (let sweep = 0; sweep < SWEEPS; sweep += 1)
    for (const mark of marks) {
      const priced = around(mark).map((place) => ({
        place,
        cost: place.cost + costOf(place, mark, marks, labels, area),
      }));
      const best = priced.reduce((a, b) => (b.cost < a.cost ? b : a));
      labels.set(mark, best.place);
    }
  return marks.map((mark) => labels.get(mark) ?? { ...mark, away: false });
}

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
