import { beforeEach, describe, expect, test } from 'vitest';
import { Baseline, setBaseline } from '../../src/benchmark/benchmark-definition.ts';
import type { RunManifest } from '../../src/benchmark/run-manifest.ts';
import { trialOf } from '../../src/benchmark/trial.ts';
import type { TrialStore } from '../../src/benchmark/trial-store.ts';
import { casesShown, worstText } from '../../src/digests/assistant-blocks.ts';
import { composeDigest } from '../../src/digests/compose-digest.ts';
import { Digest, type DigestBlock, type DigestData, noLabels } from '../../src/digests/digest.ts';
import { createFiguresReader } from '../../src/digests/gather-digest.ts';
import { votesText } from '../../src/reports/assistant/assistant-words.ts';
import { withVotes } from '../../src/reports/assistant/make-assistant-report.ts';
import { createBenchmarkSource } from '../../src/reports/history/benchmark-history.ts';
import { createFolderTrialStore } from '../../src/stores/folder/runs.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { aCase, fail, pass } from '../support/builders.ts';
import { closeAfterEach, closing } from '../support/resources.ts';
import { aManifest, aVerdict } from '../support/run-builders.ts';
import { scratch } from '../support/run-jury.ts';
import { saturday } from '../support/store-builders.ts';
import { aGroup, aHistory, anAssistant, counted, someBlockers, someData } from './world.ts';

closeAfterEach();

const last = { at: Date.UTC(2026, 10, 16, 9), labels: noLabels, runs: { nightly: 'nightly-1' } };
const digestOf = (...benchmarks: DigestData['benchmarks']) =>
  composeDigest(someData({ benchmarks, last })).digest;
const textsIn = (blocks: readonly DigestBlock[]) =>
  blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : []));
const factsIn = (blocks: readonly DigestBlock[]) =>
  blocks.flatMap((block) => (block.kind === 'facts' ? [block] : []));

describe('a digest of an assistant', () => {
  test('leads with whether it got better, by how much, and what broke', () => {
    const digest = digestOf(
      anAssistant('nightly', {
        failing: [aGroup('Time', 8), aGroup('Cost', 1)],
        passing: [aGroup('Cuisine', 3)],
      }),
    );
    expect(Digest.parse(digest)).toEqual(digest);
    expect(digest.trend).toBe('worse');
    expect(digest.headline).toBe(
      'The assistant got worse: 81 % of 100 answers pass (72–87), 6 points less than last Monday (−10 to −2).',
    );
    expect(textsIn(digest.blocks)).toEqual([
      'Build 2 against 1 · same 100 requests, same judges',
      'How sure is this: not known yet; nothing is known',
    ]);
    expect(factsIn(digest.blocks)).toMatchObject([
      {
        title: '9 answers newly fail',
        facts: [
          { label: 'Time 8', value: 'such as “why of Time”' },
          { label: 'Cost 1', value: 'why of Cost' },
        ],
      },
      { title: '3 answers newly pass', facts: [{ label: 'Cuisine 3' }] },
    ]);
    expect(digest.blocks.find(({ kind }) => kind === 'trend')).toMatchObject({
      title: 'Answers that pass by run, %',
      series: [{ values: [87, 81] }],
    });
  });

  test('leads with which of two answers is better, where a run compares them', () => {
    const interval = { defined: true, n: 12, low: 0.55, high: 0.95, level: 0.95, by: 'wilson' } as const;
    const preference = {
      names: ['Old', 'New'] satisfies [string, string],
      A: 2,
      B: 10,
      same: 3,
      changed: { n: 1, of: 45 },
      share: { measure: { defined: true, value: 10 / 12, n: 12 } as const, interval },
      pValue: { defined: true, value: 0.0386, n: 12 } as const,
    };
    const digest = digestOf(anAssistant('nightly', {}, { preference, changes: [] }));
    expect(Digest.parse(digest)).toEqual(digest);
    expect(digest.trend).toBe('better');
    expect(digest.headline).toBe(
      'New is better: preferred for 10 of 12 requests, 83 % (55–95), p = 0.039 by sign test; 3 the same.',
    );
    expect(textsIn(digest.blocks)).toEqual([
      'How sure is this: 1 of 45 judgements changed with the order of the answers and count as ties',
    ]);
  });

  test('has each answer that newly fails in its thread, with agreement by judge and the cost', () => {
    const benchmarks = [anAssistant('nightly', { failing: [aGroup('Time', 12)] })];
    const counts = [counted(30, [3, 0], { kind: 'judge', subject: 'auditor@rules' })];
    const { details } = composeDigest(someData({ benchmarks, last, counts })).digest;
    const cases = details.find((block) => block.kind === 'cases');
    expect(cases).toMatchObject({ title: '12 answers newly fail', more: 2 });
    expect(cases?.items[0]).toEqual({
      title: 'Time · Time-0',
      request: 'request 0',
      answer: 'answer 0',
      reason: 'reason 0',
      link: null,
      issue: null,
    });
    expect(JSON.stringify(details)).toContain('jury bench compare nightly-1 nightly-2');
    expect(details.find(({ kind }) => kind === 'table')).toMatchObject({
      rows: [['Auditor (rules)', '100 %', '89–100 %', '30']],
    });
    expect(JSON.stringify(factsIn(details))).toContain('Cost of the benchmark runs');
  });

  test('is one line where it is steady; the rest is in its thread', () => {
    const interval = { defined: true, n: 100, low: -0.02, high: 0.03, level: 0.95, by: 'paired' } as const;
    const difference = { value: 0.004, n: 100, interval, trend: 'steady' } as const;
    const digest = digestOf(anAssistant('nightly', { difference, passing: [aGroup('Time', 1)] }));
    expect(digest.headline).toBe(
      'The assistant is steady: 81 % of 100 judged answers pass (72–87), 0.4 points more than last Monday (−2 to +3).',
    );
    expect(digest.blocks).toEqual([]);
    expect(factsIn(digest.details)[0]?.title).toBe('1 answer newly passes');
  });

  test('says that a change can be chance, and what keeps runs from being compared', () => {
    const interval = { defined: true, n: 100, low: -0.06, high: 0.02, level: 0.95, by: 'paired' } as const;
    const chance = { value: -0.02, n: 100, interval, trend: 'unknown' } as const;
    expect(digestOf(anAssistant('nightly', { difference: chance })).headline).toBe(
      '81 % of 100 answers pass (72–87), 2 points less than last Monday, which can be chance (−6 to +2).',
    );
    const digest = digestOf(anAssistant('nightly', { difference: null, obstacles: ['the rubric changed'] }));
    expect(digest.headline).toBe(
      '81 % of 100 answers pass (72–87). Not comparable with last Monday: the rubric changed.',
    );
    expect(digest.trend).toBe('unknown');
  });

  test('says what people vote on such verdicts, and corrects nothing by it', () => {
    const counts = [
      counted(60, [3, 0], { decision: 'pass' }),
      counted(6, [0, 3], { decision: 'pass' }),
      counted(50, [3, 0]),
      counted(4, [0, 3]),
      // Other judges, other rubrics and ties say nothing of these.
      counted(90, [0, 3], { models: 'openai/gpt-5' }),
      counted(90, [0, 3], { rubric: 'other' }),
      counted(90, [3, 3]),
    ];
    const assistant = anAssistant('nightly');
    const { digest } = composeDigest(someData({ benchmarks: [assistant], last, counts }));
    expect(textsIn(digest.blocks).at(-1)).toBe('How sure is this: not known yet; nothing is known');
    // 110 of 120.
    expect(votesText(withVotes(assistant.report, counts))).toBe(
      'People agreed with 92 % of the 120 such verdicts they voted on; not a random sample',
    );
    expect(votesText(withVotes(assistant.report, counts.slice(2, 3)))).toBe(
      'People agreed with 100 % of the 50 such verdicts they voted on; not a random sample',
    );
    expect(votesText(withVotes(assistant.report, counts.slice(1, 2)))).toBeNull();
  });

  test('names several benchmarks, the one that needs attention most in full', () => {
    const interval = { defined: true, n: 100, low: 0.02, high: 0.1, level: 0.95, by: 'paired' } as const;
    const better = { value: 0.06, n: 100, interval, trend: 'better' } as const;
    const digest = digestOf(
      anAssistant('smoke', { difference: better }),
      anAssistant('nightly'),
      aHistory('panel', [80]),
    );
    expect(digest.headline).toMatch(/^The assistant \(nightly\) got worse: .*; 1 other got better\.$/);
    expect(factsIn(digest.blocks)).toMatchObject([
      {
        title: 'Other benchmarks',
        facts: [{ label: 'smoke', value: expect.stringMatching(/^The assistant got better/) }],
      },
    ]);
    expect(digest.blocks.find(({ kind }) => kind === 'table')).toMatchObject({
      title: 'Benchmarks',
      rows: [
        [
          'panel',
          '80 %',
          expect.anything(),
          expect.anything(),
          expect.anything(),
          expect.anything(),
          expect.anything(),
        ],
      ],
    });
  });

  test('a baseline has failing answers of its own: they are looked up, and kept apart', () => {
    const { report, ...rest } = anAssistant('nightly', {
      failing: [{ ...aGroup('Time', 2), reason: 'reason 0' }],
    });
    const cost = { ...aGroup('Cost', 3), reason: 'reason 0' };
    const [change] = report.changes;
    if (change === undefined) throw new Error('there is one');
    const changes = [change, { ...change, baseline: '3.1', failing: [cost] }];
    const history = { ...rest, report: { ...report, changes } };
    expect(casesShown(history)).toEqual(expect.arrayContaining(['Time-0', 'Cost-0']));
    expect(worstText(history, new Map(), 'before', 'en')).toContain('Time (2)');
    expect(worstText(history, new Map(), 'baseline', 'en')).toContain('Cost (3)');
    expect(worstText(history, new Map([['Cost-0', { link: null, hidden: true }]]), 'baseline', 'en')).toBe(
      'Cost (3)',
    );
  });

  test('keeps the words of other channels and of hidden verdicts to itself', () => {
    const group = { ...aGroup('Time', 2), reason: 'reason 0' };
    const benchmarks = [
      anAssistant(
        'nightly',
        { failing: [group] },
        {
          latency: {
            n: 1,
            median: 1000,
            interval: { defined: false, n: 1, why: 'there are too few values' },
            slowest: [{ caseId: 'Time-0', request: 'a secret', ms: 1000 }],
          },
        },
      ),
    ];
    const origins = new Map([['Time-0', { link: 'https://x.test/1', hidden: true }]]);
    const issueUrl = 'https://x.test/new?title={title}&body={body}';
    const { digest } = composeDigest(someData({ benchmarks, last, origins, issueUrl }));
    expect(digest.details.find((block) => block.kind === 'cases')?.items).toMatchObject([
      { request: 'a request from another channel', answer: '', link: 'https://x.test/1', issue: null },
      {
        request: 'request 1',
        answer: 'answer 1',
        link: null,
        issue:
          'https://x.test/new?title=Time%3A%20reason%201&body=User%3A%20request%201%0ASystem%3A%20answer%201%0A%0Areason%201%0ARun%20nightly-2%2C%20build%202',
      },
    ]);
    expect(JSON.stringify(digest)).not.toContain('secret');
    expect(JSON.stringify(digest)).not.toContain('reason 0');
    for (const history of benchmarks) {
      expect(worstText(history, origins, 'before', 'en')).toBe('Time (2)');
      expect(worstText(history, new Map(), 'before', 'en')).toBe('Time (2), for example: reason 0');
    }
    expect(factsIn(digest.details)).toContainEqual({
      kind: 'facts',
      title: 'Slowest answers',
      facts: [{ label: '1.0 s', value: 'a request from another channel' }],
    });
    expect(textsIn(digest.blocks)).toContain('Half of the answers take 1.0 s or less, the slowest 1.0 s');
  });
});

describe('a digest of an assistant that newly fails a blocker', () => {
  const nightly = (parts: Parameters<typeof anAssistant>[2] = {}) =>
    anAssistant(
      'nightly',
      { failing: [aGroup('Tailgate', 1), aGroup('Time', 2)] },
      { blockers: someBlockers('Tailgate', 1), ...parts },
    );
  const casesIn = (blocks: readonly DigestBlock[]) =>
    blocks.flatMap((block) =>
      block.kind === 'cases' ? [[block.title, block.more, block.items.map(({ title }) => title)]] : [],
    );

  test('leads with it, as a judged case, and has the case first in its thread', () => {
    const digest = digestOf(nightly());
    expect(Digest.parse(digest)).toEqual(digest);
    expect(digest.trend).toBe('alert');
    expect(digest.headline).toBe(
      '1 blocker: why of Tailgate. One judged case: check it. The assistant got worse: 81 % of 100 answers pass (72–87), 6 points less than last Monday (−10 to −2).',
    );
    expect(casesIn(digest.details)).toEqual([
      ['1 blocker', 0, ['Tailgate · Tailgate-0']],
      ['3 answers newly fail; besides the blockers', 0, ['Time · Time-0', 'Time · Time-1']],
    ]);
  });

  test('leads with it before a benchmark that got worse', () => {
    const steady = anAssistant(
      'cars',
      { difference: null, obstacles: ['the rubric changed'] },
      { blockers: someBlockers('Doors', 2) },
    );
    const { headline, details } = digestOf(anAssistant('nightly'), steady);
    expect(headline).toMatch(
      /^2 blockers in cars: Doors \(2\)\. Judged cases: check them\. The assistant \(nightly\) got worse/,
    );
    expect(casesIn(details)[0]).toEqual(['2 blockers', 0, ['Doors · Doors-0', 'Doors · Doors-1']]);
  });

  test('says nothing of it again without a new run', () => {
    const told = { ...last, runs: { nightly: 'nightly-2' } };
    const counts = [counted(1, [1, 0])];
    const { digest } = composeDigest(someData({ benchmarks: [nightly()], last: told, counts }));
    expect(`${digest.headline} ${JSON.stringify(digest.details)}`).not.toContain('blocker');
  });

  test('does not quote a request from another channel', () => {
    const reason = 'it opened on the way to Ann';
    const answers = aGroup('Tailgate', 1).answers.map((answer) => ({ ...answer, reason }));
    const group = { ...aGroup('Tailgate', 1), reason, answers, keys: ['k'] };
    const history = nightly({ blockers: { groups: [group], others: null } });
    expect(casesShown(history)).toContain('Tailgate-0');
    const origins = new Map([['Tailgate-0', { link: null, hidden: true }]]);
    const { digest } = composeDigest(someData({ benchmarks: [history], last, origins }));
    expect(digest.headline).toMatch(/^1 blocker: Tailgate\. One judged case: check it\./);
    expect(JSON.stringify(digest)).not.toContain('Ann');
  });
});

describe('a digest by a tag', () => {
  const interval = { defined: true, n: 80, low: 0.61, high: 0.8, level: 0.95, by: 'wilson' } as const;
  const slice = (value: string, isWorse: boolean) => ({
    value,
    values: 1,
    decided: 80,
    rate: { measure: { defined: true, n: 80, value: 0.71 } as const, interval },
    difference: {
      value: -0.19,
      n: 80,
      interval: { ...interval, low: -0.31, high: -0.06, by: 'newcombe' } as const,
    },
    isWorse,
  });
  const calm = {
    difference: {
      value: 0,
      n: 480,
      interval: { ...interval, low: -0.02, high: 0.02, by: 'paired' } as const,
      trend: 'steady',
    },
  } as const;

  test('names the value that got worse, though all together are steady, with a table in the thread', () => {
    const slices = { tag: 'language', values: [slice('en', false), slice('de', true)] };
    const digest = digestOf(anAssistant('nightly', calm, { slices }));
    expect(digest.trend).toBe('worse');
    expect(digest.headline).toBe(
      'The assistant is steady: 81 % of 100 judged answers pass (72–87), the same as last Monday (−2 to +2); German got worse: 71 % of 80.',
    );
    expect(digest.details.find(({ kind }) => kind === 'table')).toMatchObject({
      title: 'By language',
      rows: [
        ['English', '80', '71 %', '61–80', '−19 (−31 to −6)'],
        ['German', '80', '71 %', '61–80', '−19 (−31 to −6), worse'],
      ],
    });
  });

  test('names several, and says of which benchmark they are', () => {
    const values = ['de', 'fr', 'it', 'pt', 'nl'].map((value) => slice(value, true));
    const { headline } = digestOf(
      anAssistant('cars', calm, { slices: { tag: 'language', values } }),
      anAssistant('nightly', calm),
    );
    expect(headline).toContain(
      '; German (71 % of 80), French (71 % of 80), Italian (71 % of 80) and 2 more values got worse in cars.',
    );
  });

  test('is one line if no value got worse', () => {
    const slices = { tag: 'language', values: [slice('en', false)] };
    const digest = digestOf(anAssistant('nightly', calm, { slices }));
    expect(digest.headline).not.toContain('English');
    expect(digest.blocks).toEqual([]);
  });
});

describe('the runs of a benchmark of an assistant', () => {
  let runs: TrialStore;
  let store: Store;
  let source: ReturnType<typeof createBenchmarkSource>;

  beforeEach(async () => {
    runs = createFolderTrialStore(scratch());
    store = await openSqliteStore(`${scratch()}/jury.db`);
    closing(() => store.close());
    source = createBenchmarkSource(runs, store, () => saturday);
  });

  /** Five labeled cases, as the judges and the labels find them. */
  async function aRun(
    name: string,
    day: number,
    said: 'pass' | 'fail',
    parts: Partial<RunManifest> = {},
    idOf = (n: number): string => `c${n}`,
  ) {
    const label = { decision: said };
    const cases = Array.from({ length: 5 }, (_, n) =>
      aCase({ id: idOf(n), response: `${n} of ${name}`, label, tags: { build: name } }),
    );
    const dataset = { source: 'five.jsonl', cases: 5, labeled: 5, hash: name };
    await runs.create(
      aManifest({ name, series: 'nightly', createdAt: `2026-11-${day}T09:00:00.000Z`, dataset, ...parts }),
      cases,
    );
    const writer = await runs.write(name);
    for (let n = 0; n < 5; n += 1) {
      const verdict = { ...aVerdict(said === 'pass' ? pass : fail), caseId: `c${n}` };
      await writer.save(trialOf(`0-${n}`, 'io rules t0 #1', label, verdict), verdict);
    }
    await writer.close();
  }

  const headline = async (): Promise<string> => {
    const benchmarks = await source(['nightly'], { nightly: 'nightly-1' });
    return composeDigest(someData({ benchmarks, last, timezone: 'UTC' })).digest.headline;
  };

  test('all right, then all wrong: worse, with the number, though judges agree with every label', async () => {
    await aRun('nightly-1', 16, 'pass');
    await aRun('nightly-2', 20, 'fail');
    expect(await headline()).toBe(
      'The assistant got worse: 0 % of 5 answers pass (0–43), 100 points less than last Monday (−100 to −28).',
    );
  });

  test('are compared with the run before in a first digest, and with none where nothing is new', async () => {
    await aRun('nightly-1', 16, 'pass');
    await aRun('nightly-2', 20, 'fail');
    const [first] = await source(['nightly'], {});
    expect(first).toMatchObject({ report: { changes: [{ run: 'nightly-1', difference: { value: -1 } }] } });
    const [again] = await source(['nightly'], { nightly: 'nightly-2' });
    expect(again).toMatchObject({ report: { changes: [] } });
  });

  test('are read once for alerts that look at the same time, and again when there is another', async () => {
    await aRun('nightly-1', 16, 'pass');
    let reads = 0;
    const counted: TrialStore = {
      ...runs,
      readRun: (name) => runs.readRun(name).finally(() => (reads += 1)),
    };
    const read = createFiguresReader(
      async () => counted,
      store,
      source,
      () => saturday,
    );
    const looks = await Promise.all(Array.from({ length: 5 }, () => read('nightly')));
    expect(looks.map((figures) => figures?.run)).toEqual(Array(5).fill('nightly-1'));
    expect(reads).toBe(1);
    await aRun('nightly-2', 18, 'fail');
    const next = await read('nightly');
    expect(next?.figures['pass-rate']).toMatchObject({ value: 0 });
    expect(await next?.failing('C1', null, 'en')).toMatchObject({
      worst: { before: expect.stringContaining('(5)') },
    });
  });

  test('are read for alerts from the oldest that they have not counted, as it was then', async () => {
    await aRun('nightly-1', 16, 'pass');
    await aRun('nightly-2', 18, 'fail');
    await aRun('nightly-3', 20, 'pass');
    const read = createFiguresReader(
      async () => runs,
      store,
      source,
      () => saturday,
    );
    const counted = new Set<string>();
    const next = () => read('nightly', (run) => counted.has(run));
    for (const [name, value] of [
      ['nightly-1', 1],
      ['nightly-2', 0],
      ['nightly-3', 1],
    ] as const) {
      const figures = await next();
      expect(figures).toMatchObject({ run: name, figures: { 'pass-rate': { value } }, sample: { fresh: 5 } });
      counted.add(name);
      // Newly failing since the run before it, not since the newest.
      expect((await figures?.failing('C1', null, 'en'))?.worst.before ?? null).toBe(
        name === 'nightly-2' ? 'no criterion (5), for example: because' : null,
      );
    }
    expect(await next()).toBeNull();
    expect((await read('nightly'))?.run).toBe('nightly-3');
  });

  test('with another rubric are not compared', async () => {
    const sources = (hash: string) => ({ sources: { rubrics: { plain: hash }, methods: { io: 'm' } } });
    await aRun('nightly-1', 16, 'pass', sources('a'));
    await aRun('nightly-2', 20, 'fail', sources('b'));
    expect(await headline()).toBe(
      '0 % of 5 answers pass (0–43). Not comparable with last Monday: the rubric changed.',
    );
  });

  test('are compared with the baseline too, until it is removed', async () => {
    await aRun('nightly-0', 10, 'fail');
    await aRun('nightly-1', 16, 'pass');
    await aRun('nightly-2', 20, 'fail');
    const texts = async () => {
      const benchmarks = await source(['nightly'], { nightly: 'nightly-1' });
      return textsIn(composeDigest(someData({ benchmarks, last })).digest.blocks).join('\n');
    };
    await setBaseline(store, 'nightly', Baseline.parse({ name: 'release 1', run: 'nightly-1' }), saturday);
    // The last run is compared with already.
    expect(await texts()).not.toContain('baseline');
    await setBaseline(store, 'nightly', Baseline.parse({ name: 'release 0', run: 'nightly-0' }), saturday);
    expect(await texts()).toContain(
      'The same as the baseline release 0 (−28 to +28): 0 newly fail, 0 newly pass',
    );
    await setBaseline(store, 'nightly', null, saturday);
    expect(await texts()).not.toContain('baseline');
  });

  test('are compared with the baseline on other requests, too, for alerts as for digests', async () => {
    const logged = (week: number) => (n: number) => `${week} ${n}`;
    await aRun('nightly-1', 16, 'pass', {}, logged(1));
    await aRun('nightly-2', 20, 'fail', {}, logged(2));
    await setBaseline(store, 'nightly', Baseline.parse({ name: 'release 1', run: 'nightly-1' }), saturday);
    const read = createFiguresReader(
      async () => runs,
      store,
      source,
      () => saturday,
    );
    const figures = await read('nightly');
    // Wilson's limits of 5 of 5 and of 0 of 5 are 56.6 and 43.4 %: −100 + √(43.4² + 43.4²) = −38.6 points.
    expect(figures?.figures.change).toMatchObject({ value: -1, low: -1, high: expect.closeTo(-0.3855, 3) });
    expect(await figures?.failing('C1', null, 'en')).toMatchObject({
      worst: { before: null, baseline: null },
    });
    expect(await headline()).toBe(
      'The assistant got worse: 0 % of 5 answers pass (0–43), 100 points less than last Monday (−100 to −39), other requests of the same kinds.',
    );
  });

  test('of a run that is not whole are left out, and one run alone is compared with nothing', async () => {
    await aRun('nightly-1', 16, 'pass');
    const dataset = { source: 'five.jsonl', cases: 5, labeled: 5, hash: 'x' };
    await runs.create(
      aManifest({ name: 'nightly-2', series: 'nightly', createdAt: '2026-11-20T09:00:00.000Z', dataset }),
      [],
    );
    const [history] = await source(['nightly'], {});
    expect(history).toMatchObject({
      subject: 'assistant',
      runs: [{ name: 'nightly-1', correct: 5, n: 5 }],
      report: { changes: [] },
    });
  });
});
