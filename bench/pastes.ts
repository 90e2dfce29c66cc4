// Whether pastes can hold up the service: npm run bench:pastes [-- --count 500 --rounds 5]. Generated pastes, each as long as a case
// may be, are read once; then one visitor sends the ten that took longest at once, again and again, while /healthz is asked and
// Slack sends events. Beside it the same when the service is idle, in the same run. The built service is a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { parseInput } from '../src/case/paste/parse-input.ts';
import { loadCaseFormat } from '../src/prompting/case-fields.ts';
import { builtIn } from '../test/support/built-in.ts';
import { longPastes } from '../test/support/long-pastes.ts';
import { main } from '../test/support/run-jury.ts';
import { overHttp, SIGNING_SECRET } from '../test/support/slack-requests.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '500' }, rounds: { type: 'string', default: '5' } },
});
const maxCaseChars = 32_000;
const LIMIT = { timesIdle: 5, orMs: 100, longestMs: 1_000 };

/** The pastes that took longest to read, in this process: of all, and of those that are one case. */
function worst(count: number, most: number): { text: string; ms: number }[][] {
  const format = loadCaseFormat([builtIn]);
  const timed = longPastes(count, maxCaseChars).map((text) => {
    const { user } = process.cpuUsage();
    const [item, ...more] = parseInput(text, { maxCaseChars, format });
    const isCase = item !== undefined && 'case' in item && more.length === 0;
    return { text, isCase, ms: (process.cpuUsage().user - user) / 1000 };
  });
  timed.sort((a, b) => b.ms - a.ms);
  return [timed.slice(0, most), timed.filter(({ isCase }) => isCase).slice(0, most)];
}

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;

/** Requests at a steady pace until it ends; the time of each counts from when it was due. @returns sorted, ms */
async function paced(send: () => Promise<{ status: number }>, isOver: () => boolean): Promise<number[]> {
  const everyMs = 50;
  const took: number[] = [];
  const all: Promise<void>[] = [];
  const start = performance.now();
  for (let n = 0; !isOver(); n += 1) {
    const due = start + n * everyMs;
    await sleep(Math.max(0, due - performance.now()));
    all.push(
      send().then(({ status }) => {
        if (status !== 200) throw new Error(`an answer was ${status}`);
        took.push(performance.now() - due);
      }),
    );
  }
  await Promise.all(all);
  return took.sort((a, b) => a - b);
}

/** Slack as a server that takes everything. */
async function startTaker() {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end('{"ok":true,"ts":"1.1","user_id":"UJURY","team_id":"T1","url":"https://acme.slack.com/"}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return { url: `http://127.0.0.1:${port}/api/`, close: () => server.close() };
}

/** The line of the log that names the address. */
const Line = z.looseObject({ msg: z.string() });
const token = 'bench:0123456789abcdef';

async function startService(apiUrl: string, folder: string) {
  const child = spawn(process.execPath, [main, 'serve'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      JURY_DATA_DIR: folder,
      JURY_API_TOKENS: token,
      SLACK_API_URL: apiUrl,
      SLACK_BOT_TOKEN: 'xoxb-bench',
      SLACK_SIGNING_SECRET: SIGNING_SECRET,
      PORT: '0',
    },
  });
  for await (const text of createInterface(child.stderr)) {
    const port = /^web: http:\/\/[^/]*:(\d+)\//.exec(Line.parse(JSON.parse(text)).msg)?.[1];
    if (port === undefined) continue;
    child.stderr.resume();
    return { port: Number(port), child };
  }
  throw new Error('the service did not start');
}

const chosen = worst(Number(values.count), 10);
const folder = mkdtempSync(join(tmpdir(), 'jury-bench-'));
const taker = await startTaker();
const { port, child } = await startService(taker.url, folder);
const address = `http://127.0.0.1:${port}`;
const deliver = overHttp(port, 'UJURY');
const health = () => fetch(`${address}/healthz`);
const acknowledgement = () =>
  deliver.event({
    type: 'reaction_added',
    user: 'U1',
    reaction: 'eyes',
    item: { type: 'message', channel: 'C1', ts: '1.1' },
    item_user: 'U2',
    event_ts: '1.2',
  });

/** Both at once, each against the other's load too. */
const measured = async (isOver: () => boolean) => {
  const [healthz, acks] = await Promise.all([paced(health, isOver), paced(acknowledgement, isOver)]);
  return { '/healthz': healthz, "Slack's acknowledgement": acks };
};

/** Ten at once, by one visitor. @returns what each was answered */
const attack = (pastes: readonly { text: string }[]) =>
  Promise.all(
    pastes.map(async ({ text }) => {
      const reply = await fetch(`${address}/api/v1/verdicts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token.split(':')[1]}` },
        body: JSON.stringify({ paste: text }),
      });
      await reply.text();
      return reply.status;
    }),
  );

await measured(deadline(1_000));
const idle = await measured(deadline(5_000));
let isDone = false;
const answered = new Map<number, number>();
const during = measured(() => isDone);
const startedAt = performance.now();
for (let round = 0; round < Number(values.rounds); round += 1)
  for (const pastes of chosen)
    for (const status of await attack(pastes)) answered.set(status, (answered.get(status) ?? 0) + 1);
const attackMs = performance.now() - startedAt;
isDone = true;
const under = await during;
child.kill('SIGTERM');
await once(child, 'exit');
taker.close();
rmSync(folder, { recursive: true, force: true });

function deadline(ms: number): () => boolean {
  const end = performance.now() + ms;
  return () => performance.now() > end;
}

console.log(
  `load of the machine ${loadavg()[0]?.toFixed(1)}; ${values.count} pastes of ${maxCaseChars} characters`,
);
for (const [at, what] of ['of all', 'of those that are judged'].entries())
  console.log(
    `reading the ten worst ${what}, each: ${chosen[at]?.map(({ ms }) => ms.toFixed(0)).join(', ')} ms of processor time`,
  );
console.log(
  `sent ${values.rounds} times both tens in ${(attackMs / 1000).toFixed(1)} s; answered ${[...answered].map(([status, times]) => `${status}: ${times}`).join(', ')}`,
);
let isMet = true;
for (const name of ['/healthz', "Slack's acknowledgement"] as const) {
  const [before, after] = [quantile(idle[name], 0.95), quantile(under[name], 0.95)];
  const longest = under[name].at(-1) ?? Number.NaN;
  const met = after <= Math.max(LIMIT.timesIdle * before, LIMIT.orMs) && longest <= LIMIT.longestMs;
  isMet &&= met;
  console.log(
    `${name}: p95 ${after.toFixed(1)} ms, idle ${before.toFixed(1)} ms (${(after / before).toFixed(1)} ×); longest ${longest.toFixed(0)} ms of ${under[name].length}: ${met ? 'met' : 'MISSED'}`,
  );
}
process.exitCode = isMet ? 0 : 1;
