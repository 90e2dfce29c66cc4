import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Trial, trialOf } from '../../src/benchmark/trial.ts';
import type { TrialStore } from '../../src/benchmark/trial-store.ts';
import type { EvalCase } from '../../src/case/case.ts';
import { compareRuns } from '../../src/reports/comparison/compare-runs.ts';
import { Comparison, findSetup, matchSetups } from '../../src/reports/comparison/comparison.ts';
import type { Setup } from '../../src/reports/facts/setups.ts';
import { createFolderTrialStore } from '../../src/stores/folder/runs.ts';
import { aCase } from '../support/builders.ts';
import { aConfiguration, aManifest, aVerdict } from '../support/run-builders.ts';

const newStore = () => createFolderTrialStore(mkdtempSync(join(tmpdir(), 'jury-compare-')));

/** Keeps a run of one configuration whose trials came to these decisions, in the order of the cases. */
async function keep(
  store: TrialStore,
  name: string,
  cases: readonly EvalCase[],
  decisions: readonly Trial['decision'][],
  id = 'io m t0 #1',
): Promise<void> {
  const manifest = aManifest({
    name,
    subject: 'judges',
    configurations: [aConfiguration({ id })],
    dataset: { source: 'x', cases: cases.length, labeled: cases.length, hash: name },
  });
  await store.create(manifest, cases);
  const writer = await store.write(name);
  for (const [index, decision] of decisions.entries()) {
    const evalCase = cases[index];
    const verdict = { ...aVerdict(), caseId: evalCase?.id ?? '', decision };
    await writer.save(trialOf(`0-${index}`, id, evalCase?.label ?? null, verdict), verdict);
  }
  await writer.close();
}

const late = { decision: 'fail', errorType: 'time' } as const;
const cases = [
  aCase({ id: 'a', label: { decision: 'pass' } }),
  aCase({ id: 'b', label: { decision: 'pass' } }),
  aCase({ id: 'c', label: late }),
  aCase({ id: 'd', label: late }),
];
const side = (run: string, setup: string | null = null) => ({ run, setup });

describe('two runs compared', () => {
  test('tell which cases came out otherwise, whatever the order of the cases', async () => {
    const store = newStore();
    await keep(store, 'one', cases, ['pass', 'fail', 'fail', 'fail']);
    await keep(store, 'two', [...cases].reverse(), ['undecided', 'fail', 'pass', 'fail']);
    const { comparison } = await compareRuns(store, side('one'), side('two'));
    expect(Comparison.parse(comparison)).toEqual(comparison);
    expect(comparison.cases).toEqual({ shared: 4, changed: [], onlyFirst: 0, onlySecond: 0 });
    const [only] = comparison.pairs;
    expect(only?.flips.map(({ caseId, first, second, kind }) => [caseId, first, second, kind])).toEqual([
      ['a', 'pass', 'fail', 'broken'],
      ['b', 'fail', 'pass', 'fixed'],
      ['d', 'fail', 'undecided', 'broken'],
    ]);
    expect(only?.pair).toMatchObject({
      cases: 4,
      onlyFirst: 2,
      onlySecond: 1,
      pValue: { value: expect.closeTo(1, 12) },
    });
    // Right before: a, c, d of four; after: b, c, and d is not decided.
    expect(only?.pair.scores.accuracy).toMatchObject({
      first: { value: 0.75, n: 4 },
      second: { value: 0.5, n: 4 },
      difference: { value: -0.25, n: 4 },
    });
    // Of a, b and c, which both decided, two are right each time.
    expect(only?.pair.decided).toMatchObject({
      cases: 3,
      scores: {
        accuracy: { first: { value: 2 / 3 }, second: { value: 2 / 3 }, difference: { value: 0, n: 3 } },
      },
    });
  });

  test('leave out cases that have other content or another label, and those in one of them only', async () => {
    const store = newStore();
    const [a, b, c, d] = cases;
    if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error('no cases');
    await keep(store, 'one', [a, b, c], ['pass', 'pass', 'fail']);
    const relabeled = { ...b, label: late };
    await keep(store, 'two', [d, relabeled, a], ['fail', 'fail', 'fail']);
    const { comparison } = await compareRuns(store, side('one'), side('two'));
    expect(comparison.cases).toEqual({ shared: 1, changed: ['b'], onlyFirst: 1, onlySecond: 1 });
    expect(comparison.pairs[0]?.flips.map(({ caseId }) => caseId)).toEqual(['a']);
    expect(comparison.changes.some((change) => change.startsWith('dataset'))).toBe(true);
  });

  test('say what there is where there is no such run, no shared case or no shared configuration', async () => {
    const store = newStore();
    await expect(compareRuns(store, side('one'), side('two'))).rejects.toThrow(
      'There is no run "one". Make one with "jury bench run".',
    );
    await keep(store, 'one', cases.slice(0, 1), ['pass']);
    await expect(compareRuns(store, side('one'), side('two'))).rejects.toThrow(
      'There is no run "two". There are: one.',
    );
    await keep(store, 'two', cases.slice(1, 2), ['pass']);
    await expect(compareRuns(store, side('one'), side('two'))).rejects.toThrow('have no case in common');
    const other = cases.slice(0, 1).map((one) => ({ ...one, label: late }));
    await keep(store, 'other', other, ['pass']);
    await expect(compareRuns(store, side('one'), side('other'))).rejects.toThrow(
      'nothing to compare: 1 with the same id differs in content or label.',
    );
  });

  test('tell what is without a decision on each side, and which cases without a label came out otherwise', async () => {
    const store = newStore();
    const mixed = [...cases.slice(0, 2), aCase({ id: 'x' }), aCase({ id: 'y' })];
    await keep(store, 'one', mixed, ['pass', 'undecided', 'fail', 'pass']);
    await keep(store, 'two', mixed, ['pass', 'pass', 'pass', 'pass']);
    const { comparison } = await compareRuns(store, side('one'), side('two'));
    const [only] = comparison.pairs;
    expect(only?.pair.gaps).toEqual({
      first: { n: 2, undecided: 1, 'no-quorum': 0, unanswered: 0 },
      second: { n: 2, undecided: 0, 'no-quorum': 0, unanswered: 0 },
    });
    expect(only?.flips.map(({ caseId, truth, kind }) => [caseId, truth, kind])).toEqual([
      ['b', 'pass', 'fixed'],
      ['x', null, 'unlabeled'],
    ]);
  });

  test('are compared though their only configurations differ', async () => {
    const store = newStore();
    await keep(store, 'one', cases, ['pass', 'pass', 'fail', 'fail']);
    await keep(store, 'two', cases, ['pass', 'pass', 'fail', 'pass'], 'mad m t0 #1');
    const { comparison, setups } = await compareRuns(store, side('one'), side('two'));
    expect(comparison.pairs[0]?.pair).toMatchObject({ first: 'io m t0', second: 'mad m t0' });
    // Thresholds are those of the second: 2 true positives, 1 false positive.
    expect(setups.map(({ id, effectiveness }) => [id, effectiveness.f1.measure])).toEqual([
      ['mad m t0', { defined: true, n: 4, value: 0.8 }],
    ]);
  });
});

const setup = (id: string): Setup => ({
  id,
  method: 'm',
  models: [],
  temperature: null,
  equalCallsOf: null,
  pooledFrom: [],
  configurations: [aConfiguration({ id: `${id} #1` })],
});

describe('configurations', () => {
  const setups = ['mad m t0', 'mad m t0 vote', 'io m t0', 'io n t0'].map(setup);

  test('are found by their id or its beginning', () => {
    expect(findSetup(setups, 'mad m t0').id).toBe('mad m t0');
    expect(findSetup(setups, 'io n').id).toBe('io n t0');
  });

  test('are asked for again where several begin so, or none', () => {
    expect(() => findSetup(setups, 'io')).toThrow(
      'Several configurations begin with "io". Configurations:\n  mad m t0',
    );
    expect(() => findSetup(setups, 'x')).toThrow('No configuration begins with "x"');
  });

  test('that stand in one run only are named', () => {
    const { pairs, unmatched } = matchSetups(setups, [setup('io m t0'), setup('new t0')]);
    expect(pairs.map(([one]) => one.id)).toEqual(['io m t0']);
    expect(unmatched).toEqual({ first: ['mad m t0', 'mad m t0 vote', 'io n t0'], second: ['new t0'] });
  });
});

describe('scores compared', () => {
  const scored = [1, 2, 3, 4].map((score, index) => aCase({ id: `s${index}`, label: { score } }));

  /** Keeps a run whose trials came to these scores, in the order of the cases; null: none. */
  async function keepScores(store: TrialStore, name: string, scores: readonly (number | null)[]) {
    const id = 'io m t0 #1';
    const manifest = aManifest({
      name,
      configurations: [aConfiguration({ id })],
      dataset: { source: 'x', cases: scored.length, labeled: scored.length, hash: name },
    });
    await store.create(manifest, scored);
    const writer = await store.write(name);
    for (const [index, score] of scores.entries()) {
      const evalCase = scored[index];
      const decision = score === null ? 'undecided' : 'scored';
      const verdict = { ...aVerdict(), caseId: evalCase?.id ?? '', decision, score } as const;
      await writer.save(trialOf(`0-${index}`, id, evalCase?.label ?? null, verdict), verdict);
    }
    await writer.close();
  }

  test('differ by the means over the cases that both scored, and by how near they come to labels', async () => {
    const store = newStore();
    await keepScores(store, 'one', [2, 2, 3, null]);
    await keepScores(store, 'two', [1, 2, 6, 4]);
    const { comparison } = await compareRuns(store, side('one'), side('two'));
    expect(Comparison.parse(comparison)).toEqual(comparison);
    const [only] = comparison.pairs;
    expect(only?.pair.points).toMatchObject({
      cases: 3,
      // 7/3 and 9/3; errors of 1, 0, 0 and 0, 0, 3.
      mean: { first: { value: expect.closeTo(7 / 3, 12), n: 3 }, second: { value: 3, n: 3 } },
      against: {
        meanAbsoluteError: {
          first: { value: expect.closeTo(1 / 3, 12) },
          second: { value: 1 },
          difference: { value: expect.closeTo(2 / 3, 12) },
        },
        // Ranks 1.5, 1.5, 3 beside 1, 2, 3: √3/2; then the same order.
        spearman: {
          first: { value: expect.closeTo(Math.sqrt(3) / 2, 12) },
          second: { value: expect.closeTo(1, 12) },
        },
      },
      up: 1,
      down: 1,
      same: 1,
    });
    const { interval } = only?.pair.points?.mean ?? {};
    // Differences −1, 0, 3: standard error √(13/9) = 1.2019, t(2) = 4.3027, so 2/3 ± 5.171.
    expect(interval).toMatchObject({ low: expect.closeTo(-4.5045, 3), high: expect.closeTo(5.838, 3) });
    expect(only?.moves).toEqual([
      { caseId: 's2', first: 3, second: 6, labelScore: 3 },
      { caseId: 's0', first: 2, second: 1, labelScore: 1 },
    ]);
    expect(only?.flips).toEqual([]);
  });
});
