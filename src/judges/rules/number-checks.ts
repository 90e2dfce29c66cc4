import { nounOf } from '../../case/format/index.ts';
import { type EvalCase, fieldOf, greatCircleKm, Place } from '../../case/index.ts';
import {
  addition,
  type CheckOf,
  contradiction,
  counted,
  decided,
  type Matter,
  missingSubject,
  notGiven,
  nothingAsked,
  type Outcome,
  otherSubject,
  quoted,
  readAnswer,
  shown,
  undecidable,
  unread,
  wishesFor,
} from './check-outcome.ts';
import type { CompiledLexicon } from './lexicon.ts';
import { ABOUT, type Mention } from './match-phrases.ts';
import type { Wish } from './negations-and-alternatives.ts';
import { type TravelLimit, travelWishes, type WayReading } from './travel-limits.ts';

type NumberWish = CheckOf<'number-wish'>;

/** Ratings have one or two decimals; a difference below this is floating point (4.7 − 4.5 = 0.2000000000000002). */
const ROUNDING = 1e-9;

/** The numbers that a phrase allows. `low` and `high` are included unless `strict`. */
interface Allowed {
  low: number;
  high: number;
  strict?: boolean;
}

const [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

const exactly = (value: number): Allowed => ({ low: value, high: value });
const atLeast = (low: number): Allowed => ({ low, high: most });
/**
 * What the terms of a number lexicon allow. `plain` is a number without a word, which must match; `to` is a value to
 * reach; `stars` means at least that many. `around` allows ± the tolerance.
 */
const RELATIONS: Readonly<Record<string, (first: number, second: number, tolerance: number) => Allowed>> = {
  'at-least': atLeast,
  stars: atLeast,
  above: (low) => ({ low, high: most, strict: true }),
  'at-most': (high) => ({ low: least, high }),
  below: (high) => ({ low: least, high, strict: true }),
  between: (one, other) => ({ low: Math.min(one, other), high: Math.max(one, other) }),
  around: (value, _, tolerance) => ({ low: value - tolerance, high: value + tolerance }),
  exactly,
  to: exactly,
  plain: exactly,
};

/** Whether a number is allowed, and by how much: `0.1 to spare`, `0.2 outside 4.3 to 4.7`. */
function compareNumber(given: number, { low, high, strict = false }: Allowed) {
  const over = Math.min(given - low, high - given);
  const holds = strict ? over > ROUNDING : over >= -ROUNDING;
  const off = shown(Math.abs(over));
  const isAtEnd = Math.abs(over) <= ROUNDING;
  if (low === high)
    return { holds, margin: holds ? 'as asked' : `${off} ${given > low ? 'above' : 'below'}` };
  if (low === least || high === most) {
    const [side, beyond] = high === most ? ['above', 'short'] : ['below', 'too much'];
    if (isAtEnd) return { holds, margin: holds ? 'as asked' : `not ${side} ${shown(given)}` };
    return { holds, margin: `${off} ${holds ? 'to spare' : beyond}` };
  }
  const range = `${shown(low)} to ${shown(high)}`;
  return { holds, margin: holds ? `within ${range}` : `${off} outside ${range}` };
}

/** The rating scale's maximum unless the user or the venue indicates another. */
const USUAL_TOP = 5;

/** An upper limit more than this many times the value may be a limit on something else: "diesel for 50 euros". */
const FAR = 10;

/** The term for guides, whose stars are on another scale, and for numbers of reviews. */
const GUIDE = 'guide';

const valuesOf = ({ numbers }: Mention): number[] => numbers.flatMap((token) => token.value ?? []);

/** The numbers that a phrase allows; null if it cannot be checked. The rubric says how to read a bare number. */
function allowedBy(wish: Wish, check: NumberWish): Allowed | null {
  const [relation = ''] = wish.terms;
  const [first = Number.NaN, second = first] = valuesOf(wish);
  return RELATIONS[relation === 'plain' ? check.plain : relation]?.(first, second, check.tolerance) ?? null;
}

/**
 * Whether the user's number may be on another scale than the case's, or about something else: 4 of 10 and 4.5 stars, 30 %
 * and a share of 0.3, diesel for 50 euros.
 */
function isElsewhere(wish: Wish, { low, high }: Allowed, given: number, { unit }: NumberWish): boolean {
  if (low === least && high > given * FAR) return true;
  if (unit !== undefined) return low === high && low > 1 && given > 0 && given < 1;
  const top = wish.numbers.find((token) => token.scale !== null)?.scale ?? null;
  const venueTop = given > USUAL_TOP ? 10 : USUAL_TOP;
  return top === null ? Math.max(...valuesOf(wish), given) > USUAL_TOP : top !== venueTop;
}

/** The outcome for a wish about a number and the number in the case. */
function compared(
  wish: Wish,
  allowed: Allowed,
  givenValue: number,
  check: NumberWish,
  matter: Matter,
): Outcome {
  const noun = check.name ?? nounOf(check.field);
  if (isElsewhere(wish, allowed, givenValue, check))
    return undecidable(
      `${quoted(wish.quote)} may be on another scale than the ${noun}, which is ${shown(givenValue)}, or about something else`,
      'give both on the same scale, or ask a model',
    );
  const { holds, margin } = compareNumber(givenValue, allowed);
  const given = `the ${noun} is ${shown(givenValue)} ${check.unit ?? ''}`.trim();
  const claims = readAnswer(matter)
    .mentions.filter((mention) => mention.lexicon === check.lexicon && mention.numbers.length > 0)
    .map((one) => ({
      ...one,
      fits: valuesOf(one).some((value) => Math.abs(value - givenValue) <= ROUNDING),
    }));
  const contradicted = holds ? contradiction(given, claims) : null;
  if (contradicted !== null) return contradicted;
  const reading = `${quoted(wish.quote)}, without "at least" or "around", is read as ${check.plain.replace('-', ' ')} that number`;
  return decided(
    holds,
    `the request says ${quoted(wish.quote)}; ${given}, ${margin}`,
    wish.terms[0] === 'plain' ? [reading] : [],
  );
}

/** Checks that the field's number fits the user's phrase. No decision on several, as it is unclear how they combine. */
export function numberWish(check: NumberWish, _: CompiledLexicon, matter: Matter): Outcome {
  const { lexicon, field, least: usual } = check;
  const noun = check.name ?? nounOf(field);
  const given = fieldOf(matter.evalCase, field);
  const saidOf = (term: string) =>
    matter.request.wishes.find((wish) => wish.lexicon === lexicon && wish.terms.includes(term))?.quote;
  const wishes = wishesFor(lexicon, matter.request, ({ terms }) => !terms.includes(ABOUT));
  const missing = notGiven(`the ${noun}`, field, matter);
  if (wishes.kind === 'silent' && usual !== undefined) {
    if (typeof given !== 'number') return missing;
    const holds = given >= usual;
    const doubt = holds ? unread(lexicon, noun, matter) : null;
    return doubt ?? decided(holds, `the ${noun} is ${shown(given)}; it must be at least ${shown(usual)}`);
  }
  // A word about the subject without a wish that could be read: "with amazing reviews".
  const about = wishes.kind === 'silent' ? saidOf(ABOUT) : undefined;
  if (about !== undefined) return undecidable(`${quoted(about)} speaks of the ${noun} but names no number`);
  if (wishes.kind !== 'asked') return nothingAsked(wishes, lexicon, noun, matter);
  const guide = saidOf(GUIDE);
  if (guide !== undefined) return undecidable(`${quoted(guide)} is not the ${noun}`);
  const [wish, ...others] = wishes.wanted;
  const allowed = wish === undefined || others.length > 0 ? null : allowedBy(wish, check);
  if (wish === undefined || allowed === null)
    return undecidable(
      `it is not clear which numbers ${wishes.quote} ${others.length === 0 ? 'allows' : 'allow'}`,
    );
  const other = otherSubject(matter);
  if (other !== null) return other;
  return typeof given === 'number'
    ? compared(wish, allowed, given, check, matter)
    : { ...missing, reason: `the request says ${quoted(wish.quote)}, and ${missing.reason}` };
}

/** The longest drive allowed. `quote` is null for the rubric's default. */
type Bound = Omit<TravelLimit, 'quote'> & { quote: string | null };

/** Numbers are compared to the thousandth, so that floating-point noise does not decide. */
const EPSILON = 1e-3;
/** No drive averages more than this, in km/h; if one does, its distance or duration is wrong. */
const IMPOSSIBLE_KMH = 200;
/** A drive up to this long, in km, may be rounded to zero minutes. */
const NEGLIGIBLE_KM = 0.5;
/** A quantity without a limit word ("5 minutes away") may mean up to this many times as much. */
const LOOSE = 1.5;
/** Maximum rounding of numbers in an answer, in minutes or km. */
const ROUNDED = 1;

/** The drive time, the distance and the straight-line distance, from the fields that the check names; null if missing. */
function wayOf(check: CheckOf<'drive-at-most'>, evalCase: EvalCase) {
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

/** Says which of these values contradict each other, or null. The coordinates count only if the limit is in km. */
function impossible({ minutes, km, straight }: ReturnType<typeof wayOf>, isKm: boolean): string | null {
  const length = Math.max(km ?? 0, straight ?? 0);
  if (minutes !== null && length > NEGLIGIBLE_KM && length * 60 > IMPOSSIBLE_KMH * minutes)
    return `${amount(length, 'km')} in ${amount(minutes, 'minutes')} is not drivable, so one of the two is wrong`;
  // No road is shorter than the straight line. A tenth and 200 m are left for rounding.
  return !isKm || km === null || straight === null || straight <= km * 1.1 + 0.2
    ? null
    : `the coordinates are ${shown(straight)} km apart, more than the ${shown(km)} km given as the distance`;
}

/** The bound to check: the user's, whether tighter or looser, otherwise the usual one. No decision if neither applies. */
function boundOf(
  { minutes }: CheckOf<'drive-at-most'>,
  { limit, unclear, place }: WayReading,
): Bound | Outcome {
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

/** No decision if the wording leaves open whether a drive is within the bound; otherwise null. */
function doubt(value: number, holds: boolean, { unit, value: most, loose, quote }: Bound, matter: Matter) {
  const { mayBePlace } = matter.request.way;
  const given = amount(value, unit);
  if (holds) {
    const limits = travelWishes(readAnswer(matter), matter.vocabulary).flatMap(({ limit }) => limit ?? []);
    const claims = limits
      .filter((limit) => limit.loose && limit.unit === unit)
      .map((claim) => ({ ...claim, fits: Math.abs(claim.value - value) <= ROUNDED }));
    return contradiction(`the case gives ${given}`, claims);
  }
  if (loose && value <= most * LOOSE)
    return undecidable(`${given} may or may not be what ${quoted(quote ?? '')} means`);
  if (quote !== null) return null;
  // The usual limit does not apply to a place that the user names ("navigate home").
  return mayBePlace === null
    ? missingSubject(matter)
    : undecidable(`${quoted(mayBePlace, 40)} may be a place, and then the usual limit does not apply`);
}

/**
 * Checks that the drive takes at most `minutes`, or what the user says; the limit itself passes. No decision if the user
 * names a place or a route without a limit or sets no exact one, if the case gives no drive time or distance, or if its
 * values contradict each other.
 */
export function driveAtMost(check: CheckOf<'drive-at-most'>, matter: Matter): Outcome {
  const bound = boundOf(check, matter.request.way);
  if ('decision' in bound) return bound;
  const { unit, quote } = bound;
  const way = wayOf(check, matter.evalCase);
  const isKm = unit === 'km';
  const value = way[unit];
  if (value === null)
    return isKm
      ? undecidable('the case gives no distance', addition(check.distance, matter))
      : undecidable('the case gives no drive time', addition(check.duration, matter));
  const wrong = impossible(way, isKm);
  if (wrong !== null) return undecidable(wrong, 'correct one of them');
  const over = value - bound.value;
  const holds = bound.strict ? over < -EPSILON : over <= EPSILON;
  const open = doubt(value, holds, bound, matter);
  if (open !== null) return open;
  const quoteNote = quote === null ? '' : ` (${quoted(quote, 32)})`;
  const against = holds ? 'within the limit of' : over <= EPSILON ? 'not less than' : 'more than';
  const fact = isKm ? `the place is ${amount(value, unit)} away` : `the drive takes ${amount(value, unit)}`;
  return decided(holds, `${fact}, ${against} ${amount(bound.value, unit)}${quoteNote}`);
}

type Held = Pick<Matter, 'evalCase' | 'format'>;

/** Checks, regardless of the request, that the field's number is at most `share` of the other field's (same unit). */
export function atMostField(check: CheckOf<'at-most-field'>, matter: Held): Outcome {
  const { names, share, unit } = check;
  const [value, most] = [fieldOf(matter.evalCase, check.field), fieldOf(matter.evalCase, check.limit)];
  if (typeof value !== 'number' || typeof most !== 'number') {
    const [name, path] = typeof value === 'number' ? [names.limit, check.limit] : [names.field, check.field];
    return notGiven(name, path, matter);
  }
  const bound = most * share;
  const holds = value - bound <= EPSILON;
  const part =
    share === 1
      ? names.limit
      : `${shown(share * 100)} % of ${names.limit} (${shown(most)} × ${shown(share)} = ${shown(bound)} ${unit})`;
  return decided(
    holds,
    `${names.field} is ${shown(value)} ${unit}, ${holds ? 'within' : 'more than'} ${part}`,
  );
}

/** The number to compare: the field's number, or its count of words or items; null if the field has none. */
function measured({ field, measure }: CheckOf<'within-range'>, { evalCase }: Held): number | null {
  const value = fieldOf(evalCase, field);
  if (measure === 'words' && typeof value === 'string')
    return value.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’.,-]*/gu)?.length ?? 0;
  if (measure === 'items') return Array.isArray(value) ? value.length : null;
  return measure !== 'words' && typeof value === 'number' ? value : null;
}

/** Checks, regardless of the request, that the field's number or count of words or items is in `min` to `max`, inclusive. */
export function withinRange(check: CheckOf<'within-range'>, matter: Held): Outcome {
  const { field, name, unit, min = least, max = most } = check;
  const value = measured(check, matter);
  if (value === null) return notGiven(`the ${name}`, field, matter);
  const bounds = [
    ...(check.min === undefined ? [] : [`at least ${shown(min)}`]),
    ...(check.max === undefined ? [] : [`at most ${shown(max)}`]),
  ].join(' and ');
  const amount = check.measure === 'items' ? shown(value) : counted(value, unit);
  return decided(value >= min && value <= max, `the ${name} is ${amount}; it must be ${bounds}`);
}
