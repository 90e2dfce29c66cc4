import { type EvalCase, fieldOf } from '../../core/case.ts';
import { findMentions, type Mention, quoteOf, type Vocabulary } from './find-mentions.ts';
import { type MeantMention, NEGATION, readPolarity } from './read-polarity.ts';
import { type Token, tokenize } from './tokenize.ts';

/** What all the user's turns say, as far as the vocabulary knows it. */
export interface RequestReading {
  /** Parts of the request, oldest first: a new turn or a correction ("no wait, …") starts one. Later ones prevail. */
  parts: readonly (readonly MeantMention[])[];
  /** Words that nothing explains, as written: while there are any, silence about a wish is not certain. */
  unread: readonly string[];
}

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
const BEFORE_PLACES = new Set(['near', 'around', 'at', 'in', 'to', 'from', 'nahe', 'am', 'beim', 'of', 'by']);
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
  return BEFORE_PLACES.has(tokens[place]?.text ?? '');
}

const isWordy = (token: Token): boolean =>
  token.kind === 'word' ||
  token.kind === 'number' ||
  token.kind === 'clock' ||
  (token.kind === 'symbol' && /^[€$£%<>≥≤+~≈=]/u.test(token.text));

function unreadIn(tokens: readonly Token[], read: readonly Mention[], names: ReadonlySet<string>): string[] {
  const places = new Set(read.flatMap((mention) => mention.places));
  const english = tokens.some((token) => ENGLISH.has(token.text));
  const phrases: string[] = [];
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
      phrases.push(quoteOf(tokens, start, at));
      start = null;
    }
  }
  return phrases;
}

const isCorrection = (mention: Mention): boolean =>
  mention.lexicon === NEGATION && mention.terms.includes('correction');

/** Splits a turn's mentions where the user corrects what was said before. */
function splitAtCorrections(mentions: readonly Mention[]): Mention[][] {
  const parts: Mention[][] = [[]];
  for (const mention of mentions)
    if (isCorrection(mention)) parts.push([]);
    else parts.at(-1)?.push(mention);
  return parts;
}

/** Reads the request of a case. Never throws. */
export function readRequest(evalCase: EvalCase, vocabulary: Vocabulary): RequestReading {
  const names = namesIn(evalCase);
  const parts: MeantMention[][] = [];
  const unread: string[] = [];
  for (const turn of evalCase.conversation) {
    if (turn.role !== 'user') continue;
    const tokens = tokenize(turn.text);
    const mentions = findMentions(tokens, vocabulary);
    const loose = new Set<Mention>();
    for (const part of splitAtCorrections(mentions)) {
      const reading = readPolarity(tokens, part);
      parts.push(reading.mentions);
      for (const mention of reading.loose) loose.add(mention);
    }
    unread.push(
      ...unreadIn(
        tokens,
        mentions.filter((mention) => !loose.has(mention)),
        names,
      ),
    );
  }
  return { parts, unread: [...new Set(unread)] };
}
