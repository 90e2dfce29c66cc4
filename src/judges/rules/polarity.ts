import { HELPERS, isNegation, type Mention, NEGATION } from './mentions.ts';
import type { Token } from './tokens.ts';

const ENDS = new Set(['.', ';', '!', '?', '\n']);

/** Whether a token ends a sentence. Commas do not. */
export const endsSentence = (token: Token | undefined): boolean =>
  token?.kind === 'break' && ENDS.has(token.text);

/** The sentences and clauses of a turn; a clause also ends at a "but". Each is known by the place of its first token. */
export interface Clauses {
  startOf(place: number): number;
  sentenceOf(place: number): number;
  /** Whether a word of preference ("rather") stands before a place in its clause. */
  prefers(place: number): boolean;
}

/** Finds them all in one pass. */
export function clausesOf(tokens: readonly Token[], owners: ReadonlyMap<number, Mention>): Clauses {
  const starts: number[] = [];
  const sentences: number[] = [];
  const preferring: boolean[] = [];
  let [start, sentence, prefers] = [0, 0, false];
  for (const [place, token] of tokens.entries()) {
    starts.push(start);
    sentences.push(sentence);
    preferring.push(prefers);
    const owner = owners.get(place);
    const ends = endsSentence(token);
    if (ends) sentence = place + 1;
    if (ends || isNegation(owner, 'contrast')) [start, prefers] = [place + 1, false];
    else if (isNegation(owner, 'preference')) prefers = true;
  }
  return {
    startOf: (place) => starts[place] ?? start,
    sentenceOf: (place) => sentences[place] ?? sentence,
    prefers: (place) => preferring[place] ?? prefers,
  };
}

/** The term of a numeric lexicon whose words say what a number is about. */
export const ABOUT = 'about';

/**
 * How a mention is meant. `unclear`: something near it may turn it around. `optional`: the user says that it need
 * not hold.
 */
type Polarity = 'wanted' | 'unwanted' | 'unclear' | 'optional';

export interface MeantMention extends Mention {
  polarity: Polarity;
  /** Mentions of one group are alternatives. */
  group: number;
  openEnded: boolean;
  /** What is refused before it in the same breath: "don't open" in "don't open the window"; or null. */
  shadow: string | null;
  /** The words that make it unclear, where known. */
  doubt: string | null;
}

export interface PolarityReading {
  mentions: MeantMention[];
  /** Negating words that could not be related to anything. */
  loose: Mention[];
}

/** Most tokens between a negating word and what it negates. */
const MAX_GAP = 5;
/** Most tokens between two alternatives. */
const MAX_LINK = 10;

export const isContent = (mention: Mention): boolean => !HELPERS.has(mention.lexicon);

/** Words of negation.yaml that a negation reaches over. */
const isPassed = (mention: Mention): boolean =>
  isNegation(mention, 'alternative') || isNegation(mention, 'preference');

/** Whether everything between two places is explained by words without a wish, without a break or a "but". */
function isClear(
  tokens: readonly Token[],
  owners: ReadonlyMap<number, Mention>,
  from: number,
  to: number,
): boolean {
  if (to - from > MAX_GAP) return false;
  for (let place = from; place < to; place += 1) {
    const owner = owners.get(place);
    if (tokens[place]?.kind === 'break' || owner === undefined) return false;
    const isHelper = owner.lexicon !== NEGATION && HELPERS.has(owner.lexicon);
    if (!isHelper && !owner.terms.includes(ABOUT) && !isPassed(owner)) return false;
  }
  return true;
}

type Link = 'or' | 'and' | 'comma' | 'none';

/** What stands between two mentions of the same lexicon. */
function linkBetween(
  tokens: readonly Token[],
  owners: ReadonlyMap<number, Mention>,
  before: Mention,
  after: Mention,
): Link {
  if (after.from - before.to > MAX_LINK) return 'none';
  let link: Link = 'none';
  for (let place = before.to; place < after.from; place += 1) {
    const owner = owners.get(place);
    const text = tokens[place]?.text ?? '';
    if (endsSentence(tokens[place]) || isNegation(owner, 'contrast')) return 'none';
    if (text === '/' || (owner !== undefined && isNegation(owner, 'alternative'))) return 'or';
    if (owner !== undefined && isNegation(owner, 'joint')) link = 'and';
    else if (text === ',' && link === 'none') link = 'comma';
  }
  return link;
}

/** Whether a negating word is an answer of its own: "No, I want Greek". */
export const isAnswer = (tokens: readonly Token[], negation: Mention): boolean =>
  isNegation(negation, 'answer') &&
  (negation.from === 0 || tokens[negation.from - 1]?.kind === 'break') &&
  (tokens[negation.to]?.kind ?? 'break') === 'break';

/** What the steps of one reading look things up in; made once, so that every step takes time in proportion to the text. */
interface Sentence {
  tokens: readonly Token[];
  owners: ReadonlyMap<number, Mention>;
  clauses: Clauses;
  /** In reading order. */
  content: readonly MeantMention[];
  /** Those of the content that may be turned around. */
  targets: readonly MeantMention[];
  /** Where the first mention ends. */
  firstEnd: number;
}

/** Index of the first mention that begins at a place or behind it; they are in reading order. */
function firstFrom(mentions: readonly Mention[], place: number): number {
  let [low, high] = [0, mentions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((mentions[middle]?.from ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How "than" means what follows: "rather Thai than Italian" refuses it; "better than Italian" may or may not. */
const comparedTo = ({ clauses }: Sentence, than: Mention): 'unwanted' | 'unclear' =>
  clauses.prefers(than.from) ? 'unwanted' : 'unclear';

/** What a negating word makes of what follows it, or null where it negates nothing. */
function polarityBy(sentence: Sentence, negation: Mention): Exclude<Polarity, 'wanted'> | null {
  if (isNegation(negation, 'comparison')) return comparedTo(sentence, negation);
  return (['unclear', 'optional', 'unwanted'] as const).find((term) => isNegation(negation, term)) ?? null;
}

/** Turns around what a negating word reaches; whether it is settled by that. */
function reaches(sentence: Sentence, negation: Mention, polarity: Polarity): boolean {
  const { tokens, owners, targets } = sentence;
  const isFirst = sentence.firstEnd > negation.from;
  // "Italian? No Thai": without a comma it may refuse either.
  if (isNegation(negation, 'answer') && tokens[negation.from - 1]?.text === '?' && !isFirst) return false;
  const target = targets[firstFrom(targets, negation.to)];
  if (target !== undefined && isClear(tokens, owners, negation.to, target.from)) {
    target.polarity = target.polarity === 'wanted' ? polarity : 'unclear';
    return true;
  }
  return isNegation(negation, 'comparison') || (isAnswer(tokens, negation) && isFirst);
}

/** Applies all negating words; returns those that could not be related to anything, which make their clause unclear. */
function applyNegations(sentence: Sentence, all: readonly Mention[]): Mention[] {
  const { tokens, clauses, content } = sentence;
  const loose = all.filter((negation) => {
    const polarity = polarityBy(sentence, negation);
    return polarity !== null && !reaches(sentence, negation, polarity);
  });
  const isDoubt = loose.some(
    (negation) => isNegation(negation, 'answer') && tokens[negation.from - 1]?.text === '?',
  );
  const unclear = new Set(loose.map((negation) => clauses.startOf(negation.from)));
  for (const mention of content)
    if (isDoubt || unclear.has(clauses.startOf(mention.from))) mention.polarity = 'unclear';
  return loose;
}

/** For each link the next one, itself included, that is no mere comma. */
function beyondCommas(links: readonly Link[]): (Link | undefined)[] {
  const beyond: (Link | undefined)[] = [];
  let next: Link | undefined;
  for (let index = links.length - 1; index >= 0; index -= 1) {
    if (links[index] !== 'comma') next = links[index];
    beyond[index] = next;
  }
  return beyond;
}

/** "Not A or B" negates both; "not A, B or C" may or may not. */
function carryOn(
  mentions: readonly MeantMention[],
  links: readonly Link[],
  beyond: readonly (Link | undefined)[],
): void {
  for (const [index, link] of links.entries()) {
    const [before, after] = [mentions[index], mentions[index + 1]];
    if (before === undefined || after === undefined || after.polarity !== 'wanted') continue;
    if (before.polarity === 'wanted' || link === 'none') continue;
    const rest = beyond[index];
    if (link === 'or') after.polarity = before.polarity;
    else if (link === 'and' || rest === 'or' || rest === 'and') after.polarity = 'unclear';
  }
}

function makeGroups(
  mentions: readonly MeantMention[],
  links: readonly Link[],
  beyond: readonly (Link | undefined)[],
): void {
  let group = 0;
  for (const [index, mention] of mentions.entries()) {
    const link = links[index - 1] ?? 'none';
    const joins = link === 'or' || (link === 'comma' && beyond[index - 1] === 'or');
    const before = mentions[index - 1];
    if (!joins || before?.polarity !== mention.polarity) group += 1;
    mention.group = group;
  }
}

/** The last mention that ends at a place or before it. */
function lastBefore(mentions: readonly MeantMention[], place: number): MeantMention | undefined {
  let index = firstFrom(mentions, place) - 1;
  while ((mentions[index]?.to ?? 0) > place) index -= 1;
  return mentions[index];
}

/** Whether a mention of a lexicon begins within reach behind a place. */
function followsSoon(mentions: readonly MeantMention[], place: number, lexicon: string): boolean {
  for (let index = firstFrom(mentions, place); index < mentions.length; index += 1) {
    const mention = mentions[index];
    if (mention === undefined || mention.from - place > MAX_LINK) return false;
    if (mention.lexicon === lexicon) return true;
  }
  return false;
}

/** An "or" after a mention that leads to nothing known leaves the alternatives open. */
function openEnds({ tokens, owners, content }: Sentence, all: readonly Mention[]): void {
  for (const or of all) {
    if (!isNegation(or, 'alternative')) continue;
    const before = lastBefore(content, or.from);
    const end = tokens[or.from - 1]?.text === ',' ? or.from - 1 : or.from;
    if (before === undefined || !isClear(tokens, owners, before.to, end)) continue;
    if (!followsSoon(content, or.to, before.lexicon)) before.openEnded = true;
  }
}

/** A refusal may reach further than to what it is said of: "don't open the window" refuses no window, and wants none. */
function castShadows({ tokens, content }: Sentence): void {
  for (const [index, mention] of content.entries()) {
    const before = content[index - 1];
    if (before === undefined || mention.polarity !== 'wanted' || before.lexicon === mention.lexicon) continue;
    if (tokens.slice(before.to, mention.from).some(({ kind }) => kind === 'break')) continue;
    mention.shadow = before.polarity === 'wanted' ? before.shadow : before.quote;
  }
}

/** What each mention of one turn (or part of a turn) is meant as: wanted, not wanted, an alternative. */
export function readPolarity(tokens: readonly Token[], all: readonly Mention[]): PolarityReading {
  const owners = new Map<number, Mention>(
    all.flatMap((mention) => mention.places.map((place) => [place, mention])),
  );
  const content = all.filter(isContent).map(
    (mention): MeantMention => ({
      ...mention,
      polarity: 'wanted',
      group: 0,
      openEnded: false,
      shadow: null,
      doubt: null,
    }),
  );
  const sentence: Sentence = {
    tokens,
    owners,
    content,
    clauses: clausesOf(tokens, owners),
    targets: content.filter((mention) => !mention.terms.includes(ABOUT)),
    firstEnd: content.reduce((least, mention) => Math.min(least, mention.to), Number.POSITIVE_INFINITY),
  };
  const loose = applyNegations(sentence, all);
  openEnds(sentence, all);
  castShadows(sentence);
  for (const lexicon of new Set(content.map((mention) => mention.lexicon))) {
    const mentions = content.filter((mention) => mention.lexicon === lexicon);
    const links = mentions.slice(1).map((after, index) => {
      const before = mentions[index];
      return before === undefined ? 'none' : linkBetween(tokens, owners, before, after);
    });
    const beyond = beyondCommas(links);
    carryOn(mentions, links, beyond);
    makeGroups(mentions, links, beyond);
  }
  return { mentions: content, loose };
}
