// What a click on a thumb takes, from the signed request to its acknowledgement: npm run bench:slack-votes [-- --seconds 30
// --rate 200]. The built service runs in a process of its own, over signed HTTP, on a real Redis (TEST_REDIS_URL, else a server
// of its own); Slack is a server that takes everything. Beside it the same requests to /healthz, in the same run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import * as z from 'zod';
import { openRedisStore } from '../src/stores/redis/redis-store.ts';
import { findRedis } from '../test/support/find-redis.ts';
import { countsOf, recount } from '../test/support/recount.ts';
import { prepareRedis } from '../test/support/redis-server.ts';
import { main } from '../test/support/run-jury.ts';
import { overHttp, SIGNING_SECRET } from '../test/support/slack-requests.ts';
import { aRecord } from '../test/support/store-builders.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '30' }, rate: { type: 'string', default: '200' } },
});
const [seconds, rate] = [Number(values.seconds), Number(values.rate)];
const total = seconds * rate;
const verdicts = 50;
const voters = 400;
const limitMs = 150;
const team = 'T1';

const quantile = (sorted: readonly number[], q: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;

/** Requests at a steady pace; the time of each counts from when it was due, so that a stall is not hidden. */
async function paced(
  send: (n: number) => Promise<{ status: number }>,
): Promise<{ took: number[]; failed: number }> {
  const took: number[] = [];
  let failed = 0;
  const all: Promise<void>[] = [];
  const start = performance.now();
  for (let n = 0; n < total; n++) {
    const due = start + (n * 1000) / rate;
    const early = due - performance.now();
    if (early > 1) await sleep(early);
    const sent = send(n).then(
      ({ status }) => {
        took.push(performance.now() - due);
        if (status !== 200) failed += 1;
      },
      () => {
        failed += 1;
      },
    );
    all.push(sent);
  }
  await Promise.all(all);
  return { took: took.sort((a, b) => a - b), failed };
}

/** Slack as a server that takes everything. */
async function startTaker() {
  let changes = 0;
  const server = createServer((request, response) => {
    if (request.url === '/api/chat.update') changes += 1;
    request.resume();
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(
        '{"ok":true,"ts":"1.1","user_id":"UJURY","team_id":"T1","url":"https://acme.slack.com/","view":{"id":"V1"}}',
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}/api/`,
    changes: () => changes,
    close: () => server.close(),
  };
}

const Started = z.looseObject({ port: z.number() });

async function startService(redisUrl: string, apiUrl: string, folder: string) {
  const child = spawn(process.execPath, [main, 'serve'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      JURY_DATA_DIR: folder,
      REDIS_URL: redisUrl,
      SLACK_API_URL: apiUrl,
      SLACK_BOT_TOKEN: 'xoxb-bench',
      SLACK_SIGNING_SECRET: SIGNING_SECRET,
      PORT: '0',
    },
  });
  for await (const text of createInterface(child.stderr)) {
    const line = Started.safeParse(JSON.parse(text));
    if (line.success) {
      child.stderr.resume();
      return { port: line.data.port, child };
    }
  }
  throw new Error('the service did not start');
}

const folder = mkdtempSync(join(tmpdir(), 'jury-bench-'));
const given = process.env.TEST_REDIS_URL;
const binary = given === undefined ? findRedis() : null;
if (given === undefined && binary === null) throw new Error('There is no Redis: set TEST_REDIS_URL.');
const redis = binary === null ? null : await prepareRedis(binary, 'single', 'everysec');
await redis?.start();
const url = given ?? redis?.url ?? '';
const taker = await startTaker();
const store = await openRedisStore(url);
const records = Array.from({ length: verdicts }, (_, index) => {
  const record = aRecord({ id: `bench${index}`, at: Date.now() });
  return { ...record, source: { ...record.source, message: `1700000000.${String(index).padStart(6, '0')}` } };
});
for (const record of records) await store.saveVerdict(record);
const { port, child } = await startService(url, taker.url, folder);
const deliver = overHttp(port, 'UJURY');

/** The clicks, so that what has to be kept is known: the latest of each person on each verdict. */
const expected = new Map<string, string>();
const choices = ['agree', 'disagree', 'unsure'];
const startedAt = Math.floor(Date.now() / 1000);
const click = (n: number) => {
  const verdict = `bench${n % verdicts}`;
  const user = `U${(n * 7) % voters}`;
  const value = choices[n % 7 === 0 ? 1 : n % 11 === 0 ? 2 : 0] ?? 'agree';
  expected.set(`${verdict} ${user}`, value);
  return deliver.interaction({
    type: 'block_actions',
    user: { id: user, team_id: team },
    team: { id: team },
    trigger_id: 't',
    channel: { id: 'C1' },
    message: { ts: records[n % verdicts]?.source.message ?? '', text: '' },
    actions: [
      {
        type: 'button',
        action_id: `vote_${value}`,
        block_id: 'b',
        value: `${value} ${verdict}`,
        action_ts: `${startedAt + Math.floor(n / 1_000_000)}.${String(n % 1_000_000).padStart(6, '0')}`,
      },
    ],
  });
};

const plain = await paced((_) => fetch(`http://127.0.0.1:${port}/healthz`));
const votes = await paced(click);
let kept = 0;
let right = 0;
for await (const { votes: standing } of store.allVoted()) kept += standing.length;
const tallies = { agree: 0, disagree: 0, unsure: 0 };
for (const { id } of records) {
  const tally = await store.tally(id);
  for (const key of ['agree', 'disagree', 'unsure'] as const) tallies[key] += tally[key];
}
const wanted = { agree: 0, disagree: 0, unsure: 0 };
for (const value of expected.values())
  if (value === 'agree' || value === 'disagree' || value === 'unsure') wanted[value] += 1;
if (isDeepStrictEqual(tallies, wanted) && kept === expected.size) right = 1;
const same = isDeepStrictEqual(await countsOf(store), await recount(store));
child.kill('SIGTERM');
await once(child, 'exit');
await store.close();
await redis?.remove();
taker.close();
rmSync(folder, { recursive: true, force: true });

const ms = (value: number) => `${value.toFixed(1)} ms`;
const p99 = quantile(votes.took, 0.99);
console.log(`${total} clicks, ${rate} a second, ${voters} people, ${verdicts} cards`);
console.log(
  `acknowledged after   p50 ${ms(quantile(votes.took, 0.5))}, p99 ${ms(p99)}, longest ${ms(votes.took.at(-1) ?? 0)}`,
);
console.log(
  `an empty request     p50 ${ms(quantile(plain.took, 0.5))}, p99 ${ms(quantile(plain.took, 0.99))} (same process, same run)`,
);
console.log(
  `refused or lost      ${votes.failed}; standing votes ${kept} of ${expected.size}, as clicked: ${right === 1 ? 'yes' : 'NO'}`,
);
console.log(`counts equal recount ${same ? 'yes' : 'NO'}; changes of cards ${taker.changes()}`);
const good = votes.failed === 0 && right === 1 && same && p99 < limitMs;
console.log(good ? 'fine' : `NOT FINE: nothing may be lost and p99 must be under ${limitMs} ms`);
process.exitCode = good ? 0 : 1;
