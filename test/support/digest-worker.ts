// Sends digests until it is killed, as one of several replicas. Started, and killed, by tests and the benchmark.
import { runDigests } from '../../src/flows/run-digests.ts';
import { openRedisStore } from '../../src/store/redis/redis-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { aSender } from './digest-sender.ts';

const [kind, target = '', prefix = '', apiUrl = '', leaseMs = '5000'] = process.argv.slice(2);
const store = await (kind === 'redis' ? openRedisStore(target, { prefix }) : openSqliteStore(target));
const clock = {
  get now() {
    return Date.now();
  },
  get steady() {
    return performance.now();
  },
};
const sender = aSender(store, apiUrl, clock, { leaseMs: Number(leaseMs), backoffMs: () => 500 });
const runner = { ...sender, store, everyMs: 200, storeFailed: (reason: string) => console.error(reason) };
await runDigests(runner, new AbortController().signal);
