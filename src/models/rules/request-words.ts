import type { Lexicon } from '../../judging/lexicon.ts';
import { FILLER } from './find-mentions.ts';

const SUBJECT = 'subject';
const ELSEWHERE = 'elsewhere';

/**
 * The words without a wish, for requests of one rubric: those of the lexicon that has the rubric's name go before the
 * common ones. What the common ones take for the subject (a place to eat) is then something else that may be looked for.
 */
export function requestWords(common: Lexicon, own: Lexicon | undefined): Lexicon {
  if (own === undefined) return { ...common, id: FILLER };
  const claimed = new Set(own.terms.flatMap(({ words }) => words));
  const subject = common.terms.find(({ id }) => id === SUBJECT)?.words ?? [];
  const kept = common.terms
    .filter(({ id }) => id !== SUBJECT)
    .map((term) => {
      const words = term.id === ELSEWHERE ? [...term.words, ...subject] : term.words;
      return { ...term, words: words.filter((word) => !claimed.has(word)) };
    });
  const ids = new Set([...kept, ...own.terms].map(({ id }) => id));
  const termOf = (id: string) => {
    const [first, ...others] = [...own.terms, ...kept].filter((term) => term.id === id);
    return first === undefined ? [] : [{ ...first, words: [first, ...others].flatMap(({ words }) => words) }];
  };
  return { ...own, id: FILLER, terms: [...ids].flatMap(termOf) };
}
