import {
  type BootstrapInterval,
  bootstrapBins,
  bootstrapInterval,
  resampleBins,
} from '../../statistics/bootstrap.ts';
import {
  accuracy,
  type BinaryCounts,
  balancedAccuracy,
  type Confusion,
  f1,
  mcc,
  precision,
  recall,
} from '../../statistics/classification.ts';
import { kendallTau, pearson } from '../../statistics/correlation.ts';
import { sum } from '../../statistics/descriptive.ts';
import { type Measure, ratio, unmeasured } from '../../statistics/measure.ts';
import { wilsonInterval } from '../../statistics/proportions.ts';
import { type ScorePair, scoreTable, timesOf } from '../../statistics/score-agreement.ts';
import { type Bin, itemsIn } from '../../statistics/tallies.ts';
import { binsOf, decidedCounts } from './case-bins.ts';
import type { Estimate, ReportInterval, ScoreName, Scores } from './report.ts';

export const scoreOf: Record<ScoreName, (counts: BinaryCounts) => Measure> = {
  f1,
  precision,
  recall,
  accuracy,
  balancedAccuracy,
  mcc,
};

/** Fixed, so that the same data give the same report. */
const SEED = 1;

const RESAMPLES = 2000;

/** Whether all resamples gave the same value, up to rounding, so that the interval is meaningless. */
const isPoint = (low: number, high: number): boolean => high - low < 1e-9;

/** Expresses a score through a share, if it is a function of one. */
type Share = (counts: BinaryCounts) => { of: number; hits: number; score: (share: number) => number };

const asIs = (share: number): number => share;

const shares: Partial<Record<ScoreName, Share>> = {
  precision: ({ tp, fp }) => ({ hits: tp, of: tp + fp, score: asIs }),
  recall: ({ tp, fn }) => ({ hits: tp, of: tp + fn, score: asIs }),
  accuracy: ({ tp, fp, fn, tn }) => ({ hits: tp + tn, of: tp + fp + fn + tn, score: asIs }),
  // F1 grows with the share of true positives among all but the true negatives (Jaccard's index): F1 = 2J / (1 + J).
  f1: ({ tp, fp, fn }) => ({ hits: tp, of: tp + fp + fn, score: (j) => (2 * j) / (1 + j) }),
};

/** @param perCase trials per case: repeats of a case count as one, because they are not independent */
function byWilson(share: Share, counts: BinaryCounts, perCase: number): ReportInterval {
  const { hits, of, score } = share(counts);
  const interval = wilsonInterval(hits / perCase, of / perCase);
  return interval.defined
    ? { ...interval, n: of, low: score(interval.low), high: score(interval.high), by: 'wilson' }
    : interval;
}

/** Bins times resamples per interval: with many distinct values there are fewer resamples, down to a minimum. */
const MAX_DRAWS = 30_000;
const MIN_RESAMPLES = 400;

const optionsFor = (bins: readonly unknown[]): { seed: number; resamples: number } => {
  const few = Math.floor(MAX_DRAWS / Math.max(1, bins.length));
  return { seed: SEED, resamples: Math.max(MIN_RESAMPLES, Math.min(RESAMPLES, few)) };
};

/** No interval if every resample gives the same value, which says nothing about certainty. */
function reported(interval: BootstrapInterval): ReportInterval {
  if (!interval.defined) return interval;
  const { n, low, high, level } = interval;
  return isPoint(low, high)
    ? unmeasured('every resample of the cases gives the same value', n)
    : { defined: true, n, low, high, level, by: 'bootstrap' };
}

/** A percentile bootstrap interval by case. */
export const bootstrapped = <T>(
  bins: readonly Bin<T>[],
  statistic: (bins: readonly Bin<T>[]) => Measure,
): ReportInterval => reported(bootstrapBins(bins, statistic, optionsFor(bins)));

/** Several statistics over the same resamples, because drawing is slower than most statistics. */
function bootstrapEstimates<T, Name extends string>(
  bins: readonly Bin<T>[],
  statistics: Record<Name, (bins: readonly Bin<T>[]) => Measure>,
): (name: Name) => Estimate {
  const options = optionsFor(bins);
  const drawn = new Map<Name, Measure[]>();
  const names: Name[] = [];
  for (const name in statistics) {
    names.push(name);
    drawn.set(name, []);
  }
  for (const resample of resampleBins(bins, options))
    for (const name of names) drawn.get(name)?.push(statistics[name](resample));
  return (name) => {
    const measure = statistics[name](bins);
    if (!measure.defined) return { measure, interval: measure };
    const interval = bootstrapInterval(measure, itemsIn(bins), drawn.get(name) ?? [], () => [], options);
    return { measure, interval: reported(interval) };
  };
}

export function bootstrapEstimate<T>(
  bins: readonly Bin<T>[],
  statistic: (bins: readonly Bin<T>[]) => Measure,
): Estimate {
  const measure = statistic(bins);
  return { measure, interval: measure.defined ? bootstrapped(bins, statistic) : measure };
}

/**
 * A score with its 95 % interval. For cases judged once, Wilson's interval if the score is a monotone function of a share. For repeats
 * and other scores, a percentile bootstrap by case; if that is a point (all cases alike), Wilson's interval with n = number of cases.
 *
 * @param bins outcomes of the repeats of each case
 */
export function estimate(name: ScoreName, bins: readonly Bin<Confusion>[]): Estimate {
  const counts = decidedCounts(bins);
  const measure = scoreOf[name](counts);
  if (!measure.defined) return { measure, interval: measure };
  const share = shares[name];
  const cases = itemsIn(bins);
  const repeated = bins.some(({ value }) => trialsIn(value) > 1);
  if (share !== undefined && !repeated) return { measure, interval: byWilson(share, counts, 1) };
  const interval = bootstrapped(bins, (drawn) => scoreOf[name](decidedCounts(drawn)));
  if (interval.defined || share === undefined) return { measure, interval };
  const decided = counts.tp + counts.fp + counts.fn + counts.tn;
  return { measure, interval: byWilson(share, counts, Math.max(1, decided / cases)) };
}

const trialsIn = ({ pass, fail }: Confusion): number =>
  [pass, fail].reduce((sum, row) => sum + row.pass + row.fail + row.undecided + row.unscored, 0);

/** A trial's score, and its label's if there is one. */
export interface Scored {
  place: number;
  score: number;
  labelScore: number | null;
}

/** Only the items with a score. */
export const scoredOf = <T extends { score: number | null; labelScore: number | null }>(
  items: readonly T[],
  placeOf: (item: T) => number,
): Scored[] =>
  items.flatMap((item) =>
    item.score === null ? [] : [{ place: placeOf(item), score: item.score, labelScore: item.labelScore }],
  );

export interface CaseSum {
  sum: number;
  n: number;
}

export const sumKey = ({ sum: total, n }: CaseSum): string => `${total} ${n}`;

export function sumsByCase(scored: readonly Scored[], read: (one: Scored) => number): Map<number, CaseSum> {
  const cases = new Map<number, CaseSum>();
  for (const one of scored) {
    const own = cases.get(one.place) ?? { sum: 0, n: 0 };
    cases.set(one.place, { sum: own.sum + read(one), n: own.n + 1 });
  }
  return cases;
}

/** The mean over trials. Called for every resample, hence a plain loop. */
export function meanOfBins(bins: readonly Bin<CaseSum>[]): Measure {
  let [total, n] = [0, 0];
  for (const { value, items } of bins) {
    total += items * value.sum;
    n += items * value.n;
  }
  return ratio(total, n, n, 'there is no score');
}

/** Distinct pairs of score and label, and for each case the positions of its repeats' pairs. */
export interface CasePairs {
  pairs: ScorePair[];
  cases: Map<number, readonly number[]>;
}

export const hasLabel = ({ labelScore }: Scored): boolean => labelScore !== null;

/** Scores without labels are left out. */
export function pairsByCase(scored: readonly Scored[]): CasePairs {
  const pairs: ScorePair[] = [];
  const known = new Map<string, number>();
  const cases = new Map<number, number[]>();
  for (const { place, score, labelScore } of scored) {
    if (labelScore === null) continue;
    const key = `${score} ${labelScore}`;
    let pair = known.get(key);
    if (pair === undefined) {
      pair = pairs.push({ given: score, known: labelScore }) - 1;
      known.set(key, pair);
    }
    const own = cases.get(place);
    if (own === undefined) cases.set(place, [pair]);
    else own.push(pair);
  }
  // Independent of the order of repeats.
  for (const own of cases.values()) own.sort((a, b) => a - b);
  return { pairs, cases };
}

export const pairsKey = (own: readonly number[]): string => own.join();

export const givenScore = ({ score }: Scored): number => score;

export const errorOf = ({ score, labelScore }: Scored): number => Math.abs(score - (labelScore ?? score));

const meanOf = (scored: readonly Scored[]): Estimate =>
  bootstrapEstimate(binsOf(sumsByCase(scored, givenScore).values(), sumKey), meanOfBins);

/** With more distinct integers, a scale counts as interval rather than ordinal. */
const MAX_LEVELS = 11;

/** Trials do not record their scale, so it is inferred from the values. */
function scaleOf(pairs: readonly ScorePair[]): Scale {
  const values = new Set(pairs.flatMap(({ given, known }) => [given, known]));
  return values.size <= MAX_LEVELS && [...values].every(Number.isInteger) ? 'ordinal' : 'interval';
}

type Scale = 'ordinal' | 'interval';

function labeledEstimates({ pairs, cases }: CasePairs, scale: Scale) {
  const table = scoreTable(pairs);
  const meanBy = (read: (pair: ScorePair) => number) => (bins: readonly Bin<readonly number[]>[]) => {
    const times = timesOf(bins, pairs.length);
    const [n, total] = [sum(times), sum(pairs.map((pair, index) => read(pair) * (times[index] ?? 0)))];
    return ratio(total, n, n, 'there is no score');
  };
  return bootstrapEstimates(binsOf(cases.values(), pairsKey), {
    mean: meanBy(({ given }) => given),
    meanAbsoluteError: meanBy(({ given, known }) => Math.abs(given - known)),
    spearman: (bins) => table.spearman(timesOf(bins, pairs.length)),
    alpha: (bins) => table.alpha(timesOf(bins, pairs.length), scale),
  });
}

/** Intervals are by case; null without scores. */
export function scoresOf(scored: readonly Scored[]): Scores | null {
  if (scored.length === 0) return null;
  const cases = new Set(scored.map(({ place }) => place)).size;
  const labeled = scored.filter(hasLabel);
  if (labeled.length === 0) return { n: scored.length, cases, mean: meanOf(scored), against: null };
  const casePairs = pairsByCase(labeled);
  const alphaScale = scaleOf(casePairs.pairs);
  const estimated = labeledEstimates(casePairs, alphaScale);
  const given = labeled.map(({ score }) => score);
  const known = labeled.map(({ labelScore }) => labelScore);
  return {
    n: scored.length,
    cases,
    mean: labeled.length === scored.length ? estimated('mean') : meanOf(scored),
    against: {
      n: labeled.length,
      spearman: estimated('spearman'),
      kendall: kendallTau(given, known),
      pearson: pearson(given, known),
      alpha: estimated('alpha'),
      alphaScale,
      meanAbsoluteError: estimated('meanAbsoluteError'),
    },
  };
}
