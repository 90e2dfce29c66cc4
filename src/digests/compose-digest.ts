import { isDeepStrictEqual } from 'node:util';
import { percent } from '../common/text/index.ts';
import { agreedSentence, MIN_FOR_SHARE } from '../labels/agreement/index.ts';
import { shareLimits } from '../reports/estimates/index.ts';
import type { JudgesHistory } from '../reports/history/index.ts';
import { type Language, wordsIn } from '../words/index.ts';
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
const ofJudges = (benchmarks: readonly JudgesHistory[], language: Language): Headline | null =>
  mostUrgent(
    benchmarks.flatMap((history) => {
      const { judges, trends } = wordsIn(language).digests;
      const { name, lead } = history;
      if (lead !== undefined) {
        const { trend } = lead;
        const said = lead.text[language].replace(/\.$/, '');
        const text = judges.headline({ name, trend: trend === 'steady' ? 'unknown' : trend, text: said });
        return [{ text, trend, of: name }];
      }
      const [moved, run] = [benchmarkChange(history, language), newestRun(history)];
      if (moved === null || run === null) return [];
      const { trend, points, interval } = moved;
      const share = percent(shareOfRun(run));
      const text = judges.moved({ trend: trends[trend], share, n: run.n, name, points, interval });
      return [{ text, trend }];
    }),
    language,
  );

/** Headline for a judge benchmark's first run; null if there is none. */
function ofFirstRun({ last, language }: DigestData, benchmarks: readonly JudgesHistory[]): Headline | null {
  const fresh = benchmarks.find(({ name, runs }) => last?.runs[name] !== runs.at(-1)?.name);
  const run = fresh === undefined ? null : newestRun(fresh);
  if (run === null || run.n === 0) return null;
  const text = wordsIn(language).digests.judges.first({
    share: percent(shareOfRun(run)),
    n: run.n,
    name: fresh?.name ?? '',
    interval: shareInterval(intervalOfRun(run), language),
  });
  return { text, trend: 'unknown' };
}

/** Headline on how often people agree with verdicts; null below {@link MIN_FOR_SHARE} settled verdicts, too few to mean anything. */
function ofLabels(data: DigestData, totals: LabelTotals, before: LabelTotals): Headline | null {
  const { language } = data;
  const { votes } = wordsIn(language).digests;
  const where = whereText(data);
  const moved = labelChange(totals, before, language);
  if (moved !== null && moved.since.n >= MIN_FOR_SHARE && rightShare(before.settled).n >= MIN_FOR_SHARE) {
    const { successes, n } = moved.since;
    const { points, interval } = moved;
    return {
      text: votes.since({ share: percent(successes / n), n, where, points, interval }),
      trend: 'unknown',
    };
  }
  const { successes, n } = rightShare(totals.settled);
  if (n < MIN_FOR_SHARE) return null;
  const interval = shareInterval(shareLimits({ successes, n }), language);
  return { text: votes.now({ share: percent(successes / n), n, where, interval }), trend: 'unknown' };
}

function ofActivity(data: DigestData, totals: LabelTotals, checks: number): Headline {
  const { n } = rightShare(totals.settled);
  const text = wordsIn(data.language).digests.activity({
    checks,
    where: whereText(data),
    settled: n,
    from: MIN_FOR_SHARE,
  });
  return { text, trend: 'unknown' };
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
    ofJudges(judges, data.language) ??
    ofFirstRun(data, judges) ??
    ofLabels(data, totals, before) ??
    ofActivity(data, totals, checksSince(totals, before));
  const missing = data.outcomes.filter(({ kind }) => kind !== 'complete').map(({ name }) => name);
  const whole =
    missing.length === 0
      ? text
      : `${text.replace(/\.$/, '')}${wordsIn(data.language).digests.notFinished(missing)}`;
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
  const text = agreedSentence({ agreed, n }, data.language, data.scope);
  return text === null || data.benchmarks.length === 0 ? [] : [{ kind: 'text', text }];
}

/** Whether nothing was judged, voted on or measured since the last digest. Changed and withdrawn votes count as activity. */
function isQuiet(data: DigestData, last: Snapshot, totals: LabelTotals): boolean {
  const { benchmarks, outcomes, recent } = data;
  if (
    outcomeFacts(outcomes, data.language).length > 0 ||
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
    language,
  } = data;
  const words = wordsIn(language).digests;
  return [
    words.notes.votes({ where: whereText(data), rule: words.settledBy }),
    benchmarks.some(({ subject }) => subject === 'judges') ? words.notes.trials : '',
    benchmarks.some(({ subject }) => subject === 'assistant') ? words.notes.rates : '',
    last === null || labelsBefore(data) === null
      ? words.notes.allTime
      : words.notes.since({ moment: momentIn(data, last.at), timezone }),
    hidden === 0 ? '' : words.notes.hidden(hidden),
  ]
    .filter((note) => note !== '')
    .join(' ');
}

const quietText = (data: DigestData, last: Snapshot): string =>
  wordsIn(data.language).digests.quiet({
    day: dayIn(data, last.at),
    where: data.scope === 'here' ? whereText(data) : null,
  });

/** A link to the digest's page. */
const pageLink = (url: string, language: Language): DigestBlock => {
  const { title, link } = wordsIn(language).known;
  return { kind: 'list', title, items: [{ text: link, link: url }], more: 0 };
};

/** Where a digest says how each number is known: a link in the post, or in the thread of one line; without a page, in the thread. */
function shownKnown({ pageUrl, language }: DigestData, known: readonly DigestBlock[], isCalm: boolean) {
  if (pageUrl === null || known.length === 0) return { post: [], thread: known };
  const link = [pageLink(pageUrl, language)];
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
  const { counts, last, benchmarks, recent, timezone, language } = data;
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
  const due = `${momentIn(data, data.slot)} (${timezone})`;
  const note = data.late ? wordsIn(language).digests.late(due) : null;
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
  const passRates = benchmarkTrend('passing', assistant?.histories ?? [], data);
  const trendOfRuns = passRates.length > 0 ? passRates : benchmarkTrend('right', judges, data);
  const checks = checkFacts(data, totals);
  // A message about an assistant has only what matters, one line if nothing does; the rest goes in its thread.
  const isCalm = assistant !== null && trend === 'steady' && benchmarks.length === 1;
  const chart = trendOfRuns.length > 0 || assistant !== null ? trendOfRuns : labelTrend(counts, language);
  const [outcomes, regressions] = [outcomeFacts(data.outcomes, language), regressionFacts(judges, language)];
  const known = howWeKnow(data, totals, { others, chart, outcomes, regressions, checks });
  const shown = shownKnown(data, known, isCalm);
  const measured = [
    ...(assistant?.blocks ?? []),
    ...benchmarkTable(judges, language),
    ...configurationTexts(
      judges.filter(({ name }) => name !== of),
      language,
    ),
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
        ...disputedList(recent, language),
        ...(assistant === null ? [] : checks),
        ...regressionDetails(judges, data),
        ...shown.thread,
        { kind: 'text', text: notes(data) },
      ],
    },
    snapshot,
    known,
  };
}
