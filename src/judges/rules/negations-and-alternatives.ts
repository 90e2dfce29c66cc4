import { groupedBy } from '../../common/index.ts';
import { isWide } from './lexicon.ts';
import { FILLER, isOf, type Mention, NEGATION, type Reading, type Vocabulary } from './match-phrases.ts';
import { isBreak, quoteOf } from './tokens.ts';

/** A wish: a mention of a wish lexicon's words in one turn. */
export interface Wish extends Mention {
  /** The number of the turn. */
  turn: number;
  /** The neighboring words that make it uncertain, or null. */
  doubt: string | null;
  /** The words of a later turn that may take it back or say something else, or null. */
  later: string | null;
  /** Whether it only says what is not wanted: "anything but Italian". */
  isRefused: boolean;
}

/** A run of words that no lexicon explains. `kind`: what they may be, judging by their position. */
export interface Unknown {
  from: number;
  to: number;
  quote: string;
  kind: 'name' | 'verb' | 'number';
}

/** A reading with the wishes found in it. */
export interface Turn extends Reading {
  wishes: readonly Wish[];
}

/** Terms of negation.yaml that merely join words; the others negate, weaken or take something back. */
const JOINING = ['joint', 'preference', 'contrast', 'alternative'];

/** Maximum number of words quoted from a comparison. */
const MAX_COMPARED = 4;

/** The words of a turn that may negate, weaken or take back any wish, or null. */
export function turningWords(turn: Turn): string | null {
  const { tokens, mentions, wishes } = turn;
  // "Thai, please. Make it cheap." adds a wish and restates none.
  const isAddition = ({ from }: Mention) =>
    [...groupedBy(wishes, ({ lexicon }) => lexicon).values()].every(
      (sameLexicon) =>
        sameLexicon.every((wish) => wish.from < from) || sameLexicon.every((wish) => wish.from > from),
    );
  const turning = mentions.find(
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
  if (turning === undefined || !isOf(turning, NEGATION, 'comparison')) return turning?.quote ?? null;
  // "Than" alone means nothing, so what follows is quoted too.
  let to = turning.to;
  while (!isBreak(tokens[to]) && to < turning.from + MAX_COMPARED) to += 1;
  return quoteOf(tokens, turning.from, to);
}

/** Merges "anything but" with the wish after it into one refused wish. */
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

/** Maximum number of tokens between two alternatives. */
const MAX_LINK = 10;

/**
 * Finds alternatives among the wishes: "Italian, Greek or Thai".
 * @returns the lexicons whose wishes are alternatives; `loose`: an "or" that joins anything else, or null
 */
export function alternativesIn(
  { tokens, mentions, owners, wishes }: Turn,
  { lexicons: lexiconsInUse }: Vocabulary,
): { lexicons: ReadonlySet<string>; loose: string | null } {
  const isOr = (at: number) => tokens[at]?.text === '/' || isOf(owners.get(at), NEGATION, 'alternative');
  const isPlain = (at: number) =>
    /^[,/]$/.test(tokens[at]?.text ?? '') ||
    owners.get(at)?.lexicon === FILLER ||
    isOf(owners.get(at), NEGATION, 'alternative', 'preference');
  const lexicons = new Set<string>();
  const joined = new Set<number>();
  for (const [lexicon, sameLexicon] of groupedBy(wishes, (wish) => wish.lexicon)) {
    const links = sameLexicon.slice(1).map(({ from }, index) => {
      const start = sameLexicon[index]?.to ?? from;
      return Array.from({ length: Math.max(0, from - start) }, (_, step) => start + step);
    });
    if (!links.flat().some(isOr) || !links.every((link) => link.length <= MAX_LINK && link.every(isPlain)))
      continue;
    const compiled = lexiconsInUse.get(lexicon);
    // "Not expensive or fancy" refuses both.
    const isRefusal = ({ terms, isRefused }: Wish) =>
      isRefused || (compiled?.single === true && terms.some((term) => isWide(compiled, term)));
    if (sameLexicon.some(isRefusal)) continue;
    lexicons.add(lexicon);
    for (const place of links.flat()) joined.add(place);
  }
  const loose = mentions.find((one) => isOf(one, NEGATION, 'alternative') && !joined.has(one.from));
  return { lexicons, loose: loose?.quote ?? null };
}
