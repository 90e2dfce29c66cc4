/**
 * One call to a model: endpoint, limits, retries, price, cache, budgets. It does not know what the questions are about. Start
 * reading: `llm-judge.ts` is the `Ask`, `completion-client.ts` the call.
 */
export { createSpendingLimits, type SpendingLimits, type SpentLimit } from './all-budgets.ts';
export { type CompletionClient, createCompletionClient } from './completion-client.ts';
export { readSpending, spentMessage, unpriced } from './daily-budget.ts';
export { openHttp } from './http.ts';
export { type AnswerReuse, createExplainer, createLlmJudge, probeModel } from './llm-judge.ts';
export {
  costOf,
  createPrices,
  findModel,
  type KnownModel,
  knownModels,
  type Price,
  PriceFile,
  type Prices,
  tokensOf,
} from './models.ts';
export {
  baseUrlVariable,
  keyVariable,
  modelParts,
  type ProviderSettings,
  providers,
  resolveEndpoint,
} from './providers.ts';
export {
  createOutgoing,
  hasProxy,
  noProxies,
  type Outgoing,
  type Proxies,
  proxyAuthorization,
  proxyErrorIn,
  proxyFor,
  proxyProblem,
  proxyText,
  readProxies,
} from './proxies.ts';
export { createTurns, type Pace } from './rate-limits.ts';
export { type AnswerCache, createAnswerCache } from './reply-cache.ts';
export type { Unanswered } from './send-with-retry.ts';
export { createHttpSender, runCommand } from './system-call.ts';
