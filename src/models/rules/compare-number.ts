const RELATIONS = [
  'at-least',
  'above',
  'at-most',
  'below',
  'between',
  'around',
  'exactly',
  'plain',
  'stars',
  'to',
] as const;
/** How a number phrase is read. `plain` is a number without any such word; it must match. `stars` are at least so many; `to` is what is to be reached. */
export type Relation = (typeof RELATIONS)[number];

export const isRelation = (id: string): id is Relation => RELATIONS.some((relation) => relation === id);

/** Prices have three decimals; more are floating point. */
const shown = (value: number): string => String(Number(value.toFixed(3)));

export interface Compared {
  holds: boolean;
  /** `at least 4.5`. */
  phrase: string;
  /** `4.6 ≥ 4.5, 0.1 to spare`. */
  calculation: string;
}

/** Ratings have one or two decimals; a difference below this is floating point (4.7 − 4.5 = 0.2000000000000002). */
const EPSILON = 1e-9;

function bounded(
  found: number,
  bound: number,
  side: 'low' | 'high',
  strict: boolean,
): Omit<Compared, 'phrase'> {
  const over = side === 'low' ? found - bound : bound - found;
  const holds = strict ? over > EPSILON : over >= -EPSILON;
  const signs = side === 'low' ? (strict ? ['>', '≤'] : ['≥', '<']) : strict ? ['<', '≥'] : ['≤', '>'];
  const margin =
    Math.abs(over) <= EPSILON
      ? 'the bound itself'
      : holds
        ? `${shown(over)} to spare`
        : `${shown(-over)} ${side === 'low' ? 'short' : 'too much'}`;
  return { holds, calculation: `${shown(found)} ${signs[holds ? 0 : 1]} ${shown(bound)}, ${margin}` };
}

function ranged(found: number, low: number, high: number): Omit<Compared, 'phrase'> {
  const off = Math.max(low - found, found - high);
  const holds = off <= EPSILON;
  const range = `${shown(low)} to ${shown(high)}`;
  const margin =
    Math.abs(off) <= EPSILON ? 'at its end' : holds ? `${shown(-off)} inside` : `${shown(off)} outside`;
  return { holds, calculation: `${shown(found)} against ${range}, ${margin}` };
}

/** Bounds are inclusive, except for "above" and "below"; around is ± tolerance, inclusive. */
export function compareNumber(
  relation: Relation,
  values: readonly number[],
  found: number,
  tolerance: number,
): Compared {
  const [first = Number.NaN, second = first] = values;
  const [low, high] = [Math.min(first, second), Math.max(first, second)];
  switch (relation) {
    case 'at-least':
    case 'stars':
      return { phrase: `at least ${shown(first)}`, ...bounded(found, first, 'low', false) };
    case 'above':
      return { phrase: `above ${shown(first)}`, ...bounded(found, first, 'low', true) };
    case 'at-most':
      return { phrase: `at most ${shown(first)}`, ...bounded(found, first, 'high', false) };
    case 'below':
      return { phrase: `below ${shown(first)}`, ...bounded(found, first, 'high', true) };
    case 'between':
      return { phrase: `between ${shown(low)} and ${shown(high)}`, ...ranged(found, low, high) };
    case 'around': {
      const { holds, calculation } = ranged(found, first - tolerance, first + tolerance);
      return {
        phrase: `around ${shown(first)}`,
        holds,
        calculation: `${calculation} (${shown(first)} ± ${shown(tolerance)})`,
      };
    }
    case 'exactly':
    case 'to':
    case 'plain': {
      const off = found - first;
      const holds = Math.abs(off) <= EPSILON;
      const phrase = relation === 'exactly' ? `exactly ${shown(first)}` : shown(first);
      return {
        phrase,
        holds,
        calculation: holds
          ? `${shown(found)} = ${shown(first)}`
          : `${shown(found)} ≠ ${shown(first)}, ${shown(Math.abs(off))} ${off > 0 ? 'above' : 'below'}`,
      };
    }
  }
}
