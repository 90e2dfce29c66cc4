import { groupedBy } from '../../common/index.ts';
import {
  type Bin,
  type Contribution,
  clusterFactor,
  differenceInterval,
  effectiveItems,
  type Interval,
  jackknifeInterval,
  type Measure,
  measured,
  pairedDifferenceInterval,
  pairedScoreInterval,
  type Share,
  singly,
  sum,
  sumInterval,
  type Trend,
  trendOf,
  unmeasured,
  wilsonInterval,
} from '../../statistics/index.ts';
import type { ReportInterval } from './measures.ts';

/**
 * A change is steady if its interval rules out a larger one than this: 5 points of an assistant's answers, 10 points of decisions
 * by judges (decision 0017), of which fewer are labeled or voted on. The scale of a score is not known, so no change of it counts as small.
 */
export const STEADY = { answers: 0.05, judges: 0.1, score: 0 };

/** What changes: the share of an assistant's answers that pass, the share of decisions that are right, or a mean score. */
export type ChangeKind = keyof typeof STEADY;

/** Now minus before, from −1 to 1 for shares, with its 95 % interval. */
export interface Change<Limits extends Interval = Interval> {
  value: number;
  n: number;
  interval: Limits;
  /**
   * Limits for claims that it is no larger than something: at least as wide as the interval. The interval of a few cases without a change
   * is too narrow for that.
   */
  bounds: Interval;
  trend: Trend;
  /** What both would be with so many times as many requests that are as these. Absent: not known. */
  limitsAt?: (times: number) => ChangeLimits;
  /** The interval at another level, for several changes that are looked at together. Absent: not known. */
  intervalAt?: (level: number) => Interval;
}

/** The limits of a change, see {@link Change}. */
type ChangeLimits = Record<'interval' | 'bounds', Interval>;

/** A request that both runs have. */
interface PairedResult {
  /** Equal for requests that belong together, in both runs. */
  unit: number | string;
  /** By how much it is better now, and by how much worse: shares of its repeats, or points of a score. */
  gained: number;
  lost: number;
}

/** A request that only one run has. */
export interface SeparateResult {
  unit: number | string;
  /** Requests are compared with those of the same kind. */
  stratum: string;
  /** A share of its repeats, or a score. */
  value: number;
}

/** The results of two runs. */
interface TwoRuns {
  pairs: readonly PairedResult[];
  later: readonly SeparateResult[];
  earlier: readonly SeparateResult[];
}

/** What is compared with what, and how much each comparison weighs. */
interface Layout {
  pairWeight: number;
  /** By stratum; all of them and `pairWeight` make 1. */
  weights: ReadonlyMap<string, number>;
  means: Record<'later' | 'earlier', ReadonlyMap<string, number>>;
  counts: Record<'later' | 'earlier', ReadonlyMap<string, number>>;
}

const sides = ['later', 'earlier'] as const;

function totalsOf(results: readonly SeparateResult[]) {
  const [counts, totals] = [new Map<string, number>(), new Map<string, number>()];
  for (const { stratum, value } of results) {
    counts.set(stratum, (counts.get(stratum) ?? 0) + 1);
    totals.set(stratum, (totals.get(stratum) ?? 0) + value);
  }
  return {
    counts,
    means: new Map([...totals].map(([name, total]) => [name, total / (counts.get(name) ?? 1)])),
  };
}

/**
 * The weights of Mantel and Haenszel's difference, where each request that both runs have is a stratum of its own. If both runs have equally
 * many requests of one kind, the result is the difference of their means. Greenland and Robins, Biometrics 41, 1985. A stratum that only one
 * run has counts for nothing.
 */
function layoutOf(runs: TwoRuns): Layout {
  const { pairs } = runs;
  const [later, earlier] = [totalsOf(runs.later), totalsOf(runs.earlier)];
  const raw = new Map<string, number>();
  for (const [name, n] of later.counts) {
    const m = earlier.counts.get(name) ?? 0;
    if (m > 0) raw.set(name, (n * m) / (n + m));
  }
  const all = pairs.length / 2 + sum(raw.values());
  return {
    pairWeight: all === 0 ? 0 : pairs.length / 2 / all,
    weights: new Map([...raw].map(([name, weight]) => [name, weight / all])),
    means: { later: later.means, earlier: earlier.means },
    counts: { later: later.counts, earlier: earlier.counts },
  };
}

const driftOf = (pairs: readonly PairedResult[]): number =>
  pairs.length === 0 ? 0 : sum(pairs.map(({ gained, lost }) => gained - lost)) / pairs.length;

/** The weighted mean of one run over the strata; `share`: of the whole weight. */
function sideOf({ weights, means, counts }: Layout, side: 'later' | 'earlier') {
  const share = sum(weights.values());
  const value = sum([...weights].map(([name, weight]) => (weight / share) * (means[side].get(name) ?? 0)));
  // The number of equally weighted requests that would say as much: Kish, Survey Sampling, 1965, 11.7.
  const n =
    1 / sum([...weights].map(([name, weight]) => (weight / share) ** 2 / (counts[side].get(name) ?? 1)));
  return { share, value, n };
}

/** How much each request contributes to the change, and the number of requests that differ from most. */
function contributionsOf(runs: TwoRuns, layout: Layout) {
  const { pairWeight, weights, means, counts } = layout;
  const drift = driftOf(runs.pairs);
  const each = pairWeight / Math.max(1, runs.pairs.length);
  const items: Contribution[] = runs.pairs.map(({ unit, gained, lost }) => ({
    unit,
    side: 'both',
    weight: each,
    deviation: each * (gained - lost - drift),
  }));
  let events = sum(runs.pairs.map(({ gained, lost }) => gained + lost));
  if (weights.size === 0) return { items, events };
  for (const side of sides) {
    const { value } = sideOf(layout, side);
    const sign = side === 'later' ? 1 : -1;
    let total = 0;
    let n = 0;
    for (const { unit, stratum, value: own } of runs[side]) {
      const weight = (weights.get(stratum) ?? 0) / (counts[side].get(stratum) ?? 1);
      if (weight === 0) continue;
      // One more request like all others: the mean of a single one would say that there is no variance.
      const count = counts[side].get(stratum) ?? 1;
      const mean = ((means[side].get(stratum) ?? 0) * count + value) / (count + 1);
      items.push({ unit, side, weight, deviation: sign * weight * (own - mean) });
      total += own;
      n += 1;
    }
    events += Math.min(total, n - total);
  }
  return { items, events };
}

const outermost = (one: Interval, other: Interval): Interval =>
  one.defined && other.defined
    ? { ...one, low: Math.min(one.low, other.low), high: Math.max(one.high, other.high) }
    : one.defined
      ? other
      : one;

/** The intervals of a share's change. @param factor independent requests for each request */
function shareIntervals(
  { pairs }: TwoRuns,
  layout: Layout,
  n: number,
  factor: number,
  level = 0.95,
): ChangeLimits {
  const [gained, lost] = [sum(pairs.map((one) => one.gained)), sum(pairs.map((one) => one.lost))];
  const own = [gained * factor, lost * factor, pairs.length * factor] as const;
  const paired = pairedDifferenceInterval(...own, level);
  const strict = outermost(paired, pairedScoreInterval(...own, level));
  if (layout.weights.size === 0) return { interval: paired, bounds: strict };
  const [later, earlier] = [sideOf(layout, 'later'), sideOf(layout, 'earlier')];
  const shareOf = ({ value, n: items }: typeof later): Share => ({
    successes: value * items * factor,
    n: items * factor,
  });
  const separate = {
    weight: later.share,
    value: later.value - earlier.value,
    interval: differenceInterval(shareOf(later), shareOf(earlier), level),
  };
  const both = (limits: Interval) =>
    sumInterval([{ weight: layout.pairWeight, value: driftOf(pairs), interval: limits }, separate], n, level);
  return { interval: both(paired), bounds: both(strict) };
}

const changeOf = (runs: TwoRuns, layout: Layout): number => {
  const { pairWeight, weights, means } = layout;
  const separate = [...weights].map(
    ([name, weight]) => weight * ((means.later.get(name) ?? 0) - (means.earlier.get(name) ?? 0)),
  );
  return pairWeight * driftOf(runs.pairs) + sum(separate);
};

/** The jackknife's interval, by unit. */
function scoreInterval(runs: TwoRuns, n: number, level = 0.95): Interval {
  const all = [
    ...runs.pairs.map((result) => ({ side: 'pairs' as const, unit: result.unit, result })),
    ...sides.flatMap((side) => runs[side].map((result) => ({ side, unit: result.unit, result }))),
  ];
  const units = [...groupedBy(all, ({ unit }) => unit).values()];
  const statistic = (bins: readonly Bin<typeof all>[]): Measure => {
    const left: { pairs: PairedResult[]; later: SeparateResult[]; earlier: SeparateResult[] } = {
      pairs: [],
      later: [],
      earlier: [],
    };
    for (const { value } of bins)
      for (const one of value)
        if (one.side === 'pairs') left.pairs.push(one.result);
        else left[one.side].push(one.result);
    const layout = layoutOf(left);
    if (layout.pairWeight === 0 && layout.weights.size === 0) return unmeasured('one side has no case', 0);
    return measured(changeOf(left, layout), n);
  };
  return jackknifeInterval([...singly(units)], statistic, 'any', Number.POSITIVE_INFINITY, level);
}

/**
 * The change between two runs. Requests that both have are compared with themselves, the others with the other run's of the same stratum.
 * A share has Agresti and Min's interval for requests in both, Newcombe's for the others, and their sum; both count as many requests as
 * are independent. A score has the jackknife's.
 * @returns null if there is nothing to compare
 */
export function changeBetween(runs: TwoRuns, kind: ChangeKind): Change<ReportInterval> | null {
  const layout = layoutOf(runs);
  const isSeparate = layout.weights.size > 0;
  if (runs.pairs.length === 0 && !isSeparate) return null;
  const value = changeOf(runs, layout);
  const comparedIn = (side: 'later' | 'earlier') =>
    sum(Array.from(layout.weights.keys(), (name) => layout.counts[side].get(name) ?? 0));
  const n = runs.pairs.length + Math.min(...sides.map(comparedIn));
  const margin = STEADY[kind];
  if (kind === 'score') {
    const limits = scoreInterval(runs, n);
    const interval: ReportInterval = limits.defined ? { ...limits, by: 'jackknife' } : limits;
    const trend = trendOf(interval, margin);
    return {
      value,
      n,
      interval,
      bounds: interval,
      trend,
      intervalAt: (level) => scoreInterval(runs, n, level),
    };
  }
  const { items, events } = contributionsOf(runs, layout);
  const factor = clusterFactor(items, events);
  if (factor === null) {
    const none = unmeasured('an interval needs at least two independent cases', n);
    return { value, n, interval: none, bounds: none, trend: 'unknown' };
  }
  const { interval, bounds } = shareIntervals(runs, layout, n, factor);
  return {
    value,
    n,
    interval: interval.defined ? { ...interval, n, by: isSeparate ? 'newcombe' : 'paired' } : interval,
    bounds,
    trend: trendOf(interval, margin, bounds),
    limitsAt: (times) => shareIntervals(runs, layout, n, factor * times),
    intervalAt: (level) => {
      const own = clusterFactor(items, events, level);
      return own === null ? interval : shareIntervals(runs, layout, n, own, level).interval;
    },
  };
}

/**
 * How many of these requests are independent, for {@link pairedShareChange}. All, if none belong together.
 */
export function independentPairs(pairs: readonly PairedResult[]): number {
  const runs = { pairs, later: [], earlier: [] };
  const { items, events } = contributionsOf(runs, layoutOf(runs));
  return pairs.length * (clusterFactor(items, events) ?? 1 / Math.max(1, pairs.length));
}

/**
 * The change of the share of right decisions on the same cases.
 * @param gained trials that only the later run has right @param lost those that only the earlier one has @param n all trials
 * @param cases independent ones: decisions on one case are not independent, nor are cases that belong together
 */
export function pairedShareChange({
  gained,
  lost,
  n,
  cases,
}: Record<'gained' | 'lost' | 'n' | 'cases', number>): Change {
  const each = cases / n;
  const own = [gained * each, lost * each, cases] as const;
  const interval = pairedDifferenceInterval(...own);
  const bounds = outermost(interval, pairedScoreInterval(...own));
  return { value: (gained - lost) / n, n, interval, bounds, trend: trendOf(interval, STEADY.judges, bounds) };
}

/** The change between shares of different items, later minus earlier. Newcombe's interval. */
export function separateShareChange(later: Share, earlier: Share): Change {
  const interval = differenceInterval(later, earlier);
  return {
    value: later.successes / later.n - earlier.successes / earlier.n,
    n: Math.min(later.n, earlier.n),
    interval,
    bounds: interval,
    trend: trendOf(interval, STEADY.judges),
  };
}

/**
 * How many of these cases are independent, for {@link shareLimits}. All, if none belong together.
 * @param cases the unit of each, and the share of its trials that are right
 */
export const independentCases = (cases: readonly { unit: number; value: number }[]): number =>
  effectiveItems(
    [...groupedBy(cases, ({ unit }) => unit).values()].map((own) => ({
      value: { successes: sum(own.map(({ value }) => value)), n: own.length },
      items: 1,
    })),
  );

/**
 * Wilson's interval of a share.
 * @param independent independent cases among its items; default: all. A case that was judged several times is one: that may widen the
 * interval, but never makes it too narrow
 */
export const shareLimits = ({ successes, n }: Share, independent = n): Interval =>
  wilsonInterval(n === 0 ? 0 : (successes / n) * independent, independent);
