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
import type { TeamsDouble, TeamsPost } from './teams-double.ts';

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

/** Replicas send digests with charts and are killed at random for a while; then those that stand finish what is left. */
async function killSenders(
  store: Store,
  to: { surface: string; channel: string; url: string },
  { target, replicas, schedules: count, everySeconds, seconds, leaseMs, seed }: ChaosOptions,
): Promise<{ kills: number; due: Slot[]; slotsUntil: (moment: number) => Slot[] }> {
  const random = createRandom('digest chaos', seed);
  const { surface, channel, url } = to;
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
      const next = slotsOf(schedule);
      const slots: Slot[] = [];
      for (let slot = next(since); slot !== null && slot <= moment; slot = next(slot))
        slots.push({ schedule: schedule.id, slot });
      return slots;
    });

  const start = (): ChildProcess =>
    spawn(process.execPath, ['--import', 'tsx', worker, ...target, surface, url, String(leaseMs)], {
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
    const due = slotsUntil(end);
    for (const { schedule, slot } of due)
      while ((readProgress((await store.digestProgress(schedule))?.text ?? '').done ?? 0) < slot)
        await wait(200);
    return { kills, due, slotsUntil };
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
  const to = { surface: 'slack', channel: slack.channel, url: slack.apiUrl };
  const { kills, due } = await killSenders(store, to, options);
  const made = slack.called('chat.postMessage').filter(({ refused }) => !refused);
  const posts = new Map<string, number>();
  for (const { args } of made) {
    const key = Keyed.safeParse(args.metadata).data?.event_payload.key;
    if (key !== undefined) posts.set(key, (posts.get(key) ?? 0) + 1);
  }
  return {
    kills,
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
  const to = { surface: 'teams', channel: '19:judged@thread.tacv2', url: teams.url };
  const { kills, due, slotsUntil } = await killSenders(store, to, options);
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
    kills,
    slots: due.length,
    missing,
    doubled: [...whole].filter((id) => !known.has(id)),
    left: teams.posts.filter(({ changes }) => changes === 0),
  };
}
