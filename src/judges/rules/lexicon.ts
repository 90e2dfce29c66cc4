import type { Lexicon, LexiconTerm } from '../../judging/lexicon.ts';
import { FILLER } from './mentions.ts';
import { fold, type Token } from './tokens.ts';

/**
 * One word of a phrase: literal, stem with German endings, a placeholder for a number or a time of day, a gap for words
 * that the phrase stands around, or the end of a clause.
 */
export type Part =
  | { is: 'word'; text: string }
  | { is: 'stem'; text: string }
  | { is: 'number'; decimals: boolean }
  | { is: 'clock' }
  | { is: 'gap' }
  | { is: 'end' };

export interface Phrase {
  lexicon: string;
  term: string;
  /** Whether the phrase is a sign (a dish) and not a name of the term. */
  sign: boolean;
  reading: LexiconTerm['reading'];
  parts: readonly Part[];
  hasNumber: boolean;
}

export interface CompiledLexicon {
  id: string;
  single: boolean;
  namesSubject: boolean;
  terms: ReadonlyMap<string, LexiconTerm>;
  phrases: readonly Phrase[];
  /** For each term itself and all wider ones, transitively. */
  wider: ReadonlyMap<string, ReadonlySet<string>>;
  /** For each term those that have a term in common with it: Mediterranean and European have Greek. */
  overlaps: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Parts of a phrase as written in a lexicon file. */
const partsOf = (phrase: string): Part[] =>
  fold(phrase)
    .replace(/(?<=[\p{L}\d])[-‐‑–](?=[\p{L}#])/gu, ' ')
    .split(/\s+/)
    .map((text) => text.replace(/(?<=[\p{L}])[.,!?]+$/u, ''))
    .filter((text) => text !== '')
    .map((text): Part => {
      if (text === '#' || text === '#.#') return { is: 'number', decimals: text === '#.#' };
      if (text === '|') return { is: 'end' };
      // Folding turns "…" into three dots.
      if (text === '...') return { is: 'gap' };
      if (text === '#clock') return { is: 'clock' };
      return text.endsWith('*') ? { is: 'stem', text: text.slice(0, -1) } : { is: 'word', text };
    });

function widerTerms(terms: ReadonlyMap<string, LexiconTerm>, id: string): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = [id];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    queue.push(...(terms.get(next)?.within ?? []));
  }
  return found;
}

function overlapping(wider: ReadonlyMap<string, ReadonlySet<string>>): Map<string, Set<string>> {
  const overlaps = new Map([...wider.keys()].map((id) => [id, new Set<string>()]));
  for (const terms of wider.values())
    for (const one of terms) for (const other of terms) overlaps.get(one)?.add(other);
  return overlaps;
}

/** A lexicon made ready for matching; done once per lexicon. */
export function compileLexicon(lexicon: Lexicon): CompiledLexicon {
  const terms = new Map(lexicon.terms.map((term) => [term.id, term]));
  const wider = new Map(lexicon.terms.map((term) => [term.id, widerTerms(terms, term.id)]));
  const phraseOf = (term: LexiconTerm, sign: boolean) => (written: string) => {
    const parts = partsOf(written);
    return {
      lexicon: lexicon.id,
      term: term.id,
      sign,
      reading: term.reading,
      parts,
      hasNumber: parts.some((part) => part.is === 'number'),
    };
  };
  return {
    id: lexicon.id,
    single: lexicon.single,
    namesSubject: lexicon.namesSubject,
    terms,
    phrases: lexicon.terms
      .flatMap((term) => [...term.words.map(phraseOf(term, false)), ...term.signs.map(phraseOf(term, true))])
      .filter((phrase) => phrase.parts.length > 0),
    wider,
    overlaps: overlapping(wider),
  };
}

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

/** Finds the phrases that could start at a token, without trying all of them. */
export interface PhraseIndex {
  startingAt(token: Token): readonly Phrase[];
}

export function createPhraseIndex(lexicons: readonly CompiledLexicon[]): PhraseIndex {
  const byWord = new Map<string, Phrase[]>();
  const byNumber: Phrase[] = [];
  const byClock: Phrase[] = [];
  for (const phrase of lexicons.flatMap((lexicon) => lexicon.phrases)) {
    const first = phrase.parts[0];
    if (first === undefined || first.is === 'gap' || first.is === 'end') continue;
    if (first.is === 'number') byNumber.push(phrase);
    else if (first.is === 'clock') byClock.push(phrase);
    else {
      const others = byWord.get(first.text);
      if (others === undefined) byWord.set(first.text, [phrase]);
      else others.push(phrase);
    }
  }
  return {
    startingAt: (token) => [
      ...[...new Set(stemsOf(token.text))].flatMap((stem) => byWord.get(stem) ?? []),
      ...(token.value === null ? [] : byNumber),
      ...(token.kind === 'clock' ? byClock : []),
    ],
  };
}

const SUBJECT = 'subject';
const ELSEWHERE = 'elsewhere';

/**
 * The words without a wish, for requests of one rubric: those of the lexicon that has the rubric's name go before the
 * common ones. What the common ones take for the subject (a place to eat) is then something else that may be looked for.
 */
export function requestWords(common: Lexicon, own: Lexicon | undefined): Lexicon {
  if (own === undefined) return { ...common, id: FILLER };
  const claimed = new Set(own.terms.flatMap(({ words }) => words));
  const subject = common.terms.find(({ id }) => id === SUBJECT)?.words ?? [];
  const kept = common.terms
    .filter(({ id }) => id !== SUBJECT)
    .map((term) => {
      const words = term.id === ELSEWHERE ? [...term.words, ...subject] : term.words;
      return { ...term, words: words.filter((word) => !claimed.has(word)) };
    });
  const ids = new Set([...kept, ...own.terms].map(({ id }) => id));
  const termOf = (id: string) => {
    const [first, ...others] = [...own.terms, ...kept].filter((term) => term.id === id);
    return first === undefined ? [] : [{ ...first, words: [first, ...others].flatMap(({ words }) => words) }];
  };
  return { ...own, id: FILLER, terms: [...ids].flatMap(termOf) };
}
