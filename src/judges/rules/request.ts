import { type EvalCase, fieldOf } from '../../case/case.ts';
import {
  alternativesIn,
  doubtNames,
  doubtUnknown,
  refuse,
  type Turn,
  turningWords,
  type Unknown,
  type Wish,
} from './doubts.ts';
import {
  ABOUT,
  FILLER,
  findMentions,
  HELPERS,
  isAmong,
  isOf,
  type Mention,
  readingOf,
  type Vocabulary,
} from './mentions.ts';
import { lineBreak, quoteOf, type Token, tokenize } from './tokens.ts';
import { placesIn, readWay, travelWishes, type WayReading } from './way.ts';

/** What all the user's turns say, as far as the vocabulary knows it. */
export interface RequestReading {
  /** In reading order. */
  wishes: readonly Wish[];
  /** A word that may turn around, weaken or take back any wish ("not", "unless", "no wait"); or null. */
  turned: string | null;
  /** The lexicons whose wishes are alternatives: "Italian or Greek". */
  alternatives: ReadonlySet<string>;
  /** Words that nothing explains and that cast no doubt on a wish: they may be one of their own. */
  unread: readonly Pick<Unknown, 'quote' | 'kind'>[];
  /** All words that nothing explains: they may name a place, a time or a bound. */
  unknown: readonly Unknown[];
  way: WayReading;
  /** Wishes that no criterion is about, as written: "quiet". */
  unchecked: readonly string[];
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

/** Fields whose words a user may name without wishing anything by it: places and the venue's own name. */
const NAMED = ['context.location.description', 'recommendation.location.description', 'recommendation.name'];

const namesIn = (evalCase: EvalCase): ReadonlySet<string> =>
  new Set(
    NAMED.flatMap((path) => {
      const value = fieldOf(evalCase, path);
      return typeof value === 'string' ? tokenize(value).map((token) => token.text) : [];
    }),
  );

/** Whether a token says something: a word, a number, or a sign that may belong to one. */
const isWordy = ({ kind, text }: Token): boolean =>
  /^(?:word|number|clock)$/.test(kind) || (kind === 'symbol' && /^[€$£%<>≥≤+~≈=]/u.test(text));

/** The words that nothing explains, run by run: numbers, names after "a" or "with", or what may be verbs. */
function unknownIn(
  tokens: readonly Token[],
  explained: ReadonlySet<number>,
  names: ReadonlySet<string>,
  { words }: Vocabulary,
): Unknown[] {
  const isUnknown = (at: number): boolean => {
    const token = tokens[at];
    if (token === undefined || explained.has(at) || !isWordy(token)) return false;
    return !names.has(token.text) || !(/^\p{Lu}\p{Ll}/u.test(token.raw) || token.kind === 'number');
  };
  return tokens.flatMap((_, from): Unknown[] => {
    if (!isUnknown(from) || isUnknown(from - 1)) return [];
    let to = from + 1;
    while (isUnknown(to)) to += 1;
    const isNumber = tokens.slice(from, to).some(({ kind }) => kind === 'number' || kind === 'clock');
    const isName = words(FILLER, 'before-names').has(tokens[from - 1]?.text ?? '');
    const kind = isNumber ? 'number' : isName ? 'name' : 'verb';
    return [{ from, to, quote: quoteOf(tokens, from, to), kind }];
  });
}

/** Words for something else than the subject, and what stands before them: "near" the hotel, "with" parking, or nothing. */
const elsewhereIn = ({ mentions, owners }: Turn): { quote: string; before: Mention | undefined }[] =>
  mentions.flatMap((mention) => {
    if (!isOf(mention, FILLER, 'elsewhere')) return [];
    let at = mention.from - 1;
    while (owners.get(at)?.sign !== true && isOf(owners.get(at), FILLER, 'determiner')) at -= 1;
    return [{ quote: mention.quote, before: owners.get(at) }];
  });

/** Whether a turn says what the request is for: a word such as "restaurant", or a wish that implies it (a dish). */
const namesSubject = ({ tokens, mentions }: Turn, { lexicons, words }: Vocabulary): boolean =>
  tokens.some((token) => isAmong(words(FILLER, 'subject'), token)) ||
  mentions.some(
    ({ lexicon, terms, reading }) =>
      (lexicon === FILLER && terms.includes('subject')) ||
      (lexicons.get(lexicon)?.namesSubject === true && reading !== 'any'),
  );

const isContent = (mention: Mention): boolean => !HELPERS.has(mention.lexicon);

/**
 * What all of a user's turns say, one after the other; it takes time in proportion to the text.
 *
 * @param starts at which token each turn begins
 */
export function readTokens(
  tokens: readonly Token[],
  mentions: readonly Mention[],
  vocabulary: Vocabulary,
  names: ReadonlySet<string> = new Set(),
  starts: readonly number[] = [0],
): RequestReading {
  const turnAt = (at: number): number => starts.findLastIndex((start) => start <= at);
  const wishes = mentions
    .filter(isContent)
    .map((mention): Wish => ({ ...mention, turn: turnAt(mention.from), doubt: null, isRefused: false }));
  const turn: Turn = { ...readingOf(tokens, mentions, vocabulary), wishes };
  refuse(turn, vocabulary);
  const places = placesIn(turn, vocabulary);
  const explained = new Set([...mentions, ...places].flatMap((mention) => mention.places));
  const unknown = unknownIn(tokens, explained, names, vocabulary);
  const spoken = wishes.filter(({ terms }) => !terms.includes(ABOUT));
  const { lexicons, loose } = alternativesIn({ ...turn, wishes: spoken }, vocabulary);
  doubtNames(turn, vocabulary);
  const unread = doubtUnknown(turn, unknown, vocabulary);
  const turned = turningWords(turn) ?? loose;
  const verbs = unread.filter(({ kind }) => kind === 'verb');
  for (const wish of wishes) wish.doubt ??= verbs.find(({ from }) => turnAt(from) > wish.turn)?.quote ?? null;
  const isDoubtful = turned !== null || unknown.some(({ kind }) => kind === 'number');
  const elsewhere = elsewhereIn(turn);
  // "Near the hotel", "on my way home" and "noodle bar" do not look for these.
  const sought = elsewhere.filter(
    ({ before }) => before?.sign !== true && !isOf(before, FILLER, 'attributive'),
  );
  const had = elsewhere.filter(({ before }) => isOf(before, FILLER, 'had'));
  const quotes = (some: readonly { quote: string }[]) => [...new Set(some.map(({ quote }) => quote))];
  const isIdle = turned !== null && wishes.length === 0;
  return {
    wishes,
    turned,
    alternatives: lexicons,
    unread: [...unread, ...(isIdle ? [{ quote: turned, kind: 'name' } as const] : [])],
    unknown,
    way: {
      ...readWay(travelWishes(turn, vocabulary), isDoubtful),
      place: places[0]?.quote ?? null,
      mayBePlace: vocabulary.wishes.length > 0 ? (unknown[0]?.quote ?? null) : null,
    },
    unchecked: quotes([...mentions.filter((one) => isOf(one, FILLER, 'amenity')), ...had]),
    elsewhere: quotes(sought),
    namesSubject: namesSubject(turn, vocabulary),
    tooLong: null,
  };
}

/** Reads the request of a case. Never throws. */
export function readRequest(evalCase: EvalCase, vocabulary: Vocabulary): RequestReading {
  const turns = evalCase.conversation.filter(({ role }) => role === 'user').map(({ text }) => text);
  const tokens: Token[] = [];
  const starts: number[] = [];
  const tooLong = (count: string): RequestReading => ({
    ...readTokens([], [], vocabulary),
    tooLong: `the request is too long to be read exactly (${count} are read)`,
  });
  for (const text of turns) {
    starts.push(tokens.length);
    tokens.push(...tokenize(text, vocabulary.numbers), lineBreak);
    const words = tokens.filter(isWordy).length;
    if (words > MAX_WORDS) return tooLong(`${words} words, at most ${MAX_WORDS}`);
  }
  const mentions = findMentions(tokens, vocabulary);
  const wishes = mentions.filter(isContent).length;
  if (wishes > MAX_WISHES) return tooLong(`${wishes} wishes, at most ${MAX_WISHES}`);
  return readTokens(tokens, mentions, vocabulary, namesIn(evalCase), starts);
}
