import { type Mention, quoteOf, TRAVEL, type Vocabulary } from './find-mentions.ts';
import { isNegation } from './read-polarity.ts';
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
  if (measure === undefined || number?.value == null || !limited || negated || joined)
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
