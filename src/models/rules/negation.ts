import type { Mention } from './find-mentions.ts';

/** The lexicon of words that turn wishes around. Its term ids are fixed: see `prompts/lexicons/negation.yaml`. */
export const NEGATION = 'negation';

export const isNegation = (mention: Mention | undefined, term: string): boolean =>
  mention?.lexicon === NEGATION && mention.terms.includes(term);
