import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { JuryError } from '../../src/common/errors.ts';
import { readProgress } from '../../src/digests/delivery.ts';
import { readDigestPage } from '../../src/digests/digest-page.ts';
import { gatherDigest } from '../../src/digests/gather-digest.ts';
import { LATE_LIMIT_MS } from '../../src/digests/next-digest-time.ts';
import { type GatherDigest, sendDigest, type Watched } from '../../src/digests/send-digest.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { aSender } from '../support/digest-sender.ts';
import { closeAfterEach, closing, until } from '../support/resources.ts';
import { scratch } from '../support/run-jury.ts';
import type { SlackDouble } from '../support/slack-double.ts';
import { withSlack } from '../support/slack-service.ts';
import { aBallot, aRecord, aSchedule } from '../support/store-builders.ts';

/** Monday, nine in the morning in Berlin. */
const slot = Date.UTC(2026, 10, 23, 8);
const weekMs = 7 * 86_400_000;
const leaseMs = 60_000;

closeAfterEach();
let slack: SlackDouble;
let store: Store;
let clock: { now: number; steady: number };
const schedule = () =>
  aSchedule({
    target: { surface: 'slack', team: 'T1', channel: slack.channel },
    owner: slack.users.ann,
    votes: 'everywhere',
  });
/** Three votes that agree. */
const settle = async (verdictId: string) => {
  for (const voter of ['ada', 'bea', 'cleo']) await store.castVote(aBallot({ verdictId, voter }));
};
/** Enough settled verdicts of three weeks ago to say how often people agree. */
const settleMany = async () => {
  for (let n = 0; n < 20; n += 1) {
    await store.saveVerdict(aRecord({ id: `old-${n}`, at: slot - 3 * weekMs }));
    await settle(`old-${n}`);
  }
};
const sender = (parts = {}) => aSender(store, slack.apiUrl, clock, parts);
const send = (from = sender(), watched: Watched = new Map()) => sendDigest(from, schedule(), watched);
const posts = () => slack.written(slack.channel);
const progress = async () => readProgress((await store.digestProgress('weekly'))?.text ?? '');

beforeEach(async () => {
  slack = await withSlack();
  store = await openSqliteStore(join(scratch(), 'jury.db'));
  closing(() => store.close());
  clock = { now: slot, steady: 0 };
  await store.saveSchedule(schedule());
  await store.saveVerdict(aRecord({ id: 'v1' }));
  await settle('v1');
});

describe('a digest', () => {
  test('is posted at its time, with its details in the thread, and not again', async () => {
    clock.now = slot - 1;
    expect(await send()).toBe('nothing-due');
    clock.now = slot;
    expect(await send()).toBe('posted');
    expect(await send()).toBe('nothing-due');
    const [post, ...more] = await posts();
    expect(more).toEqual([]);
    expect(post?.text).toContain('1 verdict settled by votes so far');
    const thread = await slack.written(slack.channel, post?.ts);
    expect(thread.filter(({ ts }) => ts !== post?.ts)).toHaveLength(1);
    expect(slack.problems).toEqual([]);
  });

  test('tells nothing of a hidden verdict for a week: neither its decision nor its votes, nor that all is quiet', async () => {
    await store.saveChannelSettings('C0BLIND', { wish: {}, blind: true });
    const hidden = aRecord({ id: 'h1', at: slot - weekMs, channel: 'C0BLIND' });
    await store.saveVerdict({ ...hidden, at: slot - 1000, blind: true });
    for (const [index, value] of (['agree', 'disagree', 'disagree'] as const).entries())
      await store.castVote(aBallot({ verdictId: 'h1', voter: `v${index}`, value }));
    await send();
    const [post] = await posts();
    const thread = await slack.written(slack.channel, post?.ts);
    const told = JSON.stringify([post, ...thread]);
    expect(told).toContain('1 verdict settled by votes so far');
    expect(told).toContain(
      '1 verdict of the last seven days is hidden until people vote and counts only toward the cost',
    );
    expect(told).not.toContain('disputed');
    clock.now = slot + weekMs;
    await send();
    // A week later it counts like any other: two of three disagree.
    const text = JSON.stringify(await posts());
    expect(text).toContain('2 verdicts settled by votes so far');
    expect(text).toContain('Votes');
    expect(text).not.toContain('%');
  });

  test('that is the first of its schedule counts the cost of all spot checks that it tells of', async () => {
    // Older than a week; each costs $0.003.
    await store.saveVerdict(aRecord({ id: 'old', at: slot - 5 * weekMs }));
    await send();
    const told = JSON.stringify(await posts());
    expect(told).toContain('2 (2 fail)');
    expect(told).toContain('$0.006');
    expect(told).not.toContain('at least');
  });

  test('a week later tells what came since, or that nothing did', async () => {
    await send();
    clock.now = slot + weekMs;
    expect(await send()).toBe('posted');
    await store.saveVerdict(aRecord({ id: 'v2', at: clock.now }));
    clock.now = slot + 2 * weekMs;
    expect(await send()).toBe('posted');
    const texts = (await posts()).map(({ text }) => text).sort();
    expect(texts).toHaveLength(3);
    expect(texts.at(-1)).toMatch(/^All quiet since 23 Nov 2026/);
  });

  test('is posted once by ten processes that all want to', async () => {
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => send()));
    expect(outcomes.filter((outcome) => outcome === 'posted')).toHaveLength(1);
    expect(await posts()).toHaveLength(1);
  });

  test.each(['main', 'details'] as const)(
    'whose answer was lost when its %s part was posted is found again, not repeated',
    async (part) => {
      if (part === 'main') slack.cut('chat.postMessage', 1);
      else {
        const plain = sender();
        const losing = {
          ...plain.poster,
          post: async (...args: Parameters<typeof plain.poster.post>) => {
            if (args[2].part === 'details') slack.cut('chat.postMessage', 1);
            return plain.poster.post(...args);
          },
        };
        expect(await send({ ...plain, poster: losing })).toBe('failed');
      }
      if (part === 'main') expect(await send()).toBe('failed');
      expect(await send()).toBe('waiting');
      clock.now += 1000;
      expect(await send()).toBe('posted');
      const [post, ...more] = await posts();
      expect(more).toEqual([]);
      expect(await slack.written(slack.channel, post?.ts)).toHaveLength(2);
    },
  );

  test('whose process died after its post is finished by another, once that was silent for a lease', async () => {
    // What dies can write no more.
    let dead = false;
    const dying = sender({
      store: {
        digestProgress: store.digestProgress,
        replaceDigestProgress: async (...args: Parameters<Store['replaceDigestProgress']>) => {
          if (dead) throw new JuryError('store-unavailable', 'dead');
          return store.replaceDigestProgress(...args);
        },
      },
    });
    const poster = {
      ...dying.poster,
      post: async (...args: Parameters<typeof dying.poster.post>) => {
        const ts = await dying.poster.post(...args);
        dead = true;
        return ts;
      },
    };
    await expect(send({ ...dying, poster })).rejects.toThrow('dead');
    const watched: Watched = new Map();
    expect(await send(sender(), watched)).toBe('held');
    // Setting a clock does not make anybody silent for longer.
    clock.now += 3_600_000;
    clock.steady += leaseMs;
    expect(await send(sender(), watched)).toBe('held');
    clock.steady += 1;
    expect(await send(sender(), watched)).toBe('posted');
    const [post, ...more] = await posts();
    expect(more).toEqual([]);
    expect(await slack.written(slack.channel, post?.ts)).toHaveLength(2);
  });

  test('is left alone while its process gives signs of life, however long it takes', async () => {
    const release = slack.hold('chat.postMessage');
    const first = send(sender({ leaseMs: 60 }));
    await until(() => slack.called('chat.postMessage').length > 0);
    const watched: Watched = new Map();
    const other = sender({ leaseMs: 60 });
    for (let look = 0; look < 10; look += 1) {
      expect(await send(other, watched)).toBe('held');
      const seen = (await store.digestProgress('weekly'))?.version ?? 0;
      await until(async () => ((await store.digestProgress('weekly'))?.version ?? 0) > seen);
      clock.steady += 1000;
    }
    release();
    expect(await first).toBe('posted');
    expect(await posts()).toHaveLength(1);
  });

  test('that Slack refuses is tried again, and its owner is notified once', async () => {
    slack.refuse('chat.postMessage', 'not_in_channel', 3, ({ args }) => args.channel === slack.channel);
    for (let tries = 0; tries < 3; tries += 1) {
      expect(await send()).toBe('failed');
      clock.now += 1000;
    }
    expect(await send()).toBe('posted');
    const told = slack.called('chat.postMessage').filter(({ args }) => args.channel === slack.users.ann);
    expect(told.map(({ args }) => String(args.text))).toEqual([
      expect.stringContaining('invite it to the channel'),
    ]);
    expect(await posts()).toHaveLength(1);
  });

  test('that never works is given up after some days, and the next one comes', async () => {
    slack.refuse(
      'chat.postMessage',
      'is_archived',
      Number.POSITIVE_INFINITY,
      ({ args }) => args.channel === slack.channel,
    );
    expect(await send()).toBe('failed');
    clock.now = slot + LATE_LIMIT_MS + 1;
    expect(await send()).toBe('failed');
    expect(await progress()).toMatchObject({ done: slot, current: null });
    slack.allow();
    clock.now = slot + weekMs;
    expect(await send()).toBe('posted');
    expect(await posts()).toHaveLength(1);
  });

  test('whose thread never comes is done after some days: it stands, and the next one tells what came since', async () => {
    slack.refuse(
      'chat.postMessage',
      'restricted_action_thread_locked',
      Number.POSITIVE_INFINITY,
      ({ args }) => Boolean(args.thread_ts),
    );
    expect(await send()).toBe('failed');
    clock.now = slot + LATE_LIMIT_MS + 1;
    expect(await send()).toBe('failed');
    expect(await progress()).toMatchObject({ done: slot, last: { at: slot }, current: null });
    const told = slack.called('chat.postMessage').filter(({ args }) => args.channel === slack.users.ann);
    expect(told.map(({ args }) => String(args.text))).toEqual([
      expect.stringMatching(/thread under the digest .* given up/),
    ]);
    slack.allow();
    clock.now = slot + weekMs;
    expect(await send()).toBe('posted');
    expect((await posts()).map(({ text }) => text)).toContainEqual(
      expect.stringContaining('All quiet since'),
    );
  });

  test('has a page in the console that says how each number is known, where there is one; else its thread says so', async () => {
    await settleMany();
    const withPage = sender({
      gather: ((one, due, last, outcomes, language) =>
        gatherDigest(
          {
            store,
            benchmarks: null,
            now: () => clock.now,
            personas: new Map(),
            pagesAt: 'https://jury.example',
          },
          one,
          due,
          last,
          outcomes,
          language,
        )) satisfies GatherDigest,
    });
    expect(await send(withPage)).toBe('posted');
    const [post] = await posts();
    expect(JSON.stringify(post?.blocks)).toContain(`https://jury.example/digests/weekly/${slot}`);
    const thread = await slack.written(slack.channel, post?.ts);
    expect(JSON.stringify(thread)).not.toContain('Keep in mind');
    expect(await readDigestPage(store, 'weekly', slot, clock.now)).toMatchObject({
      surface: 'slack',
      channel: slack.channel,
      headline: post?.text,
    });
    const page = await readDigestPage(store, 'weekly', slot, clock.now);
    expect(
      page?.known.map((block) => (block.kind === 'facts' ? block.facts.map(({ label }) => label) : [])),
    ).toEqual([
      [
        'People agree with 100 % (85–100 %)',
        'ann (test/model): people agree with 100 % (85–100 %)',
        'bob (test/model): people agree with 100 % (85–100 %)',
        'cem (other/model): people agree with 0 % (0–15 %)',
        'Verdicts that people agree with, by week, %: agree 100 → 100',
        'Spot checks and votes in all conversations so far',
      ],
    ]);
    expect(await readDigestPage(store, 'weekly', slot + 1, clock.now)).toBeNull();
    await store.saveVerdict(aRecord({ id: 'v2', at: clock.now }));
    clock.now = slot + weekMs;
    expect(await send()).toBe('posted');
    const [, later] = (await posts()).sort((a, b) => Number(a.ts) - Number(b.ts));
    expect(JSON.stringify(later?.blocks)).not.toContain('jury.example');
    expect(JSON.stringify(await slack.written(slack.channel, later?.ts))).toContain('Keep in mind');
  });

  test('in a workspace without tables and charts comes as text', async () => {
    await settleMany();
    slack.refuse('chat.postMessage', 'invalid_blocks', Number.POSITIVE_INFINITY, ({ args }) =>
      JSON.stringify(args.blocks).includes('data_table'),
    );
    expect(await send()).toBe('posted');
    const [post] = await posts();
    const thread = await slack.written(slack.channel, post?.ts);
    expect(JSON.stringify(thread)).toContain('How often people agree with each judge in all conversations');
  });

  describe('with a chart, where Slack shows none of its own,', () => {
    /** Votes in two weeks, which are drawn. */
    const charted = async () => {
      await settleMany();
      slack.refuse('chat.postMessage', 'invalid_blocks', Number.POSITIVE_INFINITY, ({ args }) =>
        JSON.stringify(args.blocks).includes('data_visualization'),
      );
    };
    const posted = async () => JSON.stringify((await posts())[0]?.blocks);

    test('shows it as a picture that was uploaded once, and keeps the other blocks', async () => {
      await charted();
      expect(await send()).toBe('posted');
      const [upload, ...more] = slack.called('files.completeUploadExternal');
      expect(more).toEqual([]);
      const [{ id }] = z.tuple([z.object({ id: z.string() })]).parse(JSON.parse(String(upload?.args.files)));
      expect(await posted()).toContain(`"slack_file":{"id":"${id}"}`);
      expect(await posted()).toContain('agree from 100 % to 100 %');
      const thread = await slack.written(slack.channel, (await posts())[0]?.ts);
      expect(JSON.stringify(thread)).toContain('data_table');
      expect(slack.problems).toEqual([]);
    });

    test('continues with the picture that a process before it uploaded', async () => {
      await charted();
      slack.refuse('chat.postMessage', 'fatal_error', 1, ({ args }) =>
        JSON.stringify(args.blocks).includes('slack_file'),
      );
      expect(await send()).toBe('failed');
      clock.now += 1000;
      expect(await send()).toBe('posted');
      expect(slack.called('files.completeUploadExternal')).toHaveLength(1);
      expect(await posted()).toContain('slack_file');
      expect(await posts()).toHaveLength(1);
    });

    test.each([
      ['files.getUploadURLExternal', 'missing_scope', () => true],
      ['chat.postMessage', 'invalid_blocks', /slack_file/],
    ] as const)('says it in words where %s is answered with %s', async (method, error, match) => {
      await charted();
      slack.refuse(method, error, Number.POSITIVE_INFINITY, ({ args }) =>
        match instanceof RegExp ? match.test(JSON.stringify(args.blocks)) : true,
      );
      expect(await send()).toBe('posted');
      expect(await posts()).toHaveLength(1);
      expect(await posted()).not.toContain('slack_file');
      expect(await posted()).toContain('2026-11-16 100 %');
    });
  });

  test('without an owner notifies the person who made the channel when it fails', async () => {
    slack.refuse('chat.postMessage', 'not_in_channel', 2, ({ args }) => args.channel === slack.channel);
    const orphan = { ...schedule(), owner: null };
    await sendDigest(sender(), orphan, new Map());
    clock.now += 1000;
    await sendDigest(sender(), orphan, new Map());
    const told = slack.called('chat.postMessage').filter(({ args }) => args.channel !== slack.channel);
    expect(told).toHaveLength(1);
    expect(String(told[0]?.args.channel)).toMatch(/^U/);
  });

  test('whose process ends while a benchmark runs is gone on with at once, and is no failure', async () => {
    const stop = new AbortController();
    const wanting = { ...schedule(), benchmarks: ['trip'] };
    const running = sendDigest(
      sender({
        stop: stop.signal,
        runBenchmarks: (_: unknown, __: number, until: AbortSignal) =>
          new Promise((_, reject) => until.addEventListener('abort', () => reject(until.reason))),
      }),
      wanting,
      new Map(),
    );
    await until(async () => (await store.digestProgress('weekly'))?.version === 1);
    stop.abort();
    expect(await running).toBe('waiting');
    expect((await progress()).current).toMatchObject({ holder: null, failures: 0 });
    expect(await sendDigest(sender(), wanting, new Map())).toBe('posted');
  });

  test('that was missed for a day comes once, marked late', async () => {
    clock.now = slot + 86_400_000;
    expect(await send()).toBe('posted');
    expect(await send()).toBe('nothing-due');
    expect((await posts()).map(({ text }) => text)).toEqual([
      expect.stringContaining('Late: this digest was due on 23 Nov 2026, 09:00 (Europe/Berlin)'),
    ]);
  });

  test('of a clock that was set back comes no second time', async () => {
    expect(await send()).toBe('posted');
    clock.now = slot - weekMs;
    expect(await send()).toBe('nothing-due');
    clock.now = slot;
    expect(await send()).toBe('nothing-due');
    expect(await posts()).toHaveLength(1);
  });

  test('of a schedule that is removed or paused is not begun', async () => {
    expect(await sendDigest(sender(), { ...schedule(), paused: true }, new Map())).toBe('nothing-due');
    await store.removeSchedule('weekly');
    expect(await send()).toBe('nothing-due');
    expect(await posts()).toEqual([]);
  });

  test('runs the benchmarks of its schedule first, again where that failed', async () => {
    const ran: number[] = [];
    const runBenchmarks = async (_: unknown, at: number) => {
      ran.push(at);
      if (ran.length === 1) throw new Error('the model is away');
      return [];
    };
    const wanting = { ...schedule(), benchmarks: ['trip'] };
    expect(await sendDigest(sender({ runBenchmarks }), wanting, new Map())).toBe('failed');
    clock.now += 1000;
    expect(await sendDigest(sender({ runBenchmarks }), wanting, new Map())).toBe('posted');
    expect(ran).toEqual([slot, slot]);
  });
});
