// How soon the console's pages answer with many verdicts: npm run bench:console [-- --verdicts 100000]
// SQLite and Redis on this machine; each page is asked for 40 times after 5, one after another, over HTTP. Redis: TEST_REDIS_URL, else
// one of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { assemble } from '../src/compose.ts';
import { readEnv } from '../src/env.ts';
import { startService } from '../src/surfaces/service/start-service.ts';
import { aCase } from '../test/support/builders.ts';
import { findRedis } from '../test/support/find-redis.ts';
import { openLink } from '../test/support/open-link.ts';
import { prepareRedis } from '../test/support/redis-server.ts';
import { aRecord } from '../test/support/store-builders.ts';

const { values } = parseArgs({ options: { verdicts: { type: 'string', default: '100000' } } });
const count = Number(values.verdicts);

const CUISINES = ['sushi', 'ramen', 'pizza', 'tapas', 'curry', 'burger', 'falafel'];
const PAGES = [
  '/',
  '/verdicts',
  '/verdicts?q=sushi',
  '/verdicts?q=sushi+quiet',
  '/verdicts?decision=fail&rubric=navigation',
  '/verdicts?q=ramen&decision=fail&since=2026-11-01',
  '/verdicts?about=split',
  '/queue',
];

/** A verdict as people ask for them: some words are in all, some in a few. */
function recordOf(n: number, now: number) {
  const text = `Find me a ${n % 997 === 0 ? 'quiet ' : ''}${CUISINES[n % CUISINES.length]} place number ${n}, not too far`;
  return aRecord({
    id: `v${n}`,
    at: now - (count - n) * 20_000,
    evalCase: aCase({ conversation: [{ role: 'user', text }] }),
  });
}

async function measure(kind: string, env: Record<string, string>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'jury-console-'));
  const settings = { JURY_DATA_DIR: folder, PORT: '0', JURY_RETENTION_DAYS: '0', ...env };
  const parts = await assemble(readEnv(settings, ''), { cache: false, warn: () => {} });
  const store = await parts.store();
  const now = Date.now();
  for (let from = 0; from < count; from += 500)
    await Promise.all(
      Array.from({ length: Math.min(500, count - from) }, (_, n) =>
        store.saveVerdict(recordOf(from + n, now)),
      ),
    );
  const service = await startService(parts, pino({ level: 'silent' }));
  const headers = await openLink(service.link ?? '');
  console.log(`\n${kind}, ${count} verdicts       median     p95`);
  for (const page of [...PAGES, `/verdicts/v${count - 1}`]) {
    const times: number[] = [];
    for (let n = 0; n < 45; n += 1) {
      const begun = performance.now();
      const answer = await fetch(`http://127.0.0.1:${service.port}${page}`, { headers });
      await answer.text();
      if (answer.status !== 200) throw new Error(`${page}: ${answer.status}`);
      if (n >= 5) times.push(performance.now() - begun);
    }
    times.sort((a, b) => a - b);
    const at = (share: number) =>
      `${(times[Math.floor(times.length * share)] ?? 0).toFixed(0)} ms`.padStart(8);
    console.log(`${page.padEnd(50)}${at(0.5)}${at(0.95)}`);
  }
  await service.close(0);
  await parts.close();
  rmSync(folder, { recursive: true });
}

await measure('SQLite', {});
const binary = await findRedis();
if (binary !== null) {
  const redis = await prepareRedis(binary);
  await redis.start();
  await measure('Redis', { REDIS_URL: redis.url });
  await redis.remove();
}
