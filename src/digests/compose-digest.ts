import { isDeepStrictEqual } from 'node:util';
import { counted, percent } from '../common/text/index.ts';
import { agreedSentence, MIN_FOR_SHARE } from '../labels/agreement/index.ts';
import { SETTLED_BY } from '../labels/index.ts';
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
  type DigestBlock,
  type DigestData,
  type DigestMark,
  LABELS_OF,
  type LabelTotals,
  labelsBefore,
  labelTotals,
  noLabels,
  type Snapshot,
} from './digest.ts';
import {
  benchmarkTable,
  benchmarkTrend,
  checkFacts,
  checksSince,
  configurationTexts,
  disputedList,
  judgeTable,
  labelTrend,
  outcomeFacts,
  regressionDetails,
  regressionFacts,
  whereText,
} from './digest-blocks.ts';
import { howWeKnow } from './how-we-know.ts';

/** Headline for judge benchmarks that ran again; null if none did. Several configurations are not pooled: one may hide what another did. */
const ofJudges = (benchmarks: readonly JudgesHistory[]): Headline | null =>
  mostUrgent(
    benchmarks.flatMap((history) => {
      const { name, lead } = history;
      if (lead !== undefined) {
        const { trend } = lead;
        const who = `The judges of ${name}${trend === 'unknown' ? '' : ` got ${trend}`}`;
        return [{ text: `${who}: ${lead.text.replace(/\.$/, '')}`, trend, of: name }];
      }
      const [moved, run] = [benchmarkChange(history), newestRun(history)];
      if (moved === null || run === null) return [];
      const { trend, points, interval } = moved;
      const share = `${percent(shareOfRun(run))} of ${counted(run.n, 'trial')}`;
      const text = `${TRENDS[trend]}: the judges agree with the labels on ${share} of ${name}, ${points} points since the last digest (${interval})`;
      return [{ text, trend }];
    }),
  );

/** Headline for a judge benchmark's first run; null if there is none. */
function ofFirstRun({ last }: DigestData, benchmarks: readonly JudgesHistory[]): Headline | null {
  const fresh = benchmarks.find(({ name, runs }) => last?.runs[name] !== runs.at(-1)?.name);
  const run = fresh === undefined ? null : newestRun(fresh);
  if (run === null || run.n === 0) return null;
  const share = `${percent(shareOfRun(run))} of ${counted(run.n, 'trial')} of ${fresh?.name} (${shareInterval(intervalOfRun(run))})`;
  return {
    text: `The judges agree with the labels on ${share}; the next digest will compare.`,
    trend: 'unknown',
  };
}

/** Headline on how often people agree with verdicts; null below {@link MIN_FOR_SHARE} settled verdicts, too few to mean anything. */
function ofLabels(data: DigestData, totals: LabelTotals, before: LabelTotals): Headline | null {
  const where = whereText(data);
  const moved = labelChange(totals, before);
  if (moved !== null && moved.since.n >= MIN_FOR_SHARE && rightShare(before.settled).n >= MIN_FOR_SHARE) {
    const { successes, n } = moved.since;
    return {
      text: `People agree with ${percent(successes / n)} of ${counted(n, 'verdict')} settled by votes ${where} since the last digest, ${moved.points} points compared with before (${moved.interval}); people choose what they vote on, so this shows no trend.`,
      trend: 'unknown',
    };
  }
  const { successes, n } = rightShare(totals.settled);
  if (n < MIN_FOR_SHARE) return null;
  return {
    text: `People agree with ${percent(successes / n)} of ${counted(n, 'verdict')} settled by votes ${where} (${shareInterval(shareLimits({ successes, n }))}).`,
    trend: 'unknown',
  };
}

function ofActivity(data: DigestData, totals: LabelTotals, checks: number): Headline {
  const { n } = rightShare(totals.settled);
  const judged = checks === 0 ? 'No spot checks' : counted(checks, 'spot check');
  return {
    text: `${judged} ${whereText(data)}; ${counted(n, 'verdict')} settled by votes so far (from ${MIN_FOR_SHARE} on, this says how often people agree with the panel).`,
    trend: 'unknown',
  };
}

/** A headline with its mark. */
type Lead = Pick<Headline, 'text' | 'others' | 'of'> & { trend: DigestMark };

/** The headline: about the assistant or the judges if a benchmark ran, otherwise about labels, otherwise about activity. */
function headline(
  data: DigestData,
  assistant: Lead | null,
  judges: readonly JudgesHistory[],
  totals: LabelTotals,
): Lead {
  const before = labelsBefore(data) ?? noLabels;
  const { text, trend, others, of }: Lead =
    assistant ??
    ofJudges(judges) ??
    ofFirstRun(data, judges) ??
    ofLabels(data, totals, before) ??
    ofActivity(data, totals, checksSince(totals, before));
  const missing = data.outcomes.filter(({ kind }) => kind !== 'complete').map(({ name }) => name);
  const whole =
    missing.length === 0 ? text : `${text.replace(/\.$/, '')}; ${missing.join(', ')} did not finish.`;
  return {
    text: whole,
    trend,
    ...(others === undefined ? {} : { others }),
    ...(of === undefined ? {} : { of }),
  };
}

/** How often people agree, and that this is no sample; nothing for too few, or where the headline says it. */
function votesText(data: DigestData, { settled }: LabelTotals): DigestBlock[] {
  const { successes: agreed, n } = rightShare(settled);
  const text = agreedSentence({ agreed, n }, 'en', data.scope);
  return text === null || data.benchmarks.length === 0 ? [] : [{ kind: 'text', text }];
}

/** Whether nothing was judged, voted on or measured since the last digest. Changed and withdrawn votes count as activity. */
function isQuiet(data: DigestData, last: Snapshot, totals: LabelTotals): boolean {
  const { benchmarks, outcomes, recent } = data;
  if (
    outcomeFacts(outcomes).length > 0 ||
    recent.hidden > 0 ||
    !isDeepStrictEqual(totals, labelsBefore(data))
  )
    return false;
  return benchmarks.every((history) => last.runs[history.name] === newestRun(history)?.name);
}

/** Footnotes on how to read the figures. */
function notes(data: DigestData): string {
  const {
    benchmarks,
    recent: { hidden },
    last,
    timezone,
  } = data;
  const [are, count] = hidden === 1 ? ['is', 'counts'] : ['are', 'count'];
  return [
    `Votes and spot checks are those ${whereText(data)}. Votes settle a verdict: ${SETTLED_BY}; what is not settled counts for neither side.`,
    benchmarks.some(({ subject }) => subject === 'judges')
      ? 'Trials without a decision count as not right.'
      : '',
    benchmarks.some(({ subject }) => subject === 'assistant')
      ? 'Pass rates leave out undecided answers. Better and worse: the 95 % interval of the change leaves out 0.'
      : '',
    last === null || labelsBefore(data) === null
      ? 'Votes and spot checks cover all time.'
      : `Since: ${momentIn(timezone, last.at)} (${timezone}).`,
    hidden === 0
      ? ''
      : `${counted(hidden, 'verdict')} of the last seven days ${are} hidden until people vote and ${count} only toward the cost.`,
  ]
    .filter((note) => note !== '')
    .join(' ');
}

const quietText = (data: DigestData, last: Snapshot): string => {
  const what =
    data.scope === 'here'
      ? `judged or voted on ${whereText(data)}, or measured`
      : 'judged, voted on or measured';
  return `All quiet since ${dayIn(data.timezone, last.at)}: nothing was ${what}.`;
};

/** A link to the digest's page. */
const pageLink = (url: string): DigestBlock => ({
  kind: 'list',
  title: 'How we know',
  items: [{ text: 'Each number with its n, source and assumption', link: url }],
  more: 0,
});

/** Where a digest says how each number is known: a link in the post, or in the thread of one line; without a page, in the thread. */
function shownKnown({ pageUrl }: DigestData, known: readonly DigestBlock[], isCalm: boolean) {
  if (pageUrl === null || known.length === 0) return { post: [], thread: known };
  const link = [pageLink(pageUrl)];
  return isCalm ? { post: [], thread: link } : { post: link, thread: [] };
}

/**
 * Composes the digest, and the snapshot for the next one to compare with. The cost does not grow with votes or trials.
 * @returns `known`: how each number is known, for the digest's page; its thread has that where it has no page
 */
export function composeDigest(data: DigestData): {
  digest: Digest;
  snapshot: Snapshot;
  known: DigestBlock[];
} {
  const { counts, last, benchmarks, recent, timezone } = data;
  const totals = labelTotals(counts);
  const runs = benchmarks.flatMap((history) => {
    const run = newestRun(history);
    return run === null ? [] : [[history.name, run.name]];
  });
  const snapshot: Snapshot = {
    at: data.now,
    labels: totals,
    runs: Object.fromEntries(runs),
    basis: LABELS_OF[data.scope],
  };
  const due = `${momentIn(timezone, data.slot)} (${timezone})`;
  const note = data.late ? `Late: this digest was due on ${due}.` : null;
  if (last !== null && isQuiet(data, last, totals)) {
    return {
      digest: {
        headline: quietText(data, last),
        trend: 'steady',
        quiet: true,
        note,
        blocks: [],
        details: [],
      },
      snapshot,
      known: [],
    };
  }
  const assistant = assistantParts(data);
  const judges = benchmarks.filter((history) => history.subject === 'judges');
  const { text, trend, others, of } = headline(data, assistant?.headline ?? null, judges, totals);
  const passRates = benchmarkTrend('Answers that pass', assistant?.histories ?? [], timezone);
  const trendOfRuns = passRates.length > 0 ? passRates : benchmarkTrend('Right decisions', judges, timezone);
  const checks = checkFacts(data, totals);
  // A message about an assistant has only what matters, one line if nothing does; the rest goes in its thread.
  const isCalm = assistant !== null && trend === 'steady' && benchmarks.length === 1;
  const chart = trendOfRuns.length > 0 || assistant !== null ? trendOfRuns : labelTrend(counts);
  const [outcomes, regressions] = [outcomeFacts(data.outcomes), regressionFacts(judges)];
  const known = howWeKnow(data, totals, { others, chart, outcomes, regressions, checks });
  const shown = shownKnown(data, known, isCalm);
  const measured = [
    ...(assistant?.blocks ?? []),
    ...benchmarkTable(judges),
    ...configurationTexts(judges.filter(({ name }) => name !== of)),
    ...chart,
  ];
  return {
    digest: {
      headline: text,
      trend,
      quiet: false,
      note,
      blocks: [
        ...outcomes,
        ...(isCalm ? [] : measured),
        ...regressions,
        ...(assistant === null ? checks : []),
        ...shown.post,
      ],
      details: [
        ...(isCalm ? measured : []),
        ...(assistant?.details ?? []),
        ...judgeTable(data, totals),
        ...votesText(data, totals),
        ...disputedList(recent),
        ...(assistant === null ? [] : checks),
        ...regressionDetails(judges, data.origins),
        ...shown.thread,
        { kind: 'text', text: notes(data) },
      ],
    },
    snapshot,
    known,
  };
}
