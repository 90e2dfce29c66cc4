import type { BenchmarkHistory } from '../benchmark/benchmark-history.ts';
import { counted } from '../common/text.ts';
import { MIN_SETTLED } from '../labels/trust.ts';
import { wilsonInterval } from '../statistics/proportions.ts';
import {
  benchmarkChange,
  dayIn,
  intervalOfRun,
  labelChange,
  momentIn,
  newestRun,
  percent,
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
  type Snapshot,
} from './digest.ts';
import {
  benchmarkTable,
  benchmarkTrend,
  checkFacts,
  checksSince,
  disputedList,
  judgeTable,
  labelTrend,
  outcomeFacts,
  regressionDetails,
  regressionFacts,
} from './digest-blocks.ts';

interface Headline {
  text: string;
  trend: DigestTrend;
}

/** In the order of attention. */
const TRENDS: Record<DigestTrend, string> = {
  worse: 'Worse',
  better: 'Better',
  steady: 'Steady',
  unknown: 'Not clear yet',
};
const urgencyOf = (trend: DigestTrend): number => Object.keys(TRENDS).indexOf(trend);

/** The benchmark that needs attention most, and how many others changed. */
function ofBenchmarks(benchmarks: readonly BenchmarkHistory[]): Headline | null {
  const all = benchmarks.flatMap((history) => {
    const [moved, run] = [benchmarkChange(history), newestRun(history)];
    return moved === null || run === null ? [] : [{ ...moved, run, name: history.name }];
  });
  const [first, ...others] = all.sort((a, b) => urgencyOf(a.trend) - urgencyOf(b.trend));
  if (first === undefined) return null;
  const { name, run, trend } = first;
  const rest = (['worse', 'better', 'steady'] as const)
    .map((other) => [others.filter((one) => one.trend === other).length, other] as const)
    .flatMap(([count, other]) => (count === 0 ? [] : [`${count} more ${other}`]))
    .join(', ');
  return {
    text: `${TRENDS[trend]}: ${name} is right on ${percent(shareOfRun(run))} of ${counted(run.n, 'trial')}, ${first.points} points since the last digest (${first.interval})${rest === '' ? '' : `; ${rest}`}.`,
    trend,
  };
}

/** A benchmark that ran for the first time. */
function ofFirstRun({ benchmarks, last }: DigestData): Headline | null {
  const fresh = benchmarks.find(({ name, runs }) => last?.runs[name] !== runs.at(-1)?.name);
  const run = fresh === undefined ? null : newestRun(fresh);
  if (run === null || run.n === 0) return null;
  const share = `${percent(shareOfRun(run))} of ${counted(run.n, 'trial')} (${shareInterval(intervalOfRun(run))})`;
  return { text: `${fresh?.name} is right on ${share}; the next digest will compare.`, trend: 'unknown' };
}

/** The share of verdicts that people agree with; of fewer than {@link MIN_SETTLED}, it says nothing. */
function ofLabels(totals: LabelTotals, before: LabelTotals): Headline | null {
  const moved = labelChange(totals, before);
  if (moved !== null && moved.since.n >= MIN_SETTLED && settledShare(before.settled).n >= MIN_SETTLED) {
    const { successes, n } = moved.since;
    return {
      text: `${TRENDS[moved.trend]}: people agree with ${percent(successes / n)} of ${counted(n, 'verdict')} voted on since the last digest, ${moved.points} points compared with before (${moved.interval}).`,
      trend: moved.trend,
    };
  }
  const { successes, n } = settledShare(totals.settled);
  if (n < MIN_SETTLED) return null;
  return {
    text: `People agree with ${percent(successes / n)} of ${counted(n, 'verdict')} that they voted on (${shareInterval(wilsonInterval(successes, n))}).`,
    trend: 'unknown',
  };
}

function ofActivity(totals: LabelTotals, checks: number): Headline {
  const { n } = settledShare(totals.settled);
  const judged = checks === 0 ? 'No spot checks' : counted(checks, 'spot check');
  return {
    text: `${judged}; votes have settled ${counted(n, 'verdict')} so far (from ${MIN_SETTLED} on, this says how often people agree with the panel).`,
    trend: 'unknown',
  };
}

/** One sentence: on benchmarks if they ran, otherwise on labels, otherwise on activity. */
function headline(data: DigestData, totals: LabelTotals): Headline {
  const before = data.last?.labels ?? noLabels;
  const { text, trend } =
    ofBenchmarks(data.benchmarks) ??
    ofFirstRun(data) ??
    ofLabels(totals, before) ??
    ofActivity(totals, checksSince(totals, before));
  const missing = data.outcomes.filter(({ kind }) => kind !== 'complete').map(({ name }) => name);
  if (missing.length === 0) return { text, trend };
  return { text: `${text.replace(/\.$/, '')}; ${missing.join(', ')} did not finish.`, trend };
}

/** Independent of the order in which counts were read. */
const sorted = ({ verdicts, votes, judges }: LabelTotals): string =>
  JSON.stringify([
    Object.entries(verdicts).sort(),
    [votes.agree, votes.disagree, votes.unsure],
    Object.entries(judges)
      .map(([judge, { right, wrong, tied }]) => [judge, right, wrong, tied])
      .sort(),
  ]);

/** Whether nothing was judged, voted on or measured. Changed and withdrawn votes count as activity. */
function isQuiet({ benchmarks, outcomes, recent }: DigestData, last: Snapshot, totals: LabelTotals): boolean {
  if (outcomeFacts(outcomes).length > 0 || recent.hidden > 0 || sorted(totals) !== sorted(last.labels))
    return false;
  return benchmarks.every((history) => last.runs[history.name] === newestRun(history)?.name);
}

/** How the figures are to be read. */
function notes({ benchmarks, recent: { hidden }, last, timezone }: DigestData): string {
  const [are, count] = hidden === 1 ? ['is', 'counts'] : ['are', 'count'];
  return [
    'People agree with a verdict if more votes agree than disagree; ties count for neither side.',
    // The scores of `jury bench report` leave undecided trials out.
    benchmarks.length === 0 ? '' : 'Undecided trials count as not right.',
    last === null
      ? 'Votes and spot checks cover all time.'
      : `Since: ${momentIn(timezone, last.at)} (${timezone}).`,
    hidden === 0
      ? ''
      : `${counted(hidden, 'verdict')} of the last seven days ${are} hidden until people vote and ${count} only toward the cost.`,
  ]
    .filter((note) => note !== '')
    .join(' ');
}

/** The digest, and the snapshot that the next one is compared with. The cost does not grow with votes or trials. */
export function composeDigest(data: DigestData): { digest: Digest; snapshot: Snapshot } {
  const { counts, last, benchmarks, recent, timezone } = data;
  const totals = labelTotals(counts);
  const runs = benchmarks.flatMap((history) => {
    const run = newestRun(history);
    return run === null ? [] : [[history.name, run.name]];
  });
  const snapshot: Snapshot = { at: data.now, labels: totals, runs: Object.fromEntries(runs) };
  const due = `${momentIn(timezone, data.slot)} (${timezone})`;
  const note = data.late ? `Late: this digest was due on ${due}.` : null;
  if (last !== null && isQuiet(data, last, totals)) {
    const text = `All quiet since ${dayIn(timezone, last.at)}: nothing was judged, voted on or measured.`;
    return {
      digest: { headline: text, trend: 'steady', quiet: true, note, blocks: [], details: [] },
      snapshot,
    };
  }
  const { text, trend } = headline(data, totals);
  const trendOfRuns = benchmarkTrend(benchmarks, timezone);
  return {
    digest: {
      headline: text,
      trend,
      quiet: false,
      note,
      blocks: [
        ...outcomeFacts(data.outcomes),
        ...benchmarkTable(benchmarks),
        ...(trendOfRuns.length > 0 ? trendOfRuns : labelTrend(counts)),
        ...regressionFacts(benchmarks),
        ...checkFacts(data, totals),
      ],
      details: [
        ...judgeTable(totals, last?.labels ?? null),
        ...disputedList(recent),
        ...regressionDetails(data),
        { kind: 'text', text: notes(data) },
      ],
    },
    snapshot,
  };
}
