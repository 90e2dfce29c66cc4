import { type EvalCase, fieldOf } from '../../case/case.ts';
import {
  alternativesIn,
  doubtNames,
  doubtUnknown,
  type Turn,
  turningWord,
  type Unknown,
  type Wish,
} from './doubts.ts';
import {
  ABOUT,
  FILLER,
  findMentions,
  HELPERS,
  isOf,
  type Mention,
  ownersOf,
  type Vocabulary,
} from './mentions.ts';
import { isBreak, quoteOf, type Token, tokenize } from './tokens.ts';
import { placesIn, readWay, type TravelWish, travelWishes, type WayReading } from './way.ts';

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

const nothing: Omit<RequestReading, 'tooLong'> = {
  wishes: [],
  turned: null,
  alternatives: new Set(),
  unread: [],
  unknown: [],
  way: { limit: null, unclear: null, place: null, mayBePlace: null },
  elsewhere: [],
  namesSubject: false,
};

/** Fields whose words a user may name without wishing anything by it: places and the venue's own name. */
const NAMED = ['context.location.description', 'recommendation.location.description', 'recommendation.name'];

const namesIn = (evalCase: EvalCase): ReadonlySet<string> =>
  new Set(
    NAMED.flatMap((path) => {
      const value = fieldOf(evalCase, path);
      return typeof value === 'string' ? tokenize(value).map((token) => token.text) : [];
    }),
  );

const isCapitalized = (token: Token | undefined): boolean =>
  token?.kind === 'word' && /^\p{Lu}\p{Ll}/u.test(token.raw);

const isWordy = ({ kind, text }: Token): boolean =>
  kind === 'word' ||
  kind === 'number' ||
  kind === 'clock' ||
  (kind === 'symbol' && /^[€$£%<>≥≤+~≈=]/u.test(text));

/** What unknown words may be: a name after "a" or "with", and where English writes it with a capital. */
function kindOf(tokens: readonly Token[], from: number, to: number, { words }: Vocabulary): Unknown['kind'] {
  const before = tokens[from - 1];
  if (tokens.slice(from, to).some(({ kind }) => kind === 'number' || kind === 'clock')) return 'number';
  if (before !== undefined && words(FILLER, 'before-names').has(before.text)) return 'name';
  const isEnglish = tokens.some(({ text }) => words(FILLER, 'english').has(text));
  return isEnglish && !isBreak(before) && isCapitalized(tokens[from]) ? 'name' : 'verb';
}

/** The words of one turn that nothing explains. */
function unknownIn(
  tokens: readonly Token[],
  explained: ReadonlySet<number>,
  names: ReadonlySet<string>,
  vocabulary: Vocabulary,
): Unknown[] {
  const runs: Unknown[] = [];
  let start: number | null = null;
  for (let at = 0; at <= tokens.length; at += 1) {
    const token = tokens[at];
    const isName =
      token !== undefined && names.has(token.text) && (isCapitalized(token) || token.kind === 'number');
    if (token !== undefined && isWordy(token) && !explained.has(at) && !isName) start ??= at;
    else if (start !== null) {
      const kind = kindOf(tokens, start, at, vocabulary);
      runs.push({ from: start, to: at, quote: quoteOf(tokens, start, at), kind });
      start = null;
    }
  }
  return runs;
}

/**
 * The words for something else than the subject that are no mere attribute: what may be looked for instead. "Find a
 * hotel" and "take me home" hold one; "near the hotel", "with parking", "on my way home" and "noodle bar" hold none.
 */
function soughtElsewhere({ mentions, owners }: Turn): Mention[] {
  const isAttribute = ({ from }: Mention): boolean => {
    let place = from - 1;
    if (owners.get(place)?.sign === true) return true;
    while (isOf(owners.get(place), FILLER, 'determiner')) place -= 1;
    return isOf(owners.get(place), FILLER, 'attributive');
  };
  return mentions.filter((mention) => isOf(mention, FILLER, 'elsewhere') && !isAttribute(mention));
}

/** Whether a turn says what the request is for: a word such as "restaurant", or a wish that implies it (a dish). */
const namesSubject = ({ tokens, mentions }: Turn, { lexicons, words }: Vocabulary): boolean =>
  tokens.some(({ text }) =>
    [text, text.replace(/s$/, '')].some((word) => words(FILLER, 'subject').has(word)),
  ) ||
  mentions.some(
    (mention) =>
      isOf(mention, FILLER, 'subject') ||
      (lexicons.get(mention.lexicon)?.namesSubject === true && mention.reading !== 'any'),
  );

const isContent = (mention: Mention): boolean => !HELPERS.has(mention.lexicon);

interface TurnReading extends Pick<RequestReading, 'wishes' | 'turned' | 'alternatives' | 'namesSubject'> {
  free: Unknown[];
  place: string | null;
  unknown: readonly Unknown[];
  travel: TravelWish[];
  elsewhere: Mention[];
}

/** What one turn says; it takes time in proportion to the text. */
export function readTurn(
  tokens: readonly Token[],
  mentions: readonly Mention[],
  vocabulary: Vocabulary,
  names: ReadonlySet<string> = new Set(),
  number = 0,
): TurnReading {
  const wishes = mentions
    .filter(isContent)
    .map((mention): Wish => ({ ...mention, turn: number, doubt: null }));
  const turn: Turn = { tokens, mentions, owners: ownersOf(mentions), wishes };
  const places = placesIn(tokens, mentions, vocabulary);
  const explained = new Set([...mentions, ...places].flatMap((mention) => mention.places));
  // "Two pizzas": how many is no doubt.
  const unknown = unknownIn(tokens, explained, names, vocabulary).filter(
    ({ kind, from, to }) => !(kind === 'number' && to - from === 1 && turn.owners.get(to)?.sign === true),
  );
  const spoken = wishes.filter(({ terms }) => !terms.includes(ABOUT));
  const { lexicons, loose } = alternativesIn({ ...turn, wishes: spoken }, vocabulary);
  doubtNames(turn, vocabulary);
  return {
    wishes,
    turned: turningWord(turn) ?? loose,
    alternatives: lexicons,
    free: doubtUnknown(turn, unknown, vocabulary),
    place: places[0]?.quote ?? null,
    unknown,
    travel: travelWishes(tokens, mentions, vocabulary),
    elsewhere: soughtElsewhere(turn),
    namesSubject: namesSubject(turn, vocabulary),
  };
}

/** The user's turns, or how much they hold where that is too much. */
function turnsOf(evalCase: EvalCase, vocabulary: Vocabulary) {
  const turns: { tokens: Token[]; mentions: Mention[] }[] = [];
  let [words, wishes] = [0, 0];
  for (const { role, text } of evalCase.conversation) {
    if (role !== 'user') continue;
    const tokens = tokenize(text, vocabulary.numbers);
    words += tokens.filter(isWordy).length;
    if (words > MAX_WORDS) return `${words} words, at most ${MAX_WORDS} are read`;
    const mentions = findMentions(tokens, vocabulary);
    wishes += mentions.filter(isContent).length;
    turns.push({ tokens, mentions });
  }
  return wishes > MAX_WISHES ? `${wishes} wishes, at most ${MAX_WISHES} are read` : turns;
}

/** Reads the request of a case. Never throws. */
export function readRequest(evalCase: EvalCase, vocabulary: Vocabulary): RequestReading {
  const turns = turnsOf(evalCase, vocabulary);
  if (typeof turns === 'string')
    return { ...nothing, tooLong: `the request is too long to be read exactly (${turns})` };
  const names = namesIn(evalCase);
  const read = turns.map(({ tokens, mentions }, at) => readTurn(tokens, mentions, vocabulary, names, at));
  const wishes = read.flatMap((turn) => turn.wishes);
  const turned = read.find((turn) => turn.turned !== null)?.turned ?? null;
  for (const wish of wishes)
    wish.doubt ??=
      read
        .slice(wish.turn + 1)
        .flatMap(({ free }) => free.find(({ kind }) => kind === 'verb')?.quote ?? [])[0] ?? null;
  const unknown = read.flatMap((turn) => turn.unknown);
  const number = unknown.find(({ kind }) => kind === 'number')?.quote ?? null;
  const isIdle = turned !== null && wishes.length === 0;
  return {
    wishes,
    turned,
    alternatives: new Set(read.flatMap((turn) => [...turn.alternatives])),
    unread: [
      ...read.flatMap(({ free }) => free),
      ...(isIdle ? [{ quote: turned, kind: 'name' } as const] : []),
    ],
    unknown,
    way: readWay(read, turned ?? number, vocabulary.wishes.length > 0 ? (unknown[0]?.quote ?? null) : null),
    elsewhere: [...new Set(read.flatMap((turn) => turn.elsewhere.map(({ quote }) => quote)))],
    namesSubject: read.some((turn) => turn.namesSubject),
    tooLong: null,
  };
}
