/**
 * The exact checks: an `Ask` without a model or any network access. They never guess; what they cannot check is unscored,
 * with the reason. Start reading: `rules-judge.ts`.
 */
export { createRulesJudge, RULES, rulesHash } from './rules-judge.ts';
