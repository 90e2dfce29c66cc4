import type { Part, Phrase } from './compile-lexicon.ts';
import type { Token } from './tokenize.ts';

const ENDINGS = ['', 'e', 'en', 'er', 'es', 'em'];

/** Most words that a phrase may skip between two of its parts, and most that a gap may hold. */
const MAX_SKIP = 4;
const MAX_GAP = 5;

/** Forms under which a token's word may stand in a lexicon: itself, without a plural s, without a German ending. */
export function stemsOf(text: string): string[] {
  const stems = [text];
  if (text.endsWith('ies')) stems.push(`${text.slice(0, -3)}y`);
  for (const ending of ['s', 'es', 'e', 'en', 'er', 'em'])
    if (text.endsWith(ending) && text.length - ending.length >= 3) stems.push(text.slice(0, -ending.length));
  return stems;
}

function isPlural(text: string, singular: string): boolean {
  if (singular.length < 3) return false;
  return (
    text === `${singular}s` ||
    text === `${singular}es` ||
    (singular.endsWith('y') && text === `${singular.slice(0, -1)}ies`)
  );
}

function fitsPart(token: Token, part: Part, last: boolean): boolean {
  switch (part.is) {
    case 'number':
      return token.value !== null && (!part.decimals || /\d[.,]\d/.test(token.text));
    case 'clock':
      return token.kind === 'clock';
    case 'gap':
    case 'end':
      return false;
    case 'stem':
      return ENDINGS.some((ending) => token.text === part.text + ending);
    case 'word':
      return token.text === part.text || (last && token.kind === 'word' && isPlural(token.text, part.text));
  }
}

export interface PhraseMatch {
  /** Places of the tokens that are the phrase's own parts, gaps left out. */
  parts: number[];
  /** Places of words skipped in between. */
  skipped: number[];
}

/** Where a part stands at a place or behind it, with at most so many tokens before it that `passes` lets through; or null. */
function placeOf(
  { part, last }: { part: Part; last: boolean },
  tokens: readonly Token[],
  from: number,
  most: number,
  passes: (token: Token) => boolean,
): number | null {
  for (let place = from; place <= from + most; place += 1) {
    const token = tokens[place];
    if (token === undefined) return null;
    if (fitsPart(token, part, last)) return place;
    if (!passes(token)) return null;
  }
  return null;
}

const isNoBreak = (token: Token): boolean => token.kind !== 'break';

/** Whether a clause ends at a place, be it with a word of courtesy. */
const endsAt = (tokens: readonly Token[], at: number): boolean =>
  (tokens[at]?.kind ?? 'break') === 'break' || /^(?:please|bitte|thanks|danke)$/.test(tokens[at]?.text ?? '');

/**
 * Matches a phrase whose first part stands at `at`. Words for which `skips` holds may stand in between; what stands in a
 * gap is no part of the match. Null where it does not match.
 */
export function matchPhrase(
  phrase: Phrase,
  tokens: readonly Token[],
  at: number,
  skips: (token: Token) => boolean,
): PhraseMatch | null {
  const parts: number[] = [];
  const skipped: number[] = [];
  let from = at;
  const isAtEnd = phrase.parts.at(-1)?.is === 'end';
  const wanted = isAtEnd ? phrase.parts.slice(0, -1) : phrase.parts;
  for (const [index, part] of wanted.entries()) {
    if (part.is === 'gap') continue;
    const isAfterGap = wanted[index - 1]?.is === 'gap';
    const most = index === 0 ? 0 : isAfterGap ? MAX_GAP : MAX_SKIP;
    const sought = { part, last: index === wanted.length - 1 };
    const place = placeOf(sought, tokens, from, most, isAfterGap ? isNoBreak : skips);
    if (place === null) return null;
    if (!isAfterGap) for (let between = from; between < place; between += 1) skipped.push(between);
    parts.push(place);
    from = place + 1;
  }
  return isAtEnd && !endsAt(tokens, from) ? null : { parts, skipped };
}
