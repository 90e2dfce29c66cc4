import { isDeepStrictEqual } from 'node:util';
import { counted, percent } from '../common/text/index.ts';
import { MIN_FOR_SHARE } from '../labels/agreement/index.ts';
import { shareLimits } from '../reports/estimates/index.ts';
import type { JudgesHistory } from '../reports/history/index.ts';
import { assistantParts } from './assistant-blocks.ts';
import {
  benchmarkChange,
  dayIn,
  type Headline,
  intervalOfRun,
  labelChange,
  momentIn,
  mostUrgent,
  newestRun,
  rightShare,
  shareInterval,
  shareOfRun,
  TRENDS,
} from './change-since-last.ts';
import {
  type Digest,
  type DigestData,
  type DigestMark,
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

/** Headline for judge benchmarks that ran again; null if none did. */
const ofJudges = (benchmarks: readonly JudgesHistory[]): Headline | null =>
  mostUrgent(
    benchmarks.flatMap((history) => {
      const [moved, run] = [benchmarkChange(history), newestRun(history)];
      if (moved === null || run === null) return [];
      const { trend, points, interval } = moved;
      const share = `${percent(shareOfRun(run))} of ${counted(run.n, 'trial')}`;
      const text = `${TRENDS[trend]}: ${history.name} is right on ${share}, ${points} points since the last digest (${interval})`;
      return [{ text, trend }];
    }),
  );

/** Headline for a judge benchmark's first run; null if there is none. */
function ofFirstRun({ last }: DigestData, benchmarks: readonly JudgesHistory[]): Headline | null {
  const fresh = benchmarks.find(({ name, runs }) => last?.runs[name] !== runs.at(-1)?.name);
  const run = fresh === undefined ? null : newestRun(fresh);
  if (run === null || run.n === 0) return null;
  const share = `${percent(shareOfRun(run))} of ${counted(run.n, 'trial')} (${shareInterval(intervalOfRun(run))})`;
  return { text: `${fresh?.name} is right on ${share}; the next digest will compare.`, trend: 'unknown' };
}

/** Headline on how often people agree with verdicts; null below {@link MIN_FOR_SHARE} verdicts with a majority of votes, too few to mean anything. */
function ofLabels(totals: LabelTotals, before: LabelTotals): Headline | null {
  const moved = labelChange(totals, before);
  if (moved !== null && moved.since.n >= MIN_FOR_SHARE && rightShare(before.settled).n >= MIN_FOR_SHARE) {
    const { successes, n } = moved.since;
    return {
      text: `${TRENDS[moved.trend]}: people agree with ${percent(successes / n)} of ${counted(n, 'verdict')} voted on since the last digest, ${moved.points} points compared with before (${moved.interval}).`,
      trend: moved.trend,
    };
  }
  const { successes, n } = rightShare(totals.settled);
  if (n < MIN_FOR_SHARE) return null;
  return {
    text: `People agree with ${percent(successes / n)} of ${counted(n, 'verdict')} that they voted on (${shareInterval(shareLimits({ successes, n }))}).`,
    trend: 'unknown',
  };
}

function ofActivity(totals: LabelTotals, checks: number): Headline {
  const { n } = rightShare(totals.settled);
  const judged = checks === 0 ? 'No spot checks' : counted(checks, 'spot check');
  return {
    text: `${judged}; ${counted(n, 'verdict')} with a majority of votes so far (from ${MIN_FOR_SHARE} on, this says how often people agree with the panel).`,
    trend: 'unknown',
  };
}

/** The headline: about the assistant or the judges if a benchmark ran, otherwise about labels, otherwise about activity. */
function headline(
  data: DigestData,
  assistant: { text: string; trend: DigestMark } | null,
  judges: readonly JudgesHistory[],
  totals: LabelTotals,
): { text: string; trend: DigestMark } {
  const before = data.last?.labels ?? noLabels;
  const { text, trend } =
    assistant ??
    ofJudges(judges) ??
    ofFirstRun(data, judges) ??
    ofLabels(totals, before) ??
    ofActivity(totals, checksSince(totals, before));
  const missing = data.outcomes.filter(({ kind }) => kind !== 'complete').map(({ name }) => name);
  if (missing.length === 0) return { text, trend };
  return { text: `${text.replace(/\.$/, '')}; ${missing.join(', ')} did not finish.`, trend };
}

/** Whether nothing was judged, voted on or measured since the last digest. Changed and withdrawn votes count as activity. */
function isQuiet({ benchmarks, outcomes, recent }: DigestData, last: Snapshot, totals: LabelTotals): boolean {
  if (outcomeFacts(outcomes).length > 0 || recent.hidden > 0 || !isDeepStrictEqual(totals, last.labels))
    return false;
  return benchmarks.every((history) => last.runs[history.name] === newestRun(history)?.name);
}

/** Footnotes on how to read the figures. */
function notes({ benchmarks, recent: { hidden }, last, timezone }: DigestData): string {
  const [are, count] = hidden === 1 ? ['is', 'counts'] : ['are', 'count'];
  return [
    'People agree with a verdict if more votes agree than disagree; ties count for neither side.',
    benchmarks.some(({ subject }) => subject === 'judges')
      ? 'Trials without a decision count as not right.'
      : '',
    benchmarks.some(({ subject }) => subject === 'assistant')
      ? 'Pass rates leave out undecided answers. Better and worse: the 95 % interval of the change leaves out 0.'
      : '',
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

/** Composes the digest, and the snapshot for the next one to compare with. The cost does not grow with votes or trials. */
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
  const assistant = assistantParts(data);
  const judges = benchmarks.filter((history) => history.subject === 'judges');
  const { text, trend } = headline(data, assistant?.headline ?? null, judges, totals);
  const passRates = benchmarkTrend('Answers that pass', assistant?.histories ?? [], timezone);
  const trendOfRuns = passRates.length > 0 ? passRates : benchmarkTrend('Right decisions', judges, timezone);
  const checks = checkFacts(data, totals);
  // A message about an assistant has only what matters, one line if nothing does; the rest goes in its thread.
  const isCalm = assistant !== null && trend === 'steady' && benchmarks.length === 1;
  const chart = trendOfRuns.length > 0 || assistant !== null ? trendOfRuns : labelTrend(counts);
  const measured = [...(assistant?.blocks ?? []), ...benchmarkTable(judges), ...chart];
  return {
    digest: {
      headline: text,
      trend,
      quiet: false,
      note,
      blocks: [
        ...outcomeFacts(data.outcomes),
        ...(isCalm ? [] : measured),
        ...regressionFacts(judges),
        ...(assistant === null ? checks : []),
      ],
      details: [
        ...(isCalm ? measured : []),
        ...(assistant?.details ?? []),
        ...judgeTable(totals, last?.labels ?? null),
        ...disputedList(recent),
        ...(assistant === null ? [] : checks),
        ...regressionDetails(judges, data.origins),
        { kind: 'text', text: notes(data) },
      ],
    },
    snapshot,
  };
}
