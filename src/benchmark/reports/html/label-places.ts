interface Place {
  x: number;
  y: number;
}

/** A mark in a chart with the number beside it. */
export interface Marked extends Place {
  text: string;
  /** The ends of its vertical bar, if it has one. */
  bar: { top: number; bottom: number } | null;
}

/** The area that labels must not leave. */
export interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The middle of a label; `away`: so far from its mark that a line has to lead there. */
export interface LabelPlace extends Place {
  away: boolean;
}

/** Half the size of a mark, half the height of a label, and half the width of a digit. */
const MARK = 5.5;
const LINE = 6;
const DIGIT = 3.8;

const DISTANCES = [13, 16, 21, 28, 36, 45, 56, 68, 82];
const DIRECTIONS = 16;
/** The distance from which a line leads to the mark. */
const LEAD_FROM = 21;

/** What to avoid, the worst first. */
const COST = { outside: 100, label: 12, mark: 10, wrongMark: 5, bar: 1.5, step: 1, direction: 0.1 };

/** How often every label is placed anew, given all others. */
const SWEEPS = 4;

const halfWidthOf = ({ text }: Marked): number => text.length * DIGIT;

const distance = (a: Place, b: Place): number => Math.hypot(a.x - b.x, a.y - b.y);

const overlap = (a: Place, b: Place, width: number, height: number): boolean =>
  Math.abs(a.x - b.x) < width && Math.abs(a.y - b.y) < height;

/** Places around a mark with their cost: the nearest first, and of those up and to the right. */
const around = ({ x, y }: Place): (LabelPlace & { cost: number })[] =>
  DISTANCES.flatMap((radius, step) =>
    Array.from({ length: DIRECTIONS }, (_, turn) => {
      const angle = -Math.PI / 4 + (2 * Math.PI * turn) / DIRECTIONS;
      return {
        x: x + radius * Math.cos(angle),
        y: y + radius * Math.sin(angle),
        away: radius >= LEAD_FROM,
        cost: step * COST.step + Math.min(turn, DIRECTIONS - turn) * COST.direction,
      };
    }),
  );

/** The cost of a place for the label of `own`, as far as another mark or its own is concerned. */
function costBeside(place: Place, own: Marked, mark: Marked, label: Place | undefined): number {
  const half = halfWidthOf(own);
  const { bar } = mark;
  let cost = overlap(place, mark, half + MARK, LINE + MARK) ? COST.mark : 0;
  if (
    bar !== null &&
    Math.abs(place.x - mark.x) <= half &&
    place.y + LINE > bar.top &&
    place.y - LINE < bar.bottom
  )
    cost += COST.bar;
  if (mark === own) return cost;
  if (distance(place, mark) < distance(place, own)) cost += COST.wrongMark;
  if (label !== undefined && overlap(place, label, half + halfWidthOf(mark) + 1, 2 * LINE))
    cost += COST.label;
  return cost;
}

/**
 * Places the numbers of marks so that they cover neither marks nor each other and are nearest to their own: tries places around each,
 * several times over. The same marks give the same places.
 */
export function labelPlaces(marks: readonly Marked[], area: Area): LabelPlace[] {
  const labels = new Map<Marked, LabelPlace>();
  const isIn = ({ x, y }: Place, half: number): boolean =>
    x - half >= area.left && x + half <= area.right && y - LINE >= area.top && y + LINE <= area.bottom;
  for (let sweep = 0; sweep < SWEEPS; sweep += 1)
    for (const own of marks) {
      const priced = around(own).map(({ cost, ...place }) => ({
        place,
        cost: marks.reduce(
          (total, mark) => total + costBeside(place, own, mark, labels.get(mark)),
          cost + (isIn(place, halfWidthOf(own)) ? 0 : COST.outside),
        ),
      }));
      labels.set(own, priced.reduce((a, b) => (b.cost < a.cost ? b : a)).place);
    }
  return marks.map((mark) => labels.get(mark) ?? { ...mark, away: false });
}
