import { groupedBy } from '../../common/collections.ts';
import { isWide } from './lexicon.ts';
import { FILLER, isOf, type Mention, NEGATION, type Vocabulary, wayMentions } from './mentions.ts';
import { endsSentence, isBreak, quoteOf, type Token } from './tokens.ts';

/** Words of a lexicon of wishes, as one turn says them. */
export interface Wish extends Mention {
  /** The number of the turn. */
  turn: number;
  /** What stands beside it that makes it unsure, or null. */
  doubt: string | null;
}

/** Words that nothing explains, one after the other. `kind`: what they may be, by where they stand. */
export interface Unknown {
  from: number;
  to: number;
  quote: string;
  kind: 'name' | 'verb' | 'number';
}

/** One turn, with what its words are part of. */
export interface Turn {
  tokens: readonly Token[];
  mentions: readonly Mention[];
  owners: ReadonlyMap<number, Mention>;
  wishes: readonly Wish[];
}

/** Words of negation.yaml that only join; the others turn around, weaken or take back something. */
const JOINING = ['joint', 'preference', 'contrast', 'alternative'];

/** Whether "make it" says something more, and nothing anew: "Thai, please. Make it cheap." */
function addsTo({ wishes }: Turn, { from, to }: Mention): boolean {
  const before = new Set(wishes.flatMap((wish) => (wish.from < from ? wish.lexicon : [])));
  const after = wishes.filter((wish) => wish.from >= to);
  return after.length > 0 && !after.some(({ lexicon }) => before.has(lexicon));
}

/** A word of a turn that may turn around, weaken or take back any wish, or null. */
export const turningWord = (turn: Turn): string | null =>
  turn.mentions.find(
    (mention) =>
      isOf(mention, FILLER, 'later') ||
      (mention.lexicon === NEGATION &&
        !isOf(mention, NEGATION, ...JOINING) &&
        !(isOf(mention, NEGATION, 'addition') && addsTo(turn, mention))),
  )?.quote ?? null;

/** Most tokens between two alternatives. */
const MAX_LINK = 10;

/** Whether only words without a wish, commas and "or" stand between two wishes. */
function isLinked({ tokens, owners }: Turn, before: Mention, after: Mention): boolean {
  if (after.from - before.to > MAX_LINK) return false;
  for (let place = before.to; place < after.from; place += 1) {
    const owner = owners.get(place);
    const isPlain = owner?.lexicon === FILLER || isOf(owner, NEGATION, 'alternative', 'preference');
    if (!isPlain && !/^[,/]$/.test(tokens[place]?.text ?? '')) return false;
  }
  return true;
}

/** The lexicons of which all wishes in a turn are alternatives ("Italian, Greek or Thai"), and what is joined in another way, or null. */
export function alternativesIn(
  turn: Turn,
  { lexicons: known }: Vocabulary,
): { lexicons: ReadonlySet<string>; loose: string | null } {
  const { tokens, mentions, owners, wishes } = turn;
  const isOr = (at: number): boolean =>
    tokens[at]?.text === '/' || isOf(owners.get(at), NEGATION, 'alternative');
  const links = wishes.slice(1).flatMap((after, index) => {
    const before = wishes[index];
    if (before?.lexicon !== after.lexicon || !isLinked(turn, before, after)) return [];
    const between = Array.from({ length: after.from - before.to }, (_, place) => before.to + place);
    return [{ lexicon: after.lexicon, between }];
  });
  const lexicons = new Set(links.flatMap(({ lexicon, between }) => (between.some(isOr) ? lexicon : [])));
  const joined = new Set(links.flatMap(({ between }) => between));
  const loose = mentions.find((one) => isOf(one, NEGATION, 'alternative') && !joined.has(one.from));
  if (loose !== undefined) return { lexicons, loose: loose.quote };
  for (const lexicon of lexicons) {
    const said = wishes.filter((wish) => wish.lexicon === lexicon);
    const compiled = known.get(lexicon);
    // "Not expensive or fancy" refuses both.
    const refusal = said.find(
      ({ terms }) => compiled?.single === true && terms.some((term) => isWide(compiled, term)),
    );
    const isApart = links.filter((link) => link.lexicon === lexicon).length < said.length - 1;
    if (refusal !== undefined || isApart) return { lexicons, loose: (refusal ?? said.at(-1))?.quote ?? null };
  }
  return { lexicons, loose: null };
}

/** Words that say the wish of people: "my friend is" (cheap), "my guests are" (Japanese), "I'm" (Italian, but not vegan); else null. */
function saidOfOther(wish: Wish, tokens: readonly Token[], vocabulary: Vocabulary): string | null {
  const isWord = (term: string, at: number): boolean =>
    vocabulary.words(FILLER, term).has(tokens[at]?.text ?? '');
  let before = wish.from - 1;
  while (isWord('degree', before)) before -= 1;
  const lexicon = vocabulary.lexicons.get(wish.lexicon);
  if (wish.terms.every((term) => lexicon?.terms.get(term)?.excludes === 'never')) return null;
  const raw = tokens[before]?.raw ?? '';
  if (isWord('self-is', before) && /['’]/.test(raw)) return raw;
  const isSaidOf = (...terms: string[]) => terms.some((term) => isWord(term, before - 1));
  const isOther = lexicon?.single ? !isSaidOf('referent', 'subject') : isSaidOf('person', 'company', 'self');
  return isOther && isWord('copula', before) ? quoteOf(tokens, before - 1, before + 1) : null;
}

/** Doubts wishes that are part of something else: "my Italian friend", "Hamburger Bahnhof", "near the coffee shop". */
export function doubtNames({ tokens, owners, wishes }: Turn, vocabulary: Vocabulary): void {
  const nearTo = new Map(
    wayMentions(tokens, vocabulary)
      .filter(({ terms }) => terms.includes('near-to'))
      .map(({ from, to }) => [to, from]),
  );
  const articles = vocabulary.words(FILLER, 'article');
  for (const wish of wishes.filter(({ reading }) => reading === 'exact')) {
    const after = owners.get(wish.to);
    const isModifier =
      (!wish.sign && isOf(after, FILLER, 'person', 'landmark')) ||
      (isOf(after, FILLER, 'elsewhere') && !isOf(after, FILLER, 'eatery'));
    if (isModifier && after !== undefined) wish.doubt ??= after.quote;
    wish.doubt ??= saidOfOther(wish, tokens, vocabulary);
    const near = nearTo.get(wish.from - 1);
    if (near !== undefined && articles.has(tokens[wish.from - 1]?.text ?? ''))
      wish.doubt ??= quoteOf(tokens, near, wish.from);
  }
}

/**
 * Doubts what unknown words may turn around, and returns those that cast no doubt. Where a name stands ("a frobby
 * place") they doubt the wish beside them at most; where a verb may stand ("I frob sushi") all wishes of the sentence,
 * unless it may be the verb that was asked for; a number doubts numbers.
 */
export function doubtUnknown(turn: Turn, unknown: readonly Unknown[], vocabulary: Vocabulary): Unknown[] {
  const { tokens, wishes } = turn;
  const sentences: number[] = [];
  for (const at of tokens.keys())
    sentences.push((sentences[at - 1] ?? 0) + (endsSentence(tokens[at - 1]) ? 1 : 0));
  const bySentence = groupedBy(wishes, ({ from }) => sentences[from]);
  const isOpenTo = (lexicon: string) => vocabulary.lexicons.get(lexicon)?.open === 'verbs';
  const doubted = ({ kind, from, to }: Unknown): readonly Wish[] => {
    const wanted = bySentence.get(sentences[from]) ?? [];
    if (kind === 'name') return wanted.filter((wish) => wish.to === from || wish.from === to);
    if (kind === 'number')
      return wanted.filter(({ lexicon }) => vocabulary.numeric.size === 0 || vocabulary.numeric.has(lexicon));
    const mayBeAsked = vocabulary.wishes.some(isOpenTo) && !isBreak(tokens[to]);
    return mayBeAsked && !wanted.some(({ lexicon }) => isOpenTo(lexicon)) ? [] : wanted;
  };
  return unknown.filter((run) => {
    const unsure = doubted(run);
    for (const wish of unsure) wish.doubt ??= run.quote;
    return unsure.length === 0;
  });
}
