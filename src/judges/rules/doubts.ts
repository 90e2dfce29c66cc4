import { groupedBy } from '../../common/collections.ts';
import { isWide } from './lexicon.ts';
import { FILLER, isOf, type Mention, NEGATION, type Reading, type Vocabulary } from './mentions.ts';
import { endsSentence, isBreak, quoteOf } from './tokens.ts';

/** Words of a lexicon of wishes, as one turn says them. */
export interface Wish extends Mention {
  /** The number of the turn. */
  turn: number;
  /** What stands beside it that makes it unsure, or null. */
  doubt: string | null;
  /** Whether it says what is not wanted, and nothing else: "anything but Italian". */
  isRefused: boolean;
}

/** Words that nothing explains, one after the other. `kind`: what they may be, by where they stand. */
export interface Unknown {
  from: number;
  to: number;
  quote: string;
  kind: 'name' | 'verb' | 'number';
}

/** All that is said, with the wishes among it. */
export interface Turn extends Reading {
  wishes: readonly Wish[];
}

/** Words of negation.yaml that only join; the others turn around, weaken or take back something. */
const JOINING = ['joint', 'preference', 'contrast', 'alternative'];

/** Most words of a comparison that are quoted. */
const MAX_COMPARED = 4;

/** Words of a turn that may turn around, weaken or take back any wish, or null. */
export function turningWords(turn: Turn): string | null {
  const { tokens, mentions, wishes } = turn;
  // "Thai, please. Make it cheap." says nothing anew.
  const isAddition = ({ from }: Mention) =>
    [...groupedBy(wishes, ({ lexicon }) => lexicon).values()].every(
      (said) => said.every((wish) => wish.from < from) || said.every((wish) => wish.from > from),
    );
  const found = mentions.find(
    (mention) =>
      isOf(mention, FILLER, 'later') ||
      (mention.lexicon === NEGATION &&
        !isOf(mention, NEGATION, ...JOINING) &&
        !(isOf(mention, NEGATION, 'addition') && isAddition(mention)) &&
        !(
          isOf(mention, NEGATION, 'refusal') &&
          wishes.some((wish) => wish.isRefused && wish.from === mention.from)
        )),
  );
  if (found === undefined || !isOf(found, NEGATION, 'comparison')) return found?.quote ?? null;
  // "Than" by itself says nothing.
  let to = found.to;
  while (!isBreak(tokens[to]) && to < found.from + MAX_COMPARED) to += 1;
  return quoteOf(tokens, found.from, to);
}

/** "Anything but" and the wish behind it are one wish for anything else. */
export function refuse({ tokens, owners, wishes }: Turn, vocabulary: Vocabulary): void {
  const articles = vocabulary.words(FILLER, 'article');
  for (const wish of wishes) {
    const isAfterArticle = articles.has(tokens[wish.from - 1]?.text ?? '');
    const refusal = owners.get(wish.from - (isAfterArticle ? 2 : 1));
    if (refusal === undefined || !isOf(refusal, NEGATION, 'refusal')) continue;
    wish.isRefused = true;
    wish.from = refusal.from;
    wish.quote = quoteOf(tokens, wish.from, wish.to);
  }
}

/** Most tokens between two alternatives. */
const MAX_LINK = 10;

/** The lexicons whose wishes are alternatives ("Italian, Greek or Thai"), and what is joined in another way, or null. */
export function alternativesIn(
  { tokens, mentions, owners, wishes }: Turn,
  { lexicons: known }: Vocabulary,
): { lexicons: ReadonlySet<string>; loose: string | null } {
  const isOr = (at: number) => tokens[at]?.text === '/' || isOf(owners.get(at), NEGATION, 'alternative');
  const isPlain = (at: number) =>
    /^[,/]$/.test(tokens[at]?.text ?? '') ||
    owners.get(at)?.lexicon === FILLER ||
    isOf(owners.get(at), NEGATION, 'alternative', 'preference');
  const lexicons = new Set<string>();
  const joined = new Set<number>();
  for (const [lexicon, said] of groupedBy(wishes, (wish) => wish.lexicon)) {
    const links = said.slice(1).map(({ from }, index) => {
      const start = said[index]?.to ?? from;
      return Array.from({ length: Math.max(0, from - start) }, (_, step) => start + step);
    });
    if (!links.flat().some(isOr) || !links.every((link) => link.length <= MAX_LINK && link.every(isPlain)))
      continue;
    const compiled = known.get(lexicon);
    // "Not expensive or fancy" refuses both.
    const isRefusal = ({ terms, isRefused }: Wish) =>
      isRefused || (compiled?.single === true && terms.some((term) => isWide(compiled, term)));
    if (said.some(isRefusal)) continue;
    lexicons.add(lexicon);
    for (const place of links.flat()) joined.add(place);
  }
  const loose = mentions.find((one) => isOf(one, NEGATION, 'alternative') && !joined.has(one.from));
  return { lexicons, loose: loose?.quote ?? null };
}

/** Words that say the wish of people: "my friend is" (cheap), "my guests are" (Japanese), "I'm" (Italian, but not vegan); else null. */
function saidOfOther(wish: Wish, { tokens }: Turn, vocabulary: Vocabulary): string | null {
  const isWord = (at: number, ...terms: string[]): boolean =>
    terms.some((term) => vocabulary.words(FILLER, term).has(tokens[at]?.text ?? ''));
  let at = wish.from - 1;
  while (isWord(at, 'degree')) at -= 1;
  const lexicon = vocabulary.lexicons.get(wish.lexicon);
  if (wish.terms.every((term) => lexicon?.terms.get(term)?.excludes === 'never')) return null;
  if (isWord(at, 'self-is') && /['’]/.test(tokens[at]?.raw ?? '')) return tokens[at]?.raw ?? null;
  const isOther = lexicon?.single
    ? !isWord(at - 1, 'referent', 'subject')
    : isWord(at - 1, 'person', 'company', 'self');
  return isOther && isWord(at, 'copula') ? quoteOf(tokens, at - 1, at + 1) : null;
}

/** Doubts wishes that are part of something else: "my Italian friend", "Hamburger Bahnhof", "near the coffee shop". */
export function doubtNames(turn: Turn, vocabulary: Vocabulary): void {
  const { tokens, owners, wishes, ways } = turn;
  const articles = vocabulary.words(FILLER, 'article');
  const nearTo = new Map(
    ways.flatMap((way) => (way.terms.includes('near-to') ? [[way.to, way.from] as const] : [])),
  );
  for (const wish of wishes.filter(({ reading }) => reading === 'exact')) {
    const after = owners.get(wish.to);
    const isModifier =
      (!wish.sign && isOf(after, FILLER, 'person', 'landmark')) ||
      (isOf(after, FILLER, 'elsewhere') && !isOf(after, FILLER, 'eatery'));
    const near = articles.has(tokens[wish.from - 1]?.text ?? '') ? nearTo.get(wish.from - 1) : undefined;
    if (isModifier && after !== undefined) wish.doubt ??= after.quote;
    else if (near !== undefined) wish.doubt ??= quoteOf(tokens, near, wish.from);
    else wish.doubt ??= saidOfOther(wish, turn, vocabulary);
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
    if (!mayBeAsked || wanted.some(({ lexicon }) => isOpenTo(lexicon))) return wanted;
    // It may still be part of a number: "twenty two frob degrees".
    return wanted.filter(({ lexicon, to: end }) => end === from && vocabulary.numeric.has(lexicon));
  };
  // "Anything but Thai would be a letdown": a refusal is sure only where all is understood.
  for (const wish of wishes) if (wish.isRefused) wish.doubt ??= unknown[0]?.quote ?? null;
  return unknown.filter((run) => {
    const unsure = doubted(run);
    for (const wish of unsure) wish.doubt ??= run.quote;
    return unsure.length === 0;
  });
}
