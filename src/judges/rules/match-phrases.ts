import { memoized, oncePer } from '../../common/index.ts';
import type { LexiconTerm } from '../../judging/standards/index.ts';
import { type CompiledLexicon, createPhraseIndex, matchPhrase, type Phrase } from './lexicon.ts';
import { type NumberWords, numberWords, quoteOf, type Token } from './tokens.ts';

/** The lexicon of limits on distance and drive time. Its term ids are fixed: see `prompts/lexicons/travel.yaml`. */
export const TRAVEL = 'travel';
/** The lexicon of words that carry no wish. */
export const FILLER = 'filler';
/** The lexicon of words that negate or change wishes. Its term ids are fixed: see `prompts/lexicons/negation.yaml`. */
export const NEGATION = 'negation';
/** The lexicon of words that say where a place should be. Matched separately from the other lexicons. */
export const WAY = 'way';

/** The lexicon of words with which an answer says that it found or did nothing. */
export const DENIAL = 'denial';

/** Lexicons without wishes for a rubric's checks. */
export const HELPERS: ReadonlySet<string> = new Set([NEGATION, FILLER, TRAVEL]);

/** Words of a text that a lexicon knows. */
export interface Mention {
  lexicon: string;
  /** The terms that the words may stand for: several if a lexicon lists the same phrase under each. */
  terms: readonly string[];
  sign: boolean;
  reading: LexiconTerm['reading'];
  /** The indexes of the tokens, ascending. `from` is the first; `to` is one past the last. */
  places: readonly number[];
  from: number;
  to: number;
  /** Numbers in the phrase, in order. */
  numbers: readonly Token[];
  /** The words as the user wrote them. */
  quote: string;
}

/** The term of a numeric lexicon whose words say what a number is about. */
export const ABOUT = 'about';

/** A text with the mentions that its words belong to. */
export interface Reading {
  tokens: readonly Token[];
  /** In reading order. */
  mentions: readonly Mention[];
  /** The mention that each token belongs to, by the token's index. */
  owners: ReadonlyMap<number, Mention>;
  /** The mentions of the lexicon `way`, matched on its own, since its words may also belong to other lexicons. */
  ways: readonly Mention[];
}

export const isOf = (mention: Mention | undefined, lexicon: string, ...terms: readonly string[]): boolean =>
  mention?.lexicon === lexicon && mention.terms.some((term) => terms.includes(term));

/** The roles of lexicons in a rubric. */
interface Roles {
  /** Lexicons with number phrases (see the check `number-wish`). */
  numeric: ReadonlySet<string>;
  /** Lexicons among them whose phrases also say what the number is about, so that it cannot be about anything else. */
  measured: ReadonlySet<string>;
  /** Lexicons of wishes that the rubric checks. */
  wishes: ReadonlySet<string>;
  numbers: NumberWords;
  /** Lexicons that are matched on their own, so that they may share words with others. */
  beside: ReadonlySet<string>;
}

/** The lexicons of one reading. */
export interface Vocabulary extends Omit<Roles, 'wishes' | 'beside'> {
  lexicons: ReadonlyMap<string, CompiledLexicon>;
  /** The lexicons of wishes. Those in which any unknown name may be a term come first. */
  wishes: readonly string[];
  index: ReturnType<typeof createPhraseIndex>;
  /** The single words of a term. */
  words: (lexicon: string, term: string) => ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

export function createVocabulary(
  lexicons: readonly CompiledLexicon[],
  {
    numeric = none,
    measured = none,
    wishes = none,
    numbers = numberWords(undefined),
    beside = none,
  }: Partial<Roles> = {},
): Vocabulary {
  const byId = new Map(lexicons.map((lexicon) => [lexicon.id, lexicon]));
  const named = lexicons.filter(({ id }) => wishes.has(id));
  return {
    lexicons: byId,
    numeric,
    measured,
    wishes: [
      ...named.filter(({ open }) => open === 'names'),
      ...named.filter(({ open }) => open !== 'names'),
    ].map(({ id }) => id),
    numbers,
    index: createPhraseIndex(
      lexicons
        .filter(({ id }) => !beside.has(id))
        .flatMap(({ phrases }) => phrases.filter((phrase) => !isHelp(phrase, numeric))),
    ),
    words: (id, term) => byId.get(id)?.words(term) ?? none,
  };
}

interface Candidate extends Mention {
  /** Its turn to be chosen, from 0: quantities of other things, wishes for numbers, stars, bare numbers, everything else. */
  step: number;
  /** The number of the phrase's own words among its tokens. */
  weight: number;
}

/** Whether a token is one of some words, in the singular or plural. */
export const isAmong = (words: ReadonlySet<string>, token: Token | undefined): boolean =>
  token !== undefined && [token.text, token.text.replace(/s$/, '')].some((text) => words.has(text));

/** Terms that only support phrases of a numeric lexicon and are not mentions by themselves. */
const IN_BETWEEN = new Set(['glue', 'beside', 'relative', 'scale', 'house']);

/** Whether a phrase only supports others and is not a mention by itself. */
const isHelp = (
  { lexicon, term }: Pick<Phrase, 'lexicon' | 'term'>,
  numeric: ReadonlySet<string>,
): boolean => (lexicon === TRAVEL ? term === 'between' : numeric.has(lexicon) && IN_BETWEEN.has(term));

function candidateOf(
  phrase: Phrase,
  tokens: readonly Token[],
  at: number,
  vocabulary: Vocabulary,
): Candidate | null {
  const { lexicon, term, sign, reading, hasNumber } = phrase;
  const { numeric, measured } = vocabulary;
  const isNumeric = numeric.has(lexicon);
  const mayStandIn = (other: Token): boolean =>
    other.text === ':' ||
    (isNumeric && ['about', 'glue'].some((id) => isAmong(vocabulary.words(lexicon, id), other)));
  const match = matchPhrase(phrase, tokens, at, mayStandIn);
  if (match === null) return null;
  const to = (match.places.at(-1) ?? at) + 1;
  const words = { from: at, to, quote: quoteOf(tokens, at, to) };
  const mention = { lexicon, terms: [term], sign, reading, ...match, ...words };
  const isWish = hasNumber && isNumeric && reading === 'exact';
  if (isWish && !measured.has(lexicon) && !isAbout(mention, tokens, vocabulary)) return null;
  // Stars come before bare numbers, so that "rated 4 stars" is a number of stars.
  const wishStep = term === 'plain' ? 3 : term === 'stars' ? 2 : 1;
  return { ...mention, step: hasNumber ? (isWish ? wishStep : 0) : 4 };
}

/** Sorts by step, then the longest first, then in reading order. Ties keep the order of the lexicons. */
const inOrder = (a: Candidate, b: Candidate): number =>
  a.step - b.step || b.weight - a.weight || a.from - b.from;

/** Whether two mentions may share their words: a "Fahrerfenster" is a window, and on the driver's side. */
const isShared = (one: Candidate, other: Candidate): boolean =>
  one.lexicon !== other.lexicon &&
  one.quote === other.quote &&
  [one, other].every(
    ({ lexicon, reading, numbers }) => !HELPERS.has(lexicon) && reading === 'exact' && numbers.length === 0,
  );

/** The candidates that do not overlap with an earlier one. Equal words under several terms are merged. */
function chosenOf(candidates: Candidate[]): Candidate[] {
  const taken = new Map<number, Candidate>();
  const chosen: Candidate[] = [];
  for (const candidate of candidates.sort(inOrder)) {
    const owners = [...new Set(candidate.places.flatMap((place) => taken.get(place) ?? []))];
    const [owner] = owners;
    const isTwin =
      owner?.lexicon === candidate.lexicon &&
      owner.quote === candidate.quote &&
      owner.from === candidate.from;
    if (isTwin && owners.length === 1 && owner.numbers.length === 0) {
      if (owner.reading === candidate.reading && owner.weight === candidate.weight)
        owner.terms = [...new Set([...owner.terms, ...candidate.terms])];
    } else if (owners.every((other) => isShared(candidate, other))) {
      chosen.push(candidate);
      for (const place of candidate.places) if (!taken.has(place)) taken.set(place, candidate);
    }
  }
  return chosen;
}

/** Numbers above this are counts ("500 reviews"), not ratings. */
const HIGHEST = 10;
/** Maximum number of tokens between a number and the word that says what it is about. */
const REACH = 5;

/**
 * Whether a number phrase is about the lexicon's subject: a word in it or next to it says so, it has a scale, or it is a
 * decimal such as 4.5.
 */
function isAbout(
  { lexicon, numbers, places, from, to }: Mention,
  tokens: readonly Token[],
  { words }: Vocabulary,
) {
  const is = (place: number, ...terms: string[]): boolean =>
    terms.some((term) => isAmong(words(lexicon, term), tokens[place]));
  const unscaled = numbers.filter(({ scale }) => scale === null);
  if (unscaled.some(({ value }) => (value ?? 0) > HIGHEST)) return false;
  // "One" and "two" are rarely ratings ("the best rated one"), unless the scale's word follows ("one star").
  if (unscaled.some(({ text, value }) => /^\p{L}+$/u.test(text) && (value ?? 0) <= 2))
    return places.some((place) => tokens[place] === numbers.at(-1) && is(place + 1, 'scale'));
  if (places.some((place) => is(place, 'about'))) return true;
  for (const [start, step] of [
    [from - 1, -1],
    [to, 1],
  ] as const) {
    let place = start;
    while (Math.abs(place - start) < REACH && (is(place, 'glue', 'beside') || tokens[place]?.text === ':'))
      place += step;
    if (Math.abs(place - start) < REACH && is(place, 'about')) return true;
  }
  if (is(from - 1, 'house') || is(from, 'house')) return false;
  return numbers.some(
    ({ scale, text, value }) => scale !== null || (/^[1-5][.,]\d$/.test(text) && (value ?? 9) <= 5),
  );
}

/**
 * All mentions in a text, without overlaps, in reading order. Quantities of other things ("15 minutes", "table for 4")
 * are chosen first, so that their numbers are not taken for ratings.
 */
export function findMentions(tokens: readonly Token[], vocabulary: Vocabulary): Mention[] {
  const saysMore = memoized((lexicon: string) => {
    const relative = vocabulary.words(lexicon, 'relative');
    return relative.size > 0 && tokens.some(({ text }) => relative.has(text));
  });
  const candidates = tokens.flatMap((token, at) =>
    vocabulary.index(token).flatMap((phrase) => candidateOf(phrase, tokens, at, vocabulary) ?? []),
  );
  const chosen = chosenOf(candidates).sort((a, b) => a.from - b.from);
  // With "warmer" or "up", a bare number may be a difference: "2 degrees warmer".
  for (const mention of chosen.filter(({ lexicon }) => vocabulary.numeric.has(lexicon)))
    if (mention.terms.includes('plain') && saysMore(mention.lexicon)) mention.terms = ['by'];
  return chosen;
}

/** A vocabulary of one lexicon. */
const vocabularyOf = oncePer((lexicon: CompiledLexicon) => createVocabulary([lexicon]));

/** The mentions of a single lexicon, matched on its own. */
export function mentionsOf(id: string, tokens: readonly Token[], { lexicons }: Vocabulary): Mention[] {
  const lexicon = lexicons.get(id);
  return lexicon === undefined ? [] : findMentions(tokens, vocabularyOf(lexicon));
}

export const readingOf = (
  tokens: readonly Token[],
  mentions: readonly Mention[],
  vocabulary: Vocabulary,
): Reading => ({
  tokens,
  mentions,
  owners: new Map(mentions.flatMap((mention) => mention.places.map((place) => [place, mention]))),
  ways: mentionsOf(WAY, tokens, vocabulary),
});
