import { describe, expect, test } from 'vitest';
import { type Bin, measured } from '../../src/statistics/measure.ts';
import { createRandom } from '../../src/statistics/random.ts';
import { swapTest } from '../../src/statistics/swap-test.ts';

type Bins<T> = Bin<{ first: T; second: T }>[];

const mean = (bins: readonly Bin<number>[]) => {
  const n = bins.reduce((all, { items }) => all + items, 0);
  return measured(bins.reduce((all, { value, items }) => all + value * items, 0) / n, n);
};

describe('a swap test', () => {
  test('of a share is McNemar’s exact test', () => {
    // 7 gained, 1 lost: 2 × (1 + 8) / 2⁸ = 18 / 256.
    const bins: Bins<number> = [
      { value: { first: 0, second: 1 }, items: 7 },
      { value: { first: 1, second: 0 }, items: 1 },
      { value: { first: 1, second: 1 }, items: 30 },
    ];
    expect(swapTest(bins, mean, String)).toEqual({
      defined: true,
      n: 8,
      value: expect.closeTo(18 / 256, 12),
    });
  });

  test('of a mean counts how large each difference is', () => {
    // Differences 3, 1, 1: of 8 arrangements of signs only 3+1+1 and its opposite reach 5: 2 / 8.
    const bins: Bins<number> = [
      { value: { first: 0, second: 3 }, items: 1 },
      { value: { first: 2, second: 3 }, items: 2 },
    ];
    expect(swapTest(bins, mean, String)).toMatchObject({ n: 3, value: expect.closeTo(0.25, 12) });
    // 3 − 1 − 1 = 1 is reached by all arrangements.
    const mixed: Bins<number> = [
      { value: { first: 0, second: 3 }, items: 1 },
      { value: { first: 3, second: 2 }, items: 2 },
    ];
    expect(swapTest(mixed, mean, String)).toMatchObject({ value: expect.closeTo(1, 12) });
  });

  test('finds nothing where nothing differs', () => {
    expect(swapTest([{ value: { first: 1, second: 1 }, items: 5 }], mean, String)).toEqual({
      defined: true,
      n: 0,
      value: 1,
    });
  });

  test('draws arrangements where there are too many, the same ones whatever the order', () => {
    const random = createRandom('swap-test.test');
    // Forty units, each of another kind; the second side is higher by 0 to 2, on average by 1.
    const bins: Bins<number> = Array.from({ length: 40 }, () => {
      const first = random.fraction();
      return { value: { first, second: first + 2 * random.fraction() }, items: 1 };
    });
    const p = swapTest(bins, mean, String);
    // None of 9,999 arrangements of forty signs, all of which would have to be alike, is as extreme.
    expect(p).toEqual({ defined: true, n: 40, value: 1 / 10_000 });
    expect(swapTest([...bins].reverse(), mean, String)).toEqual(p);
    const even: Bins<number> = bins.map(({ value: { first, second } }, at) => ({
      value: at % 2 === 0 ? { first, second } : { first: second, second: first },
      items: 1,
    }));
    const shared = swapTest(even, mean, String);
    expect(shared.defined && shared.value).toBeGreaterThan(0.05);
  });
});
