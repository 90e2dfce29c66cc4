import { FILLER, type Mention, TRAVEL } from './find-mentions.ts';
import type { Token } from './tokenize.ts';

/** The lexicon of words that turn wishes around. Its term ids are fixed: see `prompts/lexicons/negation.yaml`. */
export const NEGATION = 'negation';

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

export const isNegation = (mention: Mention | undefined, term: string): boolean =>
  mention?.lexicon === NEGATION && mention.terms.includes(term);

/** Lexicons that hold no wishes which the checks of a rubric ask for. */
const HELPERS = new Set([NEGATION, FILLER, TRAVEL]);

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
  for (let place = from; place < to; place += 1) {
    const owner = owners.get(place);
    if (tokens[place]?.kind === 'break' || owner === undefined) return false;
    const isHelper = owner.lexicon !== NEGATION && HELPERS.has(owner.lexicon);
    if (!isHelper && !owner.terms.includes(ABOUT) && !isPassed(owner)) return false;
  }
  return to - from <= MAX_GAP;
}

/** The clause around a place: up to a full stop, a new line or a "but". Commas do not end it. */
function clauseOf(
  tokens: readonly Token[],
  owners: ReadonlyMap<number, Mention>,
  place: number,
): { from: number; to: number } {
  const ends = (at: number) => {
    const owner = owners.get(at);
    return (
      /^[.;!?\n]$/.test(tokens[at]?.text ?? '') || (owner !== undefined && isNegation(owner, 'contrast'))
    );
  };
  let from = place;
  while (from > 0 && !ends(from - 1)) from -= 1;
  let to = place + 1;
  while (to < tokens.length && !ends(to)) to += 1;
  return { from, to };
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
    if (/^[.;!?\n]$/.test(text) || (owner !== undefined && isNegation(owner, 'contrast'))) return 'none';
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

/** How "than" means what follows: "rather Thai than Italian" refuses it; "better than Italian" may or may not. */
function comparedTo(
  tokens: readonly Token[],
  owners: ReadonlyMap<number, Mention>,
  than: Mention,
): 'unwanted' | 'unclear' {
  const { from } = clauseOf(tokens, owners, than.from);
  for (let place = from; place < than.from; place += 1) {
    const owner = owners.get(place);
    if (owner !== undefined && isNegation(owner, 'preference')) return 'unwanted';
  }
  return 'unclear';
}

/** What a negating word makes of what follows it, or null where it negates nothing. */
function polarityBy(
  tokens: readonly Token[],
  owners: ReadonlyMap<number, Mention>,
  negation: Mention,
): Exclude<Polarity, 'wanted'> | null {
  if (isNegation(negation, 'comparison')) return comparedTo(tokens, owners, negation);
  return (['unclear', 'optional', 'unwanted'] as const).find((term) => isNegation(negation, term)) ?? null;
}

/** Turns around what a negating word reaches; whether it is settled by that. */
function reaches(
  tokens: readonly Token[],
  owners: ReadonlyMap<number, Mention>,
  content: readonly MeantMention[],
  negation: Mention,
  polarity: Polarity,
): boolean {
  const isFirst = !content.some((mention) => mention.to <= negation.from);
  // "Italian? No Thai": without a comma it may refuse either.
  if (isNegation(negation, 'answer') && tokens[negation.from - 1]?.text === '?' && !isFirst) return false;
  const target = content.find((mention) => mention.from >= negation.to && !mention.terms.includes(ABOUT));
  if (target !== undefined && isClear(tokens, owners, negation.to, target.from)) {
    target.polarity = target.polarity === 'wanted' ? polarity : 'unclear';
    return true;
  }
  return isNegation(negation, 'comparison') || (isAnswer(tokens, negation) && isFirst);
}

/** Applies all negating words; returns those that could not be related to anything, which make their clause unclear. */
function applyNegations(
  tokens: readonly Token[],
  owners: ReadonlyMap<number, Mention>,
  all: readonly Mention[],
  content: readonly MeantMention[],
): Mention[] {
  const loose = all.filter((negation) => {
    const polarity = polarityBy(tokens, owners, negation);
    return polarity !== null && !reaches(tokens, owners, content, negation, polarity);
  });
  for (const negation of loose) {
    const clause = clauseOf(tokens, owners, negation.from);
    const isDoubt = isNegation(negation, 'answer') && tokens[negation.from - 1]?.text === '?';
    for (const mention of content)
      if (isDoubt || (mention.from >= clause.from && mention.to <= clause.to)) mention.polarity = 'unclear';
  }
  return loose;
}

/** "Not A or B" negates both; "not A, B or C" may or may not. */
function carryOn(mentions: readonly MeantMention[], links: readonly Link[]): void {
  for (const [index, link] of links.entries()) {
    const [before, after] = [mentions[index], mentions[index + 1]];
    if (before === undefined || after === undefined || after.polarity !== 'wanted') continue;
    if (before.polarity === 'wanted' || link === 'none') continue;
    const rest = links.slice(index).find((next) => next !== 'comma');
    if (link === 'or') after.polarity = before.polarity;
    else if (link === 'and' || rest === 'or' || rest === 'and') after.polarity = 'unclear';
  }
}

function makeGroups(mentions: readonly MeantMention[], links: readonly Link[]): void {
  let group = 0;
  for (const [index, mention] of mentions.entries()) {
    const link = links[index - 1] ?? 'none';
    const rest = links.slice(index - 1).find((next) => next !== 'comma');
    const joins = link === 'or' || (link === 'comma' && rest === 'or');
    const before = mentions[index - 1];
    if (!joins || before?.polarity !== mention.polarity) group += 1;
    mention.group = group;
  }
}

/** An "or" after a mention that leads to nothing known leaves the alternatives open. */
function openEnds(
  tokens: readonly Token[],
  owners: ReadonlyMap<number, Mention>,
  all: readonly Mention[],
  content: readonly MeantMention[],
): void {
  for (const or of all.filter((mention) => isNegation(mention, 'alternative'))) {
    const before = content.findLast((mention) => mention.to <= or.from);
    const end = tokens[or.from - 1]?.text === ',' ? or.from - 1 : or.from;
    if (before === undefined || !isClear(tokens, owners, before.to, end)) continue;
    const after = content.find(
      (mention) =>
        mention.lexicon === before.lexicon && mention.from >= or.to && mention.from - or.to <= MAX_LINK,
    );
    if (after === undefined) before.openEnded = true;
  }
}

/** "My Italian friend" wishes nothing Italian. */
const isOfPerson = (mention: Mention, next: Mention | undefined): boolean =>
  !mention.sign && mention.reading === 'exact' && next?.lexicon === FILLER && next.terms.includes('person');

/** What each mention of one turn (or part of a turn) is meant as: wanted, not wanted, an alternative. */
export function readPolarity(tokens: readonly Token[], all: readonly Mention[]): PolarityReading {
  const owners = new Map<number, Mention>(
    all.flatMap((mention) => mention.places.map((place) => [place, mention])),
  );
  const content = all
    .filter(isContent)
    .map((mention): MeantMention => ({ ...mention, polarity: 'wanted', group: 0, openEnded: false }));
  const loose = applyNegations(tokens, owners, all, content);
  openEnds(tokens, owners, all, content);
  for (const mention of content)
    if (isOfPerson(mention, owners.get(mention.to))) mention.polarity = 'unclear';
  for (const lexicon of new Set(content.map((mention) => mention.lexicon))) {
    const mentions = content.filter((mention) => mention.lexicon === lexicon);
    const links = mentions.slice(1).map((after, index) => {
      const before = mentions[index];
      return before === undefined ? 'none' : linkBetween(tokens, owners, before, after);
    });
    carryOn(mentions, links);
    makeGroups(mentions, links);
  }
  return { mentions: content, loose };
}
