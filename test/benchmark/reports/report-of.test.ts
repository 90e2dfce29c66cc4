import { describe, expect, test } from 'vitest';
import { Report } from '../../../src/benchmark/reports/report.ts';
import { reportOf, tabulate } from '../../../src/benchmark/reports/report-of.ts';
import type { Configuration } from '../../../src/core/run.ts';
import type { Trial } from '../../../src/core/trial.ts';
import { fail, mute, pass } from '../../support/builders.ts';
import { aConfiguration, aManifest, aTrial, aVerdict } from '../../support/run-builders.ts';

async function* each(trials: readonly Trial[]): AsyncGenerator<Trial> {
  yield* trials;
}

const configuration = (id: string, parts: Partial<Configuration> = {}) => aConfiguration({ id, ...parts });

interface Told {
  key: string;
  configuration?: string;
  label: Trial['label'];
  parts?: Partial<Trial>;
}

const trial = ({ key, configuration: id = 'io rules t0 #1', label, parts = {} }: Told): Trial => ({
  ...aTrial(key, aVerdict(pass)),
  configuration: id,
  caseId: `c${key.split('-')[1]}`,
  label,
  ...parts,
});

const right = { decision: 'pass' } as const;
const late = { decision: 'fail', errorType: 'time' } as const;
const dear = { decision: 'fail', errorType: 'cost' } as const;

async function reportFor(
  trials: readonly Trial[],
  configurations = [configuration('io rules t0 #1')],
  cases = 6,
) {
  const manifest = aManifest({
    configurations,
    dataset: { source: 'x', cases, labeled: cases, hash: 'h' },
  });
  return Report.parse(reportOf(manifest, await tabulate(manifest, each(trials))));
}

describe('a report', () => {
  const undecided: Partial<Trial> = { decision: 'undecided' };
  const unscored: Partial<Trial> = {
    decision: 'undecided',
    judgements: aTrial('0-0', aVerdict(mute)).judgements,
  };
  const trials = [
    trial({ key: '0-0', label: right }),
    trial({ key: '0-1', label: right, parts: { decision: 'fail' } }),
    trial({ key: '0-2', label: late }),
    trial({ key: '0-3', label: late, parts: { decision: 'fail' } }),
    trial({ key: '0-4', label: dear, parts: undecided }),
    trial({ key: '0-5', label: right, parts: unscored }),
  ];

  test('counts what was decided, and beside it what was not and how it would enter', async () => {
    const { setups, trials: count, planned } = await reportFor(trials);
    expect({ count, planned }).toEqual({ count: 6, planned: 6 });
    const [setup] = setups;
    expect(setup?.effectiveness).toMatchObject({
      n: 6,
      cases: 6,
      undecided: 1,
      unscored: 1,
      coverage: { value: 4 / 6 },
      counts: { tp: 1, fn: 1, fp: 1, tn: 1 },
      // 2 × 1 / (2 × 1 + 1 + 1)
      f1: { measure: { value: 0.5, n: 4 } },
      accuracy: { measure: { value: 0.5 } },
      // The undecided error case becomes a false positive, the unscored correct one a false negative: 2 / (2 + 2 + 2).
      strict: { f1: { value: 1 / 3, n: 6 }, accuracy: { value: 2 / 6 } },
    });
  });

  test('parts accuracy by kind of error, correct cases first', async () => {
    const { setups } = await reportFor(trials);
    expect(
      setups[0]?.categories.map(({ category, accuracy: { measure }, undecided: none, unscored: mutes }) => [
        category,
        measure.defined ? measure.value : measure.why,
        none,
        mutes,
      ]),
    ).toEqual([
      ['no error', 0.5, 0, 1],
      ['cost', 'no case was decided', 1, 0],
      ['time', 0.5, 0, 0],
    ]);
  });

  test('lists what came out otherwise than the label, in the order of the cases', async () => {
    const { mistakes } = await reportFor([...trials].reverse());
    expect(mistakes.counts).toEqual({ 'io rules t0': 4 });
    expect(
      mistakes.shown.map(({ caseId, truth, outcome, errorType }) => [caseId, truth, outcome, errorType]),
    ).toEqual([
      ['c1', 'pass', 'fail', null],
      ['c2', 'fail', 'pass', 'time'],
      ['c4', 'fail', 'undecided', 'cost'],
      ['c5', 'pass', 'unscored', null],
    ]);
  });

  test('leaves trials without a label out of scores but not out of costs', async () => {
    const { setups } = await reportFor([...trials.slice(0, 5), trial({ key: '0-5', label: null })]);
    expect(setups[0]).toMatchObject({ trials: 6, unlabeled: 1, effectiveness: { n: 5 } });
    expect(setups[0]?.efficiency.costUsd.mean.n).toBe(6);
  });

  test('does not count answers from the cache as quick or cheap', async () => {
    const cached = { cached: 1, latencyMs: 0, usage: { ...aVerdict().usage, costUsd: 0 } };
    const { setups } = await reportFor([
      trial({ key: '0-0', label: right, parts: { latencyMs: 100 } }),
      trial({ key: '0-1', label: right, parts: { latencyMs: 300 } }),
      trial({ key: '0-2', label: right, parts: cached }),
    ]);
    expect(setups[0]?.efficiency).toMatchObject({
      fromCache: 1,
      latencyMs: { missing: 1, median: { value: 200, n: 2 } },
      costUsd: { missing: 1, mean: { value: 0.001 } },
      tokens: { median: { value: 110, n: 3 } },
      totalCostUsd: 0.002,
    });
  });

  test('says that a cost is not known rather than nothing', async () => {
    const { setups, pareto } = await reportFor([
      trial({ key: '0-0', label: right, parts: { usage: { ...aVerdict().usage, costUsd: null } } }),
    ]);
    expect(setups[0]?.efficiency).toMatchObject({
      totalCostUsd: null,
      costUsd: { missing: 1, mean: { defined: false } },
    });
    expect(pareto.all.incomparable).toEqual(['io rules t0']);
    expect(pareto.latency.front).toEqual(['io rules t0']);
  });

  test('takes the confidence of the verdict, or of the only judge, for calibration', async () => {
    const sure = { decision: 'pass', confidence: 0.8 } as const;
    const { setups } = await reportFor([
      { ...trial({ key: '0-0', label: right }), judgements: aTrial('0-0', aVerdict(sure)).judgements },
      trial({ key: '0-1', label: late, parts: { confidence: 0.6 } }),
      trial({ key: '0-2', label: right }),
    ]);
    // One right at 0.8, one wrong at 0.6: Brier (0.04 + 0.36) / 2, ECE (0.2 + 0.6) / 2.
    expect(setups[0]?.calibration?.missing).toBe(1);
    expect(setups[0]?.calibration?.brier).toMatchObject({ n: 2, value: expect.closeTo(0.2, 12) });
    expect(setups[0]?.calibration?.ece).toMatchObject({ value: expect.closeTo(0.4, 12) });
  });

  test('puts repeats of one configuration together and tells how often they flip', async () => {
    const twice = [configuration('io rules t0 #1'), configuration('io rules t0 #2', { repeat: 2 })];
    const second = { configuration: 'io rules t0 #2' };
    const { setups, planned } = await reportFor(
      [
        trial({ key: '0-0', label: right }),
        trial({ key: '1-0', label: right, ...second }),
        trial({ key: '0-1', label: right }),
        trial({ key: '1-1', label: right, ...second, parts: { decision: 'fail' } }),
      ],
      twice,
      2,
    );
    expect(planned).toBe(4);
    expect(setups.map(({ id, repeats, trials: count }) => [id, repeats, count])).toEqual([
      ['io rules t0', 2, 4],
    ]);
    expect(setups[0]).toMatchObject({
      effectiveness: { n: 4, cases: 2 },
      flips: { anyFlip: { value: 0.5, n: 2 }, pairwise: { value: 0.5 } },
    });
  });

  test('takes scores that differ over repeats for flips', async () => {
    const twice = [configuration('io rules t0 #1'), configuration('io rules t0 #2', { repeat: 2 })];
    const scored = (key: string, id: string, score: number) =>
      trial({ key, configuration: id, label: null, parts: { decision: 'scored', score } });
    const { setups } = await reportFor(
      [
        scored('0-0', 'io rules t0 #1', 3),
        scored('1-0', 'io rules t0 #2', 4),
        scored('0-1', 'io rules t0 #1', 2),
        scored('1-1', 'io rules t0 #2', 2),
      ],
      twice,
      2,
    );
    expect(setups[0]?.flips).toMatchObject({ anyFlip: { value: 0.5, n: 2 } });
  });

  test('counts agreement with labels and within panels by the first round', async () => {
    const said = (answer: typeof pass, round: number) =>
      aTrial('0-0', aVerdict(answer)).judgements.map((one) => ({ ...one, round }));
    const judgements = [said(pass, 0), said(fail, 0), said(pass, 1), said(pass, 1)].flat();
    const { setups } = await reportFor([trial({ key: '0-0', label: right, parts: { judgements } })]);
    // One pass and one fail: observed 1, expected 2·1·1/(2·1): alpha 0.
    expect(setups[0]?.agreement.judges?.measure).toEqual({ defined: true, n: 1, value: 0 });
  });

  test('finds who is beaten by nobody in F1, cost and time', async () => {
    const ids = ['a x t0 #1', 'b x t0 #1', 'c x t0 #1'];
    const made = ids.flatMap((id, place) =>
      [0, 1, 2, 3].map((index) =>
        trial({
          key: `${place}-${index}`,
          configuration: id,
          label: right,
          parts: {
            // a: 4 of 4 right and dear; b: 2 of 4 and cheap; c: 2 of 4 and dear.
            decision: place === 0 || index < 2 ? 'pass' : 'fail',
            usage: { ...aVerdict().usage, costUsd: place === 1 ? 0.001 : 0.01 },
            latencyMs: 100,
          },
        }),
      ),
    );
    const { pareto } = await reportFor(
      made,
      ids.map((id) => configuration(id)),
      4,
    );
    expect(pareto.all).toEqual({ front: ['a x t0', 'b x t0'], dominated: ['c x t0'], incomparable: [] });
    expect(pareto.latency.front).toEqual(['a x t0']);
  });

  test('sets a vote of equal calls beside its debate', async () => {
    const debate = configuration('mad m t0 #1', { method: 'mad' });
    const vote = configuration('mad m t0 #1 vote', { method: 'mad', equalCallsOf: 'mad m t0 #1' });
    const made = Array.from({ length: 10 }, (_, index) => [
      trial({
        key: `0-${index}`,
        configuration: debate.id,
        label: right,
        parts: { decision: index < 9 ? 'pass' : 'fail' },
      }),
      trial({
        key: `1-${index}`,
        configuration: vote.id,
        label: right,
        parts: { decision: index < 6 ? 'pass' : 'fail', calls: 3 },
      }),
    ]).flat();
    const { equalCalls } = await reportFor(made, [debate, vote], 10);
    // Accuracy 0.9 and 0.6; three cases that only the debate got right: McNemar exactly 2 × (1/2)³.
    expect(equalCalls).toMatchObject([
      {
        first: 'mad m t0',
        second: 'mad m t0 vote',
        cases: 10,
        onlyFirst: 3,
        onlySecond: 0,
        pValue: { value: expect.closeTo(0.25, 12), n: 3 },
        scores: { accuracy: { difference: { value: expect.closeTo(-0.3, 12) } } },
        calls: { first: { value: 1 }, second: { value: 3 } },
      },
    ]);
    const { interval } = equalCalls[0]?.scores.accuracy ?? {};
    expect(interval?.defined && interval.low >= -0.7 && interval.low <= -0.5 && interval.high <= 0).toBe(
      true,
    );
  });

  test('keeps only so many mistakes, those of the first cases, and counts the others', async () => {
    const many = Array.from({ length: 500 }, (_, index) => trial({ key: `0-${499 - index}`, label: late }));
    const { mistakes } = await reportFor(many, undefined, 500);
    expect(mistakes.counts).toEqual({ 'io rules t0': 500 });
    expect(mistakes.shown.map(({ caseId }) => caseId)).toEqual(
      Array.from({ length: 50 }, (_, index) => `c${index}`),
    );
  });

  test('of a run without a trial says what is not defined', async () => {
    const { setups, trials: count } = await reportFor([]);
    expect(count).toBe(0);
    expect(setups[0]?.effectiveness.f1.measure).toMatchObject({ defined: false });
    expect(setups[0]?.effectiveness.coverage).toEqual({ defined: false, n: 0, why: 'there is no case' });
  });

  test('correlates scores with labels where the rubric gives scores', async () => {
    const scored = [1, 2, 3].map((score, index) =>
      trial({ key: `0-${index}`, label: { score: score * 2 }, parts: { decision: 'scored', score } }),
    );
    const { setups } = await reportFor(scored);
    // Labels are twice the scores: perfectly correlated, off by 1, 2 and 3.
    expect(setups[0]?.scores).toMatchObject({
      pearson: { value: expect.closeTo(1, 12), n: 3 },
      spearman: { value: expect.closeTo(1, 12) },
      meanAbsoluteError: { value: 2 },
    });
    expect(setups[0]?.effectiveness.n).toBe(0);
  });

  test('counts a failing verdict of a failing case as right', async () => {
    const { setups } = await reportFor([{ ...aTrial('0-0', aVerdict(fail)), label: late }]);
    expect(setups[0]?.effectiveness.counts).toEqual({ tp: 0, fp: 0, fn: 0, tn: 1 });
  });
});
