import { type EvalCase, fieldOf, Place } from '../../case/case.ts';
import type { Check } from '../../judging/check.ts';
import { greatCircleKm } from './great-circle.ts';
import { counted, decided, type Outcome, quoted, shown, undecidable } from './outcome.ts';
import type { TravelLimit } from './way.ts';
import type { Matter } from './wishes.ts';

type DriveAtMost = Extract<Check, { type: 'drive-at-most' }>;

/** The most that the drive may take; `quote` is null for the rubric's own bound. */
type Bound = Omit<TravelLimit, 'kind' | 'quote' | 'at'> & { quote: string | null };

/** Values are compared to the thousandth, so that floating point does not decide. */
const EPSILON = 1e-3;
/** No drive in a city averages more than this in km/h: then distance or duration is wrong. */
const IMPOSSIBLE_KMH = 200;
/** Distances up to this in km may be rounded to no minutes at all. */
const NEGLIGIBLE_KM = 0.5;
/** Up to so many times a quantity without a word of limit ("5 minutes away") may still be what was meant. */
const LOOSE = 1.5;

/** What a case says of the way, in the fields that the check names. */
function wayOf(check: DriveAtMost, evalCase: EvalCase) {
  const numberAt = (path: string): number | null => {
    const value = fieldOf(evalCase, path);
    return typeof value === 'number' && value >= 0 ? value : null;
  };
  const placeAt = (path: string) => Place.safeParse(fieldOf(evalCase, path)).data;
  const [start, place] = [placeAt(check.start), placeAt(check.place)];
  return {
    minutes: numberAt(check.duration),
    km: numberAt(check.distance),
    straight: greatCircleKm(start, place),
    from: start?.description ?? null,
  };
}
type Way = ReturnType<typeof wayOf>;

const isWithin = (value: number, bound: Bound): boolean =>
  bound.strict ? value < bound.value - EPSILON : value <= bound.value + EPSILON;

const amount = (value: number, { unit }: Pick<Bound, 'unit'>): string =>
  unit === 'km' ? `${shown(value)} km` : counted(value, 'minute');

/** `15`, or `5 ("within 5 minutes")`. */
const boundWords = (bound: Bound): string =>
  `${shown(bound.value)}${bound.unit === 'km' ? ' km' : ''}${bound.quote === null ? '' : ` (${quoted(bound.quote, 32)})`}`;

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

const meaningOf = (value: number, bound: Bound): string =>
  isWithin(value, bound)
    ? `within the limit of ${boundWords(bound)}`
    : bound.strict && value <= bound.value
      ? `which is not below ${boundWords(bound)}`
      : `more than ${boundWords(bound)}`;

interface Estimate {
  value: number;
  /** The least that it can be, whatever was assumed. */
  least: number;
  /** `12 km at an assumed 25 km/h`. */
  basis: string;
  /** The assumption with its formula. */
  assumption: string;
}

/** The drive or the way where the case does not state it, or null where nothing leads to it. */
function estimate(check: DriveAtMost, way: Way, { unit }: Bound): Estimate | null {
  const { straight } = way;
  const [detour, speed] = [shown(check.detour), `${shown(check.speedKmh)} km/h`];
  if (unit === 'km') {
    if (straight === null) return null;
    const value = straight * check.detour;
    return {
      value,
      least: straight,
      basis: `${shown(straight)} km in a straight line`,
      assumption: `a road ${detour} times as long as the straight line was assumed: ${shown(straight)} km × ${detour} = ${shown(value)} km`,
    };
  }
  const minutesFor = (km: number) => (km / check.speedKmh) * 60;
  if (way.km !== null)
    return {
      value: minutesFor(way.km),
      least: 0,
      basis: `${shown(way.km)} km at an assumed ${speed}`,
      assumption: `no drive time is given, and ${speed} on average in the city was assumed: ${shown(way.km)} km ÷ ${speed} = ${counted(minutesFor(way.km), 'minute')}`,
    };
  if (straight === null) return null;
  const value = minutesFor(straight * check.detour);
  return {
    value,
    least: 0,
    basis: `${shown(straight)} km in a straight line, at an assumed ${speed}`,
    assumption: `no drive time is given; a road ${detour} times as long as the straight line and ${speed} on average in the city were assumed: ${shown(straight)} km × ${detour} ÷ ${speed} = ${counted(value, 'minute')}`,
  };
}

/** What a case says of the way that cannot all be right, or null. `ofDuration`: the drive time and the way contradict each other. */
function contradiction(check: DriveAtMost, { minutes, km, straight }: Way) {
  const ways: [number | null, string, string][] = [
    [km, `${shown(km ?? 0)} km`, check.distance],
    [straight, `places ${shown(straight ?? 0)} km apart`, 'the coordinates'],
  ];
  for (const [length, words, field] of minutes === null ? [] : ways)
    if (length !== null && length > NEGLIGIBLE_KM && length * 60 > IMPOSSIBLE_KMH * (minutes ?? 0))
      return {
        problem: `${words} in ${counted(minutes ?? 0, 'minute')} is not drivable, so one of the two is wrong`,
        next: `correct ${check.duration} or ${field}`,
        ofDuration: true,
      };
  // A tenth and 200 m for rounding: no road is shorter than the straight line.
  if (km !== null && straight !== null && straight > km * 1.1 + 0.2)
    return {
      problem: `the coordinates lie ${shown(straight)} km apart, more than the ${shown(km)} km given as the distance`,
      next: `correct ${check.distance} or the coordinates, or give ${check.duration}`,
      ofDuration: false,
    };
  return null;
}

const startOf = ({ from }: Way): string => (from === null ? '' : `the user starts from ${from}`);

const limitOf = (bound: Bound): string => {
  const subject = bound.unit === 'km' ? 'the way must be' : 'the drive must take';
  const by = bound.quote === null ? '' : `, as the user says (${quoted(bound.quote)})`;
  return `${subject} ${bound.strict ? 'less than' : 'at most'} ${amount(bound.value, bound)}${by}`;
};

/** An estimate is not stated more exactly than it is. */
const rounded = (value: number): number => (value >= 20 ? Math.round(value) : Math.round(value * 10) / 10);

/** Holds the stated drive or way against a bound. */
function heldStated(given: number, bound: Bound, facts: { asked: string; limit: string }): Outcome {
  if (bound.loose && !isWithin(given, bound) && given <= bound.value * LOOSE)
    return undecidable(
      `${amount(given, bound)} may or may not be what ${quoted(bound.quote ?? '')} means`,
      'ask a model',
      facts,
    );
  return decided(isWithin(given, bound), {
    ...facts,
    found:
      bound.unit === 'km'
        ? `the venue is ${shown(given)} km away`
        : `the drive takes ${counted(given, 'minute')}`,
    calculation: comparison(given, bound),
    meaning: meaningOf(given, bound),
    gist: `${amount(given, bound)} away`,
  });
}

/** Whether an estimate may lie on either side of the bound. */
function isTooClose(check: DriveAtMost, guess: Estimate, bound: Bound): boolean {
  const [low, high] = [guess.value * (1 - check.uncertainty), guess.value * (1 + check.uncertainty)];
  const most = bound.loose ? { ...bound, value: bound.value * LOOSE } : bound;
  // A way that is only guessed may pass, but not fail.
  return (
    (isWithin(low, most) && !isWithin(high, bound)) || (bound.unit === 'km' && !isWithin(guess.value, bound))
  );
}

/** Holds the stated drive or way, else an estimate, against one bound. */
function held(check: DriveAtMost, way: Way, bound: Bound): Outcome {
  const facts = { asked: startOf(way), limit: limitOf(bound) };
  const given = way[bound.unit];
  if (given !== null) return heldStated(given, bound, facts);
  const isKm = bound.unit === 'km';
  const next = `give ${isKm ? check.distance : `${check.duration} (minutes)`}`;
  const guess = estimate(check, way, bound);
  if (guess === null)
    return undecidable(
      isKm
        ? `the user says ${quoted(bound.quote ?? '')}, but the case gives no distance`
        : 'the case gives no drive time, no distance and not both places',
      next,
      { ...facts, gist: `no ${isKm ? 'distance' : 'drive time'}` },
    );
  const about = `about ${amount(rounded(guess.value), bound)}`;
  const found = `${about} by car (${guess.basis})`;
  // No road is shorter than the straight line, so beyond the limit nothing needs to be assumed.
  const isBeyond = !isWithin(guess.least, bound);
  if (!isBeyond && isTooClose(check, guess, bound))
    return undecidable(
      `${about} (${guess.basis}, ± ${shown(check.uncertainty * 100)} %) is too close to ${boundWords(bound)} to call`,
      next,
      { ...facts, found, assumption: guess.assumption, gist: 'too close to call' },
    );
  const meaning = meaningOf(isBeyond ? guess.least : guess.value, bound);
  return decided(!isBeyond && isWithin(guess.value, bound), {
    ...facts,
    asked: [facts.asked, found].filter((clause) => clause !== '').join('; '),
    found: '',
    calculation: `${isBeyond ? guess.basis : found}, ${meaning}`,
    assumption: isBeyond ? null : guess.assumption,
    meaning,
    gist: `${about} away`,
  });
}

/** Both hold: stated as one. */
const both = (drive: Outcome, way: Outcome): Outcome => ({
  ...drive,
  found: [drive.found, way.found].filter((clause) => clause !== '').join(' and '),
  limit: `${drive.limit}; ${way.limit}`,
  calculation: `${drive.calculation}; ${way.calculation}`,
  meaning: 'within both limits',
  assumption: drive.assumption ?? way.assumption,
  notes:
    drive.assumption !== null && way.assumption !== null ? [...drive.notes, way.assumption] : drive.notes,
});

/** The strictest of several bounds in one unit, or null. */
function strictest(limits: readonly TravelLimit[], unit: Bound['unit']): Bound | null {
  const [first, ...others] = limits.filter((limit) => limit.unit === unit);
  return first === undefined
    ? null
    : others.reduce(
        (one, other) =>
          other.value < one.value || (other.value === one.value && other.strict) ? other : one,
        first,
      );
}

/**
 * The drive takes at most `minutes`; exactly that long still passes. A bound that the user names in minutes, kilometers
 * or miles takes the place of that one, be it tighter or looser; where a place or a route is named without a bound, and
 * where words about the way set no exact one, there is no decision. A stated duration counts; else the stated distance,
 * else the great circle times `detour`, at `speedKmh`: an estimate within `uncertainty` of the bound decides nothing.
 * Neither do figures that cannot all be true.
 */
export function driveAtMost(check: DriveAtMost, { evalCase, request }: Matter): Outcome {
  const { limits, unclear, place, mayBePlace } = request.way;
  const way = wayOf(check, evalCase);
  const usual: Bound = { unit: 'minutes', value: check.minutes, strict: false, loose: false, quote: null };
  const [minutes, km] = [strictest(limits, 'minutes'), strictest(limits, 'km')];
  const asked = startOf(way);
  const open = (problem: string, next: string, gist: string): Outcome =>
    undecidable(problem, next, { asked, limit: limitOf(minutes ?? km ?? usual), gist });
  if (unclear !== null)
    return open(
      `no exact limit of the way can be read from ${quoted(unclear, 40)}`,
      'ask a model, or say "within 10 minutes"',
      'the limit of the way is not clear',
    );
  if (minutes === null && km === null && place !== null)
    return open(
      `the usual limit of ${counted(check.minutes, 'minute')} does not apply, as the user names where it is to be (${quoted(place, 40)})`,
      'ask a model, or say "within 10 minutes"',
      'a place is named',
    );
  const wrong = contradiction(check, way);
  if (wrong !== null && (wrong.ofDuration || way.minutes === null || km !== null))
    return open(wrong.problem, wrong.next, 'contradictory figures');
  const drive = km !== null && minutes === null ? null : held(check, way, minutes ?? usual);
  if (drive?.decision === 'fail' && minutes === null && mayBePlace !== null)
    return open(
      `${quoted(mayBePlace, 40)} may be where it is to be, so that the usual limit does not apply`,
      'ask a model',
      'a place may be named',
    );
  const length = km === null ? null : held(check, way, km);
  const noted = (outcome: Outcome): Outcome =>
    wrong === null ? outcome : { ...outcome, notes: [...outcome.notes, wrong.problem] };
  if (drive === null || length === null)
    return noted(drive ?? length ?? open('nothing to check', 'ask a model', ''));
  if (drive.decision === 'pass' && length.decision === 'pass') return both(noted(drive), length);
  const worst =
    [drive, length].find(({ decision }) => decision === 'fail') ??
    [drive, length].find(({ decision }) => decision === 'unscored');
  return noted(worst ?? drive);
}
