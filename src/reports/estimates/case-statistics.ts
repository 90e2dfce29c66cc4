import { groupedBy } from '../../common/index.ts';
import {
  type Bin,
  clusteredShareInterval,
  itemsIn,
  jackknifeEstimate,
  type Measure,
  measured,
  mergedBins,
  type Range,
  singly,
  swapTest,
  unmeasured,
} from '../../statistics/index.ts';
import {
  accuracy,
  type BinaryCounts,
  type Confusion,
  type Gap,
  type GapRule,
  gapNames,
  gapsIn,
  noConfusion,
  type Outcome,
} from '../../statistics/raters/index.ts';
import type { TrialFacts } from '../facts/index.ts';
import type { Difference, Estimate } from './measures.ts';

type Truth = 'pass' | 'fail';
type Row = Readonly<Record<Outcome, number>>;

const truths = ['pass', 'fail'] as const;
const outcomes = ['pass', 'fail', ...gapNames] as const;

/**
 * The outcomes of each case's trials by its place in the dataset; for cases that belong together, by their unit. Equal outcomes
 * share one object, since even a hundred thousand cases have few different ones.
 */
export type CaseCounts = ReadonlyMap<number, Confusion>;

const rowKey = (row: Row): string => outcomes.map((outcome) => row[outcome]).join(' ');

/** A key that is equal for equal tables. */
export const confusionKey = ({ pass, fail }: Confusion): string => `${rowKey(pass)} ${rowKey(fail)}`;

/** Counts trials one by one. */
function createCounts() {
  const cases = new Map<number, Confusion>();
  const none: Confusion = noConfusion();
  const tables = new Map([[confusionKey(none), none]]);
  const follow = new Map<Confusion, Map<string, Confusion>>();
  /** A copy of the table with one more trial. */
  function plusOne(table: Confusion, truth: Truth, outcome: Outcome): Confusion {
    const nexts = follow.get(table) ?? new Map<string, Confusion>();
    follow.set(table, nexts);
    const step = truth === 'pass' ? outcome : `fail ${outcome}`;
    const kept = nexts.get(step);
    if (kept !== undefined) return kept;
    const made = { ...table, [truth]: { ...table[truth], [outcome]: table[truth][outcome] + 1 } };
    const next = tables.get(confusionKey(made)) ?? made;
    tables.set(confusionKey(made), next);
    nexts.set(step, next);
    return next;
  }
  return {
    cases,
    add(place: number, truth: Truth, outcome: Outcome): void {
      cases.set(place, plusOne(cases.get(place) ?? none, truth, outcome));
    },
  };
}

/** Whether trials count by case, or by cases that belong together: these are the units of intervals. */
type By = 'place' | 'unit';

/** Counts the outcomes of labeled trials, or of findings on a criterion. */
export function countCases(
  facts: Iterable<Pick<TrialFacts, By | 'truth' | 'outcome'>>,
  by: By = 'unit',
): CaseCounts {
  const counts = createCounts();
  for (const { [by]: place, truth, outcome } of facts) if (truth !== null) counts.add(place, truth, outcome);
  return counts.cases;
}

/**
 * Counts the outcomes of all trials that give no score, as if every response were right: the accuracy of these counts is the share of
 * passes.
 */
export function countPasses(
  facts: readonly Pick<TrialFacts, By | 'score' | 'outcome'>[],
  by: By = 'unit',
): CaseCounts {
  const counts = createCounts();
  for (const { [by]: place, score, outcome } of facts) if (score === null) counts.add(place, 'pass', outcome);
  return counts.cases;
}

/** Number of distinct cases among trials. */
export const casesIn = (facts: readonly Pick<TrialFacts, 'place'>[]): number =>
  new Set(facts.map(({ place }) => place)).size;

/** The facts of each case, by its place. */
export const byCase = <Facts extends Pick<TrialFacts, 'place'>>(
  facts: readonly Facts[],
): Map<number, Facts[]> => groupedBy(facts, ({ place }) => place);

/** The most common outcome of some trials; undecided if two are equally common. */
export function commonest(counts: Readonly<Row>): Outcome {
  const most = Math.max(...outcomes.map((outcome) => counts[outcome]));
  const [first = 'unanswered', ...others] = outcomes.filter((outcome) => counts[outcome] === most);
  return others.length === 0 ? first : 'undecided';
}

export function countOutcomes(facts: readonly Pick<TrialFacts, 'outcome'>[]): Row {
  const counts = noConfusion().pass;
  for (const { outcome } of facts) counts[outcome] += 1;
  return counts;
}

/** How many trials have no decision, by what was missing. */
export function countGaps(facts: readonly Pick<TrialFacts, 'outcome'>[]): Record<Gap, number> {
  const { pass, fail, ...gaps } = countOutcomes(facts);
  return gaps;
}

/** Counts equal items. @param keyOf equal for equal items */
export const binsOf = <T>(items: Iterable<T>, keyOf: (item: T) => string): Bin<T>[] =>
  mergedBins(singly(items), keyOf);

/**
 * Cases, or units, binned by the outcomes of all their trials, because these are not independent of each other. A few bins represent
 * any number of cases.
 */
export function caseBins(cases: CaseCounts): Bin<Confusion>[] {
  const bins = new Map<Confusion, Bin<Confusion>>();
  for (const value of cases.values()) {
    const bin = bins.get(value);
    if (bin === undefined) bins.set(value, { value, items: 1 });
    else bin.items += 1;
  }
  return [...bins.values()];
}

/** Sums the tables of all cases. */
export function sumOfBins(bins: readonly Bin<Confusion>[]): Confusion {
  const sum = noConfusion();
  for (const { value, items } of bins)
    for (const truth of truths)
      for (const outcome of outcomes) sum[truth][outcome] += items * value[truth][outcome];
  return sum;
}

const isDecided = ({ pass, fail }: Confusion): boolean => pass.pass + pass.fail + fail.pass + fail.fail > 0;

/** Why there is no score if no case was decided; otherwise null. */
export function unlessDecided(bins: readonly Bin<Confusion>[]): (Measure & { defined: false }) | null {
  const whole = sumOfBins(bins);
  const n = gapsIn(whole.pass) + gapsIn(whole.fail);
  return n === 0 || isDecided(whole) ? null : unmeasured('no case was decided', n);
}

/** The cases that both sides decided in at least one trial. */
export const bothDecided = <T extends Record<'first' | 'second', Confusion>>(cases: readonly T[]): T[] =>
  cases.filter(({ first, second }) => isDecided(first) && isDecided(second));

/**
 * The decisions of all cases. Called for every case that an interval leaves out, hence a plain loop.
 * @param gaps how trials without a decision count
 */
export function countsIn(bins: readonly Bin<Confusion>[], gaps: GapRule): BinaryCounts {
  const counts = { tp: 0, fp: 0, fn: 0, tn: 0 };
  const wrong = gaps === 'wrong' ? 1 : 0;
  for (const { value, items } of bins) {
    const { pass, fail } = value;
    counts.tp += items * pass.pass;
    counts.fn += items * (pass.fail + wrong * gapsIn(pass));
    counts.fp += items * (fail.pass + wrong * gapsIn(fail));
    counts.tn += items * fail.fail;
  }
  return counts;
}

export type Statistic<T> = (bins: readonly Bin<T>[]) => Measure;

/** A score of decisions against labels. `pass` is the positive class: the response is right. */
export interface Score {
  of: (counts: BinaryCounts) => Measure;
  /** The share from which the score follows as a rising function (default: the share itself), for Wilson's interval. */
  share?: (counts: BinaryCounts) => { hits: number; of: number };
  ofShare?: (share: number) => number;
  /** Its possible values; default 0 to 1. */
  range?: Range;
}

/**
 * A score with its 95 % interval. A monotone function of a share has Wilson's interval, with an effective number of trials where a case
 * was judged several times or belongs to a group; other scores have the jackknife's.
 *
 * @param score how it follows from decisions and labels
 * @param bins outcomes of all trials of each group of cases, or of each case that is in none
 * @param gaps how trials without a decision count
 */
export function estimate(
  { of, share, ofShare = (value) => value, range = 'share' }: Score,
  bins: readonly Bin<Confusion>[],
  gaps: GapRule = 'wrong',
): Estimate {
  const none = unlessDecided(bins);
  if (none !== null) return { measure: none, interval: none };
  const statistic: Statistic<Confusion> = (some) => of(countsIn(some, gaps));
  if (share === undefined) return jackknifeEstimate(bins, statistic, range);
  const measure = statistic(bins);
  if (!measure.defined) return { measure, interval: measure };
  const interval = clusteredShareInterval(
    bins.map(({ value, items }) => {
      const counted = share(countsIn([{ value, items: 1 }], gaps));
      return { value: { successes: counted.hits, n: counted.of }, items };
    }),
  );
  if (!interval.defined) return { measure, interval };
  const [low, high] = [ofShare(interval.low), ofShare(interval.high)];
  return { measure, interval: { ...interval, low, high, by: 'wilson' } };
}

/** The values of two setups for one case, or for a group of related cases. */
export interface Both<T> {
  first: T;
  second: T;
}

/** The values of two setups for one case, with the unit that the case belongs to. */
export type BothOfCase<T> = Both<T> & { unit: number };

/** The cases that both have, by their places. @param facts of either, which say what cases belong to */
export function bothCases<T>(
  first: ReadonlyMap<number, T>,
  second: ReadonlyMap<number, T>,
  facts: readonly Pick<TrialFacts, 'place' | 'unit'>[],
): BothOfCase<T>[] {
  const units = new Map(facts.map(({ place, unit }) => [place, unit]));
  return [...first].flatMap(([place, one]): BothOfCase<T>[] => {
    const other = second.get(place);
    return other === undefined ? [] : [{ unit: units.get(place) ?? place, first: one, second: other }];
  });
}

/** Cases by their units, binned. @param join combines the cases of one unit @param keyOf equal for equal values */
export function unitBins<T>(
  cases: readonly BothOfCase<T>[],
  join: (own: readonly T[]) => T,
  keyOf: (own: T) => string,
): Bin<Both<T>>[] {
  const units = [...groupedBy(cases, ({ unit }) => unit).values()].map((cases): Both<T> => {
    const [only] = cases;
    if (only !== undefined && cases.length === 1) return { first: only.first, second: only.second };
    return { first: join(cases.map(({ first }) => first)), second: join(cases.map(({ second }) => second)) };
  });
  return binsOf(units, ({ first, second }) => `${keyOf(first)} | ${keyOf(second)}`);
}

export const sideOf = <T>(bins: readonly Bin<Both<T>>[], side: keyof Both<T>): Bin<T>[] =>
  bins.map(({ value, items }) => ({ value: value[side], items }));

/** A statistic of both sides and its difference, with the jackknife's interval by unit, so that easy and hard cases cancel out. */
export function differenceOf<T>(
  bins: readonly Bin<Both<T>>[],
  first: Statistic<T>,
  second: Statistic<T> = first,
  range: Range = 'any',
  level?: number,
): Difference {
  const difference: Statistic<Both<T>> = (drawn) => {
    const [one, other] = [first(sideOf(drawn, 'first')), second(sideOf(drawn, 'second'))];
    if (!one.defined) return one;
    return other.defined ? measured(other.value - one.value, Math.min(one.n, other.n)) : other;
  };
  const { measure, interval } = jackknifeEstimate(bins, difference, range, undefined, level);
  return {
    first: first(sideOf(bins, 'first')),
    second: second(sideOf(bins, 'second')),
    difference: measure,
    interval,
  };
}

/**
 * The p-value of the difference that {@link differenceOf} gives, of the statistic itself: see `swapTest`.
 * @param keyOf equal for equal values
 */
export function pairedTest<T>(
  bins: readonly Bin<Both<T>>[],
  statistic: Statistic<T>,
  keyOf: (value: T) => string,
): Measure {
  const [first, second] = [statistic(sideOf(bins, 'first')), statistic(sideOf(bins, 'second'))];
  if (!first.defined) return first;
  if (!second.defined) return second;
  const units = itemsIn(bins);
  return units < 2
    ? unmeasured('a test needs at least two independent cases', units)
    : swapTest(bins, statistic, keyOf);
}

/** Share of right decisions; of passes, where all are counted as if they were right (`countPasses`). */
export const ACCURACY = {
  of: accuracy,
  share: ({ tp, fp, fn, tn }) => ({ hits: tp + tn, of: tp + fp + fn + tn }),
} as const satisfies Score;
