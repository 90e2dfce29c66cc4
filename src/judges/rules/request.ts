import { type EvalCase, fieldOf } from '../../case/case.ts';
import {
  FILLER,
  findMentions,
  has,
  isNegation,
  type Mention,
  NEGATION,
  quoteOf,
  type Vocabulary,
} from './mentions.ts';
import { type Clauses, clausesOf, isAnswer, isContent, type MeantMention, readPolarity } from './polarity.ts';
import { type Token, tokenize } from './tokens.ts';
import { amended, placeIn, type TravelWish, travelWishes, type WayReading } from './way.ts';

/** Tokens that nothing explains, one after the other. */
export interface UnreadRun {
  from: number;
  to: number;
  quote: string;
}

/** After these and an article stands where it is to be, not what: "near the bakery". */
const NEAR =
  /^(?:near|opposite|beside|behind|by|past|around|nahe|neben|gegenuber|hinter|vor|beim|unweit|bei)$/;
const ARTICLE = /^(?:the|my|our|this|that|der|dem|den|die|das|meinem|meiner|unserem|unserer)$/;
/** "Next to the", "close to the". */
const TO_AFTER = /^(?:next|close|closest|nearest|near)$/;

/** Kinds of places to eat that are written like other places: "pizza house", "noodle bar". */
const EATERIES = /^(?:bar|house|haus|shop|store|club|place)s?$/;

const isFiller = (mention: Mention | undefined, terms: readonly string[]): mention is Mention =>
  mention?.lexicon === FILLER && mention.terms.some((term) => terms.includes(term));

/** Whether a mention says of what kind a person, a building, a vehicle is: "my Italian friend", "Hamburger Bahnhof". */
function modifies(mention: Mention, next: Mention | undefined): boolean {
  if (mention.reading !== 'exact') return false;
  if (!mention.sign && isFiller(next, ['person', 'landmark'])) return true;
  return isFiller(next, ['elsewhere']) && !EATERIES.test(next.quote.toLowerCase());
}

/** Whether a mention names what the place is to be near: "near the coffee shop". */
function isLandmark(mention: Mention, tokens: readonly Token[]): boolean {
  const [before, second, third] = [1, 2, 3].map((step) => tokens[mention.from - step]?.text ?? '');
  if (!ARTICLE.test(before ?? '')) return false;
  return NEAR.test(second ?? '') || (second === 'to' && TO_AFTER.test(third ?? ''));
}

/**
 * Makes unclear what is not surely a wish: where words stand in the same clause that were not understood, where the
 * sentence takes back or weakens what it says ("… is fine, too"), and where the mention is part of something else.
 */
export function markDoubts(
  tokens: readonly Token[],
  owners: ReadonlyMap<number, Mention>,
  clauses: Clauses,
  unread: readonly UnreadRun[],
  meant: readonly MeantMention[],
): void {
  // "Two pizzas": how many is no doubt.
  const isCount = ({ from, to }: UnreadRun) =>
    to - from === 1 && tokens[from]?.kind === 'number' && owners.get(to)?.sign === true;
  const misread = new Map(
    unread.filter((run) => !isCount(run)).map((run) => [clauses.startOf(run.from), run.quote]),
  );
  const weakened = new Map(
    [...new Set(owners.values())]
      .filter((mention) => isNegation(mention, 'doubt'))
      .map((mention) => [clauses.sentenceOf(mention.from), mention.quote]),
  );
  const doubt = (mention: MeantMention, words: string | null) => {
    if (mention.polarity === 'optional') return;
    mention.polarity = 'unclear';
    mention.doubt = words;
  };
  for (const mention of meant) {
    const words =
      weakened.get(clauses.sentenceOf(mention.from)) ?? misread.get(clauses.startOf(mention.from));
    const next = owners.get(mention.to);
    if (words !== undefined) doubt(mention, words);
    else if (modifies(mention, next)) doubt(mention, next?.quote ?? null);
    else if (mention.reading === 'exact' && isLandmark(mention, tokens))
      doubt(mention, quoteOf(tokens, mention.from - 2, mention.from));
  }
}

const isFillerOf = (mention: Mention | undefined, term: string): boolean =>
  mention?.lexicon === FILLER && mention.terms.includes(term);

/** "and", "or", "," between two attributes: "with parking and a charging station". */
const isJoint = (token: Token | undefined): boolean => /^(?:and|or|und|oder|,|&)$/.test(token?.text ?? '');

/**
 * The words for something else than a place to eat that are no mere attribute: what may be looked for instead. "Find a
 * hotel" and "take me home" hold one; "near the hotel", "with parking", "on my way home" and "noodle bar" hold none.
 */
export function soughtElsewhere(tokens: readonly Token[], mentions: readonly Mention[]): Mention[] {
  const owners = new Map(mentions.flatMap((mention) => mention.places.map((place) => [place, mention])));
  const attributes = new Set<Mention>();
  const isAttribute = (mention: Mention): boolean => {
    if (owners.get(mention.from - 1)?.sign === true) return true;
    let place = mention.from - 1;
    while (isFillerOf(owners.get(place), 'determiner')) place -= 1;
    const before = owners.get(isJoint(tokens[place]) ? place - 1 : place);
    if (isJoint(tokens[place])) return before !== undefined && attributes.has(before);
    return isFillerOf(before, 'attributive');
  };
  return mentions.filter((mention) => {
    if (!isFillerOf(mention, 'elsewhere')) return false;
    if (!isAttribute(mention)) return true;
    attributes.add(mention);
    return false;
  });
}

/** Whether a turn says what the request is for: a word such as "restaurant", or a mention that implies it (a dish). */
export const namesSubject = (
  tokens: readonly Token[],
  mentions: readonly Mention[],
  vocabulary: Vocabulary,
): boolean =>
  tokens.some((token) => has(vocabulary.subject, token)) ||
  mentions.some(
    (mention) =>
      isFillerOf(mention, 'subject') ||
      (vocabulary.lexicons.get(mention.lexicon)?.namesSubject === true && mention.reading !== 'any'),
  );

/** What all the user's turns say, as far as the vocabulary knows it. */
export interface RequestReading {
  /** Parts of the request, oldest first: a new turn or a correction ("no wait, …") starts one. Later ones prevail. */
  parts: readonly (readonly MeantMention[])[];
  /** Words that nothing explains, as written: while there are any, silence about a wish is not certain. */
  unread: readonly string[];
  way: WayReading;
  /** Words for something else that may be what is looked for, as written: "hotel". */
  elsewhere: readonly string[];
  /** Whether the request says what the checks are about: that a place to eat is wanted. */
  namesSubject: boolean;
  /** Why the request is not read at all, or null. */
  tooLong: string | null;
}

/** The most that is read. Longer requests hold stories, lists or noise, of which no reading by words is sure. */
const MAX_WORDS = 400;
const MAX_WISHES = 60;

const unreadable = (size: string): RequestReading => ({
  parts: [],
  unread: [],
  way: { limits: [], unclear: null, place: null, mayBePlace: null },
  elsewhere: [],
  namesSubject: false,
  tooLong: `the request is too long to be read exactly (${size})`,
});

/** Fields whose words a user may name without wishing anything by it: places and the venue's own name. */
const NAMED = ['context.location.description', 'recommendation.location.description', 'recommendation.name'];

const namesIn = (evalCase: EvalCase): ReadonlySet<string> =>
  new Set(
    NAMED.flatMap((path) => {
      const value = fieldOf(evalCase, path);
      return typeof value === 'string' ? tokenize(value).map((token) => token.text) : [];
    }),
  );

/** Words after which a capitalized English word is the name of a place. */
const BEFORE_PLACES = new Set(['near', 'around', 'in', 'nahe']);
/** The same, of two words: after "to" or "from" alone a venue of that name may be meant. */
const PAIRS_BEFORE_PLACES = new Set([
  'close to',
  'next to',
  'far from',
  'minutes from',
  'away from',
  'outside of',
]);
const ENGLISH = new Set([
  'the',
  'a',
  'me',
  'find',
  'i',
  'please',
  'is',
  'for',
  'can',
  'want',
  'with',
  'some',
  'any',
]);

const isCapitalized = (token: Token | undefined): boolean =>
  token?.kind === 'word' && /^\p{Lu}\p{Ll}/u.test(token.raw);

/** Whether the word at `at` is the name of a place: "near Sendlinger Tor". German capitalizes all nouns, so not there. */
function namesPlace(tokens: readonly Token[], at: number): boolean {
  if (!isCapitalized(tokens[at])) return false;
  let place = at - 1;
  while (isCapitalized(tokens[place]) && at - place < 5) place -= 1;
  if (tokens[place]?.text === 'the') place -= 1;
  const [first, second] = [tokens[place - 1]?.text ?? '', tokens[place]?.text ?? ''];
  return BEFORE_PLACES.has(second) || PAIRS_BEFORE_PLACES.has(`${first} ${second}`);
}

const isWordy = (token: Token): boolean =>
  token.kind === 'word' ||
  token.kind === 'number' ||
  token.kind === 'clock' ||
  (token.kind === 'symbol' && /^[€$£%<>≥≤+~≈=]/u.test(token.text));

function unreadIn(
  tokens: readonly Token[],
  read: readonly Mention[],
  names: ReadonlySet<string>,
): UnreadRun[] {
  const places = new Set(read.flatMap((mention) => mention.places));
  const english = tokens.some((token) => ENGLISH.has(token.text));
  const runs: UnreadRun[] = [];
  let start: number | null = null;
  for (let at = 0; at <= tokens.length; at += 1) {
    const token = tokens[at];
    const unread =
      token !== undefined &&
      isWordy(token) &&
      !places.has(at) &&
      !(names.has(token.text) && (isCapitalized(token) || token.kind === 'number')) &&
      !(english && namesPlace(tokens, at));
    if (unread) start ??= at;
    else if (start !== null) {
      runs.push({ from: start, to: at, quote: quoteOf(tokens, start, at) });
      start = null;
    }
  }
  return runs;
}

const isCorrection = (mention: Mention): boolean =>
  mention.lexicon === NEGATION && mention.terms.includes('correction');

/** Splits a turn's mentions where the user corrects what was said before: "no wait, …", "Italian? No, Thai". */
function splitAtCorrections(tokens: readonly Token[], mentions: readonly Mention[]): Mention[][] {
  const parts: Mention[][] = [[]];
  const [first, last] = [mentions.findIndex(isContent), mentions.findLastIndex(isContent)];
  for (const [index, mention] of mentions.entries()) {
    const answers = first >= 0 && first < index && index < last && isAnswer(tokens, mention);
    if (isCorrection(mention) || answers) parts.push([]);
    else parts.at(-1)?.push(mention);
  }
  return parts;
}

interface Turn {
  tokens: readonly Token[];
  mentions: readonly Mention[];
}

/** The user's turns with all that the vocabulary knows in them, or why there are too many words. */
function turnsOf(evalCase: EvalCase, vocabulary: Vocabulary): Turn[] | string {
  const texts = evalCase.conversation.flatMap(({ role, text }) => (role === 'user' ? [tokenize(text)] : []));
  const words = texts.reduce((sum, tokens) => sum + tokens.filter(isWordy).length, 0);
  if (words > MAX_WORDS) return `${words} words, at most ${MAX_WORDS} are read`;
  const turns = texts.map((tokens) => ({ tokens, mentions: findMentions(tokens, vocabulary) }));
  const wishes = turns.reduce((sum, { mentions }) => sum + mentions.filter(isContent).length, 0);
  return wishes > MAX_WISHES ? `${wishes} wishes, at most ${MAX_WISHES} are read` : turns;
}

/** Reads the request of a case. Never throws. */
export function readRequest(evalCase: EvalCase, vocabulary: Vocabulary): RequestReading {
  const turns = turnsOf(evalCase, vocabulary);
  if (typeof turns === 'string') return unreadable(turns);
  const names = namesIn(evalCase);
  const parts: MeantMention[][] = [];
  const unread: string[] = [];
  let travel: readonly TravelWish[] = [];
  const elsewhere: string[] = [];
  let named = false;
  let place: string | null = null;
  let mayBePlace: string | null = null;
  for (const { tokens, mentions } of turns) {
    const sought = soughtElsewhere(tokens, mentions);
    elsewhere.push(...sought.map(({ quote }) => quote));
    named ||= namesSubject(tokens, mentions, vocabulary);
    const unexplained = new Set<Mention>(sought);
    const owners = new Map(mentions.flatMap((mention) => mention.places.map((place) => [place, mention])));
    const clauses = clausesOf(tokens, owners);
    const unknown = unreadIn(tokens, mentions, names);
    place = placeIn(tokens, mentions, vocabulary) ?? place;
    mayBePlace = unknown.find(({ from }) => from > 0 && isCapitalized(tokens[from]))?.quote ?? mayBePlace;
    for (const part of splitAtCorrections(tokens, mentions)) {
      const reading = readPolarity(tokens, part);
      markDoubts(tokens, owners, clauses, unknown, reading.mentions);
      parts.push(reading.mentions);
      travel = amended(travel, travelWishes(tokens, part, vocabulary));
      for (const mention of reading.loose) unexplained.add(mention);
    }
    unread.push(
      ...unreadIn(
        tokens,
        mentions.filter((mention) => !unexplained.has(mention)),
        names,
      ).map(({ quote }) => quote),
    );
  }
  return {
    parts,
    unread: [...new Set(unread)],
    way: {
      limits: travel.filter((wish) => wish.kind === 'limit'),
      unclear: travel.find((wish) => wish.kind === 'unclear')?.quote ?? null,
      place,
      mayBePlace,
    },
    elsewhere: [...new Set(elsewhere)],
    namesSubject: named,
    tooLong: null,
  };
}

/** Reads the request of a case once per vocabulary, however many personas ask about it. */
export function createRequestReader(): (evalCase: EvalCase, vocabulary: Vocabulary) => RequestReading {
  const known = new WeakMap<Vocabulary, WeakMap<EvalCase, RequestReading>>();
  return (evalCase, vocabulary) => {
    const readings = known.get(vocabulary) ?? new WeakMap<EvalCase, RequestReading>();
    known.set(vocabulary, readings);
    const reading = readings.get(evalCase) ?? readRequest(evalCase, vocabulary);
    readings.set(evalCase, reading);
    return reading;
  };
}
