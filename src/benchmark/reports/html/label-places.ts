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
