import {
  DENIAL,
  FILLER,
  findMentions,
  HELPERS,
  isOf,
  type Mention,
  mentionsOf,
  NEGATION,
  TRAVEL,
  type Vocabulary,
} from './match-phrases.ts';
import type { Turn, Unknown, Wish } from './negations-and-alternatives.ts';
import { endsSentence, isBreak, quoteOf, tokenize } from './tokens.ts';

/**
 * What a word means for the wishes next to it. `own`: a wish, or a word about the place. `other`: names something else.
 * `unread`: no lexicon explains it. `edge`: a break, or a word that ends a noun phrase ("with", "for", "find").
 */
type Role = 'own' | 'other' | 'unread' | 'edge';

/** The term of the lexicon of moments that holds occasions: "for my birthday". */
export const EVENT = 'event';

/** Terms of words that may come between a wish and the place: "a cheap little restaurant". */
const OF_PLACE = ['naming', 'quality', 'subject', 'trait', 'eatery', 'tables'];
/** Terms of words for something else, to which a wish next to them may apply: "cheap parking", "my Italian friend". */
const OF_OTHER = ['thing', 'person', 'company', 'party', 'amenity', 'elsewhere'];

/** A reading with the role of each word. */
export interface Accounted extends Turn {
  /** For each token, the index of the noun that starts its clause ("my friend …"), or of the clause's first token. */
  subjects: readonly number[];
  roleAt: (at: number) => Role;
  unknown: readonly Unknown[];
}

/** Whether a function word is capitalized like part of a name: "the restaurant Zum Griechen". */
function isNamed({ tokens }: Turn, at: number, { words }: Vocabulary): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]];
  return (
    ['preposition', 'article', 'joining'].some((term) => words(FILLER, term).has(token?.text ?? '')) &&
    /^\p{Lu}\p{Ll}/u.test(token?.raw ?? '') &&
    before !== undefined &&
    !isBreak(before) &&
    !/^\p{Lu}/u.test(before.raw)
  );
}

export function accountFor(
  turn: Turn,
  explained: ReadonlySet<number>,
  unknown: readonly Unknown[],
  vocabulary: Vocabulary,
): Accounted {
  const { lexicons, wishes } = vocabulary;
  const unread = new Set(
    unknown.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, step) => from + step)),
  );
  const takesVerbs = wishes.some((id) => lexicons.get(id)?.open === 'verbs');
  const wishRole = (wish: Mention, at: number): Role => {
    // "For a luxury wedding" does not ask for a luxury place.
    if (wish.terms.includes(EVENT) && at === wish.to - 1) return 'other';
    // "Cheap beer" does not ask for a cheap place; "massage seat" is one thing.
    const isThing = wish.reading === 'vague' && !takesVerbs && lexicons.get(wish.lexicon)?.open === 'names';
    return isThing ? 'other' : 'own';
  };
  const roleAt = (at: number): Role => {
    const owner = turn.owners.get(at);
    if (unread.has(at)) return 'unread';
    if (owner === undefined || explained.has(at)) return 'edge';
    if (isOf(owner, FILLER, ...OF_PLACE) || owner.lexicon === TRAVEL) return 'own';
    if (isOf(owner, FILLER, ...OF_OTHER)) return 'other';
    if (HELPERS.has(owner.lexicon)) return isNamed(turn, at, vocabulary) ? 'other' : 'edge';
    return wishRole(owner, at);
  };
  return { ...turn, unknown, roleAt, subjects: subjectsIn(turn, roleAt, vocabulary) };
}

function subjectsIn({ tokens }: Turn, roleAt: Accounted['roleAt'], { words }: Vocabulary): number[] {
  const is = (at: number, term: string) => words(FILLER, term).has(tokens[at]?.text ?? '');
  let noun = 0;
  return tokens.map((_, at) => {
    if (at > 0 && !isBreak(tokens[at - 1]) && !is(at - 1, 'clause')) return noun;
    noun = at;
    while (is(noun, 'determiner') || is(noun, 'possessive')) noun += 1;
    if (noun > at) while (roleAt(noun) === 'own') noun += 1;
    return noun;
  });
}

/** The words at an index if they name something else to which a wish may apply, or null. */
const strangeIn = ({ tokens, roleAt, owners }: Accounted, at: number): string | null => {
  const role = roleAt(at);
  return role === 'other' || role === 'unread' ? (owners.get(at)?.quote ?? tokens[at]?.raw ?? null) : null;
};

type Span = Pick<Mention, 'from' | 'to'>;

/** Whether the word at an index belongs to one of these filler terms. */
const isAt = ({ tokens }: Accounted, { words }: Vocabulary, at: number, ...terms: string[]): boolean =>
  terms.some((term) => words(FILLER, term).has(tokens[at]?.text ?? ''));

/** The index of the first word, from `at` in steps of `step`, that does not belong to the filler term. */
function past(turn: Accounted, vocabulary: Vocabulary, at: number, step: 1 | -1, term: string): number {
  let place = at;
  while (isAt(turn, vocabulary, place, term)) place += step;
  return place;
}

/** Another noun after a wish ("5 star wifi") or joined to it ("the Italian from work"), or null. */
function nounBehind(turn: Accounted, { from, to }: Span, vocabulary: Vocabulary): string | null {
  let end = to;
  while (turn.roleAt(end) === 'own') end += 1;
  // Words that give the wish another subject: the noun in "a Mexican hat", the verb in "das günstig liegt".
  const isVerb = isAt(turn, vocabulary, to, 'behind') && !isBreak(turn.tokens[to + 1]);
  const isLying =
    isAt(turn, vocabulary, to, 'lying') && !vocabulary.numeric.has(turn.owners.get(from)?.lexicon ?? '');
  if (isVerb || isLying) return turn.tokens[to]?.raw ?? null;
  const isJoined = turn.roleAt(to) === 'edge' && isAt(turn, vocabulary, to, 'joining');
  return (
    strangeIn(turn, end) ??
    (isJoined ? strangeIn(turn, past(turn, vocabulary, to + 1, 1, 'determiner')) : null)
  );
}

/** Another noun before a wish ("my friend's cheap", "my friend is cheap"), a word that leads elsewhere, or null. */
function nounBefore(turn: Accounted, { from }: Span, vocabulary: Vocabulary): string | null {
  const { tokens, owners, roleAt } = turn;
  const is = (at: number, term: string) => isAt(turn, vocabulary, at, term);
  let first = from - 1;
  while (roleAt(first) === 'own') first -= 1;
  const noun = strangeIn(turn, first);
  if (noun !== null) return noun;
  let start = first;
  while (is(start, 'article') || is(start, 'possessive')) start -= 1;
  // "A detour of at most 3 minutes" and "I work for Aral" count, but not "for two with at least 4 stars".
  const isApart = !is(start, 'of') && isOf(owners.get(start - 1), FILLER, 'company', 'party', 'thing');
  const owning = is(start, 'owning') && !isApart ? strangeIn(turn, start - 1) : null;
  if (owning !== null) return owning;
  // "I'd like" leads to a wish, but "like" alone to something else; "Bewertung von" leads to the rating.
  const isOwn = owners.get(start - 1)?.lexicon === owners.get(from)?.lexicon;
  const leadsAway =
    (is(start, 'leading-away') && (owners.get(start)?.places.length ?? 1) === 1 && !isOwn) ||
    (start < first && turn.ways.some((way) => way.terms.includes('near-to') && way.to === start + 1));
  if (is(first, 'possessive') || leadsAway) return quoteOf(tokens, start, from);
  return saidToBe(turn, start, vocabulary);
}

/** The subject of a statement that ends at `at` and is not a wish: "I'm Italian", "it's all Greek to me"; or null. */
function saidToBe(turn: Accounted, at: number, vocabulary: Vocabulary): string | null {
  const is = (place: number, term: string) => isAt(turn, vocabulary, place, term);
  const verb = past(turn, vocabulary, at, -1, 'degree');
  const raw = turn.tokens[verb]?.raw ?? '';
  // The apostrophe tells "I'm" from the German word "im".
  if (is(verb, 'self-is') && /['’]/.test(raw)) return raw;
  // A question has the copula first: "Is it cheap?".
  if (is(at, 'it') && is(at - 1, 'copula')) return turn.tokens[verb - 1]?.raw ?? null;
  if (!is(verb, 'copula')) return null;
  return is(verb - 1, 'self') || is(verb - 1, 'thing-said') ? raw : strangeIn(turn, verb - 1);
}

/** Whether a clause begins with the wish and says something about it: "the Aral is closed". */
function isSubject(turn: Accounted, { from, to }: Span, vocabulary: Vocabulary): boolean {
  let [first, end] = [from, to];
  while (turn.roleAt(first - 1) === 'own') first -= 1;
  while (turn.roleAt(end) === 'own') end += 1;
  const noun = turn.subjects[from];
  const says = isAt(turn, vocabulary, end, 'copula', 'having') && !isBreak(turn.tokens[end + 1]);
  // "Cheap is what we want" is a wish.
  return says && (noun === first || noun === end) && !isAt(turn, vocabulary, end + 1, 'what');
}

/** The subject of the clause around a wish, if it is not the user: "my friend works at Shell"; or null. */
function subjectOf(turn: Accounted, words: Span, vocabulary: Vocabulary): string | null {
  const { from } = words;
  if (isSubject(turn, words, vocabulary)) return quoteOf(turn.tokens, from, words.to + 1);
  const noun = turn.subjects[from] ?? from;
  return noun < from ? strangeIn(turn, noun) : null;
}

/** Another noun that a wish may describe instead of the place, or null. */
export const besides = (turn: Accounted, words: Span, vocabulary: Vocabulary): string | null =>
  nounBehind(turn, words, vocabulary) ??
  nounBefore(turn, words, vocabulary) ??
  subjectOf(turn, words, vocabulary);

/** Maximum number of words in an unknown name. */
const MAX_NAME = 3;

/** Whether unknown words are the object of a preposition or an article, and nothing more: "with a playground". */
function isContained(
  { tokens, roleAt }: Accounted,
  { from, to, kind }: Unknown,
  { words }: Vocabulary,
): boolean {
  if (kind !== 'name' || to - from > MAX_NAME) return false;
  const next = roleAt(to);
  const isEnded =
    isBreak(tokens[to]) || next === 'own' || words(FILLER, 'preposition').has(tokens[to]?.text ?? '');
  let start = from - 1;
  while (words(FILLER, 'determiner').has(tokens[start]?.text ?? '')) start -= 1;
  // "The boss …" starts a new statement.
  const isSubject =
    isBreak(tokens[start]) &&
    words(FILLER, 'article').has(tokens[from - 1]?.text ?? '') &&
    !/^an?$|^ein/.test(tokens[from - 1]?.text ?? '');
  return isEnded && !isSubject;
}

/** Marks wishes as doubtful if words next to them, or unknown words in their sentence or after it, may change them. */
export function doubtStrange(turn: Accounted, vocabulary: Vocabulary): void {
  const { tokens, wishes, unknown } = turn;
  const sentences: number[] = [];
  for (const at of tokens.keys())
    sentences.push((sentences[at - 1] ?? 0) + (endsSentence(tokens[at - 1]) ? 1 : 0));
  const sentenceOf = ({ from }: { from: number }) => sentences[from] ?? 0;
  for (const wish of wishes) if (wish.reading === 'exact') wish.doubt ??= besides(turn, wish, vocabulary);
  const isOpenTo = (lexicon: string) => vocabulary.lexicons.get(lexicon)?.open === 'verbs';
  const doubted = (run: Unknown): readonly Wish[] => {
    if (isContained(turn, run, vocabulary)) return [];
    const before = wishes.filter((wish) => sentenceOf(wish) <= sentenceOf(run));
    const wanted = before.filter((wish) => sentenceOf(wish) === sentenceOf(run));
    const mayBeAsked = vocabulary.wishes.some(isOpenTo) && !isBreak(tokens[run.to]);
    if (!mayBeAsked || wanted.some(({ lexicon }) => isOpenTo(lexicon))) return before;
    // It may still be part of a number: "twenty two frob degrees".
    return wanted.filter(({ lexicon, to }) => to === run.from && vocabulary.numeric.has(lexicon));
  };
  // "Anything but Thai would be a letdown": a refusal is certain only if every word is understood.
  for (const wish of wishes) if (wish.isRefused) wish.doubt ??= unknown[0]?.quote ?? null;
  for (const run of unknown) for (const wish of doubted(run)) wish.doubt ??= run.quote;
}

/** A turn of the user: its range of tokens, and what the system said since the turn before. */
export interface SaidTurn {
  from: number;
  to: number;
  before: readonly string[];
}

type Said = Pick<Wish, 'lexicon' | 'terms' | 'numbers'>;

/** Whether two wishes say the same. */
export const isSame = (one: Said, other: Said): boolean =>
  one.lexicon === other.lexicon &&
  one.terms.join() === other.terms.join() &&
  one.numbers.map(({ value }) => value).join() === other.numbers.map(({ value }) => value).join();

/**
 * For each turn, the words of the first later turn that may take back or replace its wishes. Null if all later turns
 * clearly continue: they contain only wishes of other kinds and joining words.
 */
export function laterWords(
  turn: Accounted,
  turns: readonly SaidTurn[],
  vocabulary: Vocabulary,
): (string | null)[] {
  const { tokens, owners, wishes } = turn;
  const joins = vocabulary.words(FILLER, 'continuing');
  const continues = ({ from, to, before }: SaidTurn, index: number): boolean => {
    const turnWishes = wishes.filter((wish) => wish.turn === index);
    const isPlain = tokens.slice(from, to).every((token, step) => {
      const owner = owners.get(from + step);
      return (
        (isBreak(token) && token.text !== '?') ||
        joins.has(token.text) ||
        owner?.lexicon === TRAVEL ||
        isOf(owner, FILLER, 'amenity', 'trait') ||
        (isOf(owner, FILLER, 'elsewhere') && isOf(owners.get(from + step - 1), FILLER, 'had')) ||
        (owner !== undefined && !HELPERS.has(owner.lexicon) && owner.reading !== 'vague')
      );
    });
    return (
      isPlain &&
      turnWishes.every((wish) =>
        wishes.every((other) => other.turn >= index || other.lexicon !== wish.lexicon),
      ) &&
      before.every(
        (text) =>
          !offersOther(
            text,
            wishes.filter((wish) => wish.turn < index),
            vocabulary,
          ),
      )
    );
  };
  const going = turns.map((one, index) => index === 0 || continues(one, index));
  return turns.map((_, index) => {
    const next = going.findIndex((goes, other) => other > index && !goes);
    const nextTurn = turns[next];
    return nextTurn === undefined ? null : quoteOf(tokens, nextTurn.from, nextTurn.to - 1);
  });
}

/** Whether a system turn may change the wishes: it denies something, or mentions a wish's kind without asking about it. */
function offersOther(text: string, wishes: readonly Wish[], vocabulary: Vocabulary): boolean {
  const tokens = tokenize(text, vocabulary.numbers);
  const asks = tokens.at(-1)?.text === '?';
  if (
    mentionsOf(DENIAL, tokens, vocabulary).length > 0 ||
    mentionsOf(NEGATION, tokens, vocabulary).length > 0
  )
    return true;
  return findMentions(tokens, vocabulary).some((mention) =>
    wishes.some((wish) => wish.lexicon === mention.lexicon && !(asks && isSame(wish, mention))),
  );
}
