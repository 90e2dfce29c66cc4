/**
 * The ports of the rooms above in SQLite, in Redis and in folders. It decides nothing: what is kept together, and when, is said by
 * the ports. Start reading: `store.ts`.
 */
export { openAnswerFile } from './folder/collected-cases-file.ts';
export { type KeptSecret, keepSecret, pathOfSecret, replaceSecret } from './kept-secret.ts';
export { openStore, openTrialStore } from './open-store.ts';
export { parseRedisUrl } from './redis/redis-url.ts';
export { openRedisTrialStore } from './redis/runs.ts';
export { haltReason, openTrialQueue, type RunWorker, type TrialQueue } from './redis/trial-queue.ts';
export { openSqliteStore } from './sqlite/sqlite-store.ts';
export type { Store } from './store.ts';
