import type { Check } from '../../judging/check.ts';
import { quoted, shown } from './outcome.ts';
import type { TravelWish } from './travel-wishes.ts';

type DriveAtMost = Extract<Check, { type: 'drive-at-most' }>;

/** The most that a way or a drive may take. */
export interface Bound {
  value: number;
  /** Whether the value itself is already too much. */
  strict: boolean;
  /** The user's words that set it; null for the rubric's own. */
  quote: string | null;
}

/** Values are compared to the thousandth, so that floating point does not decide. */
const EPSILON = 1e-3;

export const isWithin = (value: number, bound: Bound): boolean =>
  bound.strict ? value < bound.value - EPSILON : value <= bound.value + EPSILON;

/** `15`, or `5 ("within 5 minutes")`. */
export const boundWords = (bound: Bound, unit = ''): string =>
  `${shown(bound.value)}${unit}${bound.quote === null ? '' : ` (${quoted(bound.quote, 32)})`}`;

/** `5 min ≤ 15 min, 10 min to spare`. */
export function compareWithBound(value: number, bound: Bound, unit: string): string {
  const [left, right] = [`${shown(value)} ${unit}`, `${shown(bound.value)} ${unit}`];
  const over = value - bound.value;
  if (Math.abs(over) <= EPSILON)
    return `${left} = ${right}, ${bound.strict ? 'which must not be reached' : 'just within the limit'}`;
  return over > 0
    ? `${left} > ${right}, ${shown(over)} ${unit} too much`
    : `${left} ${bound.strict ? '<' : '≤'} ${right}, ${shown(-over)} ${unit} to spare`;
}

const stricter = (one: Bound, other: Bound): Bound =>
  other.value < one.value || (other.value === one.value && other.strict) ? other : one;

const boundsOf = (wishes: readonly TravelWish[], unit: 'minutes' | 'km'): Bound[] =>
  wishes.flatMap((wish) =>
    wish.kind === 'limit' && wish.unit === unit
      ? [{ value: wish.value, strict: wish.strict, quote: wish.quote }]
      : [],
  );

/** The limit of the drive: the rubric's, or the user's where that is stricter. */
export const minutesBound = (check: DriveAtMost, wishes: readonly TravelWish[]): Bound =>
  boundsOf(wishes, 'minutes').reduce(stricter, { value: check.minutes, strict: false, quote: null });

/** The user's limit of the way, or null. */
export function kmBound(wishes: readonly TravelWish[]): Bound | null {
  const [first, ...others] = boundsOf(wishes, 'km');
  return first === undefined ? null : others.reduce(stricter, first);
}
