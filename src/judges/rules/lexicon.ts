import { groupedBy, memoized } from '../../common/index.ts';
import { fold } from '../../common/text/index.ts';
import type { Lexicon, LexiconTerm } from '../../judging/standards/index.ts';
import { isBreak, type Token } from './tokens.ts';

/** One word of a phrase: literal, stem with German endings, or a placeholder for a number or a time of day. */
interface Part {
  is: 'word' | 'stem' | 'number' | 'decimal' | 'clock';
  text: string;
  /** Whether other words may come before it: "turn … on". */
  isAfterGap: boolean;
}

/** A phrase as written in a lexicon file. */
export interface WrittenPhrase extends Pick<LexiconTerm, 'reading'> {
  lexicon: string;
  term: string;
  /** Whether the phrase is a sign (a dish) and not a name of the term. */
  sign: boolean;
  written: string;
}

export interface Phrase extends WrittenPhrase {
  parts: readonly Part[];
  hasNumber: boolean;
  /** Whether the clause must end after it. */
  endsClause: boolean;
}

/** A lexicon prepared for matching. */
export interface CompiledLexicon extends Pick<Lexicon, 'id' | 'single' | 'open' | 'namesSubject'> {
  terms: ReadonlyMap<string, LexiconTerm>;
  phrases: readonly WrittenPhrase[];
  /** For each term, the term itself and all wider ones. */
  wider: ReadonlyMap<string, ReadonlySet<string>>;
  /** The single words of a term. */
  words: (term: string) => ReadonlySet<string>;
}

const PLACEHOLDERS = new Map<string, Part['is']>([
  ['#', 'number'],
  ['#.#', 'decimal'],
  ['#clock', 'clock'],
]);
/** Folding turns "…" into three dots. */
const GAP = '...';
const END = '|';

/** Matches most phrases: plain lower-case words, which need no folding. */
const PLAIN = /^[a-z]+(?: [a-z]+)*$/;

/** The words of a phrase as written in a lexicon file. */
const wordsOf = (phrase: string): string[] =>
  PLAIN.test(phrase)
    ? phrase.split(' ')
    : fold(phrase)
        .replace(/(?<=[\p{L}\d])[-‐‑–](?=[\p{L}#])/gu, ' ')
        .replace(/(?<=\p{L})[.,!?]+(?=\s|$)/gu, '')
        .split(/\s+/)
        .filter((text) => text !== '');

function widerTerms(
  terms: ReadonlyMap<string, LexiconTerm>,
  id: string,
  found: Set<string> = new Set(),
): ReadonlySet<string> {
  if (found.has(id)) return found;
  found.add(id);
  for (const wider of terms.get(id)?.within ?? []) widerTerms(terms, wider, found);
  return found;
}

export const writtenPhrase = (
  lexicon: string,
  { id, reading }: LexiconTerm,
  written: string,
  sign = false,
): WrittenPhrase => ({ lexicon, term: id, sign, reading, written });

function phraseOf(phrase: WrittenPhrase): Phrase {
  const words = wordsOf(phrase.written);
  const parts = words.flatMap((text, index): Part[] => {
    if (text === GAP || text === END) return [];
    const is = PLACEHOLDERS.get(text) ?? (text.endsWith('*') ? 'stem' : 'word');
    return [{ is, text: text.replace(/\*$/, ''), isAfterGap: words[index - 1] === GAP }];
  });
  const hasNumber = parts.some(({ is }) => is === 'number' || is === 'decimal');
  return { ...phrase, parts, hasNumber, endsClause: words.at(-1) === END };
}

/** Prepares a lexicon for matching. Done once per lexicon. */
export function compileLexicon({ id, single, open, namesSubject, ...lexicon }: Lexicon): CompiledLexicon {
  const terms = new Map(lexicon.terms.map((term) => [term.id, term]));
  const wider = new Map(lexicon.terms.map((term) => [term.id, widerTerms(terms, term.id)]));
  const phrases = lexicon.terms.flatMap((term) => [
    ...term.words.map((words) => writtenPhrase(id, term, words)),
    ...term.signs.map((words) => writtenPhrase(id, term, words, true)),
  ]);
  const words = memoized((term: string) =>
    singleWords(phrases.filter((phrase) => phrase.term === term).map(phraseOf)),
  );
  return { id, single, open, namesSubject, terms, phrases, wider, words };
}

/**
 * Merges the common lexicon of words without a wish with a rubric's own one, whose words take precedence. The common
 * subject (a place to eat) then counts as something else that the user may be looking for.
 */
export function requestWords(common: Lexicon, ofRubric: Lexicon): Lexicon {
  const claimed = new Set(ofRubric.terms.flatMap(({ words }) => words));
  const kept = common.terms.map((term) => ({
    ...term,
    id: term.id === 'subject' ? 'elsewhere' : term.id === 'eating' ? 'plain' : term.id,
    words: term.words.filter((word) => !claimed.has(word)),
  }));
  return { ...ofRubric, id: common.id, terms: [...kept, ...ofRubric.terms] };
}

/** Whether a term stands for several others of a lexicon, such as "not expensive" for two levels. */
export const isWide = ({ terms }: CompiledLexicon, term: string): boolean =>
  [...terms.values()].some(({ within }) => within.includes(term));

const singleWords = (phrases: readonly Phrase[]): ReadonlySet<string> =>
  new Set(
    phrases
      .filter(({ parts, endsClause }) => parts.length === 1 && !endsClause)
      .flatMap(({ parts: [only] }) => (only?.is === 'word' || only?.is === 'stem' ? [only.text] : [])),
  );

const ENDINGS = ['', 'e', 'en', 'er', 'es', 'em'];

/** Maximum number of words skipped between two parts of a phrase, and in a gap. */
const MAX_SKIP = 4;
const MAX_GAP = 5;

/** The forms in which a lexicon may list a token's word: itself, without a plural s, without a German ending. A stem has at least three letters. */
function stemsOf(text: string): string[] {
  const stems = [text];
  if (text.endsWith('ies')) stems.push(`${text.slice(0, -3)}y`);
  for (const ending of ['s', ...ENDINGS.slice(1)])
    if (text.endsWith(ending) && text.length - ending.length >= 3) stems.push(text.slice(0, -ending.length));
  return stems;
}

const isPlural = (text: string, singular: string): boolean =>
  singular.length >= 3 &&
  text.length > singular.length &&
  [`${singular}s`, `${singular}es`, singular.replace(/y$/, 'ies')].includes(text);

/** Whether a token matches a part. The last word of a phrase may be a plural. */
const FITS: Record<Part['is'], (token: Token, text: string, isLast: boolean) => boolean> = {
  number: ({ value }) => value !== null,
  decimal: ({ value, text }) => value !== null && /\d[.,]\d/.test(text),
  clock: ({ kind }) => kind === 'clock',
  stem: (token, text) => token.text.startsWith(text) && ENDINGS.includes(token.text.slice(text.length)),
  word: (token, text, isLast) =>
    token.text === text || (isLast && token.kind === 'word' && isPlural(token.text, text)),
};

export interface PhraseMatch {
  /** The indexes of its tokens, ascending, including skipped words but not those in a gap. */
  places: number[];
  /** The number of the phrase's own words among them. */
  weight: number;
  /** The numbers in it. */
  numbers: Token[];
}

/** Whether a clause ends at an index, or only "please" or "thanks" follows. */
const endsAt = (tokens: readonly Token[], at: number): boolean =>
  isBreak(tokens[at]) || /^(?:please|bitte|thanks|danke)$/.test(tokens[at]?.text ?? '');

/** The index of the first token from `from` to `last` that fits, if all before it may be passed; otherwise null. */
function placeOf(
  tokens: readonly Token[],
  [from, last]: readonly [number, number],
  fits: (token: Token) => boolean,
  passes: (token: Token) => boolean,
): number | null {
  for (let place = from; place <= last; place += 1) {
    const token = tokens[place];
    if (token === undefined) return null;
    if (fits(token)) return place;
    if (!passes(token)) return null;
  }
  return null;
}

/**
 * Matches a phrase that starts at the index `at`; null if it does not match.
 * @param skips whether a token may come between two parts
 */
export function matchPhrase(
  { parts, endsClause }: Pick<Phrase, 'parts' | 'endsClause'>,
  tokens: readonly Token[],
  at: number,
  skips: (token: Token) => boolean,
): PhraseMatch | null {
  const match: PhraseMatch = { places: [], weight: 0, numbers: [] };
  let from = at;
  for (const [index, part] of parts.entries()) {
    const { isAfterGap } = part;
    const last = from + (index === 0 ? 0 : isAfterGap ? MAX_GAP : MAX_SKIP);
    const fits = (token: Token) => FITS[part.is](token, part.text, index === parts.length - 1);
    const place = placeOf(tokens, [from, last], fits, isAfterGap ? (token) => !isBreak(token) : skips);
    if (place === null) return null;
    for (let at = isAfterGap ? place : from; at <= place; at += 1) match.places.push(at);
    match.weight += 1;
    if (part.text.startsWith('#') && part.is !== 'clock')
      match.numbers.push(...tokens.slice(place, place + 1));
    from = place + 1;
  }
  return endsClause && !endsAt(tokens, from) ? null : match;
}

/** A first word that is literal or a stem and needs no folding. */
const PLAIN_START = /^([a-z]+)\*?(?: |$)/;

/** The index key of a phrase: its first word or placeholder. */
function keyOf(phrase: WrittenPhrase): string {
  const start = PLAIN_START.exec(phrase.written)?.[1];
  if (start !== undefined) return start;
  const [first] = phraseOf(phrase).parts;
  return first === undefined || first.is === 'word' || first.is === 'stem'
    ? (first?.text ?? '')
    : `#${first.is}`;
}

/** Finds the phrases that may start at a token without trying all of them. */
export function createPhraseIndex(phrases: readonly WrittenPhrase[]): (token: Token) => readonly Phrase[] {
  const byFirst = groupedBy(phrases, keyOf);
  // Phrases are prepared on demand, because a text needs few of the thousands.
  const startingWith = memoized((key: string) => (byFirst.get(key) ?? []).map(phraseOf));
  return (token) =>
    [
      ...stemsOf(token.text),
      ...(token.value === null ? [] : ['#number', '#decimal']),
      ...(token.kind === 'clock' ? ['#clock'] : []),
    ].flatMap(startingWith);
}
