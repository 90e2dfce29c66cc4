import type { Part, Phrase } from './compile-lexicon.ts';
import type { Token } from './tokenize.ts';

const ENDINGS = ['', 'e', 'en', 'er', 'es', 'em'];

/** Most words that a phrase may skip between two of its parts. */
const MAX_SKIP = 4;

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
      return token.value !== null;
    case 'clock':
      return token.kind === 'clock';
    case 'stem':
      return ENDINGS.some((ending) => token.text === part.text + ending);
    case 'word':
      return token.text === part.text || (last && token.kind === 'word' && isPlural(token.text, part.text));
  }
}

export interface PhraseMatch {
  /** Places of the tokens that are the phrase's own parts. */
  parts: number[];
  /** Places of words skipped in between. */
  skipped: number[];
}

/**
 * Matches a phrase whose first part stands at `at`. Words for which `skips` holds may stand in between.
 * Null where it does not match.
 */
export function matchPhrase(
  phrase: Phrase,
  tokens: readonly Token[],
  at: number,
  skips: (token: Token) => boolean,
): PhraseMatch | null {
  const parts: number[] = [];
  const skipped: number[] = [];
  let place = at;
  for (const [index, part] of phrase.parts.entries()) {
    const last = index === phrase.parts.length - 1;
    let allowed = index === 0 ? 0 : MAX_SKIP;
    for (;;) {
      const token = tokens[place];
      if (token === undefined) return null;
      if (fitsPart(token, part, last)) break;
      if (allowed === 0 || !skips(token)) return null;
      skipped.push(place);
      allowed -= 1;
      place += 1;
    }
    parts.push(place);
    place += 1;
  }
  return { parts, skipped };
}
