import { FILLER, HELPERS, isOf, type Mention, NEGATION, type Vocabulary, wayMentions } from './mentions.ts';
import { endsSentence, isBreak, type Token } from './tokens.ts';

/** The term of a numeric lexicon whose words say what a number is about. */
export const ABOUT = 'about';

/** `unclear`: something near it may turn it around. `optional`: the user says that it need not hold. */
type Polarity = 'wanted' | 'unwanted' | 'unclear' | 'optional';

/** A wish, with how it is meant. */
export interface MeantMention extends Mention {
  polarity: Polarity;
  /** Mentions of one group are alternatives. */
  group: number;
  /** Whether an "or" leads from it to something that is not known. */
  openEnded: boolean;
  /** What is refused before it in the same breath: "don't open" in "don't open the window"; or null. */
  shadow: string | null;
  /** The words that make it unclear, where known. */
  doubt: string | null;
}

/** Words that nothing explains, one after the other. `kind`: what they may be, by where they stand. */
export interface Unknown {
  from: number;
  to: number;
  quote: string;
  kind: 'name' | 'verb' | 'number';
}

/** Most tokens between a negating word and what it negates. */
const MAX_GAP = 5;

export const isContent = (mention: Mention): boolean => !HELPERS.has(mention.lexicon);

export const isNegation = (mention: Mention | undefined, ...terms: string[]): boolean =>
  isOf(mention, NEGATION, ...terms);

export const ownersOf = <M extends Mention>(mentions: readonly M[]): ReadonlyMap<number, M> =>
  new Map(mentions.flatMap((mention) => mention.places.map((place) => [place, mention])));

/** One turn, with what its reading looks things up in; every step takes time in proportion to the text. */
export interface Turn {
  tokens: readonly Token[];
  vocabulary: Vocabulary;
  owners: ReadonlyMap<number, Mention>;
  wishes: readonly MeantMention[];
  /** The wish that a place belongs to, and for each place the first wish that begins there or behind it. */
  wishAt: ReadonlyMap<number, MeantMention>;
  next: readonly (MeantMention | undefined)[];
  /** For each place the number of its clause and of its sentence; a clause also ends at a "but". */
  clause: readonly number[];
  sentence: readonly number[];
}

export function turnOf(tokens: readonly Token[], all: readonly Mention[], vocabulary: Vocabulary): Turn {
  const owners = ownersOf(all);
  const wishes = all.filter(isContent).map(
    (mention): MeantMention => ({
      ...mention,
      polarity: 'wanted',
      group: 0,
      openEnded: false,
      shadow: null,
      doubt: null,
    }),
  );
  const next: (MeantMention | undefined)[] = [];
  const starts = new Map(
    wishes.filter(({ terms }) => !terms.includes(ABOUT)).map((wish) => [wish.from, wish]),
  );
  for (let place = tokens.length; place >= 0; place -= 1) next[place] = starts.get(place) ?? next[place + 1];
  const [clause, sentence]: [number[], number[]] = [[], []];
  let [clauses, sentences] = [0, 0];
  for (const [place, token] of tokens.entries()) {
    clause.push(clauses);
    sentence.push(sentences);
    if (endsSentence(token)) sentences += 1;
    if (endsSentence(token) || isNegation(owners.get(place), 'contrast')) clauses += 1;
  }
  return { tokens, vocabulary, owners, wishes, wishAt: ownersOf(wishes), next, clause, sentence };
}

export const doubt = (wish: MeantMention, words: string): void => {
  if (wish.polarity === 'optional') return;
  wish.polarity = 'unclear';
  wish.doubt ??= words;
};

/** Whether everything between two places is explained by words without a wish, without a break or a "but". */
export function isClear({ tokens, owners }: Turn, from: number, to: number): boolean {
  if (to - from > MAX_GAP) return false;
  for (let place = from; place < to; place += 1) {
    const owner = owners.get(place);
    if (isBreak(tokens[place]) || owner === undefined) return false;
    const isHelp = owner.lexicon !== NEGATION && HELPERS.has(owner.lexicon);
    if (!isHelp && !owner.terms.includes(ABOUT) && !isNegation(owner, 'alternative', 'preference'))
      return false;
  }
  return true;
}

/** Doubts wishes that are part of something else: "my Italian friend", "Hamburger Bahnhof", "near the coffee shop". */
export function doubtNames({ tokens, vocabulary, owners, wishes }: Turn): void {
  const nearTo = new Set(
    wayMentions(tokens, vocabulary)
      .filter(({ terms }) => terms.includes('near-to'))
      .map(({ to }) => to),
  );
  const definite = vocabulary.words(FILLER, 'definite');
  for (const wish of wishes.filter(({ reading }) => reading === 'exact')) {
    const after = owners.get(wish.to);
    const isModifier =
      (!wish.sign && isOf(after, FILLER, 'person', 'landmark')) ||
      (isOf(after, FILLER, 'elsewhere') && !isOf(after, FILLER, 'eatery'));
    if (isModifier && after !== undefined) doubt(wish, after.quote);
    const article = tokens[wish.from - 1];
    if (article !== undefined && definite.has(article.text) && nearTo.has(wish.from - 1))
      doubt(wish, article.raw);
  }
}

/** The wishes of a clause that an unknown word puts in doubt. */
function doubtedBy(
  { tokens, vocabulary, wishAt }: Turn,
  run: Unknown,
  wanted: readonly MeantMention[],
): readonly MeantMention[] {
  const opens = (lexicon: string) => vocabulary.lexicons.get(lexicon)?.open;
  switch (run.kind) {
    case 'name':
      return [wishAt.get(run.from - 1) ?? wishAt.get(run.to)].filter((wish) => wish !== undefined);
    case 'number':
      // It may be a number that was asked for, and no other wish. "Two pizzas": how many is no doubt.
      return vocabulary.numeric.size === 0
        ? wanted
        : wanted.filter(({ lexicon }) => vocabulary.numeric.has(lexicon));
    case 'verb': {
      const mayBeAsked = vocabulary.wishes.some((id) => opens(id) === 'verbs') && !isBreak(tokens[run.to]);
      return mayBeAsked && !wanted.some(({ lexicon }) => opens(lexicon) === 'verbs') ? [] : wanted;
    }
  }
}

/**
 * What unknown words put in doubt. Where a name stands ("a frobby place") they doubt the wish beside them at most; where
 * a verb may stand ("I frob sushi") all wishes of the clause, unless it may be the verb that was asked for.
 */
export function doubtUnknown(turn: Turn, unknown: readonly Unknown[]): Unknown[] {
  const inClause = new Map<number | undefined, MeantMention[]>();
  for (const wish of turn.wishes) {
    const others = inClause.get(turn.clause[wish.from]) ?? [];
    others.push(wish);
    inClause.set(turn.clause[wish.from], others);
  }
  return unknown.filter((run) => {
    if (run.kind === 'number' && run.to - run.from === 1 && turn.wishAt.get(run.to)?.sign === true)
      return false;
    const doubted = doubtedBy(turn, run, inClause.get(turn.clause[run.from]) ?? []);
    for (const wish of doubted) doubt(wish, run.quote);
    return doubted.length === 0;
  });
}
