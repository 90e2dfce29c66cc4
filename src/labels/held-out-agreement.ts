import { type Rubric, rangeOf } from '../judging/rubric.ts';
import type { Verdict } from '../judging/verdict.ts';
import { sum } from '../statistics/descriptive.ts';
import type { Measure } from '../statistics/measure.ts';
import { mcnemar } from '../statistics/paired-tests.ts';
import type { Right } from './right.ts';

/** How far a held-out case came out as its label says, 0 to 1; before and after a change of the examples. */
export interface PairedAgreement {
  name: string;
  before: number;
  after: number;
}

/** How wide a rubric's score is: the mean of its criteria's scales, as its score is the mean of theirs. */
function widthOf({ criteria }: Rubric): number {
  const ranges = criteria.map(({ scale }) => rangeOf(scale)).filter((range) => range !== null);
  return sum(ranges.map(({ min, max }) => max - min)) / Math.max(1, ranges.length);
}

/** 1 where a verdict decides as the label says, else 0; of scores 1 less their distance, as a share of the scale. */
export function agreementOf(
  { decision, score }: Pick<Verdict, 'decision' | 'score'>,
  right: Right,
  rubric: Rubric,
): number {
  if (right.kind === 'decision') return decision === right.decision ? 1 : 0;
  if (score === null) return 0;
  return Math.max(0, 1 - Math.abs(score - right.score) / widthOf(rubric));
}

/** What a change of the examples does to the agreement with labels that it was kept away from. */
export interface AgreementChange {
  cases: number;
  /** Mean agreement, 0 to 1. */
  before: number;
  after: number;
  /** Cases that came out better, and worse. */
  better: string[];
  worse: string[];
  /** How likely so uneven a change would be by chance (exact McNemar test). */
  p: Measure;
  /** Whether the agreement is no lower than it was. */
  holds: boolean;
}

/** Below this a difference is one of rounding. */
const TOLERANCE = 1e-9;

/** @param pairs at least one */
export function agreementChange(pairs: readonly PairedAgreement[]): AgreementChange {
  const mean = (values: number[]) => sum(values) / Math.max(1, values.length);
  const before = mean(pairs.map((pair) => pair.before));
  const after = mean(pairs.map((pair) => pair.after));
  const names = (list: readonly PairedAgreement[]) => list.map(({ name }) => name);
  const better = names(pairs.filter((pair) => pair.after > pair.before + TOLERANCE));
  const worse = names(pairs.filter((pair) => pair.after < pair.before - TOLERANCE));
  return {
    cases: pairs.length,
    before,
    after,
    better,
    worse,
    p: mcnemar(worse.length, better.length).exact,
    holds: after >= before - TOLERANCE,
  };
}
