import { type EvalCase, fieldOf } from '../../case/case.ts';
import { clausesOf } from './clauses.ts';
import { markDoubts, type UnreadRun } from './doubts.ts';
import { findMentions, type Mention, quoteOf, type Vocabulary } from './find-mentions.ts';
import { NEGATION } from './negation.ts';
import { isAnswer, isContent, type MeantMention, readPolarity } from './read-polarity.ts';
import { namesSubject, soughtElsewhere } from './sought-elsewhere.ts';
import { type Token, tokenize } from './tokenize.ts';
import { amended, placeIn, type TravelWish, travelWishes, type WayReading } from './travel-wishes.ts';

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
