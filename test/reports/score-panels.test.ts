import { describe, expect, test } from 'vitest';
import { factsOf } from '../../src/reports/facts/trial-facts.ts';
import { votesWords } from '../../src/reports/panel-words.ts';
import { createScorePanels, type ScorePanelReport } from '../../src/reports/score-panels.ts';
import { sum } from '../../src/statistics/measure.ts';
import { createRandom } from '../../src/statistics/random.ts';
import { aConfiguration, aTrial } from '../support/run-builders.ts';

const models = ['m1', 'm2', 'm3'] as const;
const id = 'average m1+m2+m3 t0';
const configurations = [aConfiguration({ id: `${id} #1`, method: 'average', models: [...models] })];

interface Row {
  truth: number;
  said: readonly (number | null)[];
  unit?: number;
}

/** The report on a panel of models that scored these cases. */
function reportOn(rows: readonly Row[]): ScorePanelReport {
  const panels = createScorePanels({ configurations }, []);
  for (const [place, { truth, said, unit = place }] of rows.entries()) {
    const trial = aTrial(`0-${place}`);
    const [one] = trial.judgements;
    if (one === undefined) throw new Error('no judgement');
    trial.configuration = `${id} #1`;
    trial.label = { score: truth };
    trial.decision = 'scored';
    trial.judgements = said.map((score, at) => ({
      ...one,
      judge: { persona: null, model: models[at] ?? '', sample: 0 },
      decision: score === null ? 'unscored' : 'scored',
      score,
      reason: score === null ? 'refused' : null,
    }));
    panels.add(trial, id, factsOf(trial, 1, { unitOf: () => unit }));
  }
  const [report] = panels.result();
  if (report === undefined) throw new Error('no report');
  return report;
}

const numberIn = (measure: { defined: boolean; value?: number }): number => measure.value ?? Number.NaN;

describe('a panel that scores', () => {
  test('is as far off as worked out by hand, and so is each judge', () => {
    const report = reportOn([
      { truth: 2, said: [3, 2, 1] },
      { truth: 4, said: [4, 3, 4] },
      { truth: 0, said: [2, 1, 0] },
      { truth: 3, said: [4, 3, null] },
    ]);
    expect(report).toMatchObject({ id, cases: 3, leftOut: 1, byPeople: false });
    // Errors: m1 1, 0, 2; m2 0, −1, 1; m3 −1, 0, 0.
    expect(report.judges.map(({ off, bias }) => [numberIn(off.measure), numberIn(bias)])).toEqual([
      [1, 1],
      [2 / 3, 0],
      [1 / 3, -1 / 3],
    ]);
    // Means 2, 11/3, 1: off by 0, 1/3, 1.
    expect(numberIn(report.panel.off.measure)).toBeCloseTo(4 / 9, 12);
    // Without m1 the means are 1.5, 3.5, 0.5: each half a point further down.
    expect(numberIn(report.judges[0]?.without.moved ?? { defined: false })).toBeCloseTo(
      (0.5 + 1 / 6 + 0.5) / 3,
      12,
    );
    // m1 and m2: deviations 0, −1, 1 and 0, −1, 1. m1 and m3: 0, −1, 1 and −2/3, 1/3, 1/3.
    expect(report.shared.pairs.map(({ correlation }) => numberIn(correlation))).toEqual([
      expect.closeTo(1, 12),
      expect.closeTo(0, 12),
      expect.closeTo(0, 12),
    ]);
    expect(numberIn(report.shared.effectiveVotes.measure)).toBeCloseTo(3 / (1 + 2 / 3), 12);
  });

  test('ranks means that differ only by how they were rounded as equal', () => {
    // The first two have a mean of 0.2, which comes out as two numbers.
    const said = [
      [0.1, 0.2, 0.3],
      [0.2, 0.2, 0.2],
      [0.9, 0.9, 0.9],
    ];
    const [one = 0, other = 0] = said.map((scores) => sum(scores) / 3);
    expect(one).not.toBe(other);
    const report = reportOn(said.map((scores, at) => ({ truth: at, said: scores })));
    // Ranks 1.5, 1.5, 3 and 1, 2, 3: 1.5 ÷ √(1.5 · 2).
    expect(numberIn(report.panel.correlation)).toBeCloseTo(Math.sqrt(3) / 2, 12);
  });

  test.each([1.5, 2, 2.5])(
    'worth %f judges with independent errors is found so on 2,000 made cases',
    (planted) => {
      const correlation = (3 / planted - 1) / 2;
      const random = createRandom('planted scores', planted);
      const noise = () => random.fraction() + random.fraction() + random.fraction() - 1.5;
      const report = reportOn(
        Array.from({ length: 2000 }, () => {
          const truth = 50 * random.fraction();
          const common = noise();
          const said = models.map(
            () => truth + Math.sqrt(correlation) * common + Math.sqrt(1 - correlation) * noise(),
          );
          return { truth, said };
        }),
      );
      const { measure, interval } = report.shared.effectiveVotes;
      expect(Math.abs(numberIn(measure) - planted)).toBeLessThan(0.2);
      expect(interval.defined && interval.low < planted && planted < interval.high).toBe(true);
      // Means of errors that are not the same are closer than one judge.
      expect(report.best.interval).toMatchObject({ defined: true });
      expect(numberIn(report.best.difference)).toBeGreaterThan(0);
      expect(numberIn(report.best.pValue)).toBeLessThan(0.01);
    },
  );

  test('is not closer than a judge who is right, which is chosen without the cases that it is measured on', () => {
    const random = createRandom('one is right');
    const report = reportOn(
      Array.from({ length: 60 }, (_, at) => {
        const truth = at % 5;
        return { truth, said: [truth + random.fraction() / 10, truth + 2 * random.fraction(), truth + 1] };
      }),
    );
    expect(report.best.names).toEqual(['m1', 'm1']);
    expect(report.best.interval.defined && report.best.interval.high < 0).toBe(true);
  });

  test('says nothing of a best judge where all cases belong together', () => {
    const report = reportOn([
      { truth: 1, said: [1, 2, 3], unit: 0 },
      { truth: 2, said: [2, 2, 1], unit: 0 },
    ]);
    expect(report.best).toMatchObject({ names: [], difference: { defined: false } });
  });

  test('with eight cases does not claim that errors are apart', () => {
    const random = createRandom('eight cases');
    const report = reportOn(
      Array.from({ length: 8 }, (_, at) => ({ truth: at, said: models.map(() => at + random.fraction()) })),
    );
    const { interval } = report.shared.effectiveVotes;
    // The interval holds all three, and much less than that.
    expect(interval.defined && interval.low < 2 && interval.high > 3).toBe(true);
    expect(votesWords(report.shared, { k: 3, cases: 8, alike: 'They err alike' })).toEqual([
      expect.stringMatching(/^8 cases do not tell whether they err alike: three judges are worth \d\.\d /),
    ]);
  });

  test.each([
    ['all the same', [1, 0, 2, 0, 1, 0], 'much'],
    ['the same on a single case', [1, 0, 0, 0, 0, 0], 'unknown'],
  ])('whose errors are %s', (_, errors, inCommon) => {
    const report = reportOn(errors.map((error, at) => ({ truth: at, said: models.map(() => at + error) })));
    expect(report.shared).toMatchObject({ effectiveVotes: { measure: { value: 1 } }, inCommon });
  });
});
