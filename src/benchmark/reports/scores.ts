import { kendallTau, pearson } from '../../statistics/correlation.ts';
import { sum } from '../../statistics/descriptive.ts';
import { type Measure, ratio } from '../../statistics/measure.ts';
import { type ScorePair, scoreTable, timesOf } from '../../statistics/score-agreement.ts';
import type { Bin } from '../../statistics/tallies.ts';
import { binsOf } from './case-bins.ts';
import { bootstrapEstimate, bootstrapEstimates } from './estimate.ts';
import type { Estimate, Scores } from './report.ts';

/** A score that a trial came to, and the one that is right where that is known. */
export interface Scored {
  place: number;
  score: number;
  labelScore: number | null;
}

/** What is scored, of things that may be. */
export const scoredOf = <T extends { score: number | null; labelScore: number | null }>(
  items: readonly T[],
  placeOf: (item: T) => number,
): Scored[] =>
  items.flatMap((item) =>
    item.score === null ? [] : [{ place: placeOf(item), score: item.score, labelScore: item.labelScore }],
  );

/** A sum over the repeats of a case. */
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

/** The mean over trials. Of every resample, so it is a plain loop. */
export function meanOfBins(bins: readonly Bin<CaseSum>[]): Measure {
  let [total, n] = [0, 0];
  for (const { value, items } of bins) {
    total += items * value.sum;
    n += items * value.n;
  }
  return ratio(total, n, n, 'there is no score');
}

/** Scores beside their labels: the distinct pairs, and by case the places of those of its repeats. */
export interface CasePairs {
  pairs: ScorePair[];
  cases: Map<number, readonly number[]>;
}

export const hasLabel = ({ labelScore }: Scored): boolean => labelScore !== null;

/** Scores with their labels, by case; those without one are left out. */
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
  // The order of repeats says nothing.
  for (const own of cases.values()) own.sort((a, b) => a - b);
  return { pairs, cases };
}

export const pairsKey = (own: readonly number[]): string => own.join();

export const scoreOf = ({ score }: Scored): number => score;

/** How far a score is from its label. */
export const errorOf = ({ score, labelScore }: Scored): number => Math.abs(score - (labelScore ?? score));

const meanOf = (scored: readonly Scored[]): Estimate =>
  bootstrapEstimate(binsOf(sumsByCase(scored, scoreOf).values(), sumKey), meanOfBins);

/** Most whole numbers that make a scale of levels rather than of points. */
const MOST_LEVELS = 11;

/** What a scale is cannot be told from a trial, so it is told from its values. */
function scaleOf(pairs: readonly ScorePair[]): Scale {
  const values = new Set(pairs.flatMap(({ given, known }) => [given, known]));
  return values.size <= MOST_LEVELS && [...values].every(Number.isInteger) ? 'ordinal' : 'interval';
}

type Scale = 'ordinal' | 'interval';

/** All intervals of labeled scores. */
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

/** What scores come to, each interval by case; null where there is none. */
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
