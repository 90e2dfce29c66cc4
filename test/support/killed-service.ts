import { setTimeout as wait } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import * as z from 'zod';
import { readProgress } from '../../src/digests/delivery.ts';
import type { DigestSchedule } from '../../src/digests/digest-schedule.ts';
import { nextSlotOf } from '../../src/digests/next-digest-time.ts';
import { createRandom } from '../../src/statistics/random.ts';
import { openStore } from '../../src/stores/open-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { PASTE } from './pastes.ts';
import { countsOf, recount } from './recount.ts';
import { redisOfRun } from './redis.ts';
import { closing, newFolder, until } from './resources.ts';
import type { SlackDouble } from './slack-double.ts';
import { overHttp, payloadsOf } from './slack-requests.ts';
import { ownRedis, slackEnv, withSlack } from './slack-service.ts';
import { aSchedule } from './store-builders.ts';
import { started } from './teams-processes.ts';

const { kills } = inject('counts');

const EVERY_SECONDS = 5;
/** The longest time between the start of a process and its end. */
const LIFE_MS = 1_500;

const Posted = z.object({ event_payload: z.object({ key: z.string() }) });

/** A request of Slack: sent again until it is acknowledged, as Slack does. */
interface Delivery {
  send: (port: number) => Promise<{ status: number }>;
  acknowledged: boolean;
}

/** Sends all that is not acknowledged; a process that dies meanwhile acknowledges nothing more. */
const deliverAll = (deliveries: readonly Delivery[], port: number): Promise<unknown> =>
  Promise.all(
    deliveries
      .filter(({ acknowledged }) => !acknowledged)
      .map(async (delivery) => {
        const answer = await delivery.send(port).catch(() => null);
        delivery.acknowledged = answer?.status === 200;
      }),
  );

/** The store of one kind, and the environment of services that share it. */
async function aPlace(kind: string, slack: SlackDouble) {
  const folder = newFolder();
  const redisUrl = kind === 'Redis' ? (await ownRedis()).url : undefined;
  const env = {
    ...slackEnv(slack, 'http'),
    JURY_DATA_DIR: folder,
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl, JURY_SECRET: 'of-this-test' }),
  };
  const store = await openStore({ REDIS_URL: redisUrl, JURY_DATA_DIR: folder }, () => {});
  closing(() => store.close());
  return { store, env };
}

/** People who ask, and vote on every verdict that there is: one for it and one against it. */
function crowd(slack: SlackDouble, store: Store) {
  const [ann, ben] = [payloadsOf(slack), payloadsOf(slack, slack.users.ben)];
  const deliver = (port: number) => overHttp(port, slack.users.jury);
  const asked: string[] = [];
  const votedOn = new Set<string>();
  const deliveries: Delivery[] = [];
  return {
    asked,
    votedOn,
    deliveries,
    ask: async (): Promise<void> => {
      const ts = await slack.say(PASTE);
      const event = ann.mention(PASTE, ts);
      asked.push(ts);
      deliveries.push({ send: (port) => deliver(port).event(event), acknowledged: false });
    },
    vote: async (): Promise<void> => {
      for (const { id, source } of await store.recentVerdicts({ channel: null, limit: 5 })) {
        if (votedOn.has(id)) continue;
        votedOn.add(id);
        const clicks = [
          ann.click('vote_feedback', `agree ${id}`, source.message ?? ''),
          ben.click('vote_feedback', `disagree ${id}`, source.message ?? ''),
        ];
        for (const click of clicks)
          deliveries.push({ send: (port) => deliver(port).interaction(click), acknowledged: false });
      }
    },
  };
}

/** The slots of a schedule up to a time. */
function slotsOfSchedule(schedule: DigestSchedule, end: number): number[] {
  const next = nextSlotOf(schedule);
  const slots: number[] = [];
  for (let slot = next(schedule.since); slot !== null && slot <= end; slot = next(slot)) slots.push(slot);
  return slots;
}

/** Waits until all digests that were due by then are posted. @returns how many were due, and which are missing or doubled */
async function digestsBy(
  end: number,
  store: Store,
  slack: SlackDouble,
  schedules: readonly DigestSchedule[],
) {
  const due = schedules.flatMap((one) => slotsOfSchedule(one, end).map((slot) => ({ id: one.id, slot })));
  // One that a killed process was posting is free again after a minute.
  for (const { id, slot } of due)
    while ((readProgress((await store.digestProgress(id))?.text ?? '').done ?? 0) < slot) await wait(200);
  const posts = new Map<string, number>();
  for (const { args, refused } of slack.called('chat.postMessage')) {
    const key = refused ? undefined : Posted.safeParse(args.metadata).data?.event_payload.key;
    if (key !== undefined) posts.set(key, (posts.get(key) ?? 0) + 1);
  }
  return {
    due: due.length,
    missing: due.map(({ id, slot }) => `${id}/${slot}/main`).filter((key) => !posts.has(key)),
    doubled: [...posts].filter(([, times]) => times > 1).map(([key]) => key),
  };
}

/** The test of a service on one kind of store that is killed again and again. */
export function testKills(kind: 'SQLite' | 'Redis'): void {
  test.skipIf(kind === 'Redis' && redisOfRun().binary === null)(
    `a service on ${kind} that is killed ${kills} times under votes, requests and digests loses nothing and doubles nothing`,
    async () => {
      const slack = await withSlack();
      const { store, env } = await aPlace(kind, slack);
      const target = { surface: 'slack', team: 'T1', channel: slack.channel };
      const schedules = ['s0', 's1', 's2'].map((id) =>
        aSchedule({ id, cron: `*/${EVERY_SECONDS} * * * * *`, target, since: Date.now() }),
      );
      for (const schedule of schedules) await store.saveSchedule(schedule);
      const { ask, vote, asked, votedOn, deliveries } = crowd(slack, store);
      const random = createRandom('kills', kind);

      let service = await started(env);
      for (let kill = 0; kill < kills; kill += 1) {
        await ask();
        await vote();
        const delivered = deliverAll(deliveries, service.port);
        await wait(random.below(LIFE_MS));
        await service.kill();
        await delivered;
        service = await started(env);
      }
      const end = Date.now();

      // The last process finishes what is left.
      await until(async () => {
        await deliverAll(deliveries, service.port);
        return (
          deliveries.every(({ acknowledged }) => acknowledged) && (await store.pendingSpotChecks()) === 0
        );
      });
      await vote();
      await deliverAll(deliveries, service.port);
      const records = await store.recentVerdicts({ channel: null, limit: asked.length + 9 });
      expect(records.map(({ source }) => source.thread).sort()).toEqual([...asked].sort());
      for (const ts of asked) {
        const cards = await until(async () => {
          const written = await slack.written(slack.channel, ts);
          return written.some(({ text }) => text.startsWith('FAIL')) && written;
        });
        expect(cards).toHaveLength(1);
      }
      for (const id of votedOn) expect(await store.tally(id)).toEqual({ agree: 1, disagree: 1, unsure: 0 });
      expect(await countsOf(store)).toEqual(await recount(store));
      const { due, ...wrong } = await digestsBy(end, store, slack, schedules);
      expect(wrong).toEqual({ missing: [], doubled: [] });
      console.log(
        `  ${kind}: ${kills} kills under ${asked.length} requests, ${2 * votedOn.size} votes and ${due} digests`,
      );
    },
  );
}
