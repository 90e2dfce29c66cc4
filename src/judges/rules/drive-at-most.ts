import { type EvalCase, fieldOf, greatCircleKm, Place } from '../../case/case.ts';
import type { Check } from '../../judging/check.ts';
import { addition, contradiction, type Matter, missingSubject, readAnswer } from './matter.ts';
import { decided, type Outcome, quoted, shown, undecidable } from './outcome.ts';
import { type TravelLimit, travelWishes, type WayReading } from './way.ts';

type DriveAtMost = Extract<Check, { type: 'drive-at-most' }>;

/** The most that the drive may take; `quote` is null for the rubric's own bound. */
type Bound = Omit<TravelLimit, 'quote'> & { quote: string | null };

/** Values are compared to the thousandth, so that floating point does not decide. */
const EPSILON = 1e-3;
/** No drive in a city averages more than this in km/h: then distance or duration is wrong. */
const IMPOSSIBLE_KMH = 200;
/** Distances up to this in km may be rounded to no minutes at all. */
const NEGLIGIBLE_KM = 0.5;
/** Up to so many times a quantity without a word of limit ("5 minutes away") may still be what was meant. */
const LOOSE = 1.5;
/** Figures of an answer may be rounded by this. */
const ROUNDED = 1;

/** What a case says of the way, in the fields that the check names. */
function wayOf(check: DriveAtMost, evalCase: EvalCase) {
  const numberAt = (path: string): number | null => {
    const value = fieldOf(evalCase, path);
    return typeof value === 'number' && value >= 0 ? value : null;
  };
  const placeAt = (path: string) => Place.safeParse(fieldOf(evalCase, path)).data;
  return {
    minutes: numberAt(check.duration),
    km: numberAt(check.distance),
    straight: greatCircleKm(placeAt(check.start), placeAt(check.place)),
  };
}

const amount = (value: number, unit: Bound['unit']): string =>
  `${shown(value)} ${unit === 'km' ? 'km' : 'min'}`;

/** What a case says of the way that cannot all be right, or null; a given drive time counts whatever the coordinates say. */
function impossible({ minutes, km, straight }: ReturnType<typeof wayOf>, isKm: boolean): string | null {
  const length = Math.max(km ?? 0, straight ?? 0);
  if (minutes !== null && length > NEGLIGIBLE_KM && length * 60 > IMPOSSIBLE_KMH * minutes)
    return `${amount(length, 'km')} in ${amount(minutes, 'minutes')} is not drivable, so one of the two is wrong`;
  // A tenth and 200 m for rounding: no road is shorter than the straight line.
  return !isKm || km === null || straight === null || straight <= km * 1.1 + 0.2
    ? null
    : `the coordinates are ${shown(straight)} km apart, more than the ${shown(km)} km given as the distance`;
}

/** The bound that counts: the one that the user names, be it tighter or looser, else the usual one; or why none does. */
function boundOf({ minutes }: DriveAtMost, { limit, unclear, place }: WayReading): Bound | Outcome {
  const plainer = 'ask a model, or say "within 10 minutes"';
  if (unclear !== null)
    return undecidable(`${quoted(unclear, 40)} sets no exact limit for the drive`, plainer);
  if (limit !== null) return limit;
  if (place === null) return { unit: 'minutes', value: minutes, strict: false, loose: false, quote: null };
  return undecidable(
    `the user names a place (${quoted(place, 40)}), so the usual limit of ${amount(minutes, 'minutes')} does not apply`,
    plainer,
  );
}

/** No decision where what is said leaves it open whether a drive or a way is within the bound; else null. */
function doubt(value: number, holds: boolean, { unit, value: most, loose, quote }: Bound, matter: Matter) {
  const { mayBePlace } = matter.request.way;
  const given = amount(value, unit);
  if (holds) {
    const limits = travelWishes(readAnswer(matter), matter.vocabulary).flatMap(({ limit }) => limit ?? []);
    const claims = limits.filter((limit) => limit.loose && limit.unit === unit);
    const isSame = (claim: TravelLimit) => Math.abs(claim.value - value) <= ROUNDED;
    return contradiction(
      `the case gives ${given}`,
      claims.map((claim) => ({ ...claim, fits: isSame(claim) })),
    );
  }
  if (loose && value <= most * LOOSE)
    return undecidable(`${given} may or may not be what ${quoted(quote ?? '')} means`);
  if (quote !== null) return null;
  // "Navigate home" takes as long as it takes.
  return mayBePlace === null
    ? missingSubject(matter)
    : undecidable(`${quoted(mayBePlace, 40)} may be a place, and then the usual limit does not apply`);
}

/**
 * The drive takes at most `minutes`, or what the user says; exactly that long still passes. Where a place or a route is
 * named without a bound, and where words about the way set no exact one, there is no decision. Only a stated drive time or
 * distance decides, and no figures that cannot all be true.
 */
export function driveAtMost(check: DriveAtMost, matter: Matter): Outcome {
  const bound = boundOf(check, matter.request.way);
  if ('decision' in bound) return bound;
  const { unit, quote } = bound;
  const way = wayOf(check, matter.evalCase);
  const isKm = unit === 'km';
  const value = way[unit];
  const wrong = value === null ? null : impossible(way, isKm);
  if (wrong !== null) return undecidable(wrong, 'correct one of them');
  if (value === null)
    return undecidable(
      `the case gives no ${isKm ? 'distance' : 'drive time'}`,
      addition(isKm ? check.distance : check.duration, matter),
    );
  const over = value - bound.value;
  const holds = bound.strict ? over < -EPSILON : over <= EPSILON;
  const open = doubt(value, holds, bound, matter);
  if (open !== null) return open;
  const said = quote === null ? '' : ` (${quoted(quote, 32)})`;
  const against = holds ? 'within the limit of' : over <= EPSILON ? 'not less than' : 'more than';
  const fact = isKm ? `the place is ${amount(value, unit)} away` : `the drive takes ${amount(value, unit)}`;
  return decided(holds, `${fact}, ${against} ${amount(bound.value, unit)}${said}`);
}
