import { type Mention, quoteOf, TRAVEL, type Vocabulary } from './find-mentions.ts';
import { isNegation } from './negation.ts';
import type { Token } from './tokenize.ts';

/** What a user says of the way. `unclear`: it is about the way or its time, but sets no exact limit. */
export type TravelWish =
  | { kind: 'limit'; unit: 'minutes' | 'km'; value: number; strict: boolean; quote: string }
  | { kind: 'unclear'; quote: string };

/** km per mile (international). */
const MILE_KM = 1.609344;

const units = new Map<string, { unit: 'minutes' | 'km'; times: number }>([
  ['km', { unit: 'km', times: 1 }],
  ['meters', { unit: 'km', times: 0.001 }],
  ['miles', { unit: 'km', times: MILE_KM }],
  ['minutes', { unit: 'minutes', times: 1 }],
  ['hours', { unit: 'minutes', times: 60 }],
]);

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

/** Reads one quantity with what limits it, before ("within 5 km") or behind it ("5 km max"). */
function wishOf(
  tokens: readonly Token[],
  owners: ReadonlyMap<number, Mention>,
  quantity: Mention,
  between: ReadonlySet<string>,
): TravelWish {
  let before = quantity.from - 1;
  while (between.has(tokens[before]?.text ?? '')) before -= 1;
  let behind = quantity.to;
  while (between.has(tokens[behind]?.text ?? '')) behind += 1;
  const [bound, after] = [owners.get(before), owners.get(behind)];
  const [leads, follows] = [
    is(bound, 'at-most') || is(bound, 'below') ? bound : undefined,
    is(after, 'at-most-after') ? after : undefined,
  ];
  const [from, to] = [leads?.from ?? quantity.from, follows?.to ?? quantity.to];
  const quote = quoteOf(tokens, from, to);
  const measure = units.get(quantity.terms[0] ?? '');
  const number = quantity.numbers[0];
  const negated = TURNING.some((term) => isNegation(owners.get(from - 1), term));
  const joined = [owners.get(from - 1), owners.get(to)].some((other) => isNegation(other, 'alternative'));
  const limited = leads !== undefined || follows !== undefined;
  const isOther =
    isFromElsewhere(tokens, quantity.to, between) || (leads !== undefined && tokens[from - 1]?.text === 'in');
  if (measure === undefined || number?.value == null || !limited || negated || joined || isOther)
    return { kind: 'unclear', quote };
  return {
    kind: 'limit',
    unit: measure.unit,
    value: number.value * measure.times,
    strict: is(leads, 'below') && follows === undefined,
    quote,
  };
}

/** What one turn says of distance and drive time, in reading order. */
export function travelWishes(
  tokens: readonly Token[],
  mentions: readonly Mention[],
  { between }: Vocabulary,
): TravelWish[] {
  const owners = new Map(mentions.flatMap((mention) => mention.places.map((place) => [place, mention])));
  return mentions
    .filter((mention) => mention.lexicon === TRAVEL)
    .flatMap((mention): TravelWish[] => {
      if (mention.numbers.length > 0) return [wishOf(tokens, owners, mention, between)];
      return is(mention, 'unclear') ? [{ kind: 'unclear', quote: mention.quote }] : [];
    });
}

/** Earlier wishes with later ones: a later limit in kilometers or in minutes takes the place of an earlier one. */
export function amended(earlier: readonly TravelWish[], later: readonly TravelWish[]): TravelWish[] {
  const replaces = (wish: TravelWish) =>
    wish.kind === 'limit' && later.some((other) => other.kind === 'limit' && other.unit === wish.unit);
  return [...earlier.filter((wish) => !replaces(wish)), ...later];
}
