import type { Bin } from '../../core/metrics/bin.ts';
import { kendallTau } from '../../core/metrics/kendall-tau.ts';
import { type Measure, ratio } from '../../core/metrics/measure.ts';
import {
  countedAlpha,
  countedPearson,
  countedSpearman,
  type ScorePair,
} from '../../core/metrics/score-agreement.ts';
import { sum } from '../../core/metrics/sum.ts';
import { binsOf } from './case-bins.ts';
import { bootstrapEstimate } from './estimate.ts';
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

/** The mean over trials. */
export function meanOfBins(bins: readonly Bin<CaseSum>[]): Measure {
  const n = bins.reduce((total, { value, items }) => total + items * value.n, 0);
  return ratio(sum(bins.map(({ value, items }) => items * value.sum)), n, n, 'there is no score');
}

/** The pairs of the repeats of one case, in an order that does not depend on the repeats'. */
export type CasePairs = readonly ScorePair[];

export const pairsKey = (pairs: CasePairs): string =>
  pairs.map(({ given, known }) => `${given} ${known}`).join(';');

export const hasLabel = ({ labelScore }: Scored): boolean => labelScore !== null;

/** Scores with their labels, by case; those without one are left out. */
export function pairsByCase(scored: readonly Scored[]): Map<number, CasePairs> {
  const cases = new Map<number, ScorePair[]>();
  for (const { place, score, labelScore } of scored) {
    if (labelScore === null) continue;
    const pair = { given: score, known: labelScore };
    const own = cases.get(place);
    if (own === undefined) cases.set(place, [pair]);
    else own.push(pair);
  }
  for (const pairs of cases.values()) pairs.sort((a, b) => a.given - b.given || a.known - b.known);
  return cases;
}

export const pairsOf = (bins: readonly Bin<CasePairs>[]): Bin<ScorePair>[] =>
  bins.flatMap(({ value, items }) => value.map((pair) => ({ value: pair, items })));

export const scoreOf = ({ score }: Scored): number => score;

/** How far a score is from its label. */
export const errorOf = ({ score, labelScore }: Scored): number => Math.abs(score - (labelScore ?? score));

const meanOf = (scored: readonly Scored[], read: (one: Scored) => number): Estimate =>
  bootstrapEstimate(binsOf(sumsByCase(scored, read).values(), sumKey), meanOfBins);

/** Most whole numbers that make a scale of levels rather than of points. */
const MOST_LEVELS = 11;

/** What a scale is cannot be told from a trial, so it is told from its values. */
function scaleOf(pairs: readonly Bin<ScorePair>[]): 'ordinal' | 'interval' {
  const values = new Set(pairs.flatMap(({ value }) => [value.given, value.known]));
  return values.size <= MOST_LEVELS && [...values].every(Number.isInteger) ? 'ordinal' : 'interval';
}

function againstLabels(scored: readonly Scored[]): Scores['against'] {
  const labeled = scored.filter(hasLabel);
  if (labeled.length === 0) return null;
  const bins = binsOf(pairsByCase(labeled).values(), pairsKey);
  const pairs = pairsOf(bins);
  const alphaScale = scaleOf(pairs);
  return {
    n: labeled.length,
    spearman: bootstrapEstimate(bins, (drawn) => countedSpearman(pairsOf(drawn))),
    kendall: kendallTau(
      labeled.map(({ score }) => score),
      labeled.map(({ labelScore }) => labelScore),
    ),
    pearson: countedPearson(pairs),
    alpha: bootstrapEstimate(bins, (drawn) => countedAlpha(pairsOf(drawn), alphaScale)),
    alphaScale,
    meanAbsoluteError: meanOf(labeled, errorOf),
  };
}

/** What scores come to, each interval by case; null where there is none. */
export function scoresOf(scored: readonly Scored[]): Scores | null {
  if (scored.length === 0) return null;
  return {
    n: scored.length,
    cases: new Set(scored.map(({ place }) => place)).size,
    mean: meanOf(scored, scoreOf),
    against: againstLabels(scored),
  };
}
