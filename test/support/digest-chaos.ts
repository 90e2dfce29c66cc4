import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { readProgress } from '../../src/digests/delivery.ts';
import { slotsOf } from '../../src/digests/slots.ts';
import { createRandom } from '../../src/statistics/random.ts';
import type { Store } from '../../src/stores/store.ts';
import type { SlackDouble } from './slack-double.ts';
import { aSchedule } from './store-builders.ts';

const worker = fileURLToPath(new URL('./digest-worker.ts', import.meta.url));

export interface ChaosOptions {
  /** How workers open the store: kind, target, prefix. */
  target: readonly [string, string, string];
  replicas: number;
  schedules: number;
  everySeconds: number;
  /** How long processes are killed. */
  seconds: number;
  leaseMs: number;
  seed: number;
}

export interface ChaosOutcome {
  kills: number;
  /** Slots of all schedules that were due. */
  slots: number;
  /** Posts that show their chart as a picture. */
  pictures: number;
  /** Keys of posts that are not there, and of those that are there more than once. */
  missing: string[];
  doubled: string[];
}

const Keyed = z.object({
  event_type: z.literal('jury_digest'),
  event_payload: z.object({ key: z.string() }),
});

/** How often each post was made. */
function postsOf(slack: SlackDouble): Map<string, number> {
  const posts = new Map<string, number>();
  for (const { args, refused } of slack.called('chat.postMessage')) {
    if (refused) continue;
    const keyed = Keyed.safeParse(args.metadata);
    if (!keyed.success) continue;
    const { key } = keyed.data.event_payload;
    posts.set(key, (posts.get(key) ?? 0) + 1);
  }
  return posts;
}

/** Replicas send digests with charts to a workspace that shows none, so that each is uploaded as a picture, and are killed at random for a while; then those that stand finish what is left. */
export async function digestChaos(
  store: Store,
  slack: SlackDouble,
  options: ChaosOptions,
): Promise<ChaosOutcome> {
  const { target, replicas, schedules: count, everySeconds, seconds, leaseMs, seed } = options;
  const random = createRandom('digest chaos', seed);
  const since = Date.now();
  slack.refuse('chat.postMessage', 'invalid_blocks', Number.POSITIVE_INFINITY, ({ args }) =>
    JSON.stringify(args.blocks).includes('data_visualization'),
  );
  const schedules = Array.from({ length: count }, (_, n) =>
    aSchedule({
      id: `s${n}`,
      cron: `*/${everySeconds} * * * * *`,
      target: { surface: 'slack', team: 'T1', channel: slack.channel },
      since,
    }),
  );
  for (const schedule of schedules) await store.saveSchedule(schedule);

  const start = (): ChildProcess =>
    spawn(process.execPath, ['--import', 'tsx', worker, ...target, slack.apiUrl, String(leaseMs)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  const kill = async (child: ChildProcess): Promise<void> => {
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  };
  const workers = Array.from({ length: replicas }, start);
  let kills = 0;
  const end = since + seconds * 1000;
  try {
    while (Date.now() < end) {
      await wait(500 + random.below(2500));
      const at = random.below(replicas);
      const victim = workers[at];
      if (victim !== undefined) await kill(victim);
      workers[at] = start();
      kills += 1;
    }
    const due: { id: string; slots: number[] }[] = schedules.map((schedule) => {
      const next = slotsOf(schedule);
      const slots: number[] = [];
      for (let slot = next(since); slot !== null && slot <= end; slot = next(slot)) slots.push(slot);
      return { id: schedule.id, slots };
    });
    for (const { id, slots } of due) {
      const last = slots.at(-1) ?? 0;
      while ((readProgress((await store.digestProgress(id))?.text ?? '').done ?? 0) < last) await wait(200);
    }
    const posts = postsOf(slack);
    const mains = due.flatMap(({ id, slots }) => slots.map((slot) => `${id}/${slot}/main`));
    return {
      kills,
      slots: mains.length,
      pictures: slack
        .called('chat.postMessage')
        .filter(({ args, refused }) => !refused && JSON.stringify(args.blocks).includes('slack_file')).length,
      missing: mains.filter((key) => !posts.has(key)),
      doubled: [...posts].filter(([, times]) => times > 1).map(([key]) => key),
    };
  } finally {
    for (const child of workers) await kill(child);
  }
}
