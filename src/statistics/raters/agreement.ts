import { groupedBy } from '../../common/index.ts';
import {
  type Bin,
  indexOfCategories,
  itemsIn,
  type Measure,
  measured,
  mergedBins,
  ranks,
  ratio,
  singly,
  sum,
  unmeasured,
} from '../index.ts';
import type { Outcome } from './classification.ts';

/** Number of ratings that an item got per category, such as 3 agree, 1 disagree. Missing ratings, such as unsure, are not counted. */
export type Tally = readonly number[];

/**
 * Number of items per distinct tally. Sufficient for agreement statistics, whose cost then does not depend on the number of items: a million
 * votes take as long as a hundred.
 */
export type TallyHistogram = readonly Bin<Tally>[];

/**
 * Counts the tallies of items.
 *
 * @param units the ratings of each item in any order; `null` if missing
 * @param categories all possible ratings, in order if they are ordinal
 */
export function tallyHistogram<C extends string | number>(
  units: Iterable<readonly (C | null)[]>,
  categories: readonly C[],
): TallyHistogram {
  const position = indexOfCategories(categories);
  const tallies = Array.from(units, (ratings): Tally => {
    const tally = categories.map(() => 0);
    for (const rating of ratings)
      if (rating !== null) tally[position(rating)] = (tally[position(rating)] ?? 0) + 1;
    return tally;
  });
  return mergedBins(singly(tallies), (tally) => tally.join());
}

export const ratingsIn = (tally: Tally): number => tally.reduce((total, count) => total + count, 0);

/** The bins of items with at least two ratings. */
export const pairable = (histogram: TallyHistogram): TallyHistogram =>
  histogram.filter(({ value, items }) => items > 0 && ratingsIn(value) >= 2);

/** Counts of items by the first rater's category (row) and the second's (column). */
export type Contingency = readonly (readonly number[])[];

/** Two ratings of an item; `null` if one is missing. */
export type RatedPair<C> = readonly [C | null, C | null];

/**
 * Tabulates two raters' ratings. Items with a missing rating are left out.
 *
 * @param categories all possible ratings, in order if they are ordinal
 */
export const contingencyOf = <C extends string | number>(
  pairs: Iterable<RatedPair<C>>,
  categories: readonly C[],
): Contingency => contingencyOfBins(singly(pairs), categories);

/** {@link contingencyOf} for binned pairs. */
export function contingencyOfBins<C extends string | number>(
  bins: Iterable<Bin<RatedPair<C>>>,
  categories: readonly C[],
): Contingency {
  const position = indexOfCategories(categories);
  const counts = categories.map(() => categories.map(() => 0));
  for (const { value, items } of bins) {
    const [first, second] = value;
    if (first === null || second === null) continue;
    const row = counts[position(first)];
    const column = position(second);
    if (row !== undefined) row[column] = (row[column] ?? 0) + items;
  }
  return counts;
}

/** Weight of a disagreement: always 1, the distance between the categories' positions, or its square. */
export type KappaWeights = 'none' | 'linear' | 'quadratic';

const weigh = {
  none: (d: number) => (d === 0 ? 0 : 1),
  linear: (d: number) => d,
  quadratic: (d: number) => d * d,
};

/**
 * Cohen's kappa: agreement of two raters beyond the chance agreement of their marginals. 1 is full agreement, 0 is chance. Cohen,
 * Educational and Psychological Measurement 20, 1960; weighted: Psychological Bulletin 70, 1968. Misleading if one category is rare:
 * see Gwet's AC1.
 */
export function cohenKappa(counts: Contingency, weights: KappaWeights = 'none'): Measure {
  const rows = counts.map((row) => sum(row));
  const columns = counts.map((_, column) => sum(counts.map((row) => row[column] ?? 0)));
  const n = sum(rows);
  if (n === 0) return unmeasured('no item was rated by both', 0);
  const weight = weigh[weights];
  const observed = sum(counts.flatMap((row, i) => row.map((count, j) => weight(Math.abs(i - j)) * count)));
  const expected = sum(
    rows.flatMap((row, i) => columns.map((column, j) => (weight(Math.abs(i - j)) * row * column) / n)),
  );
  if (expected === 0) return unmeasured('both raters gave every item the same rating', n);
  return measured(1 - observed / expected, n);
}

/** Share of items that two raters rated the same. Friedl et al., Rethinking In-Car Conversational System Assessment, 3.6. */
export function percentAgreement(counts: Contingency): Measure {
  const n = sum(counts.flat());
  const same = sum(counts.map((row, index) => row[index] ?? 0));
  return ratio(same, n, n, 'no item was rated by both');
}

/** Share of agreeing pairs among the ratings of one item, which must have at least two. */
function pairAgreement(tally: Tally): number {
  const ratings = ratingsIn(tally);
  return tally.reduce((same, count) => same + count * (count - 1), 0) / (ratings * (ratings - 1));
}

/**
 * Percent agreement of any number of raters: the share of agreeing pairs of ratings, averaged over items with at least two.
 * Fleiss, Psychological Bulletin 76, 1971, eq. 1 and 2; for two raters it is the plain share.
 */
export function pairwiseAgreement(histogram: TallyHistogram): Measure {
  const bins = pairable(histogram);
  const n = itemsIn(bins);
  return ratio(
    sum(bins.map(({ value, items }) => items * pairAgreement(value))),
    n,
    n,
    'no item has two ratings',
  );
}

/**
 * Fleiss' kappa: agreement beyond chance when every item has the same number of ratings, not necessarily by the same raters. Fleiss,
 * Psychological Bulletin 76, 1971. If the number of ratings varies, use Krippendorff's alpha.
 */
export function fleissKappa(histogram: TallyHistogram): Measure {
  const bins = histogram.filter(({ items }) => items > 0);
  const n = itemsIn(bins);
  if (new Set(bins.map(({ value }) => ratingsIn(value))).size > 1)
    return unmeasured("items have different numbers of ratings; Krippendorff's alpha takes those", n);
  const agreement = pairwiseAgreement(bins);
  if (!agreement.defined) return agreement;
  const ratings = sum(bins.map(({ value, items }) => items * ratingsIn(value)));
  const shares = (bins[0]?.value ?? []).map(
    (_, k) => sum(bins.map(({ value, items }) => items * (value[k] ?? 0))) / ratings,
  );
  const used = shares.filter((share) => share > 0);
  if (used.length < 2) return unmeasured('every rating is the same', n);
  const chance = sum(used.map((share) => share * share));
  return measured((agreement.value - chance) / (1 - chance), n);
}

/**
 * Gwet's AC1: agreement of two or more raters beyond chance, with a chance term that stays meaningful when one category is rare and kappa
 * falls to 0. Gwet, British Journal of Mathematical and Statistical Psychology 61, 2008. Missing ratings as in his Handbook of
 * Inter-Rater Reliability: all items count toward the prevalence of categories, those with two or more ratings toward the agreement.
 */
export function gwetAc1(histogram: TallyHistogram): Measure {
  const agreement = pairwiseAgreement(histogram);
  if (!agreement.defined) return agreement;
  const rated = histogram.filter(({ value, items }) => items > 0 && ratingsIn(value) > 0);
  const categories = rated[0]?.value.length ?? 0;
  if (categories < 2) return unmeasured('there is only one category', agreement.n);
  const items = itemsIn(rated);
  const commonness = Array.from(
    { length: categories },
    (_, k) => sum(rated.map((bin) => (bin.items * (bin.value[k] ?? 0)) / ratingsIn(bin.value))) / items,
  );
  const chance = sum(commonness.map((share) => share * (1 - share))) / (categories - 1);
  return measured((agreement.value - chance) / (1 - chance), agreement.n);
}

/** How often each answer was given. */
const tallyOf = (answers: readonly (Outcome | number)[]): number[] => {
  const given = answers.filter((answer) => answer !== 'no-quorum' && answer !== 'unanswered');
  return [...groupedBy(given, (answer) => answer).values()].map(({ length }) => length);
};

/**
 * Flip rate over repeats. `undecided` counts as an answer (pass, then undecided, is a flip); `no-quorum` and `unanswered` do not.
 * Different scores are different answers.
 * @param repeats for each case, the outcomes or scores of all repeats
 */
export function flipRate(repeats: readonly (readonly (Outcome | number)[])[]) {
  const tallies = repeats.map(tallyOf).filter((tally) => sum(tally) >= 2);
  const n = tallies.length;
  const none = 'no case was answered twice';
  const flipped = tallies.filter((tally) => tally.length > 1).length;
  return {
    /** Share of cases whose answers are not all the same. Increases with the number of repeats. */
    anyFlip: ratio(flipped, n, n, none),
    /** Share of pairs of answers to the same case that differ, averaged over cases. Does not depend on the number of repeats. */
    pairwise: ratio(sum(tallies.map((tally) => 1 - pairAgreement(tally))), n, n, none),
    /** Cases with fewer than two answers, which are otherwise ignored. */
    skipped: repeats.length - n,
  };
}

/**
 * Distance between two categories: nominal (same or different), ordinal (the number of ratings between them), or interval (the difference
 * of their numeric levels).
 */
export type Distance =
  | { scale: 'nominal' }
  | { scale: 'ordinal' }
  | { scale: 'interval'; levels: readonly number[] };

/** Squared distance between two categories. @param totals number of pairable ratings per category */
function distances(distance: Distance, totals: readonly number[]): (c: number, k: number) => number {
  switch (distance.scale) {
    case 'nominal':
      return (c, k) => (c === k ? 0 : 1);
    case 'interval':
      return (c, k) => ((distance.levels[c] ?? 0) - (distance.levels[k] ?? 0)) ** 2;
    case 'ordinal': {
      // Mid-ranks: their difference is the number of ratings between two categories, including half of each category's own.
      let below = 0;
      const middle = totals.map((total) => {
        below += total;
        return below - total / 2;
      });
      return (c, k) => ((middle[c] ?? 0) - (middle[k] ?? 0)) ** 2;
    }
  }
}

/**
 * Krippendorff's alpha: agreement of any number of raters, allowing missing ratings. 1 is full agreement, 0 is chance. Krippendorff,
 * Computing Krippendorff's Alpha-Reliability, 2011. `n` counts items with at least two ratings; others are ignored.
 */
export function krippendorffAlpha(histogram: TallyHistogram, distance: Distance): Measure {
  const bins = pairable(histogram);
  const n = itemsIn(bins);
  if (n === 0) return unmeasured('no item has two ratings', 0);
  const categories = bins[0]?.value.map((_, k) => k) ?? [];
  const totals = categories.map((k) => sum(bins.map(({ value, items }) => items * (value[k] ?? 0))));
  const ratings = sum(totals);
  const apart = distances(distance, totals);
  const expected = sum(
    categories.flatMap((c) => categories.map((k) => (totals[c] ?? 0) * (totals[k] ?? 0) * apart(c, k))),
  );
  if (expected === 0) return unmeasured('every rating is the same', n);
  const observed = sum(
    bins.map(({ value, items }) => {
      const used = categories.filter((k) => (value[k] ?? 0) > 0);
      const pairs = sum(
        used.flatMap((c) => used.map((k) => (value[c] ?? 0) * (value[k] ?? 0) * apart(c, k))),
      );
      return (items * pairs) / (ratingsIn(value) - 1);
    }),
  );
  return measured(1 - ((ratings - 1) * observed) / expected, n);
}

/** Sum of the squared differences of all ordered pairs of values. */
function spread(values: readonly number[]): number {
  const mean = sum(values) / values.length;
  return 2 * values.length * sum(values.map((value) => (value - mean) ** 2));
}

/**
 * Krippendorff's alpha for scores with any number of distinct values: {@link krippendorffAlpha} without a table of categories.
 * Interval: squared differences. Ordinal: squared differences of mid-ranks. Krippendorff, Computing Krippendorff's Alpha-Reliability,
 * 2011.
 * @param units the scores of each item; items with a single score are ignored
 */
export function scoreAlpha(units: readonly (readonly number[])[], scale: 'ordinal' | 'interval'): Measure {
  const compared = units.filter((unit) => unit.length >= 2);
  const n = compared.length;
  if (n === 0) return unmeasured('no item has two ratings', 0);
  const given = compared.flat();
  const values = scale === 'ordinal' ? ranks(given) : given;
  if (values.every((value) => value === values[0])) return unmeasured('every rating is the same', n);
  let from = 0;
  const within = compared.map(({ length }) => {
    from += length;
    return spread(values.slice(from - length, from)) / (length - 1);
  });
  return measured(1 - ((values.length - 1) * sum(within)) / spread(values), n);
}
