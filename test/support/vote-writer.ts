// Casts votes without end and prints the number of each one that was acknowledged. Started, and killed, by tests.
import { openRedisStore } from '../../src/stores/redis/redis-store.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import { aBallot } from './store-builders.ts';

const [kind, target = '', prefix = '', writer = '', verdicts = '1'] = process.argv.slice(2);
const store = await (kind === 'redis' ? openRedisStore(target, { prefix }) : openSqliteStore(target));
for (let n = 0; ; n++) {
  const verdictId = `v${n % Number(verdicts)}`;
  const outcome = await store.castVote(
    aBallot({ verdictId, voter: `${writer}${n}`, value: n % 2 === 0 ? 'agree' : 'disagree' }),
  );
  if (outcome.status === 'counted') process.stdout.write(`${n}\n`);
}
