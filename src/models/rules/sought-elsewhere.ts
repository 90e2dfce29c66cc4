import { FILLER, type Mention, type Vocabulary } from './find-mentions.ts';
import { has } from './is-about.ts';
import type { Token } from './tokenize.ts';

const isFiller = (mention: Mention | undefined, term: string): boolean =>
  mention?.lexicon === FILLER && mention.terms.includes(term);

/** "and", "or", "," between two attributes: "with parking and a charging station". */
const isJoint = (token: Token | undefined): boolean => /^(?:and|or|und|oder|,|&)$/.test(token?.text ?? '');

/**
 * The words for something else than a place to eat that are no mere attribute: what may be looked for instead. "Find a
 * hotel" and "take me home" hold one; "near the hotel", "with parking", "on my way home" and "noodle bar" hold none.
 */
export function soughtElsewhere(tokens: readonly Token[], mentions: readonly Mention[]): Mention[] {
  const owners = new Map(mentions.flatMap((mention) => mention.places.map((place) => [place, mention])));
  const attributes = new Set<Mention>();
  const isAttribute = (mention: Mention): boolean => {
    if (owners.get(mention.from - 1)?.sign === true) return true;
    let place = mention.from - 1;
    while (isFiller(owners.get(place), 'determiner')) place -= 1;
    const before = owners.get(isJoint(tokens[place]) ? place - 1 : place);
    if (isJoint(tokens[place])) return before !== undefined && attributes.has(before);
    return isFiller(before, 'attributive');
  };
  return mentions.filter((mention) => {
    if (!isFiller(mention, 'elsewhere')) return false;
    if (!isAttribute(mention)) return true;
    attributes.add(mention);
    return false;
  });
}

/** Whether a turn says what the request is for: a word such as "restaurant", or a mention that implies it (a dish). */
export const namesSubject = (
  tokens: readonly Token[],
  mentions: readonly Mention[],
  vocabulary: Vocabulary,
): boolean =>
  tokens.some((token) => has(vocabulary.subject, token)) ||
  mentions.some(
    (mention) =>
      isFiller(mention, 'subject') ||
      (vocabulary.lexicons.get(mention.lexicon)?.namesSubject === true && mention.reading !== 'any'),
  );
