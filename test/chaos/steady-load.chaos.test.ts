import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { keyIn } from '../support/open-link.ts';
import { PASTE } from '../support/pastes.ts';
import { closeAfterEach, closing, newFolder, until } from '../support/resources.ts';
import { spawnJury } from '../support/run-jury.ts';
import { withModel } from '../support/service-model.ts';
import { nextTs, overHttp, payloadsOf } from '../support/slack-requests.ts';
import { slackEnv, withSlack } from '../support/slack-service.ts';

closeAfterEach();
const rounds = inject('counts').steadyRounds;

/** A round is a request, three votes and thirty pages, and lasts this long at least. */
const ROUND_MS = 1_000;
/** So many samples are taken in each. */
const SAMPLES = 4;

interface Sample {
  heapMiB: number;
  residentMiB: number;
  descriptors: number;
}

async function sampleOf(url: string, headers: { authorization: string }): Promise<Sample> {
  const metrics = await (await fetch(`${url}/metrics`, { headers })).text();
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
  return {
    heapMiB: read('nodejs_heap_size_used_bytes') / 2 ** 20,
    residentMiB: read('process_resident_memory_bytes') / 2 ** 20,
    descriptors: read('process_open_fds'),
  };
}

/** The least of some samples: what is left when garbage was collected. */
const least = (samples: readonly Sample[], figure: keyof Sample): number =>
  Math.min(...samples.map((sample) => sample[figure]));

test(`memory and descriptors stay flat under ${rounds} rounds of steady load`, async () => {
  const slack = await withSlack();
  const model = await withModel({});
  const folder = newFolder();
  const data = { JURY_DATA_DIR: folder, PORT: '0' };
  const env = { ...slackEnv(slack, 'http'), ...model, ...data, LOG_FORMAT: 'json', LOG_LEVEL: 'info' };
  const child = spawnJury(['serve'], { env });
  closing(async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  let log = '';
  child.stderr.on('data', (chunk) => {
    if (log.length < 100_000) log += String(chunk);
  });
  child.stdout.resume();
  const url = await until(() => /http:\/\/127\.0\.0\.1:\d+/.exec(log)?.[0]);
  const headers = keyIn(folder);
  const deliver = overHttp(Number(new URL(url).port), slack.users.jury);
  const [ann, ben] = [payloadsOf(slack), payloadsOf(slack, slack.users.ben)];

  const counts = { asked: 0, voted: 0, refused: 0 };
  const note = (kind: 'asked' | 'voted', { status }: { status: number }) => {
    counts[status === 200 ? kind : 'refused'] += 1;
  };
  /** The card is read from what the service sent: the double in Slack's place answers only so many calls. */
  async function round(): Promise<void> {
    const from = slack.calls.length;
    note('asked', await deliver.event(ann.mention(PASTE, nextTs())));
    const card = await until(() =>
      slack.calls
        .slice(from)
        .find(({ method, args }) => method === 'chat.update' && String(args.text).startsWith('PASS')),
    );
    const id = /agree ([0-9a-f]{20})/.exec(JSON.stringify(card.args.blocks))?.[1];
    const clicks = [
      [ann, 'agree'],
      [ben, 'agree'],
      [ann, 'disagree'],
    ] as const;
    for (const [who, value] of clicks)
      note(
        'voted',
        await deliver.interaction(who.click('vote_feedback', `${value} ${id}`, String(card.args.ts))),
      );
    for (let n = 0; n < 10; n++)
      for (const path of ['/', '/readyz', '/nothing-there'])
        await (await fetch(url + path, { headers })).text();
  }

  const samples: Sample[] = [];
  for (let n = 0; n < rounds; n += 1) {
    const resting = Promise.all(
      Array.from({ length: SAMPLES }, async (_, at) => {
        await wait((at * ROUND_MS) / SAMPLES);
        samples.push(await sampleOf(url, headers));
      }),
    );
    await round();
    await resting;
  }

  // The first third is for warming up.
  const third = Math.floor(samples.length / 3);
  const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)];
  const flat = (figure: keyof Sample) =>
    `${least(middle, figure).toFixed(0)} then ${least(last, figure).toFixed(0)}`;
  console.log(
    `  ${rounds} rounds: ${counts.asked} requests, ${counts.voted} votes, ${counts.refused} refused; heap ${flat('heapMiB')} MiB, resident ${flat('residentMiB')} MiB, descriptors ${flat('descriptors')}`,
  );
  expect(counts).toEqual({ asked: rounds, voted: 3 * rounds, refused: 0 });
  expect(least(last, 'descriptors')).toBeLessThanOrEqual(least(middle, 'descriptors') + 5);
  // Within few rounds, garbage hides what grows.
  if (rounds < 60) return;
  expect(least(last, 'heapMiB')).toBeLessThan(least(middle, 'heapMiB') * 1.15 + 10);
  expect(least(last, 'residentMiB')).toBeLessThan(least(middle, 'residentMiB') * 1.15 + 20);
});
