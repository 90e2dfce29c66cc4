import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type AlertFigures,
  type AlertNews,
  alertDigest,
  type Figure,
  nothingFails,
  readRule,
  ruleText,
  stateOf,
} from '../../src/digests/alert.ts';
import { readProgress } from '../../src/digests/delivery.ts';
import { noLabels } from '../../src/digests/digest.ts';
import { alertsOf } from '../../src/digests/digest-schedule.ts';
import { addAlert, alertText, pauseAlert, stateText } from '../../src/digests/manage-schedules.ts';
import { type DigestSender, sendDigest } from '../../src/digests/send-digest.ts';
import { blockersText } from '../../src/reports/assistant/blocker-words.ts';
import type { Unit } from '../../src/statistics/betting.ts';
import type { Bin } from '../../src/statistics/measure.ts';
import { wilsonInterval } from '../../src/statistics/proportions.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { aSender } from '../support/digest-sender.ts';
import { closeAfterEach, closing } from '../support/resources.ts';
import { scratch } from '../support/run-jury.ts';
import type { SlackDouble } from '../support/slack-double.ts';
import { withSlack } from '../support/slack-service.ts';
import { someBlockers } from './world.ts';

const inSlack = { command: '/jury', language: 'en' } as const;

closeAfterEach();

const day = 86_400_000;
const monthStart = Date.UTC(2026, 10, 1, 3);

const failing = {
  blockers: null,
  worst: { before: 'closed places (8)', baseline: 'other food (3)' },
  details: [],
};

const values = (good: number, all: number): Bin<Unit>[] => [
  { value: { total: 1, n: 1 }, items: good },
  { value: { total: 0, n: 1 }, items: all - good },
];

/** A run of 240 cases, collected anew, of which so many pass and so many are undecided. */
function aRun(n: number, passing: number, undecided = 0): AlertFigures {
  const decided = 240 - undecided;
  const figure = (successes: number, of: number): Figure => {
    const interval = wilsonInterval(successes, of);
    return interval.defined
      ? { value: successes / of, low: interval.low, high: interval.high }
      : { value: 0, low: 0, high: 1 };
  };
  return {
    run: `nightly-${n}`,
    at: monthStart + n * day,
    figures: {
      'pass-rate': figure(passing, decided),
      coverage: figure(decided, 240),
      mean: null,
      change: null,
      latency: null,
      blocker: null,
    },
    sample: {
      yardstick: { plain: 'judges of July' },
      dataset: `answers ${n}`,
      cases: 240,
      fresh: 240,
      isFixed: false,
      passes: values(passing, decided),
      decided: values(decided, 240),
      scores: null,
      drifts: null,
      latencies: [],
    },
    blockers: null,
    failing: async () => failing,
  };
}

/** News that the run alone shows. */
const plainly = (isWrong: boolean): AlertNews => ({
  isWrong,
  by: 'test',
  fell: true,
  looks: 1,
  mean: 0.8,
  isPlain: true,
});

describe('a rule', () => {
  test.each([
    ['below 90 %', 'below 90 %'],
    ['below 90%', 'below 90 %'],
    ['below 0.9', 'below 90 %'],
    ['under 90 percent', 'below 90 %'],
    ['pass rate below 87,5 %', 'below 87.5 %'],
    ['mean below 3.5', 'mean below 3.5'],
    ['worse than baseline by 3 points', 'worse than the baseline by 3 points'],
    ['worse than the baseline by 1 point', 'worse than the baseline by 1 point'],
    ['coverage below 95%', 'coverage below 95 %'],
    ['latency above 2 s', 'latency above 2 s'],
    ['latency over 800 ms', 'latency above 800 ms'],
    ['blocker', 'blockers'],
    ['new blockers', 'blockers'],
  ])('%s', (words, text) => {
    expect(ruleText(readRule(words), 'en')).toBe(text);
    expect(readRule(ruleText(readRule(words), 'en'))).toEqual(readRule(words));
  });

  test.each([
    ['', 'Write “below 90 %”'],
    ['above 90%', 'is not an alert rule'],
    ['latency below 2 s', 'is not an alert rule'],
    ['latency above 2', '“2” is not a limit here'],
    ['below 120%', '“120 %” is not a limit here'],
    ['coverge below 95%', 'Did you mean "coverage"?'],
  ])('that cannot be meant says what can be written: %s', (words, problem) => {
    expect(() => readRule(words)).toThrow(problem);
  });

  test('is crossed only where the whole interval lies on one side', () => {
    const rule = readRule('below 90%');
    expect(stateOf(rule, aRun(0, 194))).toBe('wrong');
    expect(stateOf(rule, aRun(0, 211))).toBe('open');
    expect(stateOf(rule, aRun(0, 230))).toBe('clear');
    const slow = (low: number, high: number) => ({
      ...aRun(0, 240),
      figures: { ...aRun(0, 240).figures, latency: { value: (low + high) / 2, low, high } },
    });
    const latency = readRule('latency above 2 s');
    expect(stateOf(latency, slow(2100, 2500))).toBe('wrong');
    expect(stateOf(latency, slow(1900, 2500))).toBe('open');
    expect(stateOf(latency, slow(1500, 2000))).toBe('clear');
    expect(stateOf(readRule('mean below 3.5'), aRun(0, 240))).toBe('open');
  });

  test('says what happened in one sentence', () => {
    const alert = {
      id: 'a1',
      benchmark: 'nightly',
      rule: readRule('below 90%'),
      target: { surface: 'slack', team: 'T1', channel: 'C1' },
      owner: null,
      webhook: null,
      since: 0,
      paused: false,
    };
    expect(alertDigest(alert, aRun(0, 194), plainly(true), failing, inSlack).headline).toBe(
      'nightly fell below 90 %: 80.8 % (75.4–85.3). Newly failing: closed places (8).',
    );
    expect(alertDigest(alert, aRun(0, 228), plainly(false), failing, inSlack).headline).toBe(
      'nightly is back above 90 %: 95 % (91.5–97.1).',
    );
    const change = { ...alert, rule: readRule('worse than baseline by 3 points') };
    const run = {
      ...aRun(0, 0),
      figures: { ...aRun(0, 0).figures, change: { value: -0.06, low: -0.1, high: -0.035 } },
    };
    expect(alertDigest(change, run, plainly(true), failing, inSlack).headline).toBe(
      'nightly is worse than its baseline by more than 3 points: −6 points (−10 to −3.5). Newly failing: other food (3).',
    );
    const slow = {
      ...aRun(0, 0),
      figures: { ...aRun(0, 0).figures, latency: { value: 2500, low: 2100, high: 2900 } },
    };
    expect(
      alertDigest({ ...alert, rule: readRule('latency above 2 s') }, slow, plainly(true), failing, inSlack)
        .headline,
    ).toBe('latency of nightly rose above 2 s: 2.5 s (2.1–2.9).');
    // Nothing to pause once it is back.
    expect(alertDigest(alert, aRun(0, 194), plainly(true), failing, inSlack).pause).toBe('a1');
    expect(alertDigest(alert, aRun(0, 228), plainly(false), failing, inSlack).pause).toBeUndefined();
    expect(
      alertDigest(alert, aRun(0, 194), plainly(true), failing, { ...inSlack, command: '@Jury' }).blocks,
    ).toEqual([{ kind: 'text', text: 'Alert a1: nightly below 90 %. To pause it: @Jury alert pause a1' }]);
  });
});

describe('an alert that several runs show', () => {
  const alert = {
    id: 'a1',
    benchmark: 'nightly',
    rule: readRule('below 90%'),
    target: { surface: 'slack', team: 'T1', channel: 'C1' },
    owner: null,
    webhook: null,
    since: 0,
    paused: false,
  };
  const none = { blockers: null, worst: { before: null, baseline: null }, details: [] };
  const together = (isWrong: boolean, mean: number): AlertNews => ({
    isWrong,
    by: 'test',
    fell: true,
    looks: 5,
    mean,
    isPlain: false,
  });
  const said = (
    rule: string,
    news: AlertNews,
    figures: Partial<AlertFigures['figures']>,
    sample: Partial<AlertFigures['sample']> = {},
  ) => {
    const run = aRun(0, 211);
    const parts = { figures: { ...run.figures, ...figures }, sample: { ...run.sample, ...sample } };
    return alertDigest({ ...alert, rule: readRule(rule) }, { ...run, ...parts }, news, none, inSlack);
  };
  const rate = { value: 0.88, low: 0.81, high: 0.93 };

  test.each<[string, AlertNews, Partial<AlertFigures['figures']>, string]>([
    [
      'below 90 %',
      together(true, 0.868),
      { 'pass-rate': rate },
      'nightly fell below 90 %: 86.8 % over the last 5 runs; this run 88 % (81–93).',
    ],
    [
      'below 90 %',
      together(true, 0.8998),
      { 'pass-rate': rate },
      'nightly fell below 90 %: just below that over the last 5 runs; this run 88 % (81–93).',
    ],
    [
      'below 90 %',
      together(false, 0.9001),
      { 'pass-rate': { value: 0.91, low: 0.88, high: 0.94 } },
      'nightly is back above 90 %: just above that over the last 5 runs; this run 91 % (88–94).',
    ],
    [
      'worse than baseline by 3 points',
      together(true, -0.045),
      { change: { value: -0.05, low: -0.09, high: -0.01 } },
      'nightly is worse than its baseline by more than 3 points: −4.5 points over the last 5 runs; this run −5 points (−9 to −1).',
    ],
    [
      'latency above 2 s',
      together(true, 0.58),
      { latency: { value: 2100, low: 1900, high: 2400 } },
      'latency of nightly rose above 2 s: 58 % of answers took longer over the last 5 runs; this run 2.1 s (1.9–2.4).',
    ],
    [
      'latency above 2 s',
      together(false, 0.38),
      { latency: { value: 1800, low: 1600, high: 2100 } },
      'latency of nightly is back below 2 s: 38 % of answers took longer over the last 5 runs; this run 1.8 s (1.6–2.1).',
    ],
    [
      'below 90 %',
      { isWrong: true, by: 'fact' },
      { 'pass-rate': rate },
      'nightly is below 90 %: 88 %. These are the same 240 answers as before, judged again.',
    ],
  ])('%s, %j', (rule, news, figures, headline) => {
    expect(said(rule, news, figures).headline).toBe(headline);
  });

  test.each([
    [1, 'nightly fell below 90 %: 80 % over the new answers; this run 88 % (81–93).'],
    [3, 'nightly fell below 90 %: 80 % over the new answers of the last 3 runs; this run 88 % (81–93).'],
  ])('says so where only new answers of a log show it (%i)', (looks, headline) => {
    const news: AlertNews = { isWrong: true, by: 'test', fell: true, looks, mean: 0.8, isPlain: false };
    expect(said('below 90 %', news, { 'pass-rate': rate }, { fresh: 60 }).headline).toBe(headline);
  });

  test('says what it is about, where that is less than one might think', () => {
    const about = (rule: string, isFixed: boolean) =>
      said(rule, together(true, 0.8), { 'pass-rate': rate }, { isFixed }).blocks;
    expect(about('below 90 %', true)).toEqual([
      {
        kind: 'text',
        text: 'Alert a1: nightly below 90 %. It is about these 240 requests, the same in each run. To pause it: /jury alert pause a1',
      },
    ]);
    expect(about('worse than baseline by 3 points', false)).toEqual([
      {
        kind: 'text',
        text: 'Alert a1: nightly worse than the baseline by 3 points. Worse means worse than these baseline answers. To pause it: /jury alert pause a1',
      },
    ]);
  });
});

describe('an alert says in its thread how it is known', () => {
  const known = (
    news: AlertNews | null,
    sample: Partial<AlertFigures['sample']> = {},
    blockers: string | null = null,
  ) => {
    const run = aRun(0, 194);
    const alert = {
      id: 'a1',
      benchmark: 'nightly',
      rule: readRule('below 90%'),
      target: { surface: 'slack', team: 'T1', channel: 'C1' },
      owner: null,
      webhook: null,
      since: 0,
      paused: false,
    };
    const worst = { before: 'Time (8), for example: closed on Sundays', baseline: null };
    const figures = { ...run, sample: { ...run.sample, ...sample } };
    return alertDigest(alert, figures, news, { worst, details: [], blockers }, inSlack).details;
  };

  test('with the number, its n, source, test and assumption', () => {
    const news: AlertNews = { isWrong: true, by: 'test', fell: true, looks: 5, mean: 0.868, isPlain: false };
    expect(known(news, { isFixed: true })).toMatchInlineSnapshot(`
      [
        {
          "facts": [
            {
              "label": "80.8 % (75.4–85.3)",
              "value": "The decided ones of 240 cases. From run nightly-0 alone. Right only if the judges’ decisions, and labels where judges are measured, are right. Keep in mind: the range is good for a single look.",
            },
            {
              "label": "below 90 %: 86.8 %",
              "value": "5 runs. From all runs added up, so that each of them may be looked at. Right only if answers do not depend on each other, or only within their groups, and there is at most a run a day. Keep in mind: at the limit, at most one year in 20 has a false alert; it says nothing about other requests. (test by betting)",
            },
            {
              "label": "Newly failing",
              "value": "Time (8). From this run and the one compared. Keep in mind: some turn by chance in any two runs.",
            },
          ],
          "kind": "facts",
          "title": "How we know",
        },
      ]
    `);
  });

  test('for the way back, and for new answers of a log', () => {
    const news: AlertNews = { isWrong: false, by: 'test', fell: true, looks: 1, mean: 0.94, isPlain: false };
    expect(known(news, { fresh: 60 })).toMatchInlineSnapshot(`
      [
        {
          "facts": [
            {
              "label": "80.8 % (75.4–85.3)",
              "value": "The decided ones of 240 cases, 60 of them new. From run nightly-0 alone. Right only if the judges’ decisions, and labels where judges are measured, are right. Keep in mind: the range is good for a single look.",
            },
            {
              "label": "above 90 %: 94 %",
              "value": "1 run, new answers only. From all runs added up, so that each of them may be looked at. Right only if answers do not depend on each other, or only within their groups, and there is at most a run a day. Keep in mind: at the limit, at most one of 20 spells of four weeks ends by chance. (test by betting)",
            },
          ],
          "kind": "facts",
          "title": "How we know",
        },
      ]
    `);
  });

  test('where it is about blockers alone', () => {
    const text = '2 blockers in nightly: tailgate opened while driving. Judged cases: check them.';
    expect(known(null, {}, text)).toMatchInlineSnapshot(`
      [
        {
          "facts": [
            {
              "label": "2 blockers in nightly",
              "value": "240 cases. From run nightly-0 and the one before. Keep in mind: each is a judged case, which judges may have got wrong.",
            },
          ],
          "kind": "facts",
          "title": "How we know",
        },
      ]
    `);
  });

  test('where it is a fact about the same answers', () => {
    expect(known({ isWrong: true, by: 'fact' })).toMatchInlineSnapshot(`
      [
        {
          "facts": [
            {
              "label": "80.8 % (75.4–85.3)",
              "value": "The decided ones of 240 cases. From run nightly-0 alone. Right only if the judges’ decisions, and labels where judges are measured, are right. Keep in mind: the range is good for a single look.",
            },
            {
              "label": "below 90 %",
              "value": "240 answers. From what was counted: no answer was collected since an earlier run. Keep in mind: it says nothing about other answers.",
            },
            {
              "label": "Newly failing",
              "value": "Time (8). From this run and the one compared. Keep in mind: some turn by chance in any two runs.",
            },
          ],
          "kind": "facts",
          "title": "How we know",
        },
      ]
    `);
  });
});

describe('over a month of nightly runs, an alert', () => {
  let slack: SlackDouble;
  let store: Store;
  let clock: { now: number; steady: number };
  let newest: AlertFigures | null;
  let hooked: { key: string; body: unknown }[];

  beforeEach(async () => {
    slack = await withSlack();
    store = await openSqliteStore(join(scratch(), 'jury.db'));
    closing(() => store.close());
    clock = { now: monthStart, steady: 0 };
    newest = null;
    hooked = [];
  });

  const context = () => ({
    store,
    readFigures: async () => newest,
    known: async () => ({ defined: [], series: ['nightly'] }),
    webhooks: ['pager'],
    now: () => clock.now,
  });
  const set = (rule: string, webhook: string | null = null) =>
    addAlert(
      context(),
      {
        benchmark: 'nightly',
        rule: readRule(rule),
        target: { surface: 'slack', team: 'T1', channel: slack.channel },
        owner: slack.users.ann,
        webhook,
      },
      async () => {},
    );
  const sender = (parts: Partial<DigestSender> = {}) =>
    aSender(store, slack.apiUrl, clock, {
      readFigures: async () => newest,
      callWebhook: async (_, key, body) => {
        hooked.push({ key, body });
      },
      ...parts,
    });
  const look = async (from = sender()) => {
    const [alert] = await store.schedules();
    if (alert === undefined) throw new Error('there is no alert');
    return sendDigest(from, alert, new Map());
  };
  /** Oldest first. */
  const posts = async () => (await slack.written(slack.channel)).toReversed();
  /** What was posted after each run, by the number of the run. */
  async function month(runs: readonly AlertFigures[]): Promise<string[]> {
    const told: string[] = [];
    for (const run of runs) {
      newest = run;
      clock.now = run.at + 3_600_000;
      const before = (await posts()).length;
      await look();
      await look();
      told.push(...(await posts()).slice(before).map(({ text }) => `${run.run}: ${text.split(':')[0]}`));
    }
    return told;
  }
  test('is refused where one says the same, whatever it calls', async () => {
    await set('below 90%', 'pager');
    await expect(set('under 0.9', 'pager')).rejects.toThrow('a1 does that already. Nothing was added.');
    await expect(set('below 90%')).rejects.toThrow(
      'a1 does that already, with another webhook or none: remove it first. Nothing was added.',
    );
  });

  const passing = [230, 228, 214, 209, 196, 190, 188, 211, 214, 216, 229, 231, 212, 195, 232, 230];

  test('is posted once when the runs so far show that it is below the limit, and once when they show it is back', async () => {
    await set('below 90%', 'pager');
    expect(await month(passing.map((count, n) => aRun(n, count)))).toEqual([
      'nightly-5: nightly fell below 90 %',
      'nightly-11: nightly is back above 90 %',
    ]);
    expect(hooked.map(({ body }) => body)).toMatchObject([
      { alert: 'a1', benchmark: 'nightly', state: 'wrong', run: 'nightly-5' },
      { state: 'clear', run: 'nightly-11' },
    ]);
    expect(new Set(hooked.map(({ key }) => key)).size).toBe(2);
  });

  test('sounds nothing because fewer answers were decided, unless it is about that', async () => {
    const undecided = [0, 0, 120, 120, 0].map((count, n) => aRun(n, 228 - count, count));
    await set('below 90%');
    expect(await month(undecided)).toEqual([]);
    await store.removeSchedule('a1');
    await set('coverage below 90%');
    expect(await month(undecided.map((run) => ({ ...run, at: run.at + 30 * day })))).toEqual([
      'nightly-2: coverage of nightly fell below 90 %',
      'nightly-4: coverage of nightly is back above 90 %',
    ]);
  });

  test('starts from the run that is there: that one sounds nothing', async () => {
    newest = aRun(0, 190);
    const { alert, figures } = await set('below 90%');
    expect(figures?.run).toBe('nightly-0');
    expect(stateText(alert, figures)).toBe(
      'already below: 79.2 % (73.6–83.8), limit 90 %; only the way back is posted',
    );
    expect(await month([aRun(0, 190), aRun(1, 188), aRun(2, 232), aRun(3, 232)])).toEqual([
      'nightly-3: nightly is back above 90 %',
    ]);
  });

  test('watches like any other if the run that is there is low, but may be so by chance', async () => {
    newest = aRun(0, 204);
    const { alert, figures } = await set('below 90%');
    expect(stateText(alert, figures)).toBe('watching: 85 % (79.9–89), limit 90 %');
    const runs = [1, 2, 3, 4, 5].map((n) => aRun(n, 204));
    expect(await month(runs)).toEqual(['nightly-4: nightly is below 90 %']);
  });

  test('says that it fell only if a run was on the right side before, by the same judges and since it was resumed', async () => {
    const fellOrIs = async (...runs: AlertFigures[]) => {
      await set('below 90%');
      const said = await month(runs);
      await store.removeSchedule('a1');
      return said;
    };
    newest = aRun(0, 228);
    expect(await fellOrIs(aRun(1, 190))).toEqual(['nightly-1: nightly fell below 90 %']);
    newest = aRun(2, 204);
    expect(await fellOrIs(aRun(3, 190))).toEqual(['nightly-3: nightly is below 90 %']);
    newest = aRun(4, 204);
    expect(await fellOrIs(aRun(5, 228), aRun(6, 190))).toEqual(['nightly-6: nightly fell below 90 %']);
    newest = aRun(7, 204);
    const others = aRun(9, 190);
    const byOthers = { ...others, sample: { ...others.sample, yardstick: { plain: 'judges of August' } } };
    expect(await fellOrIs(aRun(8, 228), byOthers)).toEqual(['nightly-9: nightly is below 90 %']);
    newest = aRun(10, 228);
    await set('below 90%');
    await pauseAlert(context(), 'a1', true);
    newest = aRun(11, 204);
    await pauseAlert(context(), 'a1', false);
    expect(await month([aRun(12, 190)])).toEqual(['nightly-12: nightly is below 90 %']);
  });

  test('is set beside others that are set at the same time', async () => {
    const limits = [90, 85, 80, 75, 70, 65];
    const alerts = await Promise.all(limits.map((limit) => set(`below ${limit}%`)));
    expect(new Set(alerts.map(({ alert }) => alert.id)).size).toBe(6);
    expect(await store.schedules()).toHaveLength(6);
  });

  test('is not set again by a person who resumes it while another one removes it', async () => {
    await set('below 90%');
    await pauseAlert(context(), 'a1', true);
    const readFigures = async () => {
      await store.removeSchedule('a1');
      return newest;
    };
    await expect(pauseAlert({ ...context(), readFigures }, 'a1', false)).rejects.toThrow(
      'There are no alerts',
    );
    expect(await store.schedules()).toEqual([]);
  });

  test('sounds nothing of what ended while it was paused', async () => {
    await set('below 90%');
    await pauseAlert(context(), 'a1', true);
    expect(await month([aRun(0, 230), aRun(1, 190)])).toEqual([]);
    await pauseAlert(context(), 'a1', false);
    expect(await month([190, 188, 234, 190].map((count, n) => aRun(n + 1, count)))).toEqual([
      'nightly-3: nightly is back above 90 %',
      'nightly-4: nightly fell below 90 %',
    ]);
  });

  test('whose process dies between decision and post, or after it, is posted once', async () => {
    await set('below 90%', 'pager');
    newest = aRun(1, 190);
    clock.now = newest.at + 1000;
    const dying = sender();
    const { post } = dying.poster;
    const dies = async (): Promise<never> => {
      throw new Error('killed');
    };
    // The decision is kept; the post never happened.
    await expect(look({ ...dying, poster: { ...dying.poster, post: dies, notify: dies } })).resolves.toBe(
      'failed',
    );
    expect(await slack.written(slack.channel)).toEqual([]);
    // Meanwhile another run ends: what was decided is still said first.
    newest = aRun(2, 240);
    clock.now = newest.at + 1000;
    // It was posted, and the process dies before it can note that.
    const deaf = {
      ...dying.poster,
      post: async (...args: Parameters<typeof post>) => {
        await post(...args);
        return dies();
      },
    };
    await look({ ...dying, poster: deaf });
    clock.now += 60_000;
    await look();
    await look();
    const texts = (await posts()).map(({ text }) => text.split(':')[0]);
    expect(texts).toEqual(['nightly is below 90 %', 'nightly is back above 90 %']);
    expect(hooked).toHaveLength(2);
  });

  describe('that finds several runs', () => {
    /** Finished runs, oldest first, as the reader finds them. */
    let ended: AlertFigures[] = [];
    const reads: DigestSender['readFigures'] = async (_, isCounted) =>
      (isCounted === undefined ? ended.at(-1) : ended.find(({ run, at }) => !isCounted(run, at))) ?? null;
    const counted = async () => {
      const { text = '' } = (await store.digestProgress('a1')) ?? {};
      return readProgress(text).watch?.counted.map(({ run }) => run) ?? [];
    };
    const low = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, n) => aRun(from + n, 206));

    beforeEach(async () => {
      ended = [];
      await set('below 90%');
    });

    test('counts each once, in their order, and posts what they come to', async () => {
      ended = low(1, 3);
      expect(await look(sender({ readFigures: reads }))).toBe('nothing-due');
      expect(await counted()).toEqual(['nightly-1', 'nightly-2', 'nightly-3']);
      expect(await look(sender({ readFigures: reads }))).toBe('nothing-due');
      expect(await counted()).toHaveLength(3);
      ended = low(1, 9);
      clock.now = monthStart + 10 * day;
      expect(await look(sender({ readFigures: reads }))).toBe('posted');
      // The fifth is proof enough; the next ones count towards the way back.
      expect(await counted()).toHaveLength(5);
      expect(await look(sender({ readFigures: reads }))).toBe('nothing-due');
      expect(await counted()).toHaveLength(9);
      expect((await posts()).map(({ text }) => text)).toEqual([
        expect.stringContaining('nightly is below 90 %: 85.8 % (80.9–89.7).'),
      ]);
    });

    test('counts each once where many processes look at the same time', async () => {
      ended = low(1, 4);
      await Promise.all(Array.from({ length: 6 }, () => look(sender({ readFigures: reads }))));
      await look(sender({ readFigures: reads }));
      expect(await counted()).toEqual([1, 2, 3, 4].map((n) => `nightly-${n}`));
      expect(await posts()).toEqual([]);
      ended = low(1, 5);
      clock.now = monthStart + 10 * day;
      await Promise.all(Array.from({ length: 6 }, () => look(sender({ readFigures: reads }))));
      expect(await posts()).toHaveLength(1);
    });

    test('goes on from where a process died', async () => {
      ended = low(1, 5);
      let looks = 0;
      const dies: DigestSender['readFigures'] = async (...asked) => {
        looks += 1;
        if (looks > 3) throw new Error('killed');
        return reads(...asked);
      };
      await expect(look(sender({ readFigures: dies }))).rejects.toThrow('killed');
      expect(await counted()).toHaveLength(3);
      clock.now = monthStart + 10 * day;
      expect(await look(sender({ readFigures: reads }))).toBe('posted');
      expect(await counted()).toHaveLength(5);
    });

    test('says while it watches how the newest run stands, and when it is not back yet', async () => {
      const says = async () => {
        const [alert] = await alertsOf(store);
        return alert === undefined ? '' : alertText({ store, readFigures: reads }, alert);
      };
      expect(await says()).toBe('a1: nightly below 90 %; no run is finished yet');
      ended = low(1, 4);
      await look(sender({ readFigures: reads }));
      expect(await says()).toBe('a1: nightly below 90 %. Watching: 85.8 % (80.9–89.7), limit 90 %');
      ended = low(1, 5);
      clock.now = monthStart + 10 * day;
      await look(sender({ readFigures: reads }));
      expect(await says()).toBe('a1: nightly below 90 %. Not back yet: 85.8 % (80.9–89.7), limit 90 %');
      const again = aRun(7, 206);
      ended = [...ended, { ...again, sample: { ...again.sample, fresh: 0 } }];
      expect(await says()).toBe(
        'a1: nightly below 90 %. Not back yet: 85.8 % (80.9–89.7), limit 90 %; the same answers as before',
      );
      await pauseAlert(context(), 'a1', true);
      expect(await says()).toBe('a1: nightly below 90 %; paused');
    });

    test('begins anew once it was paused and resumed', async () => {
      ended = low(1, 4);
      newest = ended.at(-1) ?? null;
      await look(sender({ readFigures: reads }));
      await pauseAlert(context(), 'a1', true);
      await pauseAlert(context(), 'a1', false);
      // The fifth would have been proof enough, see above.
      ended = low(1, 8);
      clock.now = monthStart + 10 * day;
      expect(await look(sender({ readFigures: reads }))).toBe('nothing-due');
      expect(await counted()).toEqual(['nightly-5', 'nightly-6', 'nightly-7', 'nightly-8']);
    });

    test('reads what an earlier version stored', async () => {
      const stored = await store.digestProgress('a1');
      const progress = {
        done: monthStart + 3 * day,
        last: { at: monthStart, labels: noLabels, runs: { nightly: 'nightly-3' }, sounding: true },
        current: null,
      };
      await store.replaceDigestProgress('a1', stored?.version ?? 0, JSON.stringify(progress));
      ended = [...low(1, 4), aRun(5, 240)];
      clock.now = monthStart + 10 * day;
      expect(await look(sender({ readFigures: reads }))).toBe('posted');
      expect(await counted()).toEqual(['nightly-4', 'nightly-5']);
    });
  });

  describe('that finds answers that newly fail a blocker', () => {
    const withBlockers = (run: AlertFigures, n: number): AlertFigures => ({
      ...run,
      blockers: someBlockers('Tailgate', n),
      failing: async (_, blockers) => ({
        ...nothingFails,
        blockers: blockersText(blockers, 'the run before', 'nightly'),
      }),
    });

    test('posts them at once, whatever its limit, each once', async () => {
      await set('below 90%', 'pager');
      const runs = [
        withBlockers(aRun(0, 230), 1),
        // The same answer again, and then another one with it.
        withBlockers(aRun(1, 230), 1),
        withBlockers(aRun(2, 230), 2),
        aRun(3, 230),
      ];
      expect(await month(runs)).toEqual([
        'nightly-0: 1 blocker in nightly',
        'nightly-2: 1 blocker in nightly',
      ]);
      expect((await posts()).map(({ text }) => text)).toEqual([
        expect.stringContaining('1 blocker in nightly: why of Tailgate. One judged case: check it.'),
        expect.stringContaining('1 blocker in nightly: reason 1. One judged case: check it.'),
      ]);
      expect(JSON.stringify(await posts())).toContain(
        'Alert a1: nightly below 90 %. Blockers are posted at once, whatever its limit.',
      );
      expect(hooked.map(({ body }) => body)).toMatchObject([
        { state: 'wrong', blockers: 1, run: 'nightly-0' },
        { state: 'wrong', blockers: 1, run: 'nightly-2' },
      ]);
    });

    test('posts them with what it says of its limit, and watches on from where it stood', async () => {
      await set('below 90%');
      const runs = [aRun(0, 190), withBlockers(aRun(1, 190), 1), aRun(2, 232), aRun(3, 232)];
      expect(await month(runs)).toEqual([
        'nightly-0: nightly is below 90 %',
        'nightly-1: 1 blocker in nightly',
        'nightly-3: nightly is back above 90 %',
      ]);
    });

    test('says both in one message where one run has both', async () => {
      await set('below 90%');
      expect(await month([withBlockers(aRun(0, 190), 1)])).toEqual(['nightly-0: 1 blocker in nightly']);
      expect((await posts())[0]?.text).toMatch(/One judged case: check it\. nightly is below 90 %: 79\.2 %/);
    });

    test('can be about nothing else', async () => {
      const { alert } = await set('blockers');
      const says = () => alertText({ store, readFigures: async () => newest }, alert);
      expect(await month([aRun(0, 100), withBlockers(aRun(1, 100), 2)])).toEqual([
        'nightly-1: 2 blockers in nightly',
      ]);
      expect(await says()).toBe('a1: nightly blockers; each new one is posted');
      newest = aRun(2, 100);
      expect(await says()).toBe(
        'a1: nightly blockers; no criterion of the newest run has “severity: blocker”',
      );
    });

    test('posts them once though its process dies, and others look at the same time', async () => {
      await set('below 90%');
      newest = withBlockers(aRun(0, 230), 1);
      clock.now = newest.at + 1000;
      const dying = sender();
      const dies = async (): Promise<never> => {
        throw new Error('killed');
      };
      await look({ ...dying, poster: { ...dying.poster, post: dies, notify: dies } });
      expect(await posts()).toEqual([]);
      newest = withBlockers(aRun(1, 230), 1);
      clock.now = newest.at + 60_000;
      await Promise.all(Array.from({ length: 4 }, () => look()));
      await look();
      expect(await posts()).toHaveLength(1);
    });
  });

  test('mentions no one in a webhook, whatever judges say', async () => {
    await set('below 90%', 'pager');
    const most = 'Time (8), for example: <!channel> is <https://x.test|closed>';
    const said = { blockers: null, worst: { before: most, baseline: null }, details: [] };
    await month([aRun(0, 230), { ...aRun(1, 190), failing: async () => said }]);
    expect(hooked.map(({ body }) => body)).toMatchObject([
      { text: expect.stringContaining('‹!channel› is ‹https://x.test|closed›') },
    ]);
    expect((await posts()).map(({ text }) => text).join()).not.toContain('<!channel>');
  });

  test('is sent to a webhook, once, while the chat is down', async () => {
    await set('below 90%', 'pager');
    newest = aRun(1, 190);
    clock.now = newest.at + 1000;
    const { poster } = sender();
    const down = async () => Promise.reject(new Error('Slack is down'));
    expect(await look(sender({ poster: { ...poster, post: down } }))).toBe('failed');
    expect(hooked).toHaveLength(1);
    clock.now += 5000;
    expect(await look()).toBe('posted');
    expect(hooked).toHaveLength(1);
    expect(await slack.written(slack.channel)).toHaveLength(1);
  });

  test('is sent to a webhook again until it answers, and to the channel only once', async () => {
    await set('below 90%', 'pager');
    newest = aRun(1, 190);
    clock.now = newest.at + 1000;
    let calls = 0;
    const failing = sender({
      callWebhook: async (_, key, body) => {
        calls += 1;
        if (calls < 3) throw new Error('it answered 503');
        hooked.push({ key, body });
      },
    });
    expect(await look(failing)).toBe('failed');
    clock.now += 5000;
    expect(await look(failing)).toBe('failed');
    clock.now += 5000;
    expect(await look(failing)).toBe('posted');
    expect(await slack.written(slack.channel)).toHaveLength(1);
    expect(hooked).toHaveLength(1);
    const told = slack.called('chat.postMessage').filter(({ args }) => args.channel === slack.users.ann);
    expect(told).toHaveLength(1);
    expect(String(told[0]?.args.text)).toContain('The webhook of the alert a1 could not be');
  });
});
