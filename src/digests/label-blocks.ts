import { counted, usd } from '../common/text.ts';
import type { CountRow } from '../labels/verdict-record.ts';
import { type Share, wilsonInterval } from '../statistics/proportions.ts';
import { percent, points, settledShare, shareInterval } from './change.ts';
import { type DigestBlock, type LabelTotals, noLabels, type RecentChecks, settledByWeek } from './digest.ts';

const MAX_JUDGES = 15;
const MAX_DISPUTED = 5;
const MAX_WEEKS = 12;

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

export const checksSince = (now: LabelTotals, before: LabelTotals): number =>
  Math.max(0, total(now.verdicts) - total(before.verdicts));

const votesSince = (now: LabelTotals, before: LabelTotals): number => total(now.votes) - total(before.votes);

/** `83% of 6 verdicts (44–97%)`. */
const agreed = ({ successes, n }: Share): string =>
  n === 0
    ? 'no verdict yet'
    : `${percent(successes / n)} of ${counted(n, 'verdict')} (${shareInterval(wilsonInterval(successes, n))})`;

/**
 * What was judged and voted since the last digest, and what it cost.
 *
 * @param last totals of the last digest; null if this is the first
 * @param runsCost as text; null if nothing was run
 */
export function checkFacts(
  now: LabelTotals,
  last: LabelTotals | null,
  recent: RecentChecks,
  runsCost: string | null,
): DigestBlock {
  const before = last ?? noLabels;
  const checks = checksSince(now, before);
  const decisions = Object.keys(now.verdicts)
    .sort()
    .map((decision) => [decision, (now.verdicts[decision] ?? 0) - (before.verdicts[decision] ?? 0)] as const)
    .filter(([, count]) => count > 0)
    .map(([decision, count]) => `${count} ${decision}`);
  const votes = votesSince(now, before);
  const { unsure } = now.votes;
  const { tied } = now.settled;
  const isExact = recent.unpriced === 0 && recent.isAll;
  return {
    kind: 'facts',
    title: last === null ? 'Spot checks and votes so far' : 'Spot checks and votes since',
    facts: [
      {
        label: 'Spot checks',
        value: checks === 0 ? 'none' : recent.blind ? String(checks) : `${checks} (${decisions.join(', ')})`,
      },
      { label: 'Votes', value: votes < 0 ? `${-votes} taken back` : String(votes) },
      {
        label: 'People agree with, in total',
        value: `${agreed(settledShare(now.settled))}; ${counted(tied, 'tie')}, ${counted(unsure, '“unsure” vote')}`,
      },
      { label: 'Cost of the spot checks', value: `${isExact ? '' : 'at least '}${usd(recent.costUsd)}` },
      ...(runsCost === null ? [] : [{ label: 'Cost of the benchmark runs', value: runsCost }]),
    ],
  };
}

/** How often people agree with each judge, on settled verdicts. */
export function judgeTable(now: LabelTotals, before: LabelTotals | null): DigestBlock[] {
  const judges = Object.entries(now.judges)
    .map(([judge, settled]) => ({ judge, ...settledShare(settled) }))
    .filter(({ n }) => n > 0)
    .sort((a, b) => b.n - a.n || (a.judge < b.judge ? -1 : 1));
  if (judges.length === 0) return [];
  return [
    {
      kind: 'table',
      title: 'How often people agree with each judge',
      columns: ['Judge', 'Agree', '95% interval', 'Verdicts', 'Since the last digest'].map((title, n) => ({
        title,
        align: n === 0 ? ('left' as const) : ('right' as const),
      })),
      rows: judges.slice(0, MAX_JUDGES).map(({ judge, successes, n }) => {
        const earlier = before?.judges[judge];
        const old = earlier === undefined ? { successes: 0, n: 0 } : settledShare(earlier);
        return [
          judge.replace(/^@/, ''),
          percent(successes / n),
          shareInterval(wilsonInterval(successes, n)),
          String(n),
          old.n === 0 ? '–' : points(successes / n - old.successes / old.n),
        ];
      }),
      more: Math.max(0, judges.length - MAX_JUDGES),
    },
  ];
}

/** The share of verdicts that people agree with, week by week. */
export function labelTrend(counts: readonly CountRow[]): DigestBlock[] {
  const weeks = settledByWeek(counts)
    .map(({ week, settled }) => ({ week, ...settledShare(settled) }))
    .filter(({ n }) => n > 0)
    .slice(-MAX_WEEKS);
  if (weeks.length < 2) return [];
  return [
    {
      kind: 'trend',
      title: 'Verdicts that people agree with, by week, %',
      categories: weeks.map(({ week }) => week),
      series: [
        { name: 'agree', values: weeks.map(({ successes, n }) => Math.round((successes / n) * 1000) / 10) },
      ],
    },
  ];
}

export function disputedList({ blind, disputed, read, isAll }: RecentChecks): DigestBlock[] {
  if (disputed.length === 0) return [];
  return [
    {
      kind: 'list',
      title: `Most disputed${isAll ? '' : ` of the newest ${read}`}`,
      items: disputed.slice(0, MAX_DISPUTED).map(({ title, agree, disagree, link }) => ({
        text: blind ? title : `${title}: ${agree} agree, ${disagree} disagree`,
        link,
      })),
      more: Math.max(0, disputed.length - MAX_DISPUTED),
    },
  ];
}
