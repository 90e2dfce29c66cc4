import { type EvalCase, fieldOf, Place } from '../../case/case.ts';
import type { Check } from '../../judging/check.ts';
import { counted, decided, type Outcome, quoted, shown, undecidable } from './outcome.ts';
import type { TravelLimit } from './way.ts';
import { addition, type Matter } from './wishes.ts';

type DriveAtMost = Extract<Check, { type: 'drive-at-most' }>;

/** The most that the drive may take; `quote` is null for the rubric's own bound. */
type Bound = Omit<TravelLimit, 'kind' | 'quote'> & { quote: string | null };

/** Values are compared to the thousandth, so that floating point does not decide. */
const EPSILON = 1e-3;
/** No drive in a city averages more than this in km/h: then distance or duration is wrong. */
const IMPOSSIBLE_KMH = 200;
/** Distances up to this in km may be rounded to no minutes at all. */
const NEGLIGIBLE_KM = 0.5;
/** Up to so many times a quantity without a word of limit ("5 minutes away") may still be what was meant. */
const LOOSE = 1.5;
/** Mean radius of the Earth in km (IUGG). */
const EARTH_KM = 6371.0088;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Length of the straight line over the ground in km (haversine formula), or null where a coordinate is missing. */
export function greatCircleKm(from: Place | undefined, to: Place | undefined): number | null {
  if (from?.latitude === undefined || from.longitude === undefined) return null;
  if (to?.latitude === undefined || to.longitude === undefined) return null;
  const halfway = (a: number, b: number) => Math.sin(radians(b - a) / 2) ** 2;
  const h =
    halfway(from.latitude, to.latitude) +
    Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * halfway(from.longitude, to.longitude);
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** What a case says of the way, in the fields that the check names. */
function wayOf(check: DriveAtMost, evalCase: EvalCase) {
  const numberAt = (path: string): number | null => {
    const value = fieldOf(evalCase, path);
    return typeof value === 'number' && value >= 0 ? value : null;
  };
  const placeAt = (path: string) => Place.safeParse(fieldOf(evalCase, path)).data;
  const start = placeAt(check.start);
  return {
    minutes: numberAt(check.duration),
    km: numberAt(check.distance),
    straight: greatCircleKm(start, placeAt(check.place)),
    from: start?.description ?? null,
  };
}
type Way = ReturnType<typeof wayOf>;

const isWithin = (value: number, { value: most, strict }: Bound): boolean =>
  strict ? value < most - EPSILON : value <= most + EPSILON;

const amount = (value: number, unit: Bound['unit']): string =>
  unit === 'km' ? `${shown(value)} km` : counted(value, 'minute');

/** `5 min ≤ 15 min, 10 min to spare`. */
function comparison(value: number, bound: Bound): string {
  const short = bound.unit === 'km' ? 'km' : 'min';
  const [left, right] = [`${shown(value)} ${short}`, `${shown(bound.value)} ${short}`];
  const over = value - bound.value;
  if (Math.abs(over) <= EPSILON)
    return `${left} = ${right}, ${bound.strict ? 'which must not be reached' : 'just within the limit'}`;
  return over > 0
    ? `${left} > ${right}, ${shown(over)} ${short} too much`
    : `${left} ${bound.strict ? '<' : '≤'} ${right}, ${shown(-over)} ${short} to spare`;
}

/** `within the limit of 15`, `more than 5 ("within 5 minutes")`. */
function meaningOf(value: number, bound: Bound): string {
  const limit = `${shown(bound.value)}${bound.unit === 'km' ? ' km' : ''}${bound.quote === null ? '' : ` (${quoted(bound.quote, 32)})`}`;
  if (isWithin(value, bound)) return `within the limit of ${limit}`;
  return bound.strict && value <= bound.value ? `which is not below ${limit}` : `more than ${limit}`;
}

/** What a case says of the way that cannot all be right, or null; `ofMinutes`: the drive time is part of it. */
function contradiction({ minutes, km, straight }: Way): { problem: string; ofMinutes: boolean } | null {
  const lengths: [number | null, string][] = [
    [km, `${shown(km ?? 0)} km`],
    [straight, `places ${shown(straight ?? 0)} km apart`],
  ];
  for (const [length, words] of minutes === null ? [] : lengths)
    if (length !== null && length > NEGLIGIBLE_KM && length * 60 > IMPOSSIBLE_KMH * (minutes ?? 0)) {
      const problem = `${words} in ${counted(minutes ?? 0, 'minute')} is not drivable, so one of the two is wrong`;
      return { problem, ofMinutes: true };
    }
  // A tenth and 200 m for rounding: no road is shorter than the straight line.
  if (km === null || straight === null || straight <= km * 1.1 + 0.2) return null;
  const problem = `the coordinates lie ${shown(straight)} km apart, more than the ${shown(km)} km given as the distance`;
  return { problem, ofMinutes: false };
}

function limitOf({ unit, strict, value, quote }: Bound): string {
  const subject = unit === 'km' ? 'the way must be' : 'the drive must take';
  const by = quote === null ? '' : `, as the user says (${quoted(quote)})`;
  return `${subject} ${strict ? 'less than' : 'at most'} ${amount(value, unit)}${by}`;
}

/**
 * The drive takes at most `minutes`; exactly that long still passes. A bound that the user names in minutes, kilometers
 * or miles takes the place of that one, be it tighter or looser; where a place or a route is named without a bound, and
 * where words about the way set no exact one, there is no decision. Only a stated drive time or distance decides, and no
 * figures that cannot all be true.
 */
export function driveAtMost(check: DriveAtMost, matter: Matter): Outcome {
  const { limit, unclear, place, mayBePlace } = matter.request.way;
  const way = wayOf(check, matter.evalCase);
  const bound: Bound = limit ?? {
    unit: 'minutes',
    value: check.minutes,
    strict: false,
    loose: false,
    quote: null,
  };
  const facts = {
    asked: way.from === null ? '' : `the user starts from ${way.from}`,
    limit: limitOf(bound),
  };
  const open = (problem: string, next: string, gist: string): Outcome =>
    undecidable(problem, next, { ...facts, gist });
  const plainer = 'ask a model, or say "within 10 minutes"';
  if (unclear !== null)
    return open(
      `${quoted(unclear, 40)} sets no exact limit for the drive`,
      plainer,
      'the limit of the drive is not clear',
    );
  if (limit === null && place !== null)
    return open(
      `the user names a place (${quoted(place, 40)}), so the usual limit of ${counted(check.minutes, 'minute')} does not apply`,
      plainer,
      'a place is named',
    );
  const isKm = bound.unit === 'km';
  const wrong = contradiction(way);
  if (wrong !== null && (isKm || wrong.ofMinutes))
    return open(wrong.problem, 'correct one of them', 'contradictory figures');
  const value = way[bound.unit];
  if (value === null) {
    const missing = isKm ? 'distance' : 'drive time';
    return open(
      `the case gives no ${missing}`,
      addition(isKm ? check.distance : check.duration, matter),
      `no ${missing}`,
    );
  }
  const holds = isWithin(value, bound);
  if (bound.loose && !holds && value <= bound.value * LOOSE)
    return open(
      `${amount(value, bound.unit)} may or may not be what ${quoted(bound.quote ?? '')} means`,
      'ask a model',
      'the limit of the drive is not clear',
    );
  if (limit === null && !holds && mayBePlace !== null)
    return open(
      `${quoted(mayBePlace, 40)} may be a place, and then the usual limit does not apply`,
      'ask a model',
      'a place may be named',
    );
  return decided(holds, {
    ...facts,
    found: isKm ? `the venue is ${shown(value)} km away` : `the drive takes ${counted(value, 'minute')}`,
    calculation: comparison(value, bound),
    meaning: meaningOf(value, bound),
    gist: `${amount(value, bound.unit)} away`,
    notes: wrong === null ? [] : [wrong.problem],
  });
}
