import { fieldOf } from '../../case/case.ts';
import { oncePer } from '../../case/words.ts';
import { DENIAL, findMentions, mentionsOf, type Reading, readingOf } from './mentions.ts';
import { tokenize } from './tokens.ts';
import type { Matter } from './wishes.ts';

/** An answer of more characters says more than words can settle. */
export const MAX_ANSWER = 1000;

type Told = Pick<Matter, 'evalCase' | 'vocabulary'>;

/** What the answer says beside the name of the place; nothing where it is too long. Read once for all checks of a case. */
const wordsOf = oncePer(({ evalCase: { response, ...evalCase }, vocabulary }: Told) => {
  const name = fieldOf(evalCase, 'recommendation.name');
  const text = typeof name === 'string' ? response.replaceAll(name, ' ') : response;
  return tokenize(response.length > MAX_ANSWER ? '' : text, vocabulary.numbers);
});

const readByAll = oncePer((matter: Told) =>
  readingOf(wordsOf(matter), findMentions(wordsOf(matter), matter.vocabulary), matter.vocabulary),
);

/** What the answer says in the words of a rubric's lexicons, or of one that is for answers only. */
export const readAnswer = (matter: Told, only?: string): Reading =>
  only === undefined
    ? readByAll(matter)
    : readingOf(wordsOf(matter), mentionsOf(only, wordsOf(matter), matter.vocabulary), matter.vocabulary);

/**
 * The words by which the answer says that it found or did nothing, or null; one without a word, such as "...", is such
 * words. "Is closed" denies only what has opening hours.
 */
export function denialIn(matter: Told, hasHours: boolean): string | null {
  const { response } = matter.evalCase;
  if (!/[\p{L}\p{N}]/u.test(response)) return response;
  const denials = mentionsOf(DENIAL, wordsOf(matter), matter.vocabulary);
  return denials.find(({ terms }) => hasHours || !terms.includes('closed'))?.quote ?? null;
}
