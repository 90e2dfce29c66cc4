// What honest requests take beside 1,500 connections that never send a whole one, against the same requests to the idle service in
// the same run: npm run bench:connections. The service and Slack run in this process, the flood in one of its own. Half of the requests
// ask for /healthz, half are signed commands of Slack.
import { startFlood } from '../test/support/flood.ts';
import { startSlackDouble } from '../test/support/slack-double.ts';
import { overHttp } from '../test/support/slack-requests.ts';
import { startJury } from '../test/support/slack-service.ts';

const FLOOD = 1_500;
const AT_ONCE = 20;
const TIMES = 10;
/** The slowest beside the flood, against the slowest alone; what takes less than a second is quick all the same. */
const GOAL = { ratio: 5, ms: 1_000 };

const slack = await startSlackDouble();
const jury = await startJury(slack);
const { port } = jury.service;
const deliver = overHttp(port, slack.users.jury);

async function honest(n: number): Promise<number> {
  const startedAt = performance.now();
  const { status } =
    n % 2 === 0
      ? await fetch(`http://127.0.0.1:${port}/healthz`)
      : await deliver.command('help', { channel: slack.channel, user: slack.users.ann });
  if (status !== 200) throw new Error(`an honest request got ${status}`);
  return performance.now() - startedAt;
}
const several = () => Promise.all(Array.from({ length: AT_ONCE }, (_, n) => honest(n)));

await several();
const idle: number[] = [];
for (let n = 0; n < TIMES; n += 1) idle.push(...(await several()));
const flood = startFlood(port, FLOOD);
const beside: number[] = [];
while (flood.seen().opened < FLOOD) beside.push(...(await several()));
for (let n = 0; n < TIMES; n += 1) beside.push(...(await several()));

const [alone, flooded] = [Math.max(...idle), Math.max(...beside)];
console.log(`idle: the slowest of ${idle.length} requests took ${alone.toFixed(0)} ms`);
console.log(
  `beside ${FLOOD} half-open connections: of ${beside.length}, ${flooded.toFixed(0)} ms, ${(flooded / alone).toFixed(1)} times as long; goal ${GOAL.ratio} times or ${GOAL.ms} ms`,
);
await flood.stop();
await jury.close();
await slack.close();
process.exitCode = flooded > Math.max(GOAL.ms, GOAL.ratio * alone) ? 1 : 0;
