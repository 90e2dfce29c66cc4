import { type EvalCase, fieldOf } from '../../case/case.ts';
import { isWide } from './lexicon.ts';
import {
  ABOUT,
  FILLER,
  findMentions,
  HELPERS,
  isOf,
  type Mention,
  NEGATION,
  ownersOf,
  type Vocabulary,
  wayMentions,
} from './mentions.ts';
import { endsSentence, isBreak, quoteOf, type Token, tokenize } from './tokens.ts';
import { placesIn, readWay, type TravelWish, travelWishes, type WayReading } from './way.ts';

/** Words of a lexicon of wishes, as one turn says them. */
export interface Wish extends Mention {
  /** The number of the turn. */
  turn: number;
  /** What stands beside it that makes it unsure, or null. */
  doubt: string | null;
}

/** Words that nothing explains, one after the other. `kind`: what they may be, by where they stand. */
export interface Unknown {
  from: number;
  to: number;
  quote: string;
  kind: 'name' | 'verb' | 'number';
}

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
function soughtElsewhere({ tokens, mentions, owners }: Turn): Mention[] {
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
const namesSubject = ({ tokens, mentions }: Turn, { lexicons, words }: Vocabulary): boolean =>
  tokens.some(({ text }) =>
    [text, text.replace(/s$/, '')].some((word) => words(FILLER, 'subject').has(word)),
  ) ||
  mentions.some(
    (mention) =>
      isOf(mention, FILLER, 'subject') ||
      (lexicons.get(mention.lexicon)?.namesSubject === true && mention.reading !== 'any'),
  );

/** Words of negation.yaml that only join; the others turn around, weaken or take back something. */
const JOINING = ['joint', 'preference', 'contrast', 'alternative'];

interface Turn {
  tokens: readonly Token[];
  mentions: readonly Mention[];
  owners: ReadonlyMap<number, Mention>;
  wishes: readonly Wish[];
}

/** Most tokens between two alternatives. */
const MAX_LINK = 10;

/** Whether only words without a wish, commas and "or" stand between two wishes. */
function isLinked({ tokens, owners }: Turn, before: Mention, after: Mention): boolean {
  if (after.from - before.to > MAX_LINK) return false;
  for (let place = before.to; place < after.from; place += 1) {
    const owner = owners.get(place);
    const isPlain = owner?.lexicon === FILLER || isOf(owner, NEGATION, 'alternative', 'preference');
    if (!isPlain && !/^[,/]$/.test(tokens[place]?.text ?? '')) return false;
  }
  return true;
}

/** What the words for "or" in a turn join: lexicons of which all wishes are alternatives; null where one joins anything else. */
function alternativesIn(
  turn: Turn,
  { lexicons: known }: Vocabulary,
): { lexicons: ReadonlySet<string>; loose: string | null } {
  const lexicons = new Set<string>();
  const ors = [
    ...turn.mentions.filter((mention) => isOf(mention, NEGATION, 'alternative')),
    ...turn.tokens.flatMap(({ text }, at) => (text === '/' ? { from: at, to: at + 1, quote: '/' } : [])),
  ];
  let next = 0;
  for (const or of ors.sort((a, b) => a.from - b.from)) {
    while ((turn.wishes[next]?.from ?? Number.POSITIVE_INFINITY) < or.from) next += 1;
    const [before, after] = [turn.wishes[next - 1], turn.wishes[next]];
    const isJoined = before !== undefined && after?.lexicon === before.lexicon;
    if (isJoined && isLinked(turn, before, after)) lexicons.add(before.lexicon);
    else if (or.quote !== '/') return { lexicons, loose: or.quote };
  }
  for (const lexicon of lexicons) {
    const wishes = turn.wishes.filter((wish) => wish.lexicon === lexicon);
    const compiled = known.get(lexicon);
    const apart = wishes.find((wish, at) => {
      const before = wishes[at - 1];
      // "Not expensive or fancy" refuses both.
      const refuses = compiled?.single === true && wish.terms.some((term) => isWide(compiled, term));
      return refuses || (before !== undefined && !isLinked(turn, before, wish));
    });
    if (apart !== undefined) return { lexicons, loose: apart.quote };
  }
  return { lexicons, loose: null };
}

/** Doubts wishes that are part of something else: "my Italian friend", "Hamburger Bahnhof", "near the coffee shop". */
function doubtNames({ tokens, owners, wishes }: Turn, vocabulary: Vocabulary): void {
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
    if (isModifier && after !== undefined) wish.doubt ??= after.quote;
    const article = tokens[wish.from - 1];
    if (article !== undefined && definite.has(article.text) && nearTo.has(wish.from - 1))
      wish.doubt ??= article.raw;
  }
}

/**
 * Doubts what unknown words may turn around, and returns those that cast no doubt. Where a name stands ("a frobby
 * place") they doubt the wish beside them at most; where a verb may stand ("I frob sushi") all wishes of the sentence,
 * unless it may be the verb that was asked for; a number doubts numbers.
 */
function doubtUnknown(turn: Turn, unknown: readonly Unknown[], vocabulary: Vocabulary): Unknown[] {
  const { tokens, wishes, owners } = turn;
  const sentences: number[] = [];
  for (const [at] of tokens.entries())
    sentences.push((sentences[at - 1] ?? 0) + (endsSentence(tokens[at - 1]) ? 1 : 0));
  const bySentence = new Map<number | undefined, Wish[]>();
  for (const wish of wishes) {
    const others = bySentence.get(sentences[wish.from]);
    if (others === undefined) bySentence.set(sentences[wish.from], [wish]);
    else others.push(wish);
  }
  const isOpenTo = (lexicon: string) => vocabulary.lexicons.get(lexicon)?.open === 'verbs';
  const doubted = ({ kind, from, to }: Unknown): readonly Wish[] => {
    const wanted = bySentence.get(sentences[from]) ?? [];
    if (kind === 'name') return wanted.filter((wish) => wish.to === from || wish.from === to);
    if (kind === 'number')
      return wanted.filter(({ lexicon }) => vocabulary.numeric.size === 0 || vocabulary.numeric.has(lexicon));
    const mayBeAsked = vocabulary.wishes.some(isOpenTo) && !isBreak(tokens[to]);
    return mayBeAsked && !wanted.some(({ lexicon }) => isOpenTo(lexicon)) ? [] : wanted;
  };
  return unknown.filter((run) => {
    // "Two pizzas": how many is no doubt.
    if (run.kind === 'number' && run.to - run.from === 1 && owners.get(run.to)?.sign === true) return false;
    const unsure = doubted(run);
    for (const wish of unsure) wish.doubt ??= run.quote;
    return unsure.length === 0;
  });
}

/** Whether "make it" says something more, and nothing anew: "Thai, please. Make it cheap." */
function addsTo({ wishes }: Turn, { from, to }: Mention): boolean {
  const before = new Set(wishes.flatMap((wish) => (wish.from < from ? wish.lexicon : [])));
  const after = wishes.filter((wish) => wish.from >= to);
  return after.length > 0 && !after.some(({ lexicon }) => before.has(lexicon));
}

const isContent = (mention: Mention): boolean => !HELPERS.has(mention.lexicon);

interface TurnReading extends Pick<RequestReading, 'wishes' | 'turned' | 'alternatives' | 'namesSubject'> {
  free: Unknown[];
  place: string | null;
  unknown: string | null;
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
  const unknown = unknownIn(tokens, explained, names, vocabulary);
  const spoken = wishes.filter(({ terms }) => !terms.includes(ABOUT));
  const { lexicons, loose } = alternativesIn({ ...turn, wishes: spoken }, vocabulary);
  const turned = mentions.find(
    (mention) =>
      mention.lexicon === NEGATION &&
      !isOf(mention, NEGATION, ...JOINING) &&
      !(isOf(mention, NEGATION, 'addition') && addsTo(turn, mention)),
  );
  doubtNames(turn, vocabulary);
  return {
    wishes,
    turned: turned?.quote ?? loose,
    alternatives: lexicons,
    free: doubtUnknown(turn, unknown, vocabulary),
    place: places[0]?.quote ?? null,
    unknown: unknown[0]?.quote ?? null,
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
  const isIdle = turned !== null && wishes.length === 0;
  return {
    wishes,
    turned,
    alternatives: new Set(read.flatMap((turn) => [...turn.alternatives])),
    unread: [
      ...read.flatMap(({ free }) => free),
      ...(isIdle ? [{ quote: turned, kind: 'name' } as const] : []),
    ],
    way: readWay(read, turned, vocabulary.wishes.length > 0),
    elsewhere: [...new Set(read.flatMap((turn) => turn.elsewhere.map(({ quote }) => quote)))],
    namesSubject: read.some((turn) => turn.namesSubject),
    tooLong: null,
  };
}
