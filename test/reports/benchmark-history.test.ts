import { beforeEach, describe, expect, test } from 'vitest';
import type { TrialStore } from '../../src/benchmark/trial-store.ts';
import { benchmarkChange, intervalOfRun } from '../../src/digests/change-since-last.ts';
import {
  type BenchmarkSource,
  createBenchmarkSource,
  type JudgesHistory,
} from '../../src/reports/history/benchmark-history.ts';
import { createFolderTrialStore } from '../../src/stores/folder/runs.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import { aCase, fail, mute, pass } from '../support/builders.ts';
import { closeAfterEach, closing } from '../support/resources.ts';
import { aConfiguration, aManifest, aTrial, aVerdict, casesOf } from '../support/run-builders.ts';
import { scratch } from '../support/run-jury.ts';
import { saturday } from '../support/store-builders.ts';

closeAfterEach();
let runs: TrialStore;
let source: BenchmarkSource;

/** Of benchmarks whose subject is the judges. */
async function history(...asked: Parameters<BenchmarkSource>): Promise<JudgesHistory[]> {
  return (await source(...asked)).filter((one) => one.subject === 'judges');
}

beforeEach(async () => {
  runs = createFolderTrialStore(scratch());
  const store = await openSqliteStore(`${scratch()}/jury.db`);
  closing(() => store.close());
  source = createBenchmarkSource(runs, store, () => saturday);
});

/** `trip-long-1` is a run of `trip-long`. */
const seriesIn = (name: string): string => name.replace(/-\d+$/, '');

/** A run of three cases that are labeled pass; `p` is a right decision, `f` a wrong one, `u` none, `?` no answer, `x` no label of the decision, `-` not judged yet. */
async function aRun(
  name: string,
  day: number,
  said: string,
  { hash = 'same', way = 'io' } = {},
): Promise<void> {
  const createdAt = `2026-11-0${day}T09:00:00.000Z`;
  const dataset = { source: 'cases.jsonl', cases: 3, labeled: 3, hash };
  await runs.create(
    aManifest({
      name,
      series: seriesIn(name),
      createdAt,
      dataset,
      configurations: [aConfiguration({ id: way })],
      subject: 'judges',
    }),
    casesOf(3),
  );
  const writer = await runs.write(name);
  for (const [index, letter] of [...said].entries()) {
    if (letter === '-') continue;
    const said = letter === '?' ? mute : letter === 'f' ? fail : pass;
    const verdict = { ...aVerdict(said, 0.25), caseId: `c${index}` };
    const trial = aTrial(`0-${index}`, verdict);
    if (letter === 'u') trial.decision = 'undecided';
    if (letter === 'x') trial.label = { errorType: 'cost' };
    await writer.save(trial, verdict);
  }
  await writer.close();
}

describe('a benchmark', () => {
  test('is the runs of its name that have come to their end, oldest first', async () => {
    await aRun('trip-2', 2, 'pff');
    await aRun('trip-1', 1, 'ppf');
    await aRun('trip-3', 3, 'pp-');
    await aRun('tripod', 4, 'ppp');
    expect(await history(['trip', 'unknown'], {})).toEqual([
      {
        name: 'trip',
        subject: 'judges',
        compared: null,
        runs: [
          { name: 'trip-1', at: Date.UTC(2026, 10, 1, 9), correct: 2, n: 3, cases: 3, costUsd: 0.75 },
          { name: 'trip-2', at: Date.UTC(2026, 10, 2, 9), correct: 1, n: 3, cases: 3, costUsd: 0.75 },
        ],
      },
    ]);
  });

  test('is reported anew where trials that failed were judged again', async () => {
    await aRun('trip-1', 1, 'p?f');
    const counts = async () => (await history(['trip'], {}))[0]?.runs.map(({ correct, n }) => [correct, n]);
    expect(await counts()).toEqual([[1, 3]]);
    const writer = await runs.write('trip-1');
    const { failed } = await writer.kept();
    await writer.forget(failed);
    const verdict = { ...aVerdict(pass, 0.25), caseId: 'c1' };
    await writer.save(aTrial('0-1', verdict), verdict);
    await writer.close();
    expect(failed).toEqual(['0-1']);
    expect(await counts()).toEqual([[2, 3]]);
  });

  test('is compared case by case with the run that the last digest reported', async () => {
    await aRun('trip-1', 1, 'ppf');
    await aRun('trip-2', 2, 'pff');
    await aRun('trip-3', 3, 'fpp');
    const [trip] = await history(['trip'], { trip: 'trip-1' });
    expect(trip?.compared).toEqual({
      against: 'trip-1',
      gained: 1,
      lost: 1,
      n: 3,
      cases: 3,
      regressions: [{ caseId: 'c0', category: 'no error', why: 'because' }],
    });
    // What was counted once is the same when it is asked for again.
    expect(await history(['trip'], { trip: 'trip-1' })).toEqual([trip]);
  });

  test('tells on how many cases its decisions are, where each is judged more than once', async () => {
    for (const [name, letters] of [
      ['trip-1', 'pppfff'],
      ['trip-2', 'pppppp'],
    ] as const) {
      const createdAt = `2026-11-0${name.slice(-1)}T09:00:00.000Z`;
      const dataset = { source: 'cases.jsonl', cases: 3, labeled: 3, hash: 'same' };
      const configurations = [1, 2].map((repeat) => aConfiguration({ id: `io #${repeat}`, repeat }));
      await runs.create(
        aManifest({ name, series: seriesIn(name), createdAt, dataset, configurations, subject: 'judges' }),
        casesOf(3),
      );
      const writer = await runs.write(name);
      for (const [index, letter] of [...letters].entries()) {
        const verdict = { ...aVerdict(letter === 'p' ? pass : fail, 0.25), caseId: `c${index % 3}` };
        await writer.save(aTrial(`${Math.floor(index / 3)}-${index % 3}`, verdict), verdict);
      }
      await writer.close();
    }
    const [trip] = await history(['trip'], { trip: 'trip-1' });
    expect(trip?.runs.map(({ n, cases }) => ({ n, cases }))).toEqual([
      { n: 6, cases: 3 },
      { n: 6, cases: 3 },
    ]);
    expect(trip?.compared).toMatchObject({ gained: 3, lost: 0, n: 6, cases: 3 });
  });

  test('counts cases that belong together as few, for a run and for its change', async () => {
    // 20 users of six cases: the judges are wrong on all cases of 4 users, then of 8.
    const cases = Array.from({ length: 120 }, (_, at) =>
      aCase({ id: `c${at}`, label: { decision: 'pass' }, tags: { group: `u${Math.floor(at / 6)}` } }),
    );
    for (const [at, wrong] of [4, 8].entries()) {
      const name = `trip-${at + 1}`;
      const createdAt = `2026-11-0${at + 1}T09:00:00.000Z`;
      const dataset = { source: 'cases.jsonl', cases: 120, labeled: 120, hash: 'same' };
      await runs.create(
        aManifest({ name, series: seriesIn(name), createdAt, dataset, subject: 'judges' }),
        cases,
      );
      const writer = await runs.write(name);
      for (const place of cases.keys()) {
        const verdict = { ...aVerdict(place < wrong * 6 ? fail : pass), caseId: `c${place}` };
        await writer.save(aTrial(`0-${place}`, verdict), verdict);
      }
      await writer.close();
    }
    const [trip] = await history(['trip'], { trip: 'trip-1' });
    const newest = trip?.runs.at(-1);
    expect(newest).toMatchObject({ correct: 72, n: 120 });
    // 60 % of 20 users, not of 120 cases: Wilson's limits are 39 and 78 %, a little wider with Student's t; not 51 and 68 %.
    const interval = newest === undefined ? null : intervalOfRun(newest);
    expect(interval).toMatchObject({ low: expect.closeTo(0.37, 2), high: expect.closeTo(0.79, 2) });
    // 4 of 20 users got worse: −41 to +1 points or so, not −27 to −13.
    const change = trip === undefined ? null : benchmarkChange(trip, 'en');
    expect(change).toMatchObject({ points: '−20.0' });
    expect(trip?.compared?.cases).toBeLessThan(20);
    expect(change?.interval).toMatch(/^95 % interval −3\d\.\d to \+?[−\d]/);
  });

  test('counts what judges did not answer as wrong, and leaves out runs of a benchmark with a longer name', async () => {
    await aRun('trip-1', 1, 'pff');
    await aRun('trip-2', 2, 'p?f');
    await aRun('trip-long-1', 3, 'ppp');
    const [trip] = await history(['trip'], { trip: 'trip-1' });
    expect(trip?.runs.map(({ name, correct, n }) => ({ name, correct, n }))).toEqual([
      { name: 'trip-1', correct: 1, n: 3 },
      { name: 'trip-2', correct: 1, n: 3 },
    ]);
    expect(trip?.compared).toMatchObject({ n: 3, gained: 0, lost: 0 });
  });

  test('counts what judges left undecided as wrong, and nothing that no label decides', async () => {
    await aRun('trip-1', 1, 'ppp');
    await aRun('trip-2', 2, 'upx');
    const [trip] = await history(['trip'], { trip: 'trip-1' });
    expect(trip?.runs.at(-1)).toMatchObject({ correct: 1, n: 2, cases: 2 });
    expect(trip?.compared).toMatchObject({ n: 2, gained: 0, lost: 1, regressions: [{ caseId: 'c0' }] });
  });

  test('tells what was lost case by case, in whatever order it was judged', async () => {
    const configurations = [1, 2].map((repeat) => aConfiguration({ id: `io #${repeat}`, repeat }));
    for (const [day, said] of [pass, fail].entries()) {
      const name = `trip-${day + 1}`;
      const createdAt = `2026-11-0${day + 1}T09:00:00.000Z`;
      await runs.create(
        aManifest({ name, series: seriesIn(name), createdAt, configurations, subject: 'judges' }),
        casesOf(3),
      );
      const writer = await runs.write(name);
      for (const key of ['1-2', '0-1', '1-0', '0-0', '0-2', '1-1']) {
        const verdict = { ...aVerdict(said, 0.25), caseId: `case ${key}` };
        await writer.save(aTrial(key, verdict), verdict);
      }
      await writer.close();
    }
    const [trip] = await history(['trip'], { trip: 'trip-1' });
    expect(trip?.compared?.regressions.map(({ caseId }) => caseId)).toEqual(
      ['0-0', '1-0', '0-1', '1-1', '0-2', '1-2'].map((key) => `case ${key}`),
    );
  });

  test('of several configurations has the sentence on all of them, which a pooled test would contradict', async () => {
    // Of 40 cases, io loses 12 and mab gains none: p = 2 × (1/2)¹² × 2 by the sign test and Holm.
    const configurations = ['io', 'mab'].map((method) => aConfiguration({ id: `${method} t0`, method }));
    const lose = async (name: string, day: number, wrong: readonly number[]) => {
      const createdAt = `2026-11-0${day}T09:00:00.000Z`;
      const dataset = { source: 'cases.jsonl', cases: 40, labeled: 40, hash: 'same' };
      await runs.create(
        aManifest({ name, series: seriesIn(name), createdAt, dataset, configurations, subject: 'judges' }),
        casesOf(40),
      );
      const writer = await runs.write(name);
      for (const [at, first] of wrong.entries())
        for (let place = 0; place < 40; place += 1) {
          const verdict = { ...aVerdict(place < first ? fail : pass), caseId: `c${place}` };
          await writer.save(
            { ...aTrial(`${at}-${place}`, verdict), configuration: configurations[at]?.id ?? '' },
            verdict,
          );
        }
      await writer.close();
    };
    await lose('trip-1', 1, [5, 5]);
    await lose('trip-2', 2, [5, 6]);
    await lose('trip-3', 3, [17, 6]);
    const leadOf = async (until: string, since: string) =>
      (await history(['trip'], { trip: since }, until))[0]?.lead;
    expect(await leadOf('trip-2', 'trip-1')).toEqual({
      text: {
        en: 'No change beyond chance among 2 configurations.',
        de: 'Bei keiner der 2 Konfigurationen ist die Veränderung größer, als sich durch Zufall erklären lässt.',
      },
      trend: 'unknown',
    });
    expect(await leadOf('trip-3', 'trip-2')).toMatchObject({
      text: {
        en: expect.stringMatching(
          /^F1 is lower by 0\.\d+ \(.*\): 0\.933 before, 0\.730 after, on 40 cases\. This is the only change beyond chance among 2 configurations: io t0\.$/,
        ),
        de: expect.stringMatching(
          /^F1 ist um 0,\d+ niedriger \(.*\): vorher 0,933, jetzt 0,730, bei 40 Fällen\./,
        ),
      },
      trend: 'worse',
    });
  });

  test('of other cases, or without anything new, is compared with nothing', async () => {
    await aRun('trip-1', 1, 'ppf', { hash: 'others' });
    await aRun('trip-2', 2, 'pff');
    expect((await history(['trip'], { trip: 'trip-1' }))[0]?.compared).toBeNull();
    expect((await history(['trip'], { trip: 'trip-2' }))[0]?.compared).toBeNull();
  });

  test('is not compared with a run of the same cases that judged them in other ways', async () => {
    await aRun('trip-1', 1, 'ppf');
    await aRun('trip-2', 2, 'fff', { way: 'mab rules t0 #1' });
    expect((await history(['trip'], { trip: 'trip-1' }))[0]?.compared).toBeNull();
  });
});
