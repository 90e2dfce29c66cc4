import { logFactorial } from './distributions.ts';
import { type Bin, type Measure, measured, mergedBins } from './measure.ts';
import { createRandom, type Random } from './random.ts';

/** A unit's values on both sides. */
interface Sides<T> {
  first: T;
  second: T;
}

/** Up to this many arrangements are all looked at; of more, some are drawn. */
const MAX_ARRANGEMENTS = 20_000;
/** Most arrangements that are drawn; fewer with very many kinds of units, but not fewer than these. */
const MAX_DRAWS = 9_999;
const MIN_DRAWS = 999;
const MAX_READ = 2_000_000;
/** No more are drawn once this many of them are as extreme as what was seen. */
const ENOUGH = 100;

/** Differences below this are floating-point error between equal values. */
const ROUNDING = 1e-9;

/** Units whose sides differ in the same way: each of them is equally likely to have them either way round. */
type Kind<T> = Sides<T> & { items: number };

function kindsOf<T>(bins: readonly Bin<Sides<T>>[], keyOf: (value: T) => string) {
  const turned = bins.map(({ value, items }) => {
    const [one, other] = [keyOf(value.first), keyOf(value.second)];
    const { first, second } = value;
    return one <= other
      ? { value: { first, second, key: `${one} | ${other}`, same: one === other }, items }
      : { value: { first: second, second: first, key: `${other} | ${one}`, same: false }, items };
  });
  const merged = mergedBins(turned, ({ key }) => key);
  return {
    same: merged.filter(({ value }) => value.same),
    // Sorted, so that the order of the cases changes nothing.
    differing: merged
      .filter(({ value }) => !value.same)
      .sort((a, b) => (a.value.key < b.value.key ? -1 : 1))
      .map(({ value: { first, second }, items }): Kind<T> => ({ first, second, items })),
  };
}

/** How likely k of n fair coins come up heads, for every k. */
const coinChances = (n: number): number[] =>
  Array.from({ length: n + 1 }, (_, k) =>
    Math.exp(logFactorial(n) - logFactorial(k) - logFactorial(n - k) - n * Math.LN2),
  );

/** The number of heads among n fair coins. */
function coins(n: number, random: Random): number {
  let heads = 0;
  for (let left = n; left > 0; left -= 32) {
    let word = left >= 32 ? random.uint32() : random.uint32() >>> (32 - left);
    for (; word !== 0; word = (word & (word - 1)) >>> 0) heads += 1;
  }
  return heads;
}

/** Every way to split the kinds, with its probability. */
function* arrangements(sizes: readonly number[]): Generator<{ kept: readonly number[]; chance: number }> {
  const [size, ...rest] = sizes;
  if (size === undefined) {
    yield { kept: [], chance: 1 };
    return;
  }
  const chances = coinChances(size);
  for (const { kept, chance } of arrangements(rest))
    for (const [k, own] of chances.entries()) yield { kept: [k, ...kept], chance: chance * own };
}

/**
 * Two-sided p-value of the difference of any statistic between two sides of the same units: how likely a difference at least this large is
 * if each unit's two values were equally likely to be either way round. Unlike McNemar's test it tests the statistic itself, such as F1.
 * Noreen, Computer-Intensive Methods for Testing Hypotheses, 1989; for F1 Yeh, COLING 2000. Exact over all arrangements where these are
 * few; otherwise from arrangements drawn by chance, always the same ones, which also is a valid p-value: Besag and Clifford, Biometrika
 * 78, 1991. `n` counts the units whose sides differ.
 *
 * @param bins units, binned
 * @param statistic of one side, defined for both
 * @param keyOf equal for equal values
 */
export function swapTest<T>(
  bins: readonly Bin<Sides<T>>[],
  statistic: (side: readonly Bin<T>[]) => Measure,
  keyOf: (value: T) => string,
): Measure {
  const { same, differing } = kindsOf(bins, keyOf);
  const n = differing.reduce((all, { items }) => all + items, 0);
  const common = same.map(({ value, items }): Bin<T> => ({ value: value.first, items }));
  const sideOf = (kept: readonly number[], isFirst: boolean): Bin<T>[] => [
    ...common,
    ...differing.flatMap(({ first, second, items }, at): Bin<T>[] => {
      const k = isFirst ? (kept[at] ?? 0) : items - (kept[at] ?? 0);
      return [
        { value: first, items: k },
        { value: second, items: items - k },
      ].filter((bin) => bin.items > 0);
    }),
  ];
  const differenceOf = (first: readonly Bin<T>[], second: readonly Bin<T>[]): number => {
    const [one, other] = [statistic(first), statistic(second)];
    // A difference that is not defined cannot be shown to be smaller.
    return one.defined && other.defined ? Math.abs(other.value - one.value) : Number.POSITIVE_INFINITY;
  };
  const seen = differenceOf(
    bins.map(({ value, items }) => ({ value: value.first, items })),
    bins.map(({ value, items }) => ({ value: value.second, items })),
  );
  const isExtreme = (kept: readonly number[]): boolean =>
    differenceOf(sideOf(kept, true), sideOf(kept, false)) >= seen - ROUNDING;
  const sizes = differing.map(({ items }) => items);
  if (sizes.reduce((ways, size) => ways * (size + 1), 1) <= MAX_ARRANGEMENTS) {
    let p = 0;
    for (const { kept, chance } of arrangements(sizes)) if (isExtreme(kept)) p += chance;
    return measured(Math.min(1, p), n);
  }
  const random = createRandom('swap-test', n, sizes.join());
  const most = Math.max(MIN_DRAWS, Math.min(MAX_DRAWS, Math.floor(MAX_READ / sizes.length)));
  let extreme = 0;
  for (let draws = 1; draws <= most; draws += 1) {
    if (isExtreme(sizes.map((size) => coins(size, random)))) extreme += 1;
    if (extreme === ENOUGH) return measured(extreme / draws, n);
  }
  return measured((extreme + 1) / (most + 1), n);
}
