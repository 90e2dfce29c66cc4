import {
  FILLER,
  findMentions,
  isNegation,
  type Mention,
  NEGATION,
  quoteOf,
  TRAVEL,
  type Vocabulary,
  WAY,
} from './mentions.ts';
import { endsSentence } from './polarity.ts';
import { vocabularyOf } from './terms.ts';
import type { Token } from './tokens.ts';

/** A bound of the drive or the way that the user names. */
export interface TravelLimit {
  kind: 'limit';
  unit: 'minutes' | 'km';
  value: number;
  /** Whether the value itself is already too much. */
  strict: boolean;
  /** Whether it stands without any word of a limit ("5 minutes away"), so that somewhat more may do. */
  loose: boolean;
  quote: string;
}
/** `unclear`: it is about the way or its time, but sets no exact limit. */
export type TravelWish = TravelLimit | { kind: 'unclear'; quote: string };

/** What a request says of the way, over all turns. */
export interface WayReading {
  limits: readonly TravelLimit[];
  /** Words about the way of which no exact limit can be read, or null. */
  unclear: string | null;
  /** The words that say where the place is to be or along which route, or null. */
  place: string | null;
  /** An unknown name that may say so, or null. */
  mayBePlace: string | null;
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

const is = (mention: Mention | undefined, term: string): boolean =>
  mention?.lexicon === TRAVEL && mention.terms.includes(term);

/** Terms of negation.yaml after which a limit is none. */
const TURNING = ['unwanted', 'unclear', 'optional'];

/** Words that measure from somewhere, or say what the time is for. */
const FROM = /^(?:of|from|to|von|vom|zu|zum|zur)$/;
/** What follows them where the user's own place is meant. */
const HERE = /^(?:here|me|us|hier|mir|uns)$/;
const OWN_PLACE = /^(?:location|position|place|car|standort)$/;

/** Whether the quantity is one from elsewhere ("of Marienplatz", "from my hotel"), or for something else ("to serve"). */
function isFromElsewhere(tokens: readonly Token[], behind: number, between: ReadonlySet<string>): boolean {
  let place = behind;
  while (between.has(tokens[place]?.text ?? '') && !FROM.test(tokens[place]?.text ?? '')) place += 1;
  if (!FROM.test(tokens[place]?.text ?? '')) return false;
  const [next, second, third] = [1, 2, 3].map((step) => tokens[place + step]?.text ?? '');
  return !(HERE.test(next ?? '') || OWN_PLACE.test(second ?? '') || OWN_PLACE.test(third ?? ''));
}

/** The mentions of the lexicon `way`, found by itself: its words may mean something in other lexicons, too. */
const wayMentions = (tokens: readonly Token[], { lexicons }: Vocabulary): Mention[] => {
  const lexicon = lexicons.get(WAY);
  return lexicon === undefined ? [] : findMentions(tokens, vocabularyOf(lexicon));
};

/** What one turn says of distance and drive time, in reading order. */
export function travelWishes(
  tokens: readonly Token[],
  mentions: readonly Mention[],
  vocabulary: Vocabulary,
): TravelWish[] {
  const owners = new Map(mentions.flatMap((mention) => mention.places.map((place) => [place, mention])));
  const { between } = vocabulary;
  const ways = wayMentions(tokens, vocabulary);
  const hasInSentence = (term: string, at: number): boolean =>
    ways.some(
      (way) =>
        way.terms.includes(term) &&
        !tokens.slice(Math.min(way.from, at), Math.max(way.from, at)).some(endsSentence),
    );

  const isAway = (quantity: Mention): boolean =>
    ways.some((way) => way.terms.includes('away') && way.from === quantity.to);
  /** Only "pizza 5 minutes away" and "a 5 minute drive", not "at least 5 minutes away". */
  const hasOtherBound = (before: number): boolean => {
    const owner = owners.get(before);
    const isUnknown = owner === undefined && (tokens[before]?.kind ?? 'break') !== 'break';
    return (
      isUnknown ||
      owner?.lexicon === NEGATION ||
      ways.some((way) => way.terms.includes('other-bound') && way.to === before + 1)
    );
  };
  const past = (from: number, step: 1 | -1): number => {
    let at = from;
    while (between.has(tokens[at]?.text ?? '')) at += step;
    return at;
  };

  /** One quantity with what limits it, before ("within 5 km") or behind it ("5 km max"). */
  function wishOf(quantity: Mention, measure: { unit: 'minutes' | 'km'; value: number }): TravelWish {
    const [before, behind] = [past(quantity.from - 1, -1), past(quantity.to, 1)];
    const [bound, after] = [owners.get(before), owners.get(behind)];
    const leads = is(bound, 'at-most') || is(bound, 'below') ? bound : undefined;
    const follows = is(after, 'at-most-after') ? after : undefined;
    const [from, to] = [leads?.from ?? quantity.from, follows?.to ?? quantity.to];
    const quote = quoteOf(tokens, from, to);
    const isLoose = isAway(quantity) && !hasOtherBound(before);
    const isLimited = leads !== undefined || follows !== undefined;
    const isNegated = TURNING.some((term) => isNegation(owners.get(from - 1), term));
    const isJoined = [owners.get(from - 1), owners.get(to)].some((other) => isNegation(other, 'alternative'));
    const isOther =
      isFromElsewhere(tokens, quantity.to, between) ||
      (leads !== undefined && tokens[from - 1]?.text === 'in') ||
      hasInSentence('other-time', quantity.from);
    if (!(isLimited || isLoose) || isNegated || isJoined || isOther) return { kind: 'unclear', quote };
    return {
      kind: 'limit',
      ...measure,
      strict: is(leads, 'below') && follows === undefined,
      loose: !isLimited,
      quote,
    };
  }

  return mentions
    .filter((mention) => mention.lexicon === TRAVEL)
    .flatMap((mention): TravelWish[] => {
      const [term = ''] = mention.terms;
      const worded = WORDED.exec(term)?.[1];
      if (worded !== undefined) return [wishOf(mention, { unit: 'minutes', value: Number(worded) })];
      const [measure, value] = [UNITS.get(term), mention.numbers[0]?.value];
      if (measure !== undefined && value != null)
        return [wishOf(mention, { unit: measure.unit, value: value * measure.times })];
      return is(mention, 'unclear') || mention.numbers.length > 0
        ? [{ kind: 'unclear', quote: mention.quote }]
        : [];
    });
}

/** Earlier wishes with later ones: a later limit in kilometers or in minutes takes the place of an earlier one. */
export function amended(earlier: readonly TravelWish[], later: readonly TravelWish[]): TravelWish[] {
  const replaces = (wish: TravelWish) =>
    wish.kind === 'limit' && later.some((other) => other.kind === 'limit' && other.unit === wish.unit);
  return [...earlier.filter((wish) => !replaces(wish)), ...later];
}

const PLACES = ['places', 'elsewhere'];

/** The words by which one turn says where the place is to be ("in Augsburg", "near the airport", "on my way"), or null. */
export function placeIn(
  tokens: readonly Token[],
  mentions: readonly Mention[],
  vocabulary: Vocabulary,
): string | null {
  const owners = new Map(mentions.flatMap((mention) => mention.places.map((place) => [place, mention])));
  const { determiner } = vocabulary;
  const isPlace = (at: number): boolean => {
    const owner = owners.get(at);
    if (owner === undefined) return tokens[at]?.kind === 'word';
    return owner.lexicon === FILLER && PLACES.some((term) => owner.terms.includes(term));
  };
  for (const way of wayMentions(tokens, vocabulary)) {
    if (way.terms.includes('route') || way.terms.includes('place')) return way.quote;
    if (!way.terms.includes('at-place')) continue;
    let at = way.to;
    while (determiner.has(tokens[at]?.text ?? '')) at += 1;
    if (isPlace(at)) return quoteOf(tokens, way.from, at + 1);
  }
  const named = mentions.find((mention) => mention.lexicon === FILLER && mention.terms.includes('places'));
  return named?.quote ?? null;
}
