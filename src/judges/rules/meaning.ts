import { type Mention, NEGATION, type Vocabulary } from './mentions.ts';
import { endsSentence, isBreak, type Token } from './tokens.ts';
import {
  doubt,
  doubtNames,
  doubtUnknown,
  isClear,
  isNegation,
  type MeantMention,
  type Turn,
  turnOf,
  type Unknown,
} from './turn.ts';

/** What one turn means. */
export interface Meaning {
  wishes: MeantMention[];
  /** Unknown words that cast no doubt on any wish: they may be one of their own. */
  free: Unknown[];
  /** Where the user takes back what was said before, or 0. */
  corrected: number;
}

/** Most tokens between two alternatives. */
const MAX_LINK = 10;

/** Whether a "no" is an answer of its own, or may be one: "No, I want Greek", "Italian? No Thai". */
function isAnswer({ tokens }: Turn, word: Mention): boolean {
  if (!isNegation(word, 'answer') || !(word.from === 0 || isBreak(tokens[word.from - 1]))) return false;
  return isBreak(tokens[word.to]) || tokens[word.from - 1]?.text === '?';
}

/** What turns around what follows, by the term of negation.yaml. */
const TURNING = ['comparison', 'unclear', 'optional', 'unwanted'] as const;

/** Turns around the wish that a negating word reaches; what else it puts in doubt, or null where nothing. */
function turnAround(turn: Turn, word: Mention): 'clause' | 'loose' | null {
  const turns = TURNING.find((term) => isNegation(word, term));
  const target = turn.next[word.to];
  const reached = target !== undefined && isClear(turn, word.to, target.from) ? target : undefined;
  if (turns === undefined) return null;
  if (turns === 'comparison') return reached === undefined ? null : 'clause';
  if (reached === undefined) return 'loose';
  if (reached.polarity !== 'wanted' || turns === 'unclear') doubt(reached, word.quote);
  else reached.polarity = turns;
  return null;
}

/** What the user takes back ("no wait", "actually") no longer counts where it is said anew; else it is unclear. */
function takeBack({ wishes }: Turn, corrected: number): void {
  const anew = new Set(wishes.filter(({ from }) => from >= corrected).map(({ lexicon }) => lexicon));
  for (const wish of wishes.filter(({ from }) => from < corrected)) {
    if (anew.has(wish.lexicon)) wish.polarity = 'optional';
    else if (anew.size === 0) doubt(wish, 'a correction');
  }
}

type Doubted = ReadonlyMap<number | undefined, string>;

/** Makes unclear all wishes of the clauses and sentences that are in doubt. */
function doubtWithin({ wishes, clause, sentence }: Turn, clauses: Doubted, sentences: Doubted): void {
  for (const wish of wishes) {
    const words = sentences.get(sentence[wish.from]) ?? clauses.get(clause[wish.from]);
    if (words !== undefined) doubt(wish, words);
  }
}

/** Applies the negating words of a turn. One that reaches a wish turns that around; any other makes its clause unclear. */
function negate(turn: Turn, all: readonly Mention[]): { corrected: number; loose: Mention[] } {
  const { tokens, wishes, clause, sentence } = turn;
  const [clauses, sentences] = [new Map<number | undefined, string>(), new Map<number | undefined, string>()];
  const first = wishes.reduce((least, { to }) => Math.min(least, to), Number.POSITIVE_INFINITY);
  const loose: Mention[] = [];
  let corrected = 0;
  for (const word of all.filter(({ lexicon }) => lexicon === NEGATION)) {
    const answers = isAnswer(turn, word);
    const isAlone = answers && isBreak(tokens[word.to]);
    if (first <= word.from && (answers || isNegation(word, 'correction'))) corrected = word.from;
    if (isAlone || isNegation(word, 'correction')) continue;
    // "Italian? No Thai": without a comma it may refuse either.
    if ((answers && first <= word.from) || isNegation(word, 'doubt'))
      sentences.set(sentence[answers ? word.to : word.from], word.quote);
    const doubted = turnAround(turn, word);
    if (doubted === 'loose') loose.push(word);
    if (doubted !== null) clauses.set(clause[word.from], word.quote);
  }
  doubtWithin(turn, clauses, sentences);
  takeBack(turn, corrected);
  return { corrected, loose };
}

type Link = 'or' | 'and' | 'comma' | 'none';

/** What stands between two wishes of the same lexicon. */
function linkBetween({ tokens, owners }: Turn, before: Mention, after: Mention): Link {
  if (after.from - before.to > MAX_LINK) return 'none';
  let link: Link = 'none';
  for (let place = before.to; place < after.from; place += 1) {
    const owner = owners.get(place);
    const text = tokens[place]?.text ?? '';
    if (endsSentence(tokens[place]) || isNegation(owner, 'contrast')) return 'none';
    if (text === '/' || isNegation(owner, 'alternative')) return 'or';
    if (isNegation(owner, 'joint')) link = 'and';
    else if (text === ',' && link === 'none') link = 'comma';
  }
  return link;
}

/** Groups alternatives; "not A or B" refuses both, "not A, B and C" may or may not. */
function relate(turn: Turn, wishes: readonly MeantMention[]): void {
  const links = wishes.map((wish, index): Link => {
    const before = wishes[index - 1];
    return before === undefined ? 'none' : linkBetween(turn, before, wish);
  });
  // Of a list the last link says what its commas mean: "A, B or C".
  const meant = [...links];
  for (let index = meant.length - 2; index > 0; index -= 1)
    if (meant[index] === 'comma' && meant[index + 1] !== 'none') meant[index] = meant[index + 1] ?? 'comma';
  let group = 0;
  for (const [index, wish] of wishes.entries()) {
    const before = wishes[index - 1]?.polarity ?? 'wanted';
    if (before !== 'wanted' && before !== 'optional' && wish.polarity === 'wanted') {
      if (links[index] === 'or') wish.polarity = before;
      else if (meant[index] === 'and' || meant[index] === 'or') wish.polarity = 'unclear';
    }
    if (meant[index] !== 'or' || before !== wish.polarity) group += 1;
    wish.group = group;
  }
}

/** An "or" after a wish that leads to nothing known leaves the alternatives open. */
function openEnds(turn: Turn, all: readonly Mention[]): void {
  const { tokens, wishes, next } = turn;
  let index = 0;
  for (const or of all.filter((mention) => isNegation(mention, 'alternative'))) {
    while ((wishes[index + 1]?.to ?? Number.POSITIVE_INFINITY) <= or.from) index += 1;
    const before = wishes[index];
    const end = tokens[or.from - 1]?.text === ',' ? or.from - 1 : or.from;
    if (before === undefined || before.to > or.from || !isClear(turn, before.to, end)) continue;
    const after = next[or.to];
    if (after?.lexicon !== before.lexicon || after.from - or.to > MAX_LINK) before.openEnded = true;
  }
}

/** A refusal may reach further than to what it is said of: "don't open the window" refuses no window, and wants none. */
function castShadows({ tokens, wishes }: Turn): void {
  for (const [index, wish] of wishes.entries()) {
    const before = wishes[index - 1];
    if (before === undefined || wish.polarity !== 'wanted' || before.lexicon === wish.lexicon) continue;
    if (tokens.slice(before.to, wish.from).some(isBreak)) continue;
    wish.shadow = before.polarity === 'wanted' ? before.shadow : before.quote;
  }
}

/** What one turn means: each wish wanted, not wanted, an alternative, or unclear. */
export function readMeaning(
  tokens: readonly Token[],
  all: readonly Mention[],
  vocabulary: Vocabulary,
  unknown: readonly Unknown[] = [],
): Meaning {
  const turn = turnOf(tokens, all, vocabulary);
  const { corrected, loose } = negate(turn, all);
  openEnds(turn, all);
  castShadows(turn);
  for (const lexicon of new Set(turn.wishes.map((wish) => wish.lexicon)))
    relate(
      turn,
      turn.wishes.filter((wish) => wish.lexicon === lexicon),
    );
  const free = doubtUnknown(turn, unknown);
  doubtNames(turn);
  const idle = loose.filter(
    ({ from }) => !turn.wishes.some((wish) => turn.clause[wish.from] === turn.clause[from]),
  );
  return {
    wishes: [...turn.wishes],
    free: [...free, ...idle.map(({ from, to, quote }): Unknown => ({ from, to, quote, kind: 'name' }))],
    corrected,
  };
}
