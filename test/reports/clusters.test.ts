import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { trialOf } from '../../src/benchmark/trial.ts';
import type { TrialStore } from '../../src/benchmark/trial-store.ts';
import type { EvalCase } from '../../src/case/case.ts';
import { preferenceReport } from '../../src/reports/assistant/make-assistant-report.ts';
import { compareRuns } from '../../src/reports/comparison/compare-runs.ts';
import { makeReport } from '../../src/reports/make-report.ts';
import { recallOf } from '../../src/reports/recall.ts';
import { createFolderTrialStore } from '../../src/stores/folder/runs.ts';
import { aCase } from '../support/builders.ts';
import { aConfiguration, aManifest, aVerdict } from '../support/run-builders.ts';

const newStore = () => createFolderTrialStore(mkdtempSync(join(tmpdir(), 'jury-clusters-')));

/** Users of five right cases each, tagged as given. */
const casesOf = (users: number, tagsOf: (user: number) => EvalCase['tags']): EvalCase[] =>
  Array.from({ length: users * 5 }, (_, at) => {
    const tags = tagsOf(Math.floor(at / 5));
    return aCase({ id: `c${at}`, label: { decision: 'pass' }, ...(tags === undefined ? {} : { tags }) });
  });

/** Keeps a run whose judges get all cases of some users wrong, in one configuration for each list of users. */
async function keep(
  store: TrialStore,
  name: string,
  cases: readonly EvalCase[],
  ...wrong: readonly (readonly number[])[]
): Promise<void> {
  const configurations = wrong.map((_, at) => aConfiguration({ id: `io m${at} t0 #1`, models: [`m${at}`] }));
  const dataset = { source: 'x', cases: cases.length, labeled: cases.length, hash: name };
  await store.create(aManifest({ name, subject: 'judges', configurations, dataset }), cases);
  const writer = await store.write(name);
  for (const [at, { id }] of configurations.entries())
    for (const [index, { id: caseId = '', label = null }] of cases.entries()) {
      const decision = wrong[at]?.includes(Math.floor(index / 5)) ? 'fail' : 'pass';
      const verdict = { ...aVerdict(), caseId, decision } as const;
      await writer.save(trialOf(`${at}-${index}`, id, label, verdict), verdict);
    }
  await writer.close();
}

const user = (number: number) => ({ group: `u${number}` });
const widthOf = ({ interval }: { interval: { defined: boolean; low?: number; high?: number } }) =>
  (interval.high ?? 0) - (interval.low ?? 0);
const accuracyOf = async (store: TrialStore, name: string, clusterBy?: string) =>
  (await makeReport(store, name, { clusterBy })).setups[0]?.effectiveness.accuracy ?? expect.fail();

describe('cases with the same tag "group"', () => {
  test('count as one for intervals, which are then wider, and the report says so', async () => {
    const store = newStore();
    await keep(
      store,
      'alone',
      casesOf(12, () => undefined),
      [0, 1, 2],
    );
    await keep(store, 'tagged', casesOf(12, user), [0, 1, 2]);
    const [alone, tagged] = [await makeReport(store, 'alone'), await makeReport(store, 'tagged')];
    expect(alone.notes).toEqual([]);
    expect(tagged.notes).toEqual([
      'Intervals and p-values count 60 cases as 12 groups of cases that belong together (tags.group).',
    ]);
    const [one, other] = [alone.setups[0]?.effectiveness, tagged.setups[0]?.effectiveness];
    expect(one?.accuracy.measure).toEqual(other?.accuracy.measure);
    expect([one?.cases, other?.cases]).toEqual([60, 60]);
    // Wilson of 45 in 60: 0.21 wide. All cases of a user come to the same, so that there are 9 of 12 with t(11): 0.45 or more.
    expect(widthOf(one?.accuracy ?? expect.fail())).toBeCloseTo(0.212, 2);
    expect(widthOf(other?.accuracy ?? expect.fail())).toBeGreaterThan(0.42);
    expect(widthOf(tagged.setups[0]?.decisions?.passRate ?? expect.fail())).toBeGreaterThan(0.42);
  });

  test('can be those of another tag; a tag that no case has is refused', async () => {
    const store = newStore();
    await keep(
      store,
      'run',
      casesOf(12, (number) => ({ user: `u${number}` })),
      [0, 1, 2],
    );
    expect(widthOf(await accuracyOf(store, 'run'))).toBeCloseTo(0.212, 2);
    expect(widthOf(await accuracyOf(store, 'run', 'user'))).toBeGreaterThan(0.42);
    await expect(accuracyOf(store, 'run', 'document')).rejects.toMatchObject({
      code: 'usage',
      message: 'No case has the tag "document" of --cluster-by.',
    });
  });

  test('count as one in comparisons too: five cases of one user are no five findings', async () => {
    const store = newStore();
    const side = (run: string) => ({ run, setup: 'io m0' });
    for (const [name, tags] of [
      ['alone', () => undefined],
      ['tagged', user],
    ] as const) {
      await keep(store, `${name}-1`, casesOf(12, tags), [0, 1, 2]);
      await keep(store, `${name}-2`, casesOf(12, tags), [2]);
    }
    const pairOf = async (first: string, second: string) => {
      const { comparison } = await compareRuns(store, side(first), side(second));
      return { notes: comparison.notes, pair: comparison.pairs[0]?.pair ?? expect.fail() };
    };
    const alone = await pairOf('alone-1', 'alone-2');
    const tagged = await pairOf('tagged-1', 'tagged-2');
    expect(alone.pair).toMatchObject({ onlyFirst: 0, onlySecond: 10, pValue: { value: 2 / 2 ** 10 } });
    // Two users differ: half of all signs come to as much.
    expect(tagged.pair).toMatchObject({ onlyFirst: 0, onlySecond: 10, pValue: { value: 0.5, n: 2 } });
    expect(tagged.notes).toEqual([expect.stringContaining('12 groups')]);
    const { interval } = tagged.pair.scores.accuracy;
    expect(interval.defined && interval.low < 0).toBe(true);
    expect(alone.pair.scores.accuracy.interval).toMatchObject({ defined: true });
    // Tags are no content: tagged cases are the same as those without tags.
    expect((await pairOf('alone-1', 'tagged-2')).pair.cases).toBe(60);
    // The groups count whichever run has them.
    for (const [first, second] of [
      ['alone-1', 'tagged-2'],
      ['tagged-1', 'alone-2'],
    ] as const) {
      const { pair, notes } = await pairOf(first, second);
      expect(pair).toMatchObject({ onlySecond: 10, pValue: { value: 0.5, n: 2 } });
      expect(notes).toEqual(tagged.notes);
    }
  });

  test('a single one shows nothing, so that there is no p', async () => {
    const store = newStore();
    await keep(store, 'one', casesOf(1, user), [0]);
    await keep(store, 'two', casesOf(1, user), []);
    const { comparison } = await compareRuns(store, { run: 'one', setup: 'io' }, { run: 'two', setup: 'io' });
    expect(comparison.pairs[0]?.pair).toMatchObject({
      onlySecond: 5,
      pValue: { defined: false, why: 'a test needs at least two independent cases' },
    });
  });
});

test('several comparisons in one report have p-values adjusted for their number', async () => {
  const store = newStore();
  await keep(
    store,
    'one',
    casesOf(4, () => undefined),
    [0],
    [1],
  );
  await keep(
    store,
    'two',
    casesOf(4, () => undefined),
    [],
    [1],
  );
  const { comparison } = await compareRuns(store, { run: 'one', setup: null }, { run: 'two', setup: null });
  // Five cases that only the second got right: 2 / 2⁵, twice as much for two comparisons; the other differs nowhere.
  expect(comparison.pairs.map(({ pair }) => [pair.pValue, pair.holm])).toMatchObject([
    [{ value: 0.0625 }, { value: 0.125 }],
    [{ value: 1 }, { value: 1 }],
  ]);
  const single = await compareRuns(store, { run: 'one', setup: 'io m0' }, { run: 'two', setup: 'io m0' });
  expect(single.comparison.pairs[0]?.pair.holm).toBeNull();
});

test('preferences and recall count cases that belong together as one too', () => {
  const preferred = (unitOf: (at: number) => number) =>
    preferenceReport(
      Array.from({ length: 20 }, (_, at) => ({
        unit: unitOf(at),
        names: ['Old', 'New'] as const,
        score: at < 15 ? 1 : -1,
        judges: [],
      })),
    ) ?? expect.fail();
  const [alone, grouped] = [preferred((at) => at), preferred((at) => Math.floor(at / 5))];
  expect(alone.pValue).toMatchObject({ value: expect.closeTo(0.0414, 4), n: 20 });
  // Three groups of five for B, one for A: 10 of 16 sums of signs are as large.
  expect(grouped.pValue).toMatchObject({ value: 0.625, n: 4 });
  expect(widthOf(grouped.share)).toBeGreaterThan(1.5 * widthOf(alone.share));

  const cases = Array.from({ length: 20 }, (_, at) =>
    aCase({ recommendations: [[at < 10 ? 'Alien' : 'Heat']], groundTruth: 'Alien' }),
  );
  const recallWidth = (unitOf?: (at: number) => number) =>
    widthOf(recallOf(cases, () => [], null, unitOf)[0]?.at[0]?.recall ?? expect.fail());
  expect(recallWidth((at) => Math.floor(at / 5))).toBeGreaterThan(1.5 * recallWidth());
});
