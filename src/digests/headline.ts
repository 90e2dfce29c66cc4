import type { BenchmarkHistory } from '../benchmark/benchmark-history.ts';
import { wilsonInterval } from '../statistics/proportions.ts';
import {
  benchmarkChange,
  type Change,
  intervalOfRun,
  labelChange,
  newestRun,
  settledShare,
  shareOfRun,
} from './change.ts';
import type { DigestTrend } from './digest.ts';
import type { DigestData } from './digest-data.ts';
import { percent, plural, points, pointsInterval, shareInterval } from './figures.ts';
import type { LabelTotals } from './label-totals.ts';

export interface Headline {
  text: string;
  trend: DigestTrend;
}

const words: Record<DigestTrend, string> = {
  better: 'Better',
  worse: 'Worse',
  steady: 'Steady',
  unknown: 'Not clear yet',
};

/** What needs attention first. */
const urgency: Record<DigestTrend, number> = { worse: 0, better: 1, steady: 2, unknown: 3 };

interface Moved {
  history: BenchmarkHistory;
  moved: Change;
}

function ofBenchmarks(all: readonly Moved[]): Headline | null {
  const [first, ...others] = [...all].sort((a, b) => urgency[a.moved.trend] - urgency[b.moved.trend]);
  const run = first === undefined ? null : newestRun(first.history);
  if (first === undefined || run === null) return null;
  const { history, moved } = first;
  const like = (trend: DigestTrend) => others.filter((other) => other.moved.trend === trend).length;
  const rest = (['worse', 'better', 'steady'] as const)
    .filter((trend) => like(trend) > 0)
    .map((trend) => `${like(trend)} more ${trend}`)
    .join(', ');
  return {
    text: `${words[moved.trend]}: ${history.name} is right on ${percent(shareOfRun(run))} of ${plural(run.n, 'trial')}, ${points(moved.difference)} points since the last digest (${pointsInterval(moved.interval)})${rest === '' ? '' : `; ${rest}`}.`,
    trend: moved.trend,
  };
}

function firstRun(history: BenchmarkHistory): Headline | null {
  const run = newestRun(history);
  if (run === null || run.n === 0) return null;
  const interval = shareInterval(intervalOfRun(run));
  return {
    text: `${history.name} is right on ${percent(shareOfRun(run))} of ${plural(run.n, 'trial')} (${interval}); the next digest can compare.`,
    trend: 'unknown',
  };
}

function ofLabels(totals: LabelTotals, before: LabelTotals | null): Headline | null {
  const moved = before === null ? null : labelChange(totals, before);
  if (moved !== null) {
    const { successes, n } = moved.since;
    return {
      text: `${words[moved.trend]}: people agree with ${percent(successes / n)} of ${plural(n, 'verdict')} voted on since the last digest, ${points(moved.difference)} points against before (${pointsInterval(moved.interval)}).`,
      trend: moved.trend,
    };
  }
  const { successes, n } = settledShare(totals.settled);
  if (n === 0) return null;
  return {
    text: `People agree with ${percent(successes / n)} of ${plural(n, 'verdict')} that they voted on (${shareInterval(wilsonInterval(successes, n))}).`,
    trend: 'unknown',
  };
}

/** The sentence with what else must not be overlooked: benchmarks that say nothing this time. */
function withMissing({ text, trend }: Headline, outcomes: DigestData['outcomes']): Headline {
  const missing = outcomes.filter(({ kind }) => kind !== 'complete').map(({ name }) => name);
  if (missing.length === 0) return { text, trend };
  return { text: `${text.replace(/\.$/, '')}; ${missing.join(', ')} did not come to an end.`, trend };
}

/** What a digest says in one sentence: benchmarks first, then what people think of the judges, then what was done. */
export function headline(data: DigestData, totals: LabelTotals, checks: number): Headline {
  const { benchmarks, last, outcomes } = data;
  const moved = benchmarks.flatMap((history): Moved[] => {
    const change = benchmarkChange(history);
    return change === null ? [] : [{ history, moved: change }];
  });
  const [fresh] = benchmarks.filter(({ name, runs }) => last?.runs[name] !== runs.at(-1)?.name);
  return withMissing(
    ofBenchmarks(moved) ??
      (fresh === undefined ? null : firstRun(fresh)) ??
      ofLabels(totals, last?.labels ?? null) ?? {
        text: `${checks === 0 ? 'No spot check' : plural(checks, 'spot check')} and no vote that tips one yet: vote on the verdicts to learn how far the judges can be trusted.`,
        trend: 'unknown',
      },
    outcomes,
  );
}
