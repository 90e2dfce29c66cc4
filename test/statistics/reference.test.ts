import { describe, expect, test } from 'vitest';
import { casesToShow, holm, signFlipTest, signTest } from '../../src/statistics/comparison.ts';
import { logFactorial, normalCdf, normalQuantile, tQuantile } from '../../src/statistics/distributions.ts';
import { jackknifeInterval } from '../../src/statistics/jackknife.ts';
import { distributionOf, type Measure, measured, mergedBins, singly } from '../../src/statistics/measure.ts';
import { clusteredShareInterval, wilsonInterval } from '../../src/statistics/proportions.ts';
import { createRandom } from '../../src/statistics/random.ts';
import {
  cohenKappa,
  contingencyOf,
  fleissKappa,
  gwetAc1,
  krippendorffAlpha,
  percentAgreement,
  tallyHistogram,
} from '../../src/statistics/raters/agreement.ts';
import {
  type Classification,
  calibrationOf,
  classify,
  confusionOf,
  type Judged,
} from '../../src/statistics/raters/classification.ts';
import { kendallTau, pearson, spearman } from '../../src/statistics/raters/correlation.ts';
import { dawidSkene } from '../../src/statistics/raters/dawid-skene.ts';
import { reference } from './reference.ts';

const numberOf = (measure: Measure): number | null => (measure.defined ? measure.value : null);

interface Compared {
  found: number | null;
  expected: number | null;
  from: unknown;
}

/** Those that differ by more than 1e-9, or are defined on one side only. */
const differing = (compared: readonly Compared[]): Compared[] =>
  compared.filter(
    ({ found, expected }) =>
      (found === null) !== (expected === null) || !(Math.abs((found ?? 0) - (expected ?? 0)) <= 1e-9),
  );

const allOf = (found: readonly (number | null)[], expected: readonly (number | null)[], from: unknown) => {
  expect(found.length).toBe(expected.length);
  return found.map((value, index) => ({ found: value, expected: expected[index] ?? null, from }));
};

const outcomes = { p: 'pass', f: 'fail', u: 'undecided', x: 'unanswered' } as const;
const outcomeOf = (letter: string) =>
  outcomes[letter === 'p' || letter === 'f' || letter === 'u' ? letter : 'x'];

const judgedOf = ({ t, s }: { t: string; s: string }): Judged[] =>
  [...s].map((said, index) => ({ truth: t[index] === 'p' ? 'pass' : 'fail', outcome: outcomeOf(said) }));

const metricsOf = (found: Classification) =>
  [found.precision, found.recall, found.f1, found.accuracy, found.balancedAccuracy, found.mcc].map(numberOf);

const digits = (text: string): (number | null)[] =>
  [...text].map((sign) => (sign === '.' ? null : Number(sign)));

const upTo = (k: number) => Array.from({ length: k }, (_, index) => index);

describe(`as ${Object.entries(reference.versions)
  .join(', ')
  .replaceAll(/,(?=\d)/g, ' ')} say, to 1e-9`, () => {
  test('classification metrics, with cases that got no decision', () => {
    const compared = reference.classification.flatMap((one) => {
      const confusion = confusionOf(judgedOf(one));
      return [
        ...allOf(metricsOf(classify(confusion)), one.exclude, one),
        ...allOf(metricsOf(classify(confusion, 'wrong')), one.wrong, one),
      ];
    });
    expect(compared.length).toBe(12_000);
    expect(differing(compared)).toEqual([]);
  });

  test("percent agreement and Cohen's kappa, with gaps", () => {
    const compared = reference.kappa.flatMap((one) => {
      const [a, b] = [digits(one.a), digits(one.b)];
      const counts = contingencyOf(
        a.map((value, index) => [value, b[index] ?? null] as const),
        upTo(one.k),
      );
      const found = [
        percentAgreement(counts),
        cohenKappa(counts),
        cohenKappa(counts, 'linear'),
        cohenKappa(counts, 'quadratic'),
      ];
      return allOf(found.map(numberOf), one.v, one);
    });
    expect(compared.length).toBe(4000);
    expect(differing(compared)).toEqual([]);
  });

  test('correlations, with ties and gaps', () => {
    const compared = reference.correlation.flatMap((one) =>
      allOf(
        [pearson, spearman, kendallTau].map((metric) => numberOf(metric(one.x, one.y))),
        one.v,
        one,
      ),
    );
    expect(compared.length).toBe(3000);
    expect(differing(compared)).toEqual([]);
  });

  test('mean and quantiles, with gaps', () => {
    const compared = reference.correlation.flatMap((one) => {
      const { mean, median, p95 } = distributionOf(one.x);
      return allOf([mean, median, p95].map(numberOf), one.q, one);
    });
    expect(differing(compared)).toEqual([]);
  });

  test("Fleiss' kappa, AC1 and Krippendorff's alpha, with gaps", () => {
    const { levels, cases } = reference.raters;
    const compared = cases.flatMap((one) => {
      const histogram = tallyHistogram(one.u.map(digits), upTo(one.k));
      const found = [
        gwetAc1(histogram),
        krippendorffAlpha(histogram, { scale: 'nominal' }),
        krippendorffAlpha(histogram, { scale: 'ordinal' }),
        krippendorffAlpha(histogram, { scale: 'interval', levels }),
        ...(one.complete ? [fleissKappa(histogram)] : []),
      ];
      return allOf(found.map(numberOf), [one.ac1, ...one.alpha, ...(one.complete ? [one.fleiss] : [])], one);
    });
    expect(compared.length).toBe(4250);
    expect(differing(compared)).toEqual([]);
  });

  test('Dawid-Skene after so many rounds', () => {
    const compared = reference.dawidSkene.flatMap((one) => {
      const classes = upTo(one.k).map(String);
      const found = dawidSkene(
        one.votes.map(([item, voter, label]) => ({ item: `${item}`, voter: `${voter}`, label: `${label}` })),
        classes,
        { iterations: one.rounds, tolerance: 0, smoothing: one.smoothing },
      );
      return [
        ...allOf(
          found.items.flatMap(({ posterior }) => posterior),
          one.posteriors.flat(),
          one,
        ),
        ...allOf(found.prevalence, one.prevalence, one),
        ...found.voters.map(({ voter, reliability }) => ({
          found: numberOf(reliability),
          expected: one.reliability[voter] ?? null,
          from: one,
        })),
      ];
    });
    expect(differing(compared)).toEqual([]);
  });

  test("Wilson's intervals", () => {
    const compared = reference.wilson.flatMap(([successes, n, level, low, high]) => {
      const found = wilsonInterval(successes, n, level);
      return allOf(found.defined ? [found.low, found.high] : [null, null], [low, high], [successes, n]);
    });
    expect(compared.length).toBe(400);
    expect(differing(compared)).toEqual([]);
  });

  test("McNemar's exact test", () => {
    const compared = reference.mcnemar.flatMap(([b, c, exact]) =>
      allOf([numberOf(signTest(b, c))], [exact], [b, c]),
    );
    expect(compared.length).toBe(200);
    expect(differing(compared)).toEqual([]);
  });

  test('Brier score and calibration error', () => {
    const compared = reference.calibration.flatMap((one) => {
      const items = one.c.map((confidence, index) => ({ confidence, correct: one.y[index] === 1 }));
      const { brier, ece } = calibrationOf(items, one.bins);
      return allOf([brier, ece].map(numberOf), [one.brier, one.ece], one);
    });
    expect(differing(compared)).toEqual([]);
  });

  test("quantiles of Student's t", () => {
    const compared = reference.students.flatMap(([p, freedom, x]) =>
      allOf([tQuantile(p, freedom) / Math.abs(x)], [Math.sign(x)], [p, freedom]),
    );
    expect(compared.length).toBe(120);
    expect(differing(compared)).toEqual([]);
  });

  test('intervals of shares in clusters', () => {
    const compared = reference.clusters.flatMap(({ clusters, low, high }) => {
      const bins = clusters.map(([successes, n]) => ({ value: { successes, n }, items: 1 }));
      const found = clusteredShareInterval(bins);
      return allOf(found.defined ? [found.low, found.high] : [null, null], [low, high], clusters);
    });
    expect(compared.length).toBe(400);
    expect(differing(compared)).toEqual([]);
  });

  test('intervals by leaving out one unit after another', () => {
    type Pair = readonly [number, number];
    const statistics: Record<'share' | 'correlation' | 'any', (pairs: readonly Pair[]) => Measure> = {
      share: (pairs) =>
        classify(
          confusionOf(
            pairs.map(([truth, said]) => ({
              truth: truth ? 'pass' : 'fail',
              outcome: said ? 'pass' : 'fail',
            })),
          ),
        ).f1,
      correlation: (pairs) =>
        spearman(
          pairs.map(([x]) => x),
          pairs.map(([, y]) => y),
        ),
      any: (pairs) =>
        measured(pairs.reduce((sum, [x, y]) => sum + Math.abs(x - y), 0) / pairs.length, pairs.length),
    };
    const compared = reference.jackknife.flatMap(({ kind, x, y, ends }) => {
      const pairs = mergedBins(singly(x.map((value, at): Pair => [value, y[at] ?? 0])));
      const items = (bins: typeof pairs) => bins.flatMap((bin) => Array<Pair>(bin.items).fill(bin.value));
      const found = jackknifeInterval(pairs, (bins) => statistics[kind](items([...bins])), kind);
      return allOf(found.defined ? [found.low, found.high] : [null, null], ends, { kind, x, y });
    });
    expect(compared.length).toBe(120);
    expect(differing(compared)).toEqual([]);
  });

  test('sums of clusters with every sign', () => {
    const compared = reference.signFlips.flatMap(([differences, p]) =>
      allOf([numberOf(signFlipTest(differences))], [p], differences),
    );
    expect(differing(compared)).toEqual([]);
  });

  test("Holm's adjustment", () => {
    const compared = reference.holm.flatMap(([given, adjusted]) =>
      allOf(holm(given.map((p) => measured(p, 1))).map(numberOf), adjusted, given),
    );
    expect(differing(compared)).toEqual([]);
  });

  test('the cases that McNemar’s exact test takes, to 5 %', () => {
    for (const [discordance, difference, cases] of reference.power) {
      const found = casesToShow({ discordance, difference, designEffect: 1, power: 0.8, alpha: 0.05 });
      expect(Math.abs(found / cases - 1)).toBeLessThan(0.05);
    }
  });

  test('the random stream, exactly', () => {
    for (const { seed, draws } of reference.random) {
      const random = createRandom(seed).fraction;
      expect(draws.map(() => random())).toEqual(draws);
    }
  });

  test('the normal distribution and factorials, relatively', () => {
    const relative = (found: number, expected: number) =>
      Math.abs(found - expected) / Math.abs(expected || 1);
    const { cdf, quantile, logFactorial: factorials } = reference.normal;
    expect(cdf.filter(([x, p]) => !(relative(normalCdf(x), p) < 1e-11))).toEqual([]);
    expect(quantile.filter(([p, x]) => !(Math.abs(normalQuantile(p) - x) < 1e-9))).toEqual([]);
    expect(factorials.filter(([n, log]) => !(relative(logFactorial(n), log) < 1e-13))).toEqual([]);
  });
});
