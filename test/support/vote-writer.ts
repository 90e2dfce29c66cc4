// Casts votes without end and prints the number of each one that was acknowledged. Started, and killed, by tests.
import { JuryError } from '../../src/common/errors.ts';
import { openRedisStore } from '../../src/stores/redis/redis-store.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { aBallot } from './store-builders.ts';

const [kind, target = '', prefix = '', writer = '', verdicts = '1'] = process.argv.slice(2);

/** Where another process holds the store for longer than it waits, it tries again, as a voter would. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof JuryError) || !thrown.retryable) throw thrown;
    }
}

const store = await patiently<Store>(() =>
  kind === 'redis' ? openRedisStore(target, { prefix }) : openSqliteStore(target),
);

async function isCounted(n: number): Promise<boolean> {
  const verdictId = `v${n % Number(verdicts)}`;
  const ballot = aBallot({ verdictId, voter: `${writer}${n}`, value: n % 2 === 0 ? 'agree' : 'disagree' });
  return (await patiently(() => store.castVote(ballot))).status === 'counted';
}

for (let n = 0; ; n++) if (await isCounted(n)) process.stdout.write(`${n}\n`);
