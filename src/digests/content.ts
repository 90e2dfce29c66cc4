import type { BenchmarkHistory } from '../benchmark/benchmark-history.ts';
import { counted } from '../common/text.ts';
import { wilsonInterval } from '../statistics/proportions.ts';
import {
  benchmarkTable,
  benchmarkTrend,
  outcomeBlocks,
  regressionBlocks,
  runsCost,
} from './benchmark-blocks.ts';
import {
  benchmarkChange,
  type Change,
  dayIn,
  intervalOfRun,
  labelChange,
  momentIn,
  newestRun,
  percent,
  points,
  pointsInterval,
  settledShare,
  shareInterval,
  shareOfRun,
} from './change.ts';
import {
  type Digest,
  type DigestData,
  type DigestTrend,
  type LabelTotals,
  labelTotals,
  noLabels,
  type RecentChecks,
  type Snapshot,
} from './digest.ts';
import { checkFacts, checksSince, disputedList, judgeTable, labelTrend } from './label-blocks.ts';

interface Headline {
  text: string;
  trend: DigestTrend;
}

const words: Record<DigestTrend, string> = {
  better: 'Better',
  worse: 'Worse',
  steady: 'Steady',
  unknown: 'Not clear yet',
};

/** Order of attention. */
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
    text: `${words[moved.trend]}: ${history.name} is right on ${percent(shareOfRun(run))} of ${counted(run.n, 'trial')}, ${points(moved.difference)} points since the last digest (${pointsInterval(moved.interval)})${rest === '' ? '' : `; ${rest}`}.`,
    trend: moved.trend,
  };
}

function firstRun(history: BenchmarkHistory): Headline | null {
  const run = newestRun(history);
  if (run === null || run.n === 0) return null;
  const interval = shareInterval(intervalOfRun(run));
  return {
    text: `${history.name} is right on ${percent(shareOfRun(run))} of ${counted(run.n, 'trial')} (${interval}); the next digest will compare.`,
    trend: 'unknown',
  };
}

function ofLabels(totals: LabelTotals, before: LabelTotals | null): Headline | null {
  const moved = before === null ? null : labelChange(totals, before);
  if (moved !== null) {
    const { successes, n } = moved.since;
    return {
      text: `${words[moved.trend]}: people agree with ${percent(successes / n)} of ${counted(n, 'verdict')} voted on since the last digest, ${points(moved.difference)} points compared with before (${pointsInterval(moved.interval)}).`,
      trend: moved.trend,
    };
  }
  const { successes, n } = settledShare(totals.settled);
  if (n === 0) return null;
  return {
    text: `People agree with ${percent(successes / n)} of ${counted(n, 'verdict')} that they voted on (${shareInterval(wilsonInterval(successes, n))}).`,
    trend: 'unknown',
  };
}

/** Adds benchmarks that did not finish. */
function withMissing({ text, trend }: Headline, outcomes: DigestData['outcomes']): Headline {
  const missing = outcomes.filter(({ kind }) => kind !== 'complete').map(({ name }) => name);
  if (missing.length === 0) return { text, trend };
  return { text: `${text.replace(/\.$/, '')}; ${missing.join(', ')} did not finish.`, trend };
}

/** One sentence: on benchmarks if they ran, otherwise on labels, otherwise on activity. */
function headline(data: DigestData, totals: LabelTotals, checks: number): Headline {
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
        text: `${checks === 0 ? 'No spot checks' : counted(checks, 'spot check')} and no settled verdicts yet. Vote on verdicts to find out how far the judges can be trusted.`,
        trend: 'unknown',
      },
    outcomes,
  );
}

/** Whether nothing was judged, voted on or measured. Changed and withdrawn votes count as activity. */
function isQuiet({ last, benchmarks, outcomes, recent }: DigestData, totals: LabelTotals): boolean {
  if (last === null || outcomeBlocks(outcomes).length > 0 || recent.hidden > 0) return false;
  const sameLabels = JSON.stringify(sorted(totals)) === JSON.stringify(sorted(last.labels));
  return sameLabels && benchmarks.every((history) => last.runs[history.name] === newestRun(history)?.name);
}

/** Independent of the order in which counts were read. */
const sorted = ({ verdicts, votes, judges }: LabelTotals) => [
  Object.entries(verdicts).sort(),
  [votes.agree, votes.disagree, votes.unsure],
  Object.entries(judges)
    .map(([judge, { right, wrong, tied }]) => [judge, right, wrong, tied])
    .sort(),
];

const sinceText = ({ last, timezone }: DigestData): string =>
  last === null
    ? 'Votes and spot checks cover all time.'
    : `Since: ${momentIn(timezone, last.at)} (${timezone}).`;

/** Said because the scores of `jury bench report` leave undecided trials out. */
const benchmarkText = ({ benchmarks }: DigestData): string =>
  benchmarks.length === 0 ? '' : 'Undecided trials count as not right. ';

const hiddenText = ({ hidden }: RecentChecks): string =>
  hidden === 0
    ? ''
    : ` ${counted(hidden, 'verdict')} of the last seven days ${hidden === 1 ? 'is' : 'are'} hidden until people vote and ${hidden === 1 ? 'counts' : 'count'} only toward the cost.`;

/** The digest, and the snapshot that the next one is compared with. The cost does not grow with votes or trials. */
export function composeDigest(data: DigestData): { digest: Digest; snapshot: Snapshot } {
  const { counts, last, benchmarks, outcomes, recent, timezone, slot, now } = data;
  const totals = labelTotals(counts);
  const before = last?.labels ?? noLabels;
  const snapshot: Snapshot = {
    at: now,
    labels: totals,
    runs: Object.fromEntries(
      benchmarks.flatMap((history) => {
        const run = newestRun(history);
        return run === null ? [] : [[history.name, run.name]];
      }),
    ),
  };
  const note = data.late ? `Late: this digest was due on ${momentIn(timezone, slot)} (${timezone}).` : null;
  if (last !== null && isQuiet(data, totals))
    return {
      digest: {
        headline: `All quiet since ${dayIn(timezone, last.at)}: nothing was judged, voted on or measured.`,
        trend: 'steady',
        quiet: true,
        note,
        blocks: [],
        details: [],
      },
      snapshot,
    };
  const checks = checksSince(totals, before);
  const { text, trend } = headline(data, totals, checks);
  const trendOfRuns = benchmarkTrend(benchmarks, timezone);
  const regressions = regressionBlocks(benchmarks, data.links);
  return {
    digest: {
      headline: text,
      trend,
      quiet: false,
      note,
      blocks: [
        ...outcomeBlocks(outcomes),
        ...benchmarkTable(benchmarks),
        ...(trendOfRuns.length > 0 ? trendOfRuns : labelTrend(counts)),
        ...regressions.blocks,
        checkFacts(totals, last?.labels ?? null, recent, runsCost(data)),
      ],
      details: [
        ...judgeTable(totals, last?.labels ?? null),
        ...disputedList(recent),
        ...regressions.details,
        {
          kind: 'text',
          text: `People agree with a verdict if more votes agree than disagree; ties count for neither side. ${benchmarkText(data)}${sinceText(data)}${hiddenText(recent)}`,
        },
      ],
    },
    snapshot,
  };
}
