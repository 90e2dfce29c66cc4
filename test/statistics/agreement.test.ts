import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cohenKappa,
  contingencyOf,
  fleissKappa,
  flipRate,
  gwetAc1,
  krippendorffAlpha,
  pairwiseAgreement,
  percentAgreement,
  type TallyHistogram,
  tallyHistogram,
} from '../../src/statistics/raters/agreement.ts';
import { kendallTau, pearson, spearman } from '../../src/statistics/raters/correlation.ts';

const bins = (...entries: [tally: number[], items: number][]): TallyHistogram =>
  entries.map(([value, items]) => ({ value, items }));

const about = (value: number, digits = 9) => ({
  defined: true,
  value: expect.closeTo(value, digits),
});

describe("Krippendorff's own example: 4 coders, 12 units, 7 ratings missing", () => {
  // Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), example C. A row is a coder.
  const coders = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, null, null, null],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, null, 3],
    [null, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, null],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, null],
  ];
  const levels = [1, 2, 3, 4, 5];
  const units = Array.from({ length: 12 }, (_, unit) => coders.map((ratings) => ratings[unit] ?? null));
  const histogram = tallyHistogram(units, levels);

  test.each([
    [{ scale: 'nominal' } as const, 0.743],
    [{ scale: 'ordinal' } as const, 0.815],
    [{ scale: 'interval', levels } as const, 0.849],
  ])('alpha %o is %d', (distance, expected) => {
    expect(krippendorffAlpha(histogram, distance)).toMatchObject(about(expected, 3));
  });

  test('the unit that one coder alone rated does not enter', () => {
    expect(krippendorffAlpha(histogram, { scale: 'nominal' }).n).toBe(11);
  });
});

describe('chance-corrected agreement, by hand', () => {
  test("Cohen's kappa: 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no", () => {
    // Agreement 35/50 = 0.7; by chance 25/50·30/50 + 25/50·20/50 = 0.5; (0.7 − 0.5) / (1 − 0.5) = 0.4.
    const counts = [
      [20, 5],
      [10, 15],
    ];
    expect(percentAgreement(counts)).toMatchObject({ ...about(0.7), n: 50 });
    expect(cohenKappa(counts)).toMatchObject({ ...about(0.4), n: 50 });
  });

  test('weights of kappa forgive a neighbor more than a stranger', () => {
    // Three levels, 10 items: 8 equal, one off by 1, one off by 2. Margins: rows 4, 3, 3; columns 3, 4, 3.
    const counts = [
      [3, 1, 0],
      [0, 3, 0],
      [0, 0, 3],
    ];
    const far = [
      [3, 0, 1],
      [0, 3, 0],
      [0, 0, 3],
    ];
    // Linear, near: 1 observed; expected (4·4+4·3·2 + 3·3+3·3 + 3·3·2+3·4)/10 = 8.8; 1 − 1/8.8.
    expect(cohenKappa(counts, 'linear')).toMatchObject(about(1 - 1 / 8.8));
    // Linear, far: 2 observed; columns 3, 3, 4: (4·3+4·4·2 + 3·3+3·4 + 3·3·2+3·3)/10 = 9.2; 1 − 2/9.2.
    expect(cohenKappa(far, 'linear')).toMatchObject(about(1 - 2 / 9.2));
    // Quadratic, far: 4 observed; (4·3+4·4·4 + 3·3+3·4 + 3·3·4+3·3)/10 = 14.2; 1 − 4/14.2.
    expect(cohenKappa(far, 'quadratic')).toMatchObject(about(1 - 4 / 14.2));
  });

  test('AC1 holds where one category is rare and kappa falls to chance', () => {
    // 118 both yes, 5 and 2 split, 0 both no: agreement 118/125 = 0.944; yes is (123 + 120)/250 = 0.972 common;
    // chance 2·0.972·0.028 = 0.054432; (0.944 − 0.054432) / 0.945568.
    const agreement = bins([[2, 0], 118], [[1, 1], 7]);
    expect(gwetAc1(agreement)).toMatchObject({ ...about((0.944 - 0.054432) / 0.945568), n: 125 });
    // Chance for kappa: (123·120 + 2·5)/125² = 0.94528; (0.944 − 0.94528) / 0.05472.
    const counts = [
      [118, 5],
      [2, 0],
    ];
    expect(cohenKappa(counts)).toMatchObject(about((0.944 - 0.94528) / 0.05472));
  });

  test("Fleiss' kappa: two items of three ratings", () => {
    // Items 3:0 and 1:2. Agreement (1 + 1/3)/2 = 2/3; shares 4/6 and 2/6, chance 5/9; (2/3 − 5/9)/(4/9) = 0.25.
    expect(fleissKappa(bins([[3, 0], 1], [[1, 2], 1]))).toMatchObject({ ...about(0.25), n: 2 });
  });

  test('nominal alpha from a histogram of agree, disagree, unsure', () => {
    // Two units 2:0:0, one unit 1:1:0. Ratings 5 and 1 of 6. Observed 1·2/1 = 2 of distance; expected
    // 2·5·1 = 10 over 5; alpha = 1 − 5·2/10 = 0.
    expect(krippendorffAlpha(bins([[2, 0, 0], 2], [[1, 1, 0], 1]), { scale: 'nominal' })).toMatchObject({
      ...about(0),
      n: 3,
    });
  });
});

describe('without an answer', () => {
  test.each([
    [
      'kappa of raters who only ever say one thing',
      cohenKappa([
        [7, 0],
        [0, 0],
      ]),
      7,
      /gave every item the same rating/,
    ],
    [
      'kappa of nothing',
      cohenKappa([
        [0, 0],
        [0, 0],
      ]),
      0,
      /rated by both/,
    ],
    ['percent agreement of nothing', percentAgreement([[0]]), 0, /rated by both/],
    [
      'alpha where every rating is the same',
      krippendorffAlpha(bins([[3, 0], 4]), { scale: 'nominal' }),
      4,
      /every rating is the same/,
    ],
    [
      'alpha where no item was rated twice',
      krippendorffAlpha(bins([[1, 0], 9]), { scale: 'ordinal' }),
      0,
      /two ratings/,
    ],
    ['Fleiss with gaps', fleissKappa(bins([[3, 0], 1], [[1, 1], 1])), 2, /Krippendorff/],
    ['Fleiss where every rating is the same', fleissKappa(bins([[3, 0], 2])), 2, /every rating is the same/],
    ['AC1 of one category', gwetAc1(bins([[3], 2])), 2, /one category/],
    ['AC1 where no item was rated twice', gwetAc1(bins([[0, 1], 2])), 0, /two ratings/],
    ['a correlation of one item', pearson([1], [2]), 1, /at least two/],
    ['a rank correlation with a constant', spearman([1, 2, 3], [4, 4, 4]), 3, /same everywhere/],
    ['tau with a constant', kendallTau([5, 5], [1, 2]), 2, /same everywhere/],
    [
      'a constant that floating point cannot add up',
      pearson([0.1, 0.1, 0.1], [1, 2, 4]),
      3,
      /same everywhere/,
    ],
  ])('%s says why', (_name, found, n, why) => {
    expect(found).toEqual({ defined: false, n, why: expect.stringMatching(why) });
  });

  test('series of different lengths and categories that do not exist are defects, not results', () => {
    expect(() => pearson([1, 2], [1])).toThrow(/two series of the same length, not 2 and 1/);
    expect(() => contingencyOf([['maybe', 'yes']], ['yes', 'no'])).toThrow(/"maybe" is not one of .*yes, no/);
    expect(() => pearson([1, Number.NaN], [1, 2])).toThrow(/finite/);
  });
});

describe('a histogram of tallies', () => {
  const units = fc.array(
    fc.array(fc.option(fc.constantFrom('agree', 'disagree', 'unsure'), { nil: null }), { maxLength: 6 }),
    { maxLength: 30 },
  );
  const categories = ['agree', 'disagree', 'unsure'];

  test('does not depend on the order of items or raters', () => {
    fc.assert(
      fc.property(units, (items) => {
        const turned = items.map((ratings) => ratings.toReversed()).toReversed();
        for (const metric of [pairwiseAgreement, gwetAc1]) {
          const [one, other] = [items, turned].map((list) => metric(tallyHistogram(list, categories)));
          expect(one?.defined).toBe(other?.defined);
          if (one?.defined && other?.defined) expect(one.value).toBeCloseTo(other.value, 12);
        }
      }),
    );
  });

  test('counts a million items as it counts ten: agreement depends on shares alone', () => {
    const few = bins([[3, 0, 0], 5], [[2, 1, 0], 3], [[1, 1, 1], 2]);
    const many = few.map(({ value, items }) => ({ value, items: items * 100_000 }));
    expect(pairwiseAgreement(many)).toMatchObject({ n: 1_000_000 });
    // (5·1 + 3·1/3 + 2·0) / 10
    expect(pairwiseAgreement(many)).toMatchObject(about(0.6));
    expect(gwetAc1(few)).toMatchObject(about(numberOf(gwetAc1(many)), 12));
  });

  const numberOf = (measure: ReturnType<typeof gwetAc1>) => (measure.defined ? measure.value : Number.NaN);

  test('agreement never leaves its bounds', () => {
    fc.assert(
      fc.property(units, (items) => {
        const histogram = tallyHistogram(items, categories);
        const alpha = krippendorffAlpha(histogram, { scale: 'nominal' });
        if (alpha.defined) expect(alpha.value).toBeLessThanOrEqual(1 + 1e-12);
        const agreement = pairwiseAgreement(histogram);
        if (agreement.defined) {
          expect(agreement.value).toBeGreaterThanOrEqual(0);
          expect(agreement.value).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

describe('rank correlations', () => {
  const series = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 2, maxLength: 30 });

  test('do not change when one scale is stretched, and turn round when it is reversed', () => {
    fc.assert(
      fc.property(series, series, (first, second) => {
        const length = Math.min(first.length, second.length);
        const [xs, ys] = [first.slice(0, length), second.slice(0, length)];
        for (const metric of [spearman, kendallTau]) {
          const plain = metric(xs, ys);
          const stretched = metric(
            xs.map((x) => x ** 3 - 5),
            ys,
          );
          const reversed = metric(
            xs.map((x) => -x),
            ys,
          );
          expect(stretched.defined).toBe(plain.defined);
          if (!plain.defined || !stretched.defined || !reversed.defined) continue;
          expect(stretched.value).toBeCloseTo(plain.value, 12);
          expect(reversed.value).toBeCloseTo(-plain.value, 12);
        }
      }),
    );
  });
});

describe('the flip rate', () => {
  test('counts cases that ever changed, and pairs of answers that differ', () => {
    const found = flipRate([
      ['pass', 'pass', 'pass'],
      ['pass', 'pass', 'fail'], // 2 of 3 pairs differ
      ['pass', 'undecided'], // 1 of 1
      ['fail', 'unanswered', 'fail'], // unanswered is no answer
      ['pass', 'unanswered'], // one answer is left
    ]);
    expect(found.anyFlip).toMatchObject({ ...about(2 / 4), n: 4 });
    expect(found.pairwise).toMatchObject({ ...about((0 + 2 / 3 + 1 + 0) / 4), n: 4 });
    expect(found.skipped).toBe(1);
  });

  test('takes another score for another answer', () => {
    const found = flipRate([
      [3, 3, 4], // 2 of 3 pairs differ
      [2, 2],
      [1, 'unanswered'],
    ]);
    expect(found.anyFlip).toMatchObject({ ...about(1 / 2), n: 2 });
    expect(found.pairwise).toMatchObject(about(1 / 3));
  });

  test('of cases asked once is not defined', () => {
    expect(flipRate([['pass'], []]).anyFlip).toEqual({
      defined: false,
      n: 0,
      why: 'no case was answered twice',
    });
  });
});
