import type { Outcome } from './classification.ts';
import { sum } from './descriptive.ts';
import { type Measure, measured, ratio, unmeasured } from './measure.ts';
import {
  type Bin,
  indexOfCategories,
  itemsIn,
  pairable,
  ratingsIn,
  singly,
  type Tally,
  type TallyHistogram,
} from './tallies.ts';

/** How often one rater gave the row's category and the other the column's. */
export type Contingency = readonly (readonly number[])[];

/** What two raters said of an item; `null` where one did not rate it. */
export type RatedPair<C> = readonly [C | null, C | null];

/**
 * Counts what two raters said of the same items. Items that one of them did not rate are left out.
 *
 * @param categories all that could be said, in their order where they have one
 */
export const contingencyOf = <C extends string | number>(
  pairs: Iterable<RatedPair<C>>,
  categories: readonly C[],
): Contingency => contingencyOfBins(singly(pairs), categories);

/** The same of items that were counted before: so many items with this pair. */
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

/** How much a disagreement weighs: all the same, by the distance of the categories' positions, or by its square. */
export type KappaWeights = 'none' | 'linear' | 'quadratic';

const weigh = {
  none: (d: number) => (d === 0 ? 0 : 1),
  linear: (d: number) => d,
  quadratic: (d: number) => d * d,
};

/**
 * Cohen's kappa: agreement of two raters beyond what their own habits would give by chance; 1 is full agreement, 0 is
 * chance. Cohen, Educational and Psychological Measurement 20, 1960; weighted: Psychological Bulletin 70, 1968.
 * Misleads where one category is rare: see Gwet's AC1.
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
  if (expected === 0) return unmeasured('both raters said the same one thing of every item', n);
  return measured(1 - observed / expected, n);
}

/** Share of items of which two raters said the same. Friedl et al., Rethinking In-Car Conversational System Assessment, 3.6. */
export function percentAgreement(counts: Contingency): Measure {
  const n = sum(counts.flat());
  const same = sum(counts.map((row, index) => row[index] ?? 0));
  return ratio(same, n, n, 'no item was rated by both');
}

/** Share of the pairs of ratings of one item that say the same; the item needs two ratings. */
function pairAgreement(tally: Tally): number {
  const ratings = ratingsIn(tally);
  return tally.reduce((same, count) => same + count * (count - 1), 0) / (ratings * (ratings - 1));
}

/**
 * The same for any number of raters: the share of agreeing pairs of ratings, averaged over the items with at least two.
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
 * Fleiss' kappa: agreement beyond chance of the same number of ratings for each item, not necessarily by the same
 * raters. Fleiss, Psychological Bulletin 76, 1971. Items rated by different numbers of raters: Krippendorff's alpha.
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
 * Gwet's AC1: agreement of two or more raters beyond chance, where chance is taken from how hard the categories are to
 * tell apart, so that it holds where one category is rare and kappa falls to 0. Gwet, British Journal of Mathematical
 * and Statistical Psychology 61, 2008; items with missing ratings as in his Handbook of Inter-Rater Reliability: items
 * with one rating tell how common a category is, those with two or more tell the agreement.
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

/** How often asking the same again gives another answer. */
export interface FlipRate {
  /** Share of cases whose answers are not all the same. Grows with the number of repeats. */
  anyFlip: Measure;
  /** Share of pairs of answers of one case that differ, averaged over cases. Does not depend on the number of repeats. */
  pairwise: Measure;
  /** Cases with fewer than two answers; they enter nothing else. */
  skipped: number;
}

/** How often each answer was given. */
function tallyOf(answers: readonly (Outcome | number)[]): number[] {
  const counts = new Map<Outcome | number, number>();
  for (const answer of answers) if (answer !== 'unscored') counts.set(answer, (counts.get(answer) ?? 0) + 1);
  return [...counts.values()];
}

/**
 * Flip rate over repeats. `undecided` is an answer of its own (pass and then undecided is a flip); `unscored` is none.
 * Where answers are scores, another score is another answer.
 *
 * @param repeats for each case the outcomes or scores of asking the same again
 */
export function flipRate(repeats: readonly (readonly (Outcome | number)[])[]): FlipRate {
  const tallies = repeats.map(tallyOf).filter((tally) => sum(tally) >= 2);
  const n = tallies.length;
  const none = 'no case was answered twice';
  const flipped = tallies.filter((tally) => tally.length > 1).length;
  return {
    anyFlip: ratio(flipped, n, n, none),
    pairwise: ratio(sum(tallies.map((tally) => 1 - pairAgreement(tally))), n, n, none),
    skipped: repeats.length - n,
  };
}
