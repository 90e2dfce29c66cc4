// What a person waits for in Slack, with models that take two seconds a call: npm run bench:slack-wait [-- --times 5]. A
// request is acknowledged, its message is posted, the first opinion stands in it, and it is decided by one round of three
// judges. The service runs in this process, over signed HTTP and on SQLite; Slack and the model are servers of their own.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startModelDouble } from '../test/support/model-double.ts';
import { PASTE } from '../test/support/pastes.ts';
import { type SlackDouble, startSlackDouble } from '../test/support/slack-double.ts';
import { payloadsOf } from '../test/support/slack-requests.ts';
import { type RunningJury, startJury } from '../test/support/slack-service.ts';

const { values } = parseArgs({ options: { times: { type: 'string', default: '5' } } });

const GOALS = { acknowledged: 1, posted: 1, 'first opinion': 3, decided: 5 };
type Step = keyof typeof GOALS;
/** So that the first opinion can be distinguished from the last one. */
const MODEL_MS = [1_800, 2_000, 2_200];

async function untilShown(slack: SlackDouble, from: number, has: (text: string) => boolean): Promise<number> {
  for (;;) {
    const shown = slack.calls.find(
      ({ method, args, at }) => at > from && /^chat\./.test(method) && has(JSON.stringify(args)),
    );
    if (shown !== undefined) return (shown.at - from) / 1000;
    await sleep(5);
  }
}

/** Seconds from the event to each step. */
async function once(slack: SlackDouble, { deliver }: RunningJury, n: number): Promise<Record<Step, number>> {
  const text = PASTE.replace('Sakura', `Sakura ${n}`);
  const ts = await slack.say(text);
  const from = performance.now();
  await deliver.event(payloadsOf(slack).mention(text, ts));
  const acknowledged = (performance.now() - from) / 1000;
  return {
    acknowledged,
    posted: await untilShown(slack, from, (shown) => shown.includes('check_stop')),
    'first opinion': await untilShown(slack, from, (shown) => /Too low, says a judge|[12] of 3 /.test(shown)),
    decided: await untilShown(slack, from, (shown) => shown.includes('verdict_details')),
  };
}

const model = await startModelDouble({
  answer: async ({ n }) => {
    await sleep(MODEL_MS[n % MODEL_MS.length]);
    return { fields: { decision: 'fail', rationale: 'Too low, says a judge.' } };
  },
});
const slack = await startSlackDouble();
const jury = await startJury(slack, 'http', {
  JURY_MODEL: 'openai/gpt-4o-mini',
  OPENAI_API_KEY: 'sk-0123456789abcdef',
  OPENAI_BASE_URL: model.baseUrl,
});
const store = await jury.parts.store();
await store.saveChannelSettings(slack.channel, { wish: { method: 'mab' } });
const runs: Record<Step, number>[] = [];
for (let n = 0; n < Number(values.times); n += 1) runs.push(await once(slack, jury, n));
let isMissed = false;
for (const [step, goal] of Object.entries(GOALS)) {
  const took = runs
    .map((run) => Object.entries(run).find(([name]) => name === step)?.[1] ?? 0)
    .sort((a, b) => a - b);
  const [median = 0, worst = 0] = [took[Math.floor(took.length / 2)], took.at(-1)];
  isMissed ||= worst > goal;
  console.log(`${step}: median ${median.toFixed(2)} s, worst ${worst.toFixed(2)} s; goal ${goal} s`);
}
await jury.close();
await slack.close();
await model.close();
process.exitCode = isMissed ? 1 : 0;
