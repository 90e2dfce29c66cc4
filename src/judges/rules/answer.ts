import { fieldOf } from '../../case/case.ts';
import { oncePer } from '../../case/words.ts';
import { DENIAL, findMentions, type Mention, type Vocabulary, vocabularyOf } from './mentions.ts';
import { type Token, tokenize } from './tokens.ts';
import type { Matter } from './wishes.ts';

/** An answer of more characters says more than words can settle. */
export const MAX_ANSWER = 1000;

type Told = Pick<Matter, 'evalCase' | 'vocabulary'>;

/** What the answer says beside the name of the place; nothing where it is too long to be read. */
function answerText({ evalCase }: Told): string {
  const { response } = evalCase;
  const name = fieldOf(evalCase, 'recommendation.name');
  if (response.length > MAX_ANSWER) return '';
  return typeof name === 'string' ? response.replaceAll(name, ' ') : response;
}

interface AnswerReading {
  tokens: readonly Token[];
  mentions: readonly Mention[];
}

function readAnswer(matter: Told, vocabulary: Vocabulary): AnswerReading {
  const tokens = tokenize(answerText(matter), matter.vocabulary.numbers);
  return { tokens, mentions: findMentions(tokens, vocabulary) };
}

// Read once for all checks of a case.
const readByAll = oncePer((matter: Told) => readAnswer(matter, matter.vocabulary));

/** What the answer says in the words of a rubric's lexicons, or of one that is for answers only. */
export function answerMentions(matter: Told, only?: string): AnswerReading {
  if (only === undefined) return readByAll(matter);
  const lexicon = matter.vocabulary.lexicons.get(only);
  return lexicon === undefined ? { tokens: [], mentions: [] } : readAnswer(matter, vocabularyOf(lexicon));
}

/** The words by which the answer says that it found or did nothing, or null; one without a word, such as "...", is such words. */
export function denialIn(matter: Told): string | null {
  const { response } = matter.evalCase;
  if (!/[\p{L}\p{N}]/u.test(response)) return response;
  return answerMentions(matter, DENIAL).mentions[0]?.quote ?? null;
}
