import {
  benchmarkTable,
  benchmarkTrend,
  outcomeBlocks,
  regressionBlocks,
  runsCost,
} from './benchmark-blocks.ts';
import { newestRun } from './change.ts';
import type { Digest } from './digest.ts';
import type { DigestData, RecentChecks, Snapshot } from './digest-data.ts';
import { dayIn, momentIn, plural } from './figures.ts';
import { headline } from './headline.ts';
import { checkFacts, checksSince, disputedList, judgeTable, labelTrend } from './label-blocks.ts';
import { type LabelTotals, labelTotals, noLabels } from './label-totals.ts';

/** Whether anything was judged, voted on or measured. Votes that were changed or taken back count too. */
function isQuiet({ last, benchmarks, outcomes, recent }: DigestData, totals: LabelTotals): boolean {
  if (last === null || outcomeBlocks(outcomes).length > 0 || recent.hidden > 0) return false;
  const sameLabels = JSON.stringify(sorted(totals)) === JSON.stringify(sorted(last.labels));
  return sameLabels && benchmarks.every((history) => last.runs[history.name] === newestRun(history)?.name);
}

/** The order in which counts were read means nothing. */
const sorted = ({ verdicts, votes, judges }: LabelTotals) => [
  Object.entries(verdicts).sort(),
  [votes.agree, votes.disagree, votes.unsure],
  Object.entries(judges)
    .map(([judge, { right, wrong, tied }]) => [judge, right, wrong, tied])
    .sort(),
];

const sinceText = ({ last, timezone }: DigestData): string =>
  last === null
    ? 'Votes and spot checks are all that there are so far.'
    : `Since: ${momentIn(timezone, last.at)} (${timezone}).`;

/** `jury bench report` leaves out of its scores what a digest counts as not right: both would be read as the same. */
const benchmarkText = ({ benchmarks }: DigestData): string =>
  benchmarks.length === 0 ? '' : 'Trials left undecided are not right. ';

const hiddenText = ({ hidden }: RecentChecks): string =>
  hidden === 0
    ? ''
    : ` ${plural(hidden, 'verdict')} of the last seven days, hidden until people have voted, ${hidden === 1 ? 'is' : 'are'} in no number yet but the cost.`;

/**
 * Puts a digest together: what to tell, and what to keep so that the next one knows what came since. Costs by the groups
 * and bars that were counted, never by votes or trials.
 */
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
  const note = data.late
    ? `Late: it was due on ${momentIn(timezone, slot)} (${timezone}) and could not be posted then.`
    : null;
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
          text: `People agree with a verdict where more of them agree than disagree; ties count for neither side. ${benchmarkText(data)}${sinceText(data)}${hiddenText(recent)}`,
        },
      ],
    },
    snapshot,
  };
}
