import { readsAsThousands, thousands } from '../../case/paste/index.ts';
import {
  FILLER,
  HELPERS,
  isOf,
  type Mention,
  NEGATION,
  type Reading,
  TRAVEL,
  type Vocabulary,
  WAY,
} from './match-phrases.ts';
import { endsSentence, isBreak, quoteOf } from './tokens.ts';

/** A limit on the drive that the user states. */
export interface TravelLimit {
  unit: 'minutes' | 'km';
  value: number;
  /** Whether the value itself is already beyond the limit. */
  strict: boolean;
  /** Whether no limit word comes with it ("5 minutes away"), so that slightly more may do. */
  loose: boolean;
  quote: string;
}

/** Words about the way or its time; `limit` is null if they set no exact one. */
interface TravelWish {
  quote: string;
  limit: TravelLimit | null;
}

/** What a request says about the way, over all turns. */
export interface WayReading {
  limit: TravelLimit | null;
  /** Words about the way from which no exact limit can be read, or null. */
  unclear: string | null;
  /** The words that say where the place should be, or on which route, or null. */
  place: string | null;
  /** Unknown words that may say so, or null. */
  mayBePlace: string | null;
}

/** A limit is certain only if it is the only one and nothing qualifies it. */
export function readWay(
  wishes: readonly TravelWish[],
  isDoubtful: boolean,
): Pick<WayReading, 'limit' | 'unclear'> {
  const [first, second] = wishes;
  if (first?.limit && second === undefined && !isDoubtful) return { limit: first.limit, unclear: null };
  const doubtful = wishes.find(({ limit }) => limit === null) ?? second ?? first;
  return { limit: null, unclear: doubtful?.quote ?? null };
}

const UNITS = new Map<string, { unit: TravelLimit['unit']; times: number }>([
  ['km', { unit: 'km', times: 1 }],
  ['meters', { unit: 'km', times: 0.001 }],
  // International miles
  ['miles', { unit: 'km', times: 1.609344 }],
  ['minutes', { unit: 'minutes', times: 1 }],
  ['hours', { unit: 'minutes', times: 60 }],
]);

/** The value and unit of a quantity: a number with a unit, or a term such as `30-minutes`; null if not certain. */
function measureOf({ terms: [term = ''], numbers: [number] }: Mention) {
  const { worded, name = '' } = /^(?:(?<worded>[\d-]+)-)?(?<name>[a-z]+)$/.exec(term)?.groups ?? {};
  const measure = UNITS.get(name);
  const written = worded?.replace('-', '.') ?? number?.text ?? '';
  // "1,500" is 1500 with meters, but with kilometers it may be one and a half.
  const isThousands = readsAsThousands(written);
  if (measure === undefined || (isThousands && name !== 'meters')) return null;
  const value = isThousands ? thousands(written) : worded === undefined ? number?.value : Number(written);
  return value == null ? null : { unit: measure.unit, value: value * measure.times };
}

/**
 * What a text says about distance and drive time, in reading order.
 * @param strange finds words that a quantity may be about instead of the drive, or that may take it back; by default, it
 * returns null for none
 */
export function travelWishes(
  { tokens, mentions, owners, ways }: Reading,
  vocabulary: Vocabulary,
  strange: (words: { from: number; to: number }) => string | null = () => null,
): TravelWish[] {
  const between = vocabulary.words(TRAVEL, 'between');
  const isBetween = (at: number) => between.has(tokens[at]?.text ?? '');
  const wayAt = (term: string, place: number, edge: 'from' | 'to' = 'from') =>
    ways.find((way) => way.terms.includes(term) && way[edge] === place);
  const past = (from: number, step: 1 | -1): number => {
    let at = from;
    while (isBetween(at)) at += step;
    return at;
  };
  /** Whether a quantity is not from here or not a drive: "5 minutes of Marienplatz", "10 minutes to serve". */
  const isFromElsewhere = (behind: number): boolean => {
    let at = behind;
    while (isBetween(at) && wayAt('from', at) === undefined) at += 1;
    const from = wayAt('from', at);
    return from !== undefined && wayAt('here', from.to) === undefined;
  };
  /** Whether words such as "waiting" or "delivery" say that a time is not the drive time. */
  const isOtherTime = (at: number): boolean =>
    ways.some(
      ({ terms, from }) =>
        terms.includes('other-time') &&
        !tokens.slice(Math.min(from, at), Math.max(from, at)).some(endsSentence),
    );

  /** Reads a quantity with a limit word before it ("within 5 km") or after it ("5 km max"), or with "away". */
  function wishOf(quantity: Mention, measure: NonNullable<ReturnType<typeof measureOf>>): TravelWish {
    const before = past(quantity.from - 1, -1);
    const [bound, after] = [owners.get(before), owners.get(past(quantity.to, 1))];
    const leads = isOf(bound, TRAVEL, 'at-most', 'below') ? bound : undefined;
    const follows = isOf(after, TRAVEL, 'at-most-after') ? after : undefined;
    const away = wayAt('away', quantity.to);
    const from = leads?.from ?? quantity.from;
    const to = Math.max(follows?.to ?? 0, away?.to ?? 0, quantity.to);
    const quote = quoteOf(tokens, from, to);
    const isLimited = leads !== undefined || follows !== undefined;
    // "Pizza 5 minutes away" and "a 5 minute drive", but not "at least 5 minutes away".
    const isAway =
      away !== undefined &&
      (bound === undefined ? isBreak(tokens[before]) : bound.lexicon !== NEGATION) &&
      wayAt('other-bound', before + 1, 'to') === undefined;
    if (
      !(isLimited || isAway) ||
      // "In at most 5 minutes" may be the time until something begins.
      (leads !== undefined && tokens[from - 1]?.text === 'in' && away === undefined) ||
      [owners.get(from - 1), owners.get(follows?.to ?? quantity.to)].some((owner) =>
        isOf(owner, NEGATION, 'alternative'),
      ) ||
      isFromElsewhere(quantity.to) ||
      strange({ from, to }) !== null ||
      (measure.unit === 'minutes' && isOtherTime(quantity.from))
    )
      return { quote, limit: null };
    const strict = isOf(leads, TRAVEL, 'below') && follows === undefined;
    return { quote, limit: { ...measure, strict, loose: !isLimited, quote } };
  }

  return mentions
    .filter(({ lexicon }) => lexicon === TRAVEL)
    .flatMap((mention) => {
      const measure = measureOf(mention);
      if (measure !== null) return [wishOf(mention, measure)];
      const isUnclear = isOf(mention, TRAVEL, 'unclear') || mention.numbers.length > 0;
      return isUnclear ? [{ quote: mention.quote, limit: null }] : [];
    });
}

/** The words that say where the place should be: "in Augsburg", "near the airport", "on my way". */
export function placesIn(
  { tokens, mentions, owners, ways }: Reading,
  vocabulary: Vocabulary,
): Pick<Mention, 'quote' | 'places'>[] {
  const determiners = vocabulary.words(FILLER, 'determiner');
  const isName = (at: number) => /^\p{Lu}/u.test(tokens[at]?.raw ?? '');
  const isUnknown = (at: number) => owners.get(at) === undefined && tokens[at]?.kind === 'word';
  const placesOfWays = ways.flatMap((way) => {
    const { quote, places } = way;
    if (isOf(way, WAY, 'route', 'place', 'any-way')) return [{ quote, places }];
    // "I'm" is not the German "im".
    if (!way.terms.includes('at-place') || /^i['’]m$/i.test(quote)) return [];
    let at = way.to;
    while (determiners.has(tokens[at]?.text ?? '')) at += 1;
    // "At the zoo" is a place; "in my usual bracket" may not be.
    const isSure = at === way.to || way.terms.includes('near-to') || isName(at);
    if (!(isUnknown(at) && isSure) && !isOf(owners.get(at), FILLER, 'places', 'elsewhere')) return [];
    // A name of several words: "near Sendlinger Tor".
    let to = at + 1;
    while (isUnknown(to) && isName(to)) to += 1;
    // In "bei der alten Shell", a wish follows, so the words before it do not name a place.
    const next = owners.get(to);
    if (next !== undefined && next.lexicon !== WAY && !HELPERS.has(next.lexicon)) return [];
    const covered = Array.from({ length: to - way.from }, (_, index) => way.from + index);
    return [{ quote: quoteOf(tokens, way.from, to), places: covered }];
  });
  return [...placesOfWays, ...mentions.filter((mention) => isOf(mention, FILLER, 'places'))];
}
