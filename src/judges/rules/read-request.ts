import { type EvalCase, fieldOf } from '../../case/index.ts';
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
} from './match-phrases.ts';
import {
  alternativesIn,
  refuse,
  type Turn,
  turningWords,
  type Unknown,
  type Wish,
} from './negations-and-alternatives.ts';
import { lineBreak, quoteOf, type Token, tokenize } from './tokens.ts';
import { placesIn, readWay, travelWishes, type WayReading } from './travel-limits.ts';
import { accountFor, besides, doubtStrange, isSame, laterWords, type SaidTurn } from './word-roles.ts';

/** All turns of the user, as far as the vocabulary covers them. */
export interface RequestReading {
  /** In reading order. */
  wishes: readonly Wish[];
  /** A word that may negate, weaken or take back any wish ("not", "unless", "no wait"), or null. */
  turned: string | null;
  /** The lexicons whose wishes are alternatives: "Italian or Greek". */
  alternatives: ReadonlySet<string>;
  /** Unexplained words that may be a separate wish. */
  unread: readonly Pick<Unknown, 'quote' | 'kind'>[];
  /** All unexplained words; they may name a place, a time or a limit. */
  unknown: readonly Unknown[];
  /** Words of a later turn that do not simply continue the earlier ones, or null. */
  later: string | null;
  way: WayReading;
  /** Wishes that no criterion covers, as written: "quiet". */
  unchecked: readonly string[];
  /** Words that may also be such wishes, as written: "small", "table for six". A pass mentions them. */
  maybeUnchecked: readonly string[];
  /** Words for other things that the user may be looking for, as written: "hotel". */
  elsewhere: readonly string[];
  /** Whether the request names the subject of the checks: that a place to eat is wanted. */
  namesSubject: boolean;
  /** Why the request is not read at all, or null. */
  tooLong: string | null;
}

/** Maximum number of words in a request. Longer ones hold stories or lists, which word matching cannot read reliably. */
const MAX_WORDS = 400;
const MAX_WISHES = 60;

/** Fields whose words a user may mention without wishing for anything: places and the venue's own name. */
const NAMED = ['context.location.description', 'recommendation.location.description', 'recommendation.name'];

const namesIn = (evalCase: EvalCase): ReadonlySet<string> =>
  new Set(
    NAMED.flatMap((path) => {
      const value = fieldOf(evalCase, path);
      return typeof value === 'string' ? tokenize(value).map((token) => token.text) : [];
    }),
  );

/** Whether a token is a word, a number, or a sign that may belong to one. */
const isWordy = ({ kind, text }: Token): boolean =>
  /^(?:word|number|clock)$/.test(kind) || (kind === 'symbol' && /^[€$£%<>≥≤+~≈=]/u.test(text));

/** Runs of unexplained words: numbers, names after "a" or "with", or possible verbs. */
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

/** Words for things other than the subject, with the mention before them, if any: "near" the hotel, "with" parking. */
const elsewhereIn = ({ mentions, owners }: Turn): { quote: string; before: Mention | undefined }[] =>
  mentions.flatMap((mention) => {
    if (!isOf(mention, FILLER, 'elsewhere')) return [];
    let at = mention.from - 1;
    while (owners.get(at)?.sign !== true && isOf(owners.get(at), FILLER, 'determiner')) at -= 1;
    return [{ quote: mention.quote, before: owners.get(at) }];
  });

/** Whether a turn says what the request is for: a word such as "restaurant", or a wish that implies it (a dish). */
const namesSubject = ({ tokens, mentions }: Turn, { lexicons, words }: Vocabulary): boolean =>
  tokens.some((token) => ['subject', 'eating'].some((term) => isAmong(words(FILLER, term), token))) ||
  mentions.some(
    ({ lexicon, terms, reading }) =>
      (lexicon === FILLER && terms.some((term) => ['subject', 'eating', 'tables'].includes(term))) ||
      (lexicons.get(lexicon)?.namesSubject === true && reading !== 'any'),
  );

const isContent = (mention: Mention): boolean => !HELPERS.has(mention.lexicon);

/**
 * Reads all turns of the user together, in time proportional to the text.
 * @param names words of places and venues that the case knows, so that they are not unknown; none by default
 * @param turns the user's turns; by default, all tokens are one
 */
export function readTokens(
  tokens: readonly Token[],
  mentions: readonly Mention[],
  vocabulary: Vocabulary,
  names: ReadonlySet<string> = new Set(),
  turns: readonly SaidTurn[] = [{ from: 0, to: tokens.length, before: [] }],
): RequestReading {
  const turnAt = (at: number): number => turns.findLastIndex(({ from }) => from <= at);
  const wishes = mentions.filter(isContent).map(
    (mention): Wish => ({
      ...mention,
      turn: turnAt(mention.from),
      doubt: null,
      later: null,
      isRefused: false,
    }),
  );
  const reading: Turn = { ...readingOf(tokens, mentions, vocabulary), wishes };
  refuse(reading, vocabulary);
  const places = placesIn(reading, vocabulary);
  const placed = new Set(places.flatMap((place) => place.places));
  const explained = new Set([...mentions.flatMap((mention) => mention.places), ...placed]);
  const unknown = unknownIn(tokens, explained, names, vocabulary);
  const turn = accountFor(reading, placed, unknown, vocabulary);
  const spoken = wishes.filter(({ terms }) => !terms.includes(ABOUT));
  const { lexicons, loose } = alternativesIn({ ...turn, wishes: spoken }, vocabulary);
  doubtStrange(turn, vocabulary);
  // Unknown words next to a wish are part of it, except numbers, which may be separate wishes.
  const isPart = ({ from, to, kind }: Unknown) =>
    kind !== 'number' && wishes.some((wish) => wish.to === from || wish.from === to);
  const unread = unknown.filter((run) => !isPart(run));
  const turned = turningWords(turn) ?? loose;
  const later = laterWords(turn, turns, vocabulary);
  for (const wish of wishes) wish.later = later[wish.turn] ?? null;
  // A wish that is repeated later still holds.
  for (const wish of wishes)
    if (wishes.some((again) => again.turn > wish.turn && again.later === null && isSame(wish, again)))
      wish.later = null;
  const isDoubtful = turned !== null || unknown.some(({ kind }) => kind === 'number');
  const elsewhere = elsewhereIn(turn);
  // "Near the hotel", "on my way home" and "noodle bar" do not ask for a hotel, a home or a bar.
  const sought = elsewhere.filter(
    ({ before }) => before?.sign !== true && !isOf(before, FILLER, 'attributive'),
  );
  const had = elsewhere.filter(({ before }) => isOf(before, FILLER, 'had'));
  const exact = new Set(wishes.flatMap(({ reading, lexicon }) => (reading === 'exact' ? lexicon : [])));
  // In "Italian with spicy food", only the exact wish is checked.
  const isBeside = ({ reading, lexicon }: Mention) => reading === 'vague' && exact.has(lexicon);
  const quotes = (some: readonly { quote: string }[]) => [...new Set(some.map(({ quote }) => quote))];
  const isIdle = turned !== null && wishes.length === 0;
  const travel = travelWishes(
    turn,
    vocabulary,
    (limit) => later[turnAt(limit.from)] ?? besides(turn, limit, vocabulary),
  );
  return {
    wishes,
    turned,
    alternatives: lexicons,
    unread: [...unread, ...(isIdle ? [{ quote: turned, kind: 'name' } as const] : [])],
    unknown,
    later: later[0] ?? null,
    way: {
      ...readWay(travel, isDoubtful),
      place: places[0]?.quote ?? null,
      mayBePlace: vocabulary.wishes.length > 0 ? (unknown[0]?.quote ?? null) : null,
    },
    unchecked: quotes([...mentions.filter((one) => isOf(one, FILLER, 'amenity', 'trait')), ...had]),
    maybeUnchecked: quotes(
      mentions.filter((one) => isOf(one, FILLER, 'quality', 'party', 'tables') || isBeside(one)),
    ),
    elsewhere: quotes(sought),
    namesSubject: namesSubject(turn, vocabulary),
    tooLong: null,
  };
}

/** Reads the request of a case. Never throws. */
export function readRequest(evalCase: EvalCase, vocabulary: Vocabulary): RequestReading {
  const tokens: Token[] = [];
  const turns: SaidTurn[] = [];
  const tooLong = (count: string): RequestReading => ({
    ...readTokens([], [], vocabulary),
    tooLong: `the request is too long to be read exactly (${count} are read)`,
  });
  let before: string[] = [];
  for (const { role, text } of evalCase.conversation) {
    if (role !== 'user') {
      before.push(text);
      continue;
    }
    const from = tokens.length;
    tokens.push(...tokenize(text, vocabulary.numbers), lineBreak);
    turns.push({ from, to: tokens.length, before });
    before = [];
    const words = tokens.filter(isWordy).length;
    if (words > MAX_WORDS) return tooLong(`${words} words, at most ${MAX_WORDS}`);
  }
  const mentions = findMentions(tokens, vocabulary);
  const wishes = mentions.filter(isContent).length;
  if (wishes > MAX_WISHES) return tooLong(`${wishes} wishes, at most ${MAX_WISHES}`);
  return readTokens(tokens, mentions, vocabulary, namesIn(evalCase), turns);
}
