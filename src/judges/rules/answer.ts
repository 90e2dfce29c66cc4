import { fieldOf } from '../../case/case.ts';
import { DENIAL, findMentions, type Mention, vocabularyOf } from './mentions.ts';
import { tokenize } from './tokens.ts';
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

/** What the answer says in the words of a rubric's lexicons, or of one of them by itself. */
export function answerMentions(matter: Told): { tokens: ReturnType<typeof tokenize>; mentions: Mention[] } {
  const tokens = tokenize(answerText(matter), matter.vocabulary.numbers);
  return { tokens, mentions: findMentions(tokens, matter.vocabulary) };
}

/** The words by which the answer says that it found or did nothing, or null. */
export function denialIn(matter: Told): string | null {
  const lexicon = matter.vocabulary.lexicons.get(DENIAL);
  if (lexicon === undefined) return null;
  return findMentions(tokenize(answerText(matter)), vocabularyOf(lexicon))[0]?.quote ?? null;
}
