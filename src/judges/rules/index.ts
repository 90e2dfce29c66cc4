/**
 * The exact checks, an `Ask` without a model: right or silent. It calls nothing and guesses nothing; what it cannot check it
 * leaves unscored and says why. Start reading: `rules-judge.ts`.
 */
export { createRulesJudge, RULES, rulesHash } from './rules-judge.ts';
