import { fieldOf } from '../../case/case.ts';
import { oncePer } from '../../case/words.ts';
import type { Check } from '../../judging/check.ts';
import { DENIAL, findMentions, mentionsOf, type Reading, readingOf } from './mentions.ts';
import { type Outcome, quoted, undecidable } from './outcome.ts';
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

/** No decision where the answer claims something else than what the case gives, and nothing that fits it; else null. */
export function contradiction(
  given: string,
  claims: readonly { quote: string; fits: boolean }[],
): Outcome | null {
  const [claim] = claims;
  return claim === undefined || claims.some(({ fits }) => fits)
    ? null
    : undecidable(`${given}, but the answer says ${quoted(claim.quote, 40)}`);
}

/**
 * The words by which the answer says that it found or did nothing, or null; one without a word, such as "...", is such
 * words. "Is closed" denies only what has opening hours, and nothing is a denial where a check goes by what the answer claims.
 */
export function denialIn(matter: Told, checks: readonly Check[]): string | null {
  const { response } = matter.evalCase;
  const claims = checks.flatMap((check) => (check.type === 'says-same' ? check.field : []));
  if (claims.some((path) => fieldOf(matter.evalCase, path) !== undefined)) return null;
  if (!/[\p{L}\p{N}]/u.test(response)) return response;
  const hasHours = checks.some(({ type }) => type === 'open-at');
  const denials = mentionsOf(DENIAL, wordsOf(matter), matter.vocabulary);
  return denials.find(({ terms }) => hasHours || !terms.includes('closed'))?.quote ?? null;
}
