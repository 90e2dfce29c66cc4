import { groupedBy } from '../../common/index.ts';
import {
  type Bin,
  differenceInterval,
  type Interval,
  jackknifeEstimate,
  measured,
  pairedDifferenceInterval,
  type Share,
  singly,
  sum,
  type Trend,
  trendOf,
  wilsonInterval,
} from '../../statistics/index.ts';
import type { ReportInterval } from './measures.ts';

/**
 * A change is steady if its interval rules out a larger one than this: 5 points of an assistant's answers, 10 points of decisions
 * by judges (decision 0017), of which fewer are labeled or voted on.
 */
export const STEADY = { answers: 0.05, judges: 0.1 };

/** Now minus before, from −1 to 1 for shares, with its 95 % interval. */
export interface Change<Limits extends Interval = Interval> {
  value: number;
  n: number;
  interval: Limits;
  trend: Trend;
}

/** How much one request changed, and what it belongs to. */
interface Drift {
  unit: number;
  /** Now minus before: a share of repeats, or points of a score. */
  drift: number;
}

const meanOf = (bins: readonly Bin<readonly number[]>[]) => {
  const drifts = bins.flatMap(({ value }) => value);
  return measured(sum(drifts) / drifts.length, drifts.length);
};

/**
 * The mean change of the same requests. A share of requests that are independent has Agresti and Min's interval, everything else
 * the jackknife's, by unit.
 * @param drifts one per request, at least one
 * @param kind `share`: of passes. `score`: its scale is not known, so no change of it counts as small
 */
export function pairedChange(drifts: readonly Drift[], kind: 'share' | 'score'): Change<ReportInterval> {
  const n = drifts.length;
  const changes = drifts.map(({ drift }) => drift);
  const value = sum(changes) / n;
  const units = [...groupedBy(drifts, ({ unit }) => unit).values()].map((requests) =>
    requests.map(({ drift }) => drift),
  );
  if (kind === 'score' || units.length < n) {
    const { interval } = jackknifeEstimate(
      [...singly(units)],
      meanOf,
      kind === 'score' ? 'any' : 'correlation',
    );
    return { value, n, interval, trend: trendOf(interval, kind === 'score' ? 0 : STEADY.answers) };
  }
  const paired = pairedDifferenceInterval(
    sum(changes.filter((drift) => drift > 0)),
    -sum(changes.filter((drift) => drift < 0)),
    n,
  );
  const interval: ReportInterval = paired.defined ? { ...paired, by: 'paired' } : paired;
  return { value, n, interval, trend: trendOf(paired, STEADY.answers) };
}

/**
 * The change of the share of right decisions on the same cases.
 * @param gained trials that only the later run has right @param lost those that only the earlier one has @param n all trials
 * @param cases what they are trials of: decisions on one case are not independent, so that cases count
 */
export function pairedShareChange({
  gained,
  lost,
  n,
  cases,
}: Record<'gained' | 'lost' | 'n' | 'cases', number>): Change {
  const each = cases / n;
  const interval = pairedDifferenceInterval(gained * each, lost * each, cases);
  return { value: (gained - lost) / n, n, interval, trend: trendOf(interval, STEADY.judges) };
}

/** The change between shares of different items, later minus earlier. Newcombe's interval. */
export function separateShareChange(later: Share, earlier: Share): Change {
  const interval = differenceInterval(later, earlier);
  return {
    value: later.successes / later.n - earlier.successes / earlier.n,
    n: Math.min(later.n, earlier.n),
    interval,
    trend: trendOf(interval, STEADY.judges),
  };
}

/**
 * Wilson's interval of a share.
 * @param cases independent ones among its items; default: all. A case that was judged several times is one: that may widen the
 * interval, but never makes it too narrow
 */
export const shareLimits = ({ successes, n }: Share, cases = n): Interval =>
  wilsonInterval(n === 0 ? 0 : (successes / n) * cases, cases);
