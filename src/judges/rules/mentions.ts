import {
  type CompiledLexicon,
  createPhraseIndex,
  matchPhrase,
  type Phrase,
  type PhraseIndex,
} from './lexicon.ts';
import type { Token } from './tokens.ts';

type NumberPhrase = Pick<Mention, 'lexicon' | 'terms' | 'places' | 'from' | 'to' | 'numbers'>;

/** Whether a token is one of some words, in the singular or plural. */
export const has = (words: ReadonlySet<string> | undefined, token: Token | undefined): boolean =>
  words !== undefined &&
  token !== undefined &&
  (words.has(token.text) || words.has(token.text.replace(/s$/, '')));

/** Larger numbers are counts ("500 reviews"), not ratings. */
const HIGHEST = 10;

/** "One" and "two" are mostly no ratings ("the best rated one"): only where the word of the scale follows ("one star"). */
const isLooseWord = (number: Token): boolean =>
  number.scale === null && /^\p{L}+$/u.test(number.text) && (number.value ?? 0) <= 2;

const SCALE_WORD = /^(?:stars?|starred|stern|sternen?|points?|punkten?)$/;

/** After these a bare number is that of a house or a room: "near 4.5 Main Street". */
const BEFORE_HOUSES =
  /^(?:near|on|to|room|floor|number|nr|exit|route|highway|gate|version|zimmer|nummer|stock|ausfahrt)$/;

/** Relations that may be told without saying what they are about: "Italian, at least 4". */
const BOUNDS = new Set(['at-least', 'above', 'slightly']);
/** Before a bound these speak of people, hours or prices: "we are at least 4". */
const OTHER_COUNTS =
  /^(?:for|are|be|were|of|after|until|till|by|from|seats?|tables?|sind|für|fur|nach|ab|um)$/;

/** Whether a bound on a whole number stands alone, at the end of what is said: "Italian at least 4". */
function isLoneBound(candidate: NumberPhrase, tokens: readonly Token[]): boolean {
  const [number, ...others] = candidate.numbers;
  if (number === undefined || others.length > 0 || !/^[1-5]$/.test(number.text)) return false;
  const [before, after] = [tokens[candidate.from - 1], tokens[candidate.to]];
  return (
    candidate.terms.some((term) => BOUNDS.has(term)) &&
    (before === undefined || !OTHER_COUNTS.test(before.text)) &&
    (after === undefined || after.kind === 'break' || /^(?:please|bitte|and|und)$/.test(after.text))
  );
}

/**
 * Whether a number phrase is about the lexicon's subject: a word that says so in it or beside it, a lone decimal, or a
 * bound that stands alone.
 */
export function isAbout(candidate: NumberPhrase, tokens: readonly Token[], vocabulary: Vocabulary): boolean {
  const about = vocabulary.about.get(candidate.lexicon);
  const glue = vocabulary.glue.get(candidate.lexicon);
  const beside = vocabulary.beside.get(candidate.lexicon);
  if (candidate.numbers.some((number) => number.scale === null && (number.value ?? 0) > HIGHEST))
    return false;
  if (candidate.numbers.some(isLooseWord)) {
    const last = candidate.numbers.at(-1);
    return candidate.places.some(
      (place) => tokens[place] === last && SCALE_WORD.test(tokens[place + 1]?.text ?? ''),
    );
  }
  if (candidate.places.some((place) => has(about, tokens[place]))) return true;
  for (const [start, step] of [
    [candidate.from - 1, -1],
    [candidate.to, 1],
  ] as const)
    for (let place = start; Math.abs(place - start) <= 4; place += step) {
      const token = tokens[place];
      if (has(about, token)) return true;
      if (!has(glue, token) && !has(beside, token) && token?.text !== ':') break;
    }
  if (isLoneBound(candidate, tokens)) return true;
  if ([candidate.from - 1, candidate.from].some((place) => BEFORE_HOUSES.test(tokens[place]?.text ?? '')))
    return false;
  return candidate.numbers.some(
    (number) => number.scale !== null || (/^[1-5][.,]\d$/.test(number.text) && (number.value ?? 9) <= 5),
  );
}

/** The lexicon of words that turn wishes around. Its term ids are fixed: see `prompts/lexicons/negation.yaml`. */
export const NEGATION = 'negation';

export const isNegation = (mention: Mention | undefined, term: string): boolean =>
  mention?.lexicon === NEGATION && mention.terms.includes(term);

/** The lexicon of limits that a user sets to way and drive. Its term ids are fixed: see `prompts/lexicons/travel.yaml`. */
export const TRAVEL = 'travel';
/** The lexicon of words that carry no wish. */
export const FILLER = 'filler';
/** The lexicon of words that say where a place is to be; looked for by itself, not as mentions. */
export const WAY = 'way';

/** Lexicons that hold no wishes which the checks of a rubric ask for. */
export const HELPERS: ReadonlySet<string> = new Set([NEGATION, FILLER, TRAVEL]);

/** Words of an utterance that a lexicon knows. */
export interface Mention {
  lexicon: string;
  /** The terms that the words may stand for; several where a lexicon lists the same phrase under several. */
  terms: readonly string[];
  sign: boolean;
  reading: Phrase['reading'];
  /** Places of the tokens, ascending. `from` is the first, `to` is behind the last. */
  places: readonly number[];
  from: number;
  to: number;
  /** Numbers in the phrase, in order. */
  numbers: readonly Token[];
  /** The words as the user wrote them. */
  quote: string;
}

/** The lexicons of one reading. Those in `numeric` hold number phrases (see the check `number-wish`). */
export interface Vocabulary {
  lexicons: ReadonlyMap<string, CompiledLexicon>;
  numeric: ReadonlySet<string>;
  /** Those of them whose phrases all name a unit, so that no number is taken for something else. */
  measured: ReadonlySet<string>;
  index: PhraseIndex;
  /** For each numeric lexicon the words that say what a number is about, those that may stand in between, and beside. */
  about: ReadonlyMap<string, ReadonlySet<string>>;
  glue: ReadonlyMap<string, ReadonlySet<string>>;
  beside: ReadonlyMap<string, ReadonlySet<string>>;
  /** Words with which a number is one to change by. */
  relative: ReadonlyMap<string, ReadonlySet<string>>;
  /** Words that may stand between a quantity of way or drive and what limits it. */
  between: ReadonlySet<string>;
  /** Words that may stand between an attributive word and what it leads to. */
  determiner: ReadonlySet<string>;
  /** Words that say what a request is for, be it within a longer phrase ("fine dining"). */
  subject: ReadonlySet<string>;
}

const singleWords = (lexicon: CompiledLexicon, term: string): ReadonlySet<string> =>
  new Set(
    lexicon.phrases.flatMap((phrase) => {
      const first = phrase.parts[0];
      const single = phrase.term === term && phrase.parts.length === 1 && first !== undefined;
      return single && (first.is === 'word' || first.is === 'stem') ? [first.text] : [];
    }),
  );

export function createVocabulary(
  lexicons: readonly CompiledLexicon[],
  numeric: ReadonlySet<string>,
  measured: ReadonlySet<string> = new Set(),
): Vocabulary {
  const wordsOf = (id: string, term: string): ReadonlySet<string> =>
    new Set(lexicons.flatMap((lexicon) => (lexicon.id === id ? [...singleWords(lexicon, term)] : [])));
  const numberLexicons = lexicons.filter((lexicon) => numeric.has(lexicon.id));
  return {
    lexicons: new Map(lexicons.map((lexicon) => [lexicon.id, lexicon])),
    numeric,
    measured,
    index: createPhraseIndex(lexicons.filter(({ id }) => id !== WAY || lexicons.length === 1)),
    about: new Map(numberLexicons.map((lexicon) => [lexicon.id, singleWords(lexicon, 'about')])),
    glue: new Map(numberLexicons.map((lexicon) => [lexicon.id, singleWords(lexicon, 'glue')])),
    beside: new Map(numberLexicons.map((lexicon) => [lexicon.id, singleWords(lexicon, 'beside')])),
    relative: new Map(numberLexicons.map((lexicon) => [lexicon.id, singleWords(lexicon, 'relative')])),
    between: wordsOf(TRAVEL, 'between'),
    determiner: wordsOf(FILLER, 'determiner'),
    subject: wordsOf(FILLER, 'subject'),
  };
}

interface Candidate extends Mention {
  hasNumber: boolean;
  weight: number;
}

/** Tokens as the user wrote them. */
export const quoteOf = (tokens: readonly Token[], from: number, to: number): string =>
  tokens
    .slice(from, to)
    .map((token, index) => (index === 0 ? '' : token.space) + token.raw)
    .join('')
    .replace(/\s+/g, ' ');

/** Terms of a numeric lexicon that only help its phrases; alone they are no mentions. */
const IN_BETWEEN = new Set(['glue', 'beside', 'relative']);

function candidatesOf(tokens: readonly Token[], vocabulary: Vocabulary): Candidate[] {
  return tokens.flatMap((token, at) =>
    vocabulary.index.startingAt(token).flatMap((phrase): Candidate[] => {
      if (phrase.lexicon === TRAVEL && phrase.term === 'between') return [];
      if (vocabulary.numeric.has(phrase.lexicon) && IN_BETWEEN.has(phrase.term)) return [];
      const about = vocabulary.about.get(phrase.lexicon);
      const glue = vocabulary.glue.get(phrase.lexicon);
      const match = matchPhrase(
        phrase,
        tokens,
        at,
        (skipped) => skipped.text === ':' || has(about, skipped) || has(glue, skipped),
      );
      if (match === null) return [];
      const places = [...match.parts, ...match.skipped].sort((a, b) => a - b);
      const to = (places.at(-1) ?? at) + 1;
      const solid = phrase.parts.filter((part) => part.is !== 'gap' && part.is !== 'end');
      return [
        {
          lexicon: phrase.lexicon,
          terms: [phrase.term],
          sign: phrase.sign,
          reading: phrase.reading,
          places,
          from: at,
          to,
          numbers: match.parts.flatMap((place, index) => {
            const found = tokens[place];
            return solid[index]?.is === 'number' && found !== undefined ? [found] : [];
          }),
          quote: quoteOf(tokens, at, to),
          hasNumber: phrase.hasNumber,
          weight: match.parts.length,
        },
      ];
    }),
  );
}

/** Longest first, then in reading order; among equals the order of the lexicons decides. */
const byLength = (a: Candidate, b: Candidate): number => b.weight - a.weight || a.from - b.from;

/** Whether one word says two things: a "Fahrerfenster" is a window and the driver's. */
const isShared = (candidate: Candidate, owners: ReadonlySet<Candidate>): boolean =>
  candidate.places.length === 1 &&
  !HELPERS.has(candidate.lexicon) &&
  [...owners].every(
    (owner) =>
      owner.places.length === 1 &&
      owner.lexicon !== candidate.lexicon &&
      !HELPERS.has(owner.lexicon) &&
      owner.reading === 'exact' &&
      candidate.reading === 'exact' &&
      !owner.hasNumber &&
      !candidate.hasNumber,
  );

function take(candidates: readonly Candidate[], taken: Map<number, Candidate>, chosen: Candidate[]): void {
  for (const candidate of [...candidates].sort(byLength)) {
    const owners = new Set(candidate.places.flatMap((place) => taken.get(place) ?? []));
    const [owner] = owners;
    const twin = owners.size === 1 && owner?.lexicon === candidate.lexicon && owner.quote === candidate.quote;
    if (owner !== undefined && twin && owner.from === candidate.from && !owner.hasNumber) {
      if (owner.reading === candidate.reading && !owner.terms.includes(candidate.terms[0] ?? ''))
        owner.terms = [...owner.terms, ...candidate.terms];
      continue;
    }
    if (owners.size > 0 && !isShared(candidate, owners)) continue;
    const copy = { ...candidate };
    chosen.push(copy);
    for (const place of copy.places) if (!taken.has(place)) taken.set(place, copy);
  }
}

/** Whether a number says how much more or less: "2 degrees warmer". */
function isRelative(mention: Mention, tokens: readonly Token[], { relative }: Vocabulary): boolean {
  const words = relative.get(mention.lexicon);
  if (words === undefined || words.size === 0) return false;
  const ends = (token: Token) => token.kind === 'break' && token.text !== ',';
  const start = tokens.slice(0, mention.from).findLastIndex(ends) + 1;
  const behind = tokens.slice(mention.to).findIndex(ends);
  const sentence = tokens.slice(start, behind < 0 ? tokens.length : mention.to + behind);
  return sentence.some((token) => words.has(token.text));
}

/**
 * All that the vocabulary knows in one turn, without overlaps, in reading order. Quantities of other things
 * ("15 minutes", "table for 4") are settled first, so that their numbers are not taken for ratings; then the number
 * phrases of the numeric lexicons, a bare number last; then everything else, the longest phrase first.
 */
export function findMentions(tokens: readonly Token[], vocabulary: Vocabulary): Mention[] {
  const candidates = candidatesOf(tokens, vocabulary);
  const isWish = (candidate: Candidate) =>
    candidate.hasNumber && vocabulary.numeric.has(candidate.lexicon) && candidate.reading === 'exact';
  const taken = new Map<number, Candidate>();
  const chosen: Candidate[] = [];
  take(
    candidates.filter((candidate) => candidate.hasNumber && !isWish(candidate)),
    taken,
    chosen,
  );
  const wishes = candidates.filter(
    (candidate) =>
      isWish(candidate) &&
      (vocabulary.measured.has(candidate.lexicon) || isAbout(candidate, tokens, vocabulary)),
  );
  const isPlain = (candidate: Candidate) =>
    candidate.terms.includes('plain') || candidate.terms.includes('stars');
  take(
    wishes.filter((candidate) => !isPlain(candidate)),
    taken,
    chosen,
  );
  take(wishes.filter(isPlain), taken, chosen);
  take(
    candidates.filter((candidate) => !candidate.hasNumber),
    taken,
    chosen,
  );
  for (const mention of chosen)
    if (mention.terms.includes('plain') && isRelative(mention, tokens, vocabulary)) mention.terms = ['by'];
  return chosen.sort((a, b) => a.from - b.from);
}
