import { describe, expect, test } from 'vitest';
import type { Configuration } from '../../src/benchmark/run-manifest.ts';
import type { Trial } from '../../src/benchmark/trial.ts';
import { tabulate } from '../../src/reports/facts/trial-table.ts';
import { reportOf } from '../../src/reports/make-report.ts';
import { Report } from '../../src/reports/report.ts';
import { reportTables } from '../../src/reports/report-sections.ts';
import { fail, mute, pass } from '../support/builders.ts';
import { aConfiguration, aManifest, aTrial, aVerdict } from '../support/run-builders.ts';

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

const f1Of = (report: Report) =>
  reportTables(report, false)
    .find(({ title }) => title === 'Precision, recall and other scores')
    ?.rows.map(({ cells: [f1] }) => f1?.text);

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
  const unanswered: Partial<Trial> = {
    decision: 'undecided',
    judgements: aTrial('0-0', aVerdict(mute)).judgements,
  };
  const trials = [
    trial({ key: '0-0', label: right }),
    trial({ key: '0-1', label: right, parts: { decision: 'fail' } }),
    trial({ key: '0-2', label: late }),
    trial({ key: '0-3', label: late, parts: { decision: 'fail' } }),
    trial({ key: '0-4', label: dear, parts: undecided }),
    trial({ key: '0-5', label: right, parts: unanswered }),
  ];

  test('counts what was decided, and beside it what was not and how it would enter', async () => {
    const { setups, trials: count, planned } = await reportFor(trials);
    expect({ count, planned }).toEqual({ count: 6, planned: 6 });
    const [setup] = setups;
    expect(setup?.effectiveness).toMatchObject({
      n: 6,
      cases: 6,
      undecided: 1,
      unanswered: 1,
      coverage: { value: 4 / 6 },
      // The undecided error case is a false positive, the unanswered correct one a false negative: 2 / (2 + 2 + 2).
      counts: { tp: 1, fn: 2, fp: 2, tn: 1 },
      f1: { measure: { value: 1 / 3, n: 6 } },
      accuracy: { measure: { value: 2 / 6 } },
      decided: {
        counts: { tp: 1, fn: 1, fp: 1, tn: 1 },
        // 2 × 1 / (2 × 1 + 1 + 1)
        f1: { measure: { value: 0.5, n: 4 } },
        accuracy: { measure: { value: 0.5 } },
      },
    });
  });

  test('parts accuracy by kind of error, correct cases first', async () => {
    const { setups } = await reportFor(trials);
    expect(
      setups[0]?.categories.map(
        ({ category, accuracy, decided: { measure }, undecided: none, unanswered }) => [
          category,
          accuracy.measure,
          measure.defined ? measure.value : measure.why,
          none,
          unanswered,
        ],
      ),
    ).toEqual([
      ['no error', { defined: true, value: 1 / 3, n: 3 }, 0.5, 0, 1],
      ['cost', { defined: false, why: 'no case was decided', n: 1 }, 'no case was decided', 1, 0],
      ['time', { defined: true, value: 0.5, n: 2 }, 0.5, 0, 0],
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
      ['c5', 'pass', 'unanswered', null],
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
      tokens: { missing: 1, median: { value: 110, n: 2 } },
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

  test.each([
    // Of 40, a is right on 20 that c gets wrong; of 4, on two, which can be chance.
    [40, ['a x t0', 'b x t0'], ['c x t0'], ['a x t0']],
    [4, ['a x t0', 'b x t0', 'c x t0'], [], ['a x t0', 'b x t0', 'c x t0']],
  ])(
    'finds what is not beaten beyond chance in F1 at no more cost and time, of %i cases',
    async (n, front, dominated, quick) => {
      const ids = ['a x t0 #1', 'b x t0 #1', 'c x t0 #1'];
      const made = ids.flatMap((id, place) =>
        Array.from({ length: n }, (_, index) =>
          trial({
            key: `${place}-${index}`,
            configuration: id,
            label: right,
            parts: {
              // a: all right and dear; b: half of them and cheap; c: half of them and dear.
              decision: place === 0 || index < n / 2 ? 'pass' : 'fail',
              usage: { ...aVerdict().usage, costUsd: place === 1 ? 0.001 : 0.01 },
              latencyMs: 100,
            },
          }),
        ),
      );
      const { pareto } = await reportFor(
        made,
        ids.map((id) => configuration(id)),
        n,
      );
      expect(pareto.all).toEqual({ front, dominated, incomparable: [] });
      expect(pareto.latency.front).toEqual(quick);
    },
  );

  test('ranks none that decides nothing, and marks a single configuration neither way', async () => {
    const ids = ['mute x t0 #1', 'b x t0 #1'];
    const made = ids.map((id, place) =>
      trial({
        key: `${place}-0`,
        configuration: id,
        label: right,
        parts: {
          decision: place === 0 ? 'undecided' : 'pass',
          usage: { ...aVerdict().usage, costUsd: place === 0 ? 0.001 : 0.01 },
        },
      }),
    );
    const both = await reportFor(
      made,
      ids.map((id) => configuration(id)),
      1,
    );
    expect(both.pareto.all).toEqual({ front: ['b x t0'], dominated: [], incomparable: ['mute x t0'] });
    expect(f1Of(both)).toEqual(['–', '◆ 1.000']);
    expect(f1Of(await reportFor([trial({ key: '0-0', label: right })]))).toEqual(['1.000']);
  });

  test.each([
    ['a millisecond', 301, 300, 0, ['good x t0']],
    ['what the times of single trials leave open', 380, 300, 400, ['good x t0']],
    ['what they do not', 380, 300, 20, ['good x t0', 'quick x t0']],
    ['less than 5 %', 312, 300, 0, ['good x t0']],
    ['more than that', 320, 300, 0, ['good x t0', 'quick x t0']],
    ['less than can be noticed', 9, 1, 0, ['good x t0']],
  ])('is not turned by %s', async (_, good, quick, spread, front) => {
    const made = ['good', 'quick'].flatMap((name, place) =>
      Array.from({ length: 20 }, (_none, index) =>
        trial({
          key: `${place}-${index}`,
          configuration: `${name} x t0 #1`,
          label: right,
          parts: {
            decision: name === 'good' || index > 9 ? 'pass' : 'fail',
            latencyMs: (name === 'good' ? good : quick) + spread * (index / 19 - 0.5),
          },
        }),
      ),
    );
    const configurations = ['good', 'quick'].map((name) => configuration(`${name} x t0 #1`));
    expect((await reportFor(made, configurations, 20)).pareto.all.front).toEqual(front);
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
    // Differences of seven 0 and three −1: standard error √(0.21 / 9) = 0.1528, t(9) = 2.2622,
    // so tanh(atanh(−0.3) ± 0.3456 / 0.91).
    expect(interval).toMatchObject({
      low: expect.closeTo(-0.5975, 3),
      high: expect.closeTo(0.0701, 3),
      by: 'jackknife',
    });
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

  test('tells what scores come to and how near they come to labels', async () => {
    const scored = [1, 2, 3].map((score, index) =>
      trial({ key: `0-${index}`, label: { score: score * 2 }, parts: { decision: 'scored', score } }),
    );
    const unlabeled = trial({ key: '0-3', label: null, parts: { decision: 'scored', score: 4 } });
    const { setups } = await reportFor([...scored, unlabeled]);
    expect(setups[0]?.scores).toMatchObject({
      n: 4,
      cases: 4,
      mean: { measure: { value: 2.5, n: 4 }, interval: { defined: true, by: 'jackknife' } },
      against: {
        n: 3,
        // Labels are twice the scores: perfectly correlated, off by 1, 2 and 3.
        pearson: { value: expect.closeTo(1, 12), n: 3 },
        spearman: { measure: { value: expect.closeTo(1, 12) } },
        kendall: { value: expect.closeTo(1, 12) },
        meanAbsoluteError: { measure: { value: 2 } },
        alphaScale: 'ordinal',
        // Ratings 1, 2, 2, 3, 4, 6: middle places 0.5, 2, 2, 3.5, 4.5, 5.5, mean 3. Within items (1.5² + 2.5² + 2²) = 12.5;
        // about the mean 17 in all: 1 − 5·12.5 / (6·17).
        alpha: { measure: { value: expect.closeTo(1 - 62.5 / 102, 12), n: 3 } },
      },
    });
    expect(setups[0]?.effectiveness.n).toBe(0);
  });

  test('of scores has no pass rate, even where some trials have no score', async () => {
    const scored = trial({ key: '0-0', label: null, parts: { decision: 'scored', score: 4 } });
    const open = trial({ key: '0-1', label: null, parts: { decision: 'undecided' } });
    const titles = async (trials: Trial[]) =>
      reportTables(await reportFor(trials), false).map(({ title }) => title);
    expect(await titles([scored, open])).toContain('Scores');
    expect(await titles([scored, open])).not.toContain('Pass rate');
    // Where nothing is scored, that nothing is decided is said.
    expect(await titles([open])).toContain('Pass rate');
  });

  test('takes scores of many values for points of an interval scale', async () => {
    const scored = [12.5, 50, 80].map((score, index) =>
      trial({ key: `0-${index}`, label: { score: score + 5 }, parts: { decision: 'scored', score } }),
    );
    const { setups } = await reportFor(scored);
    expect(setups[0]?.scores?.against?.alphaScale).toBe('interval');
    // Ratings 12.5, 17.5, 50, 55, 80, 85 about their mean 50: 1406.25 + 1056.25 + 0 + 25 + 900 + 1225 = 4612.5; 3·25 within.
    const { alpha } = setups[0]?.scores?.against ?? {};
    expect(alpha?.measure).toMatchObject({ value: expect.closeTo(1 - (5 * 75) / (6 * 4612.5), 12) });
  });

  test('repeats of one case are drawn together, whatever they were given', async () => {
    const twice = [configuration('io rules t0 #1'), configuration('io rules t0 #2', { repeat: 2 })];
    const given = (key: string, score: number) =>
      trial({
        key,
        configuration: key.startsWith('0') ? 'io rules t0 #1' : 'io rules t0 #2',
        label: { score: 2 },
        parts: { decision: 'scored', score },
      });
    const { setups } = await reportFor(
      [given('0-0', 1), given('1-0', 3), given('0-1', 2), given('1-1', 2)],
      twice,
      2,
    );
    // Both cases have the mean 2, so leaving out either changes nothing.
    expect(setups[0]?.scores).toMatchObject({
      n: 4,
      cases: 2,
      mean: { measure: { value: 2 }, interval: { defined: false } },
      against: { meanAbsoluteError: { measure: { value: 0.5 } } },
    });
  });

  test('counts a failing verdict of a failing case as right', async () => {
    const { setups } = await reportFor([{ ...aTrial('0-0', aVerdict(fail)), label: late }]);
    expect(setups[0]?.effectiveness.counts).toEqual({ tp: 0, fp: 0, fn: 0, tn: 1 });
  });
});

describe('criteria', () => {
  type Decision = Trial['criteria'][number]['decision'];
  const found = (consistency: Decision, relevance: Decision): Partial<Trial> => ({
    decision: consistency === 'pass' && relevance === 'pass' ? 'pass' : 'fail',
    criteria: [
      { id: 'consistency', decision: consistency, score: null },
      { id: 'relevance', decision: relevance, score: null },
    ],
  });
  const both = { consistency: 'pass', relevance: 'fail' } as const;

  test('are judged against what the label says of each, or of the case as a whole', async () => {
    const { setups } = await reportFor([
      trial({ key: '0-0', label: { criteria: both }, parts: found('pass', 'pass') }),
      // Passing as a whole is passing in each.
      trial({ key: '0-1', label: right, parts: found('fail', 'pass') }),
      // What else may be wrong with it is not known.
      trial({
        key: '0-2',
        label: { decision: 'fail', errorType: 'relevance' },
        parts: found('pass', 'fail'),
      }),
      trial({ key: '0-3', label: { criteria: both }, parts: found('undecided', 'not-judged') }),
    ]);
    expect(setups[0]?.criteria).toMatchObject([
      {
        id: 'consistency',
        accuracy: { measure: { value: 1 / 3, n: 3 } },
        decided: { measure: { value: 1 / 2, n: 2 } },
        undecided: 1,
        scores: null,
      },
      { id: 'relevance', accuracy: { measure: { value: 2 / 3, n: 3 } }, undecided: 0 },
    ]);
  });

  test('one of them alone is what the label is about', async () => {
    const alone = (decision: Decision): Partial<Trial> => ({
      decision: decision === 'pass' ? 'pass' : 'fail',
      criteria: [{ id: 'consistency', decision, score: null }],
    });
    const { setups, pareto } = await reportFor([
      trial({ key: '0-0', label: { decision: 'fail' }, parts: alone('pass') }),
      trial({ key: '0-1', label: { decision: 'fail', errorType: 'hallucination' }, parts: alone('fail') }),
    ]);
    expect(setups[0]?.criteria).toMatchObject([{ accuracy: { measure: { value: 0.5, n: 2 } } }]);
    expect(pareto.criteria).toBeNull();
  });

  test('that are scored are compared with the scores of the label', async () => {
    const scored = [0, 1, 2].map((score, index) =>
      trial({
        key: `0-${index}`,
        label: { criteria: { tone: 4 - score } },
        parts: { decision: 'scored', score: 1, criteria: [{ id: 'tone', decision: 'scored', score }] },
      }),
    );
    const { setups } = await reportFor(scored);
    // Labels 4, 3, 2 fall as scores 0, 1, 2 rise, 4, 2 and 0 apart.
    expect(setups[0]?.criteria).toMatchObject([
      {
        id: 'tone',
        accuracy: null,
        scores: {
          mean: { measure: { value: 1 } },
          against: {
            spearman: { measure: { value: expect.closeTo(-1, 12) } },
            meanAbsoluteError: { measure: { value: 2 } },
          },
        },
      },
    ]);
  });

  test('with too few scores are not ranked by them', async () => {
    const scored = (share: number) =>
      Array.from({ length: 10 }, (_, index) => {
        const score = index < share ? index % 5 : null;
        const decision = score === null ? 'undecided' : 'scored';
        return trial({
          key: `0-${index}`,
          label: { criteria: { tone: index % 5, depth: index % 5 } },
          parts: {
            decision,
            score,
            criteria: ['tone', 'depth'].map((id) => ({ id, decision, score })),
          },
        });
      });
    const few = await reportFor(scored(8), undefined, 10);
    expect(few.setups[0]?.criteria[0]?.scores?.against).toMatchObject({
      n: 8,
      coverage: { value: 0.8, n: 10 },
      spearman: { measure: { value: expect.closeTo(1, 12) } },
    });
    expect(few.pareto.criteria).toMatchObject({ front: [], incomparable: ['io rules t0'] });
    expect((await reportFor(scored(9), undefined, 10)).pareto.criteria?.front).toEqual(['io rules t0']);
  });

  test('have a front of those that none beats in all of them, as table II of Giebisch et al. marks it', async () => {
    // Right answers of 200 on consistency and on relevance; the label says pass to both.
    const skills: [string, number, number][] = [
      ['a', 180, 100],
      ['b', 100, 180],
      ['c', 160, 100],
      ['d', 80, 80],
    ];
    const made = skills.flatMap(([name, consistent, relevant], place) =>
      Array.from({ length: 200 }, (_, index) =>
        trial({
          key: `${place}-${index}`,
          configuration: `${name} x t0 #1`,
          label: { criteria: { consistency: 'pass', relevance: 'pass' } },
          parts: found(index < consistent ? 'pass' : 'fail', index < relevant ? 'pass' : 'fail'),
        }),
      ),
    );
    const { pareto } = await reportFor(
      made,
      [...skills.map(([name]) => configuration(`${name} x t0 #1`)), configuration('e x t0 #1')],
      200,
    );
    expect(pareto.criteria).toEqual({
      criteria: ['consistency', 'relevance'],
      front: ['a x t0', 'b x t0'],
      dominated: ['c x t0', 'd x t0'],
      incomparable: ['e x t0'],
    });
  });
});
