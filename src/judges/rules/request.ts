import { type EvalCase, fieldOf } from '../../case/case.ts';
import { type Meaning, readMeaning } from './meaning.ts';
import { FILLER, findMentions, isOf, type Mention, type Vocabulary } from './mentions.ts';
import { isBreak, quoteOf, type Token, tokenize } from './tokens.ts';
import { isContent, type MeantMention, ownersOf, type Unknown } from './turn.ts';
import { amended, placesIn, type TravelWish, travelWishes, type WayReading } from './way.ts';

/** What all the user's turns say, as far as the vocabulary knows it. */
export interface RequestReading {
  /** The wishes of each turn, oldest first. Later ones prevail. */
  parts: readonly (readonly MeantMention[])[];
  /** Words that nothing explains and that cast no doubt on a wish: they may be one of their own. */
  unread: readonly Pick<Unknown, 'quote' | 'kind'>[];
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
  parts: [],
  unread: [],
  way: { limits: [], unclear: null, place: null, mayBePlace: null },
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

/** What unknown words may be, by where they stand: a name after "a" or "with", and where English writes it with a capital. */
function kindOf(tokens: readonly Token[], from: number, to: number, vocabulary: Vocabulary): Unknown['kind'] {
  const [before, first] = [tokens[from - 1], tokens[from]];
  if (tokens.slice(from, to).some(({ kind }) => kind === 'number' || kind === 'clock')) return 'number';
  if (before !== undefined && vocabulary.words(FILLER, 'before-names').has(before.text)) return 'name';
  return isEnglish(tokens, vocabulary) && !isBreak(before) && isCapitalized(first) ? 'name' : 'verb';
}

const isEnglish = (tokens: readonly Token[], { words }: Vocabulary): boolean =>
  tokens.some(({ text }) => words(FILLER, 'english').has(text));

/** Whether unknown words may name a place, where a rubric knows the words of wishes at all: all but an English word in small letters before another, as "frobby" in "a frobby bar". */
const mayBePlace = (tokens: readonly Token[], { from, to }: Unknown, vocabulary: Vocabulary): boolean =>
  vocabulary.wishes.length > 0 &&
  (isBreak(tokens[to]) || isCapitalized(tokens[from]) || !isEnglish(tokens, vocabulary));

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
      runs.push({
        from: start,
        to: at,
        quote: quoteOf(tokens, start, at),
        kind: kindOf(tokens, start, at, vocabulary),
      });
      start = null;
    }
  }
  return runs;
}

/**
 * The words for something else than the subject that are no mere attribute: what may be looked for instead. "Find a
 * hotel" and "take me home" hold one; "near the hotel", "with parking", "on my way home" and "noodle bar" hold none.
 */
function soughtElsewhere(tokens: readonly Token[], mentions: readonly Mention[]): Mention[] {
  const owners = ownersOf(mentions);
  const attributes = new Set<Mention>();
  const isJoint = (place: number) => /^(?:and|or|und|oder|,|&)$/.test(tokens[place]?.text ?? '');
  const isAttribute = (mention: Mention): boolean => {
    if (owners.get(mention.from - 1)?.sign === true) return true;
    let place = mention.from - 1;
    while (isOf(owners.get(place), FILLER, 'determiner')) place -= 1;
    const before = owners.get(isJoint(place) ? place - 1 : place);
    return isJoint(place)
      ? before !== undefined && attributes.has(before)
      : isOf(before, FILLER, 'attributive');
  };
  return mentions.filter((mention) => {
    if (!isOf(mention, FILLER, 'elsewhere')) return false;
    if (isAttribute(mention)) attributes.add(mention);
    return !attributes.has(mention);
  });
}

/** Whether a turn says what the request is for: a word such as "restaurant", or a wish that implies it (a dish). */
const namesSubject = (
  tokens: readonly Token[],
  mentions: readonly Mention[],
  { lexicons, words }: Vocabulary,
): boolean =>
  tokens.some(
    ({ text }) => words(FILLER, 'subject').has(text) || words(FILLER, 'subject').has(text.replace(/s$/, '')),
  ) ||
  mentions.some(
    (mention) =>
      isOf(mention, FILLER, 'subject') ||
      (lexicons.get(mention.lexicon)?.namesSubject === true && mention.reading !== 'any'),
  );

interface Turn {
  tokens: readonly Token[];
  mentions: readonly Mention[];
}

/** The user's turns, or how much they hold where that is too much. */
function turnsOf(evalCase: EvalCase, vocabulary: Vocabulary): Turn[] | string {
  const turns: Turn[] = [];
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

interface TurnReading extends Meaning {
  place: string | null;
  mayBePlace: string | null;
  travel: TravelWish[];
  elsewhere: Mention[];
  namesSubject: boolean;
}

function readTurn(
  { tokens, mentions }: Turn,
  names: ReadonlySet<string>,
  vocabulary: Vocabulary,
): TurnReading {
  const places = placesIn(tokens, mentions, vocabulary);
  const elsewhere = soughtElsewhere(tokens, mentions);
  const explained = new Set([...mentions, ...places].flatMap((mention) => mention.places));
  const unknown = unknownIn(tokens, explained, names, vocabulary);
  const meaning = readMeaning(tokens, mentions, vocabulary, unknown);
  const travel = travelWishes(tokens, mentions, vocabulary);
  const [before, after] = [true, false].map((isBefore) =>
    travel.filter(({ at }) => at < meaning.corrected === isBefore),
  );
  return {
    ...meaning,
    place: places[0]?.quote ?? null,
    mayBePlace: unknown.find((run) => mayBePlace(tokens, run, vocabulary))?.quote ?? null,
    travel: amended(before ?? [], after ?? []),
    elsewhere,
    namesSubject: namesSubject(tokens, mentions, vocabulary),
  };
}

/** Reads the request of a case. Never throws. */
export function readRequest(evalCase: EvalCase, vocabulary: Vocabulary): RequestReading {
  const turns = turnsOf(evalCase, vocabulary);
  if (typeof turns === 'string')
    return { ...nothing, tooLong: `the request is too long to be read exactly (${turns})` };
  const names = namesIn(evalCase);
  const read = turns.map((turn) => readTurn(turn, names, vocabulary));
  const travel = read.reduce<readonly TravelWish[]>((earlier, turn) => amended(earlier, turn.travel), []);
  return {
    parts: read.map(({ wishes }) => wishes),
    unread: read.flatMap(({ free }) => free),
    way: {
      limits: travel.filter((wish) => wish.kind === 'limit'),
      unclear: travel.find(({ kind }) => kind === 'unclear')?.quote ?? null,
      place: read.findLast(({ place }) => place !== null)?.place ?? null,
      mayBePlace: read.findLast(({ mayBePlace }) => mayBePlace !== null)?.mayBePlace ?? null,
    },
    elsewhere: [...new Set(read.flatMap((turn) => turn.elsewhere.map(({ quote }) => quote)))],
    namesSubject: read.some((turn) => turn.namesSubject),
    tooLong: null,
  };
}
