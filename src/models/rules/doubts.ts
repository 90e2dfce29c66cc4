import type { Clauses } from './clauses.ts';
import { FILLER, type Mention, quoteOf } from './find-mentions.ts';
import { isNegation } from './negation.ts';
import type { MeantMention } from './read-polarity.ts';
import type { Token } from './tokenize.ts';

/** Tokens that nothing explains, one after the other. */
export interface UnreadRun {
  from: number;
  to: number;
  quote: string;
}

/** After these and an article stands where it is to be, not what: "near the bakery". */
const NEAR =
  /^(?:near|opposite|beside|behind|by|past|around|nahe|neben|gegenuber|hinter|vor|beim|unweit|bei)$/;
const ARTICLE = /^(?:the|my|our|this|that|der|dem|den|die|das|meinem|meiner|unserem|unserer)$/;
/** "Next to the", "close to the". */
const TO_AFTER = /^(?:next|close|closest|nearest|near)$/;

/** Kinds of places to eat that are written like other places: "pizza house", "noodle bar". */
const EATERIES = /^(?:bar|house|haus|shop|store|club|place)s?$/;

const isFiller = (mention: Mention | undefined, terms: readonly string[]): mention is Mention =>
  mention?.lexicon === FILLER && mention.terms.some((term) => terms.includes(term));

/** Whether a mention says of what kind a person, a building, a vehicle is: "my Italian friend", "Hamburger Bahnhof". */
function modifies(mention: Mention, next: Mention | undefined): boolean {
  if (mention.reading !== 'exact') return false;
  if (!mention.sign && isFiller(next, ['person', 'landmark'])) return true;
  return isFiller(next, ['elsewhere']) && !EATERIES.test(next.quote.toLowerCase());
}

/** Whether a mention names what the place is to be near: "near the coffee shop". */
function isLandmark(mention: Mention, tokens: readonly Token[]): boolean {
  const [before, second, third] = [1, 2, 3].map((step) => tokens[mention.from - step]?.text ?? '');
  if (!ARTICLE.test(before ?? '')) return false;
  return NEAR.test(second ?? '') || (second === 'to' && TO_AFTER.test(third ?? ''));
}

/**
 * Makes unclear what is not surely a wish: where words stand in the same clause that were not understood, where the
 * sentence takes back or weakens what it says ("… is fine, too"), and where the mention is part of something else.
 */
export function markDoubts(
  tokens: readonly Token[],
  owners: ReadonlyMap<number, Mention>,
  clauses: Clauses,
  unread: readonly UnreadRun[],
  meant: readonly MeantMention[],
): void {
  // "Two pizzas": how many is no doubt.
  const isCount = ({ from, to }: UnreadRun) =>
    to - from === 1 && tokens[from]?.kind === 'number' && owners.get(to)?.sign === true;
  const misread = new Map(
    unread.filter((run) => !isCount(run)).map((run) => [clauses.startOf(run.from), run.quote]),
  );
  const weakened = new Map(
    [...new Set(owners.values())]
      .filter((mention) => isNegation(mention, 'doubt'))
      .map((mention) => [clauses.sentenceOf(mention.from), mention.quote]),
  );
  const doubt = (mention: MeantMention, words: string | null) => {
    if (mention.polarity === 'optional') return;
    mention.polarity = 'unclear';
    mention.doubt = words;
  };
  for (const mention of meant) {
    const words =
      weakened.get(clauses.sentenceOf(mention.from)) ?? misread.get(clauses.startOf(mention.from));
    const next = owners.get(mention.to);
    if (words !== undefined) doubt(mention, words);
    else if (modifies(mention, next)) doubt(mention, next?.quote ?? null);
    else if (mention.reading === 'exact' && isLandmark(mention, tokens))
      doubt(mention, quoteOf(tokens, mention.from - 2, mention.from));
  }
}
