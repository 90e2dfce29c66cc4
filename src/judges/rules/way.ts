import {
  FILLER,
  isOf,
  type Mention,
  NEGATION,
  ownersOf,
  TRAVEL,
  type Vocabulary,
  WAY,
  wayMentions,
} from './mentions.ts';
import { endsSentence, isBreak, quoteOf, type Token } from './tokens.ts';

/** A bound of the drive or the way that the user names. */
export interface TravelLimit {
  kind: 'limit';
  quote: string;
  unit: 'minutes' | 'km';
  value: number;
  /** Whether the value itself is already too much. */
  strict: boolean;
  /** Whether it stands without any word of a limit ("5 minutes away"), so that somewhat more may do. */
  loose: boolean;
}
/** `unclear`: it is about the way or its time, but sets no exact limit. */
export type TravelWish = TravelLimit | { kind: 'unclear'; quote: string };

/** What a request says of the way, over all turns. */
export interface WayReading {
  limit: TravelLimit | null;
  /** Words about the way of which no exact limit can be read, or null. */
  unclear: string | null;
  /** The words that say where the place is to be or along which route, or null. */
  place: string | null;
  /** Unknown words that may say so, or null. */
  mayBePlace: string | null;
}

/** Only one limit that nothing turns around is sure. */
export function readWay(
  wishes: readonly TravelWish[],
  doubt: string | null,
): Pick<WayReading, 'limit' | 'unclear'> {
  const [first, second] = wishes;
  if (first?.kind === 'limit' && second === undefined && doubt === null)
    return { limit: first, unclear: null };
  const doubtful = wishes.find(({ kind }) => kind === 'unclear') ?? second ?? first;
  return { limit: null, unclear: doubtful?.quote ?? null };
}

/** km per mile (international). */
const MILE_KM = 1.609344;
const UNITS = new Map<string, { unit: 'minutes' | 'km'; times: number }>([
  ['km', { unit: 'km', times: 1 }],
  ['meters', { unit: 'km', times: 0.001 }],
  ['miles', { unit: 'km', times: MILE_KM }],
  ['minutes', { unit: 'minutes', times: 1 }],
  ['hours', { unit: 'minutes', times: 60 }],
]);
/** Terms such as `30-minutes`, whose words are a quantity by themselves. */
const WORDED = /^(\d+)-minutes$/;

/** How much a quantity is, or null where its words name none. */
function measureOf({ terms: [term = ''], numbers: [number] }: Mention) {
  const worded = WORDED.exec(term)?.[1];
  if (worded !== undefined) return { unit: 'minutes', value: Number(worded) } as const;
  const measure = UNITS.get(term);
  return measure === undefined || number?.value == null
    ? null
    : { unit: measure.unit, value: number.value * measure.times };
}

/** What one turn says of distance and drive time, in reading order. */
export function travelWishes(
  tokens: readonly Token[],
  mentions: readonly Mention[],
  vocabulary: Vocabulary,
): TravelWish[] {
  const owners = ownersOf(mentions);
  const between = vocabulary.words(TRAVEL, 'between');
  const ways = wayMentions(tokens, vocabulary);
  const wayAt = (term: string, place: number, edge: 'from' | 'to' = 'from') =>
    ways.find((way) => way.terms.includes(term) && way[edge] === place);
  const past = (from: number, step: 1 | -1): number => {
    let at = from;
    while (between.has(tokens[at]?.text ?? '')) at += step;
    return at;
  };
  const isInSentence = (term: string, at: number): boolean =>
    ways.some(
      ({ terms, from }) =>
        terms.includes(term) && !tokens.slice(Math.min(from, at), Math.max(from, at)).some(endsSentence),
    );
  /** "5 minutes of Marienplatz", "10 minutes to serve": not from here, or no drive. */
  const isFromElsewhere = (behind: number): boolean => {
    let at = behind;
    while (between.has(tokens[at]?.text ?? '') && wayAt('from', at) === undefined) at += 1;
    const from = wayAt('from', at);
    return from !== undefined && wayAt('here', from.to) === undefined;
  };
  /** Only "pizza 5 minutes away" and "a 5 minute drive", not "at least 5 minutes away". */
  const isAway = (quantity: Mention, before: number): boolean => {
    const owner = owners.get(before);
    const isOther = owner === undefined ? !isBreak(tokens[before]) : owner.lexicon === NEGATION;
    return (
      wayAt('away', quantity.to) !== undefined &&
      !isOther &&
      wayAt('other-bound', before + 1, 'to') === undefined
    );
  };

  /** One quantity with what limits it, before ("within 5 km") or behind it ("5 km max"). */
  function wishOf(quantity: Mention, measure: NonNullable<ReturnType<typeof measureOf>>): TravelWish {
    const before = past(quantity.from - 1, -1);
    const [bound, after] = [owners.get(before), owners.get(past(quantity.to, 1))];
    const leads = isOf(bound, TRAVEL, 'at-most', 'below') ? bound : undefined;
    const follows = isOf(after, TRAVEL, 'at-most-after') ? after : undefined;
    const [from, to] = [leads?.from ?? quantity.from, follows?.to ?? quantity.to];
    const quote = quoteOf(tokens, from, to);
    const isLimited = leads !== undefined || follows !== undefined;
    if (
      !(isLimited || isAway(quantity, before)) ||
      (leads !== undefined && tokens[from - 1]?.text === 'in' && wayAt('away', quantity.to) === undefined) ||
      [owners.get(from - 1), owners.get(to)].some((owner) => isOf(owner, NEGATION, 'alternative')) ||
      isFromElsewhere(quantity.to) ||
      isInSentence('other-time', quantity.from)
    )
      return { kind: 'unclear', quote };
    const strict = isOf(leads, TRAVEL, 'below') && follows === undefined;
    return { kind: 'limit', ...measure, strict, loose: !isLimited, quote };
  }

  return mentions
    .filter(({ lexicon }) => lexicon === TRAVEL)
    .flatMap((mention): TravelWish[] => {
      const measure = measureOf(mention);
      if (measure !== null) return [wishOf(mention, measure)];
      const isUnclear = isOf(mention, TRAVEL, 'unclear') || mention.numbers.length > 0;
      return isUnclear ? [{ kind: 'unclear', quote: mention.quote }] : [];
    });
}

/** The words by which one turn says where the place is to be: "in Augsburg", "near the airport", "on my way". */
export function placesIn(
  tokens: readonly Token[],
  mentions: readonly Mention[],
  vocabulary: Vocabulary,
): Pick<Mention, 'quote' | 'places'>[] {
  const owners = ownersOf(mentions);
  const determiners = vocabulary.words(FILLER, 'determiner');
  const isUnknown = (at: number): boolean => owners.get(at) === undefined && tokens[at]?.kind === 'word';
  const found = wayMentions(tokens, vocabulary).flatMap((way) => {
    const { quote, places } = way;
    if (isOf(way, WAY, 'route', 'place', 'any-way')) return [{ quote, places }];
    // "I'm" is not the German "im".
    if (!way.terms.includes('at-place') || /^i['’]m$/i.test(quote)) return [];
    let at = way.to;
    while (determiners.has(tokens[at]?.text ?? '')) at += 1;
    // "At the zoo" says where, "in my usual bracket" may not.
    const isSure = at === way.to || way.terms.includes('near-to') || /^\p{Lu}/u.test(tokens[at]?.raw ?? '');
    if (!(isUnknown(at) && isSure) && !isOf(owners.get(at), FILLER, 'places', 'elsewhere')) return [];
    // A name of several words: "near Sendlinger Tor".
    let to = at + 1;
    while (isUnknown(to) && /^\p{Lu}/u.test(tokens[to]?.raw ?? '')) to += 1;
    const covered = Array.from({ length: to - way.from }, (_, index) => way.from + index);
    return [{ quote: quoteOf(tokens, way.from, to), places: covered }];
  });
  return [...found, ...mentions.filter((mention) => isOf(mention, FILLER, 'places'))];
}
