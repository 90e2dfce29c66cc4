import { describe, expect, test } from 'vitest';
import { altTest } from '../../src/statistics/raters/alt-test.ts';

const range = (n: number) => Array.from({ length: n }, (_, index) => index);
const classOf = (value: number, under: number) => (value % 10 < under ? 'fail' : 'pass');

/** Five people, each of whom annotated three of four items of 120. */
const people = range(5).map(
  (person) =>
    new Map(
      range(120)
        .filter((item) => (item + person) % 4 !== 0)
        .map((item) => [item, classOf(item * 7 + person * 11, 3)] as const),
    ),
);
const judgeOf = (said: (item: number) => string) => new Map(range(120).map((item) => [item, said(item)]));

/** Four people's scores of 60 items. */
const scorers = range(4).map(
  (person) => new Map(range(60).map((item) => [item, (item * 3 + person ** 2 * (item % 3)) % 5])),
);

describe('the alternative annotator test', () => {
  // ω and ρ from the definition, with SciPy's ttest_1samp.
  test.each([
    ['a judge of classes', judgeOf((item) => classOf(item * 7, 4)), 0.1, 0.2, 0.7733333333333333],
    ['a judge of classes', judgeOf((item) => classOf(item * 7, 4)), 0.2, 0.4, 0.7733333333333333],
    ['another judge', judgeOf((item) => classOf(item * 3, 5)), 0.1, 0.4, 0.88],
    ['another judge', judgeOf((item) => classOf(item * 3, 5)), 0.15, 0.8, 0.88],
    ['another judge', judgeOf((item) => classOf(item * 3, 5)), 0.2, 1, 0.88],
  ])('of %s equals the reference (%#)', (_, judge, epsilon, winning, advantage) => {
    const { winningRate, advantage: rho } = altTest(judge, people, { epsilon });
    expect(winningRate).toEqual({ defined: true, n: 5, value: winning });
    expect(rho.defined && rho.value).toBeCloseTo(advantage, 12);
  });

  test.each([
    ['near', (item: number) => (item * 3 + (item % 3)) % 5, 0.1, 0.25, 0.8333333333333333],
    ['near', (item: number) => (item * 3 + (item % 3)) % 5, 0.2, 1, 0.8333333333333333],
    ['far', (item: number) => item % 5, 0.2, 0, 0.4666666666666667],
  ])('of scores that are %s equals the reference (%#)', (_, said, epsilon, winning, advantage) => {
    const judge = new Map(range(60).map((item) => [item, said(item)]));
    const { winningRate, advantage: rho } = altTest(judge, scorers, { epsilon });
    expect(winningRate).toMatchObject({ value: winning, n: 4 });
    expect(rho.defined && rho.value).toBeCloseTo(advantage, 12);
  });

  test('needs three people who share thirty items with others', () => {
    const judge = judgeOf((item) => classOf(item * 7, 3));
    expect(altTest(judge, people.slice(0, 2), { epsilon: 0.1 }).winningRate).toMatchObject({
      defined: false,
      n: 2,
      why: 'fewer than 3 people share 30 cases or more with others',
    });
    const few = people.map((own) => new Map([...own].slice(0, 20)));
    expect(altTest(judge, few, { epsilon: 0.1 }).winningRate).toMatchObject({ defined: false, n: 0 });
  });
});
