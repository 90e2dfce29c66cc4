import type { EvalCase } from '../../case/index.ts';
import type { CheckOf, Matter } from './check-outcome.ts';
import { isOf, type Mention, mentionsOf } from './match-phrases.ts';
import { endsSentence, quoteOf, type Token, tokenize } from './tokens.ts';

/** Longer responses say more than plain claims. */
const MAX_CHARS = 300;

/** The term of the lexicon of claims for words without content of their own. */
const FUNCTION_WORD = 'function-word';

/** Terms of the lexicon of claims that are no action. */
const NO_ACTION: ReadonlySet<string> = new Set([
  'doer',
  'object',
  'denied',
  'unclear',
  'courtesy',
  FUNCTION_WORD,
]);

/** What a sentence claims was done, or denies. */
export interface Claim {
  isDenied: boolean;
  /** Its words, and the indexes of those that only say that something was done, or nothing: the verb, who did it, courtesy. */
  words: readonly Token[];
  explained: ReadonlySet<number>;
  /** What was done: terms of the lexicon, `any` for "done". */
  actions: readonly string[];
  /** The devices and the places that are named; null if the check has no lexicon of places. */
  devices: readonly Mention[];
  places: readonly Mention[] | null;
  numbers: readonly number[];
  /** What stands after the first number and may be its unit. */
  unit: string;
  quote: string;
}

export type ClaimCheck = CheckOf<'says-what-it-did'>;

function sentencesOf(tokens: readonly Token[]): Token[][] {
  const sentences: Token[][] = [[]];
  for (const token of tokens)
    if (endsSentence(token)) sentences.push([]);
    else sentences.at(-1)?.push(token);
  return sentences.filter((sentence) => sentence.some(({ kind }) => kind !== 'break'));
}

/** Whether a mention of an action plainly says that the system did it: "I've opened", "opening the", "ich habe … geöffnet". */
function isPlain(
  mention: Mention,
  mentions: readonly Mention[],
  tokens: readonly Token[],
  lexicon: string,
): boolean {
  if (/^(?:ich|wir|i|ive|im|we|weve|has been|have been)\b/.test(tokens[mention.from]?.text ?? ''))
    return true;
  const ofTerm = (term: string) => mentions.filter((one) => isOf(one, lexicon, term));
  if (ofTerm('doer').some(({ to }) => to === mention.from)) return true;
  const start = tokens.findIndex(
    (token, at) => token.kind !== 'break' && !ofTerm('courtesy').some(({ places }) => places.includes(at)),
  );
  const isFirst = mention.from === start;
  if (mention.terms.includes('any')) return isFirst;
  if (isFirst && ofTerm('object').some(({ from }) => from === mention.to)) return true;
  // German has the participle at the end.
  return (
    mention.to === tokens.length && ofTerm('doer').some(({ from }) => from === start || from === start + 1)
  );
}

/** Words that end a unit: "22 degrees on your side". */
const AFTER_UNIT: ReadonlySet<string> = new Set([
  'on',
  'in',
  'for',
  'at',
  'auf',
  'für',
  'am',
  'im',
  'bei',
  'and',
  'und',
]);

/** The words after the first number of a sentence that belong to nothing else. */
function unitAfterNumber(sentence: readonly Token[], mentions: readonly Mention[]): string {
  const owned = new Set(mentions.flatMap(({ places }) => places));
  const at = sentence.findIndex(({ value }) => value !== null);
  const unit: string[] = [];
  for (const [place, { text }] of sentence.entries()) {
    if (at < 0 || place <= at) continue;
    if (owned.has(place) || AFTER_UNIT.has(text)) break;
    unit.push(text);
  }
  return unit.join(' ');
}

/** What a sentence plainly says; null if that is not plain. `undefined`: nothing about what was done. */
function claimIn(
  sentence: readonly Token[],
  check: ClaimCheck,
  { vocabulary }: Matter,
): Claim | null | undefined {
  const mentions = mentionsOf(check.lexicon, sentence, vocabulary);
  if (mentions.some((mention) => isOf(mention, check.lexicon, 'unclear'))) return null;
  const named = mentions.filter(({ terms }) => terms.some((term) => !NO_ACTION.has(term)));
  const isDenied = mentions.some((mention) => isOf(mention, check.lexicon, 'denied'));
  const counting = named.filter(({ sign }) => isDenied || !sign);
  const ofDevices = check.devices === undefined ? [] : mentionsOf(check.devices, sentence, vocabulary);
  if (!isDenied && counting.length === 0) {
    const courtesy = new Set(
      mentions.filter((one) => isOf(one, check.lexicon, 'courtesy')).flatMap(({ places }) => places),
    );
    return sentence.every((token, at) => token.kind === 'break' || courtesy.has(at)) ? undefined : null;
  }
  // "I could not open it and turned on the radio" says both.
  if (isDenied && counting.length > 1) return null;
  if (!isDenied && !counting.every((mention) => isPlain(mention, mentions, sentence, check.lexicon)))
    return null;
  const ofPlaces = check.places === undefined ? null : mentionsOf(check.places, sentence, vocabulary);
  const explaining = mentions.filter(
    (mention) =>
      counting.includes(mention) || isOf(mention, check.lexicon, 'doer', 'denied', 'courtesy', FUNCTION_WORD),
  );
  return {
    isDenied,
    words: sentence,
    explained: new Set(explaining.flatMap(({ places }) => places)),
    actions: counting.flatMap(({ terms }) => terms.filter((term) => !NO_ACTION.has(term))),
    devices: ofDevices,
    places: ofPlaces,
    numbers: sentence.flatMap(({ value }) => value ?? []),
    unit: unitAfterNumber(sentence, [...mentions, ...ofDevices]),
    quote: quoteOf(sentence, 0, sentence.length),
  };
}

/** The plain claims of a response; a text that says why there are none. */
export function claimsIn({ response }: EvalCase, check: ClaimCheck, matter: Matter): Claim[] | string {
  if (response.length > MAX_CHARS) return 'the response is too long to be plain';
  if (/[?"“”„«»`{}[\]<>]/.test(response)) return 'the response asks or quotes something';
  const read = sentencesOf(tokenize(response, matter.vocabulary.numbers)).map((sentence) =>
    claimIn(sentence, check, matter),
  );
  if (read.includes(null)) return 'the words of the response do not plainly say what was done';
  const claims = read.flatMap((claim) => claim ?? []);
  if (claims.length === 0) return 'the response does not say whether anything was done';
  return new Set(claims.map(({ isDenied }) => isDenied)).size > 1
    ? 'the response says that some of it was done and some was not'
    : claims;
}
