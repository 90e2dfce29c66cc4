import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { readProgress } from '../../src/digests/delivery.ts';
import { nextSlotOf } from '../../src/digests/next-digest-time.ts';
import { createRandom } from '../../src/statistics/random.ts';
import type { Store } from '../../src/stores/store.ts';
import { until } from './resources.ts';
import type { SlackDouble } from './slack-double.ts';
import { spawnScript } from './spawn-script.ts';
import { aSchedule } from './store-builders.ts';
import type { TeamsDouble, TeamsPost } from './teams-double.ts';

export interface ChaosOptions {
  /** How workers open the store: kind, target, prefix. */
  target: readonly [string, string, string];
  replicas: number;
  schedules: number;
  everySeconds: number;
  /** How often one of the replicas is killed, each time after something was sent since the last. */
  kills: number;
  leaseMs: number;
  seed: number;
}

export interface ChaosOutcome {
  /** Slots of all schedules that were due. */
  slots: number;
  /** Keys of posts that are not there, and of those that are there more than once. */
  missing: string[];
  doubled: string[];
}

const Keyed = z.object({
  event_type: z.literal('jury_digest'),
  event_payload: z.object({ key: z.string() }),
});

interface Slot {
  schedule: string;
  /** ms since the epoch. */
  slot: number;
}

const keyOf = ({ schedule, slot }: Slot): string => `${schedule}/${slot}/main`;

/** Between the first call of a digest and a kill: while it is posted, or soon after. */
const WITHIN_MS = 1_500;

/** Replicas send digests with charts and are killed at random moments; then those that stand finish what is left. */
async function killSenders(
  store: Store,
  to: { surface: string; channel: string; url: string; calls: readonly unknown[] },
  { target, replicas, schedules: count, everySeconds, kills, leaseMs, seed }: ChaosOptions,
): Promise<{ due: Slot[]; slotsUntil: (moment: number) => Slot[] }> {
  const random = createRandom('digest chaos', seed);
  const { surface, channel, url, calls } = to;
  const since = Date.now();
  const schedules = Array.from({ length: count }, (_, n) =>
    aSchedule({
      id: `s${n}`,
      cron: `*/${everySeconds} * * * * *`,
      target: { surface, team: 'T1', channel },
      since,
    }),
  );
  for (const schedule of schedules) await store.saveSchedule(schedule);

  const slotsUntil = (moment: number): Slot[] =>
    schedules.flatMap((schedule) => {
      const next = nextSlotOf(schedule);
      const slots: Slot[] = [];
      for (let slot = next(since); slot !== null && slot <= moment; slot = next(slot))
        slots.push({ schedule: schedule.id, slot });
      return slots;
    });

  const start = (): Promise<ChildProcess> =>
    spawnScript('digest-worker', [...target, surface, url, String(leaseMs)], ['ignore', 'ignore', 'inherit']);
  const kill = async (child: ChildProcess): Promise<void> => {
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  };
  const workers = await Promise.all(Array.from({ length: replicas }, start));
  try {
    for (let killed = 0; killed < kills; killed += 1) {
      const sent = calls.length;
      await until(() => calls.length > sent);
      await wait(random.below(WITHIN_MS));
      const at = random.below(replicas);
      const victim = workers[at];
      if (victim !== undefined) await kill(victim);
      workers[at] = await start();
    }
    const due = slotsUntil(Date.now());
    for (const { schedule, slot } of due)
      while ((readProgress((await store.digestProgress(schedule))?.text ?? '').done ?? 0) < slot)
        await wait(200);
    return { due, slotsUntil };
  } finally {
    for (const child of workers) await kill(child);
  }
}

/** To a workspace that shows no charts, so that each is uploaded as a picture. `pictures`: posts that show theirs. */
export async function slackDigestChaos(
  store: Store,
  slack: SlackDouble,
  options: ChaosOptions,
): Promise<ChaosOutcome & { pictures: number }> {
  slack.refuse('chat.postMessage', 'invalid_blocks', Number.POSITIVE_INFINITY, ({ args }) =>
    JSON.stringify(args.blocks).includes('data_visualization'),
  );
  const to = { surface: 'slack', channel: slack.channel, url: slack.apiUrl, calls: slack.calls };
  const { due } = await killSenders(store, to, options);
  const made = slack.called('chat.postMessage').filter(({ refused }) => !refused);
  const posts = new Map<string, number>();
  for (const { args } of made) {
    const key = Keyed.safeParse(args.metadata).data?.event_payload.key;
    if (key !== undefined) posts.set(key, (posts.get(key) ?? 0) + 1);
  }
  return {
    slots: due.length,
    pictures: made.filter(({ args }) => JSON.stringify(args.blocks).includes('slack_file')).length,
    missing: due.map(keyOf).filter((key) => !posts.has(key)),
    doubled: [...posts].filter(([, times]) => times > 1).map(([key]) => key),
  };
}

/** To a channel of Teams, where the store keeps which message is which post. `left`: headlines that a kill left behind. */
export async function teamsDigestChaos(
  store: Store,
  teams: TeamsDouble,
  options: ChaosOptions,
): Promise<ChaosOutcome & { left: TeamsPost[] }> {
  const to = { surface: 'teams', channel: '19:judged@thread.tacv2', url: teams.url, calls: teams.calls };
  const { due, slotsUntil } = await killSenders(store, to, options);
  const idOf = (slot: Slot) => store.get(`teams-digest:${keyOf(slot)}`, Date.now());
  const whole = new Set(
    teams.posts
      .filter(({ conversation, changes }) => conversation === to.channel && changes > 0)
      .map(({ id }) => id),
  );
  const missing: string[] = [];
  for (const slot of due) if (!whole.has((await idOf(slot)) ?? '')) missing.push(keyOf(slot));
  const known = new Set(await Promise.all(slotsUntil(Date.now()).map(idOf)));
  return {
    slots: due.length,
    missing,
    doubled: [...whole].filter((id) => !known.has(id)),
    left: teams.posts.filter(({ changes }) => changes === 0),
  };
}
