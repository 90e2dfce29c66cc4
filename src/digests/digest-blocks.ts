import type { BenchmarkOutcome } from '../benchmark/index.ts';
import { counted, percent, usd } from '../common/text/index.ts';
import type { CountRow } from '../labels/record/index.ts';
import { shareLimits } from '../reports/estimates/index.ts';
import type { BenchmarkHistory, BenchmarkRun, JudgesHistory } from '../reports/history/index.ts';
import {
  benchmarkChange,
  dayIn,
  hourIn,
  intervalOfRun,
  newestRun,
  points,
  rightShare,
  shareInterval,
  shareOfRun,
} from './change-since-last.ts';
import {
  type DigestBlock,
  type DigestData,
  type LabelTotals,
  majoritiesByWeek,
  noLabels,
  type RecentChecks,
} from './digest.ts';

/** Chat charts hold no more than this; reports show the rest. */
const MAX_POINTS = 20;
const MAX_LINES = 6;
const MAX_REGRESSIONS = 10;
const MAX_BENCHMARKS = 20;
const MAX_COMMANDS = 5;
const MAX_JUDGES = 15;
const MAX_DISPUTED = 5;
const MAX_WEEKS = 12;
/** Limits on error types, and on case names per type; the rest are only counted. */
const MAX_KINDS = 8;
const MAX_NAMED = 4;

type Facts = Extract<DigestBlock, { kind: 'facts' }>['facts'];
type Items = Extract<DigestBlock, { kind: 'list' }>['items'];

/**
 * A table whose first column is text and the others are numbers; nothing without rows.
 * @param rows cells by the title of their column, the same columns in every row
 */
function table(
  title: string,
  rows: readonly Readonly<Record<string, string>>[],
  most: number,
): DigestBlock[] {
  const [first] = rows;
  if (first === undefined) return [];
  const columns = Object.keys(first);
  return [
    {
      kind: 'table',
      title,
      columns: columns.map((name, n) => ({ title: name, align: n === 0 ? 'left' : 'right' })),
      rows: rows.slice(0, most).map((row) => columns.map((name) => row[name] ?? '')),
      more: Math.max(0, rows.length - most),
    },
  ];
}

const list = (title: string, items: Items, most: number, total = items.length): DigestBlock[] =>
  items.length === 0
    ? []
    : [{ kind: 'list', title, items: items.slice(0, most), more: total - Math.min(most, items.length) }];

export const facts = (title: string, all: Facts): DigestBlock[] =>
  all.length === 0 ? [] : [{ kind: 'facts', title, facts: all }];

const inPercent = (share: number): number => Math.round(share * 1000) / 10;

/** The best run so far; on a tie, the earliest. */
const bestRun = ({ runs }: BenchmarkHistory): BenchmarkRun | undefined =>
  runs.filter(({ n }) => n > 0).sort((a, b) => shareOfRun(b) - shareOfRun(a))[0];

/** Compares each benchmark with the last digest and with its best run so far. */
export function benchmarkTable(benchmarks: readonly JudgesHistory[]): DigestBlock[] {
  const rows = benchmarks.flatMap((history) => {
    const [run, best] = [newestRun(history), bestRun(history)];
    if (run === null || best === undefined) return [];
    const moved = benchmarkChange(history);
    return [
      {
        Benchmark: history.name,
        Right: run.n === 0 ? '–' : percent(shareOfRun(run)),
        '95 % interval': shareInterval(intervalOfRun(run)),
        'Of trials': String(run.n),
        'Since the last digest': moved === null ? '–' : `${moved.points} (${moved.interval})`,
        'Best so far': best.name === run.name ? 'this one' : percent(shareOfRun(best)),
        Cost: run.costUsd === null ? 'not known' : usd(run.costUsd),
      },
    ];
  });
  return table('Benchmarks', rows, MAX_BENCHMARKS);
}

/** What the configurations of each benchmark that has several came to. */
export const configurationTexts = (benchmarks: readonly JudgesHistory[]): DigestBlock[] =>
  benchmarks.flatMap(({ name, lead }): DigestBlock[] =>
    lead === undefined ? [] : [{ kind: 'text', text: `${name}: ${lead}` }],
  );

const YEAR = / \d{4}\b/;

/** A chart of the benchmarks that have at least two runs. There is one point per day, or one per hour if a benchmark ran more than once in a day. */
export function benchmarkTrend(
  what: string,
  benchmarks: readonly BenchmarkHistory[],
  timezone: string,
): DigestBlock[] {
  const drawable = benchmarks
    .map(({ name, runs }) => ({ name, runs: runs.filter(({ n }) => n > 0) }))
    .filter(({ runs }) => runs.length > 1);
  const drawn = drawable.slice(0, MAX_LINES);
  const sameDay = drawn.some(
    ({ runs }) => new Set(runs.map(({ at }) => dayIn(timezone, at))).size < runs.length,
  );
  const labelOf = ({ at }: BenchmarkRun): string => (sameDay ? hourIn : dayIn)(timezone, at);
  const all = drawn.flatMap(({ runs }) => runs).sort((a, b) => a.at - b.at);
  const points = [...new Set(all.map(labelOf))].slice(-MAX_POINTS);
  if (points.length < 2) return [];
  const left = drawn.length < drawable.length ? `; the first ${drawn.length} of ${drawable.length}` : '';
  const series = drawn.map(({ name, runs }) => {
    // If several runs share a point, the newest is drawn.
    const shares = new Map(runs.map((run) => [labelOf(run), inPercent(shareOfRun(run))]));
    return { name, values: points.map((label) => shares.get(label) ?? null) };
  });
  // Space below a chart is tight: drop the year if it is the same everywhere.
  const years = new Set(points.flatMap((label) => label.match(YEAR) ?? []));
  const categories = years.size === 1 ? points.map((label) => label.replace(YEAR, '')) : points;
  return [{ kind: 'trend', title: `${what} by run, %${left}`, categories, series }];
}

/** The share of verdicts that people agree with, week by week. */
export function labelTrend(counts: readonly CountRow[]): DigestBlock[] {
  const weeks = majoritiesByWeek(counts)
    .map(({ week, settled }) => ({ week, ...rightShare(settled) }))
    .filter(({ n }) => n > 0)
    .slice(-MAX_WEEKS);
  if (weeks.length < 2) return [];
  const values = weeks.map(({ successes, n }) => inPercent(successes / n));
  return [
    {
      kind: 'trend',
      title: 'Verdicts that people agree with, by week, %',
      categories: weeks.map(({ week }) => week),
      series: [{ name: 'agree', values }],
    },
  ];
}

const named = (ids: readonly string[]): string =>
  `${ids.length} (${ids.slice(0, MAX_NAMED).join(', ')}${ids.length > MAX_NAMED ? `, ${ids.length - MAX_NAMED} more` : ''})`;

const lostIn = (benchmarks: readonly JudgesHistory[]) => ({
  lost: benchmarks.flatMap(({ name, compared }) =>
    (compared?.regressions ?? []).map((regression) => ({ ...regression, name })),
  ),
  total: benchmarks.reduce((sum, { compared }) => sum + (compared?.lost ?? 0), 0),
});

/** How many cases were right before and are wrong now, by error type. */
export function regressionFacts(benchmarks: readonly JudgesHistory[]): DigestBlock[] {
  const { lost, total } = lostIn(benchmarks);
  const kinds = new Map<string, string[]>();
  for (const { category, caseId } of lost) kinds.set(category, [...(kinds.get(category) ?? []), caseId]);
  const sorted = [...kinds].sort(([a, n], [b, m]) => m.length - n.length || (a < b ? -1 : 1));
  const others = sorted.slice(MAX_KINDS);
  const rest = others.reduce((sum, [, ids]) => sum + ids.length, 0);
  const part = lost.length < total ? `, of the first ${lost.length}` : '';
  return facts(`${counted(total, 'regression')} by error type${part}`, [
    ...sorted.slice(0, MAX_KINDS).map(([label, ids]) => ({ label, value: named(ids) })),
    ...(others.length === 0 ? [] : [{ label: counted(others.length, 'other kind'), value: String(rest) }]),
  ]);
}

/** Those cases with the reason, and the commands that list all of them: a channel has no link that opens a run. */
export function regressionDetails(
  benchmarks: readonly JudgesHistory[],
  origins: DigestData['origins'],
): DigestBlock[] {
  const { lost, total } = lostIn(benchmarks);
  const items = lost.map(({ name, caseId, category, why }) => {
    const { link = null, hidden = false } = origins.get(caseId) ?? {};
    return { text: `${name}, ${caseId} (${category})${hidden ? '' : `: ${why}`}`, link };
  });
  const commands = benchmarks.flatMap((history) => {
    const [{ compared }, run] = [history, newestRun(history)];
    if (compared === null || compared.lost === 0 || run === null) return [];
    return [{ text: `jury bench compare ${compared.against} ${run.name}`, link: null }];
  });
  return [
    ...list('Right before, wrong now', items, MAX_REGRESSIONS, total),
    ...(lost.length === 0
      ? []
      : list('All changed cases, with what the judges said', commands, MAX_COMMANDS)),
  ];
}

function problemOf(outcome: BenchmarkOutcome): string | null {
  switch (outcome.kind) {
    case 'complete': {
      const { unanswered, trials } = outcome;
      const left = `judges did not answer in ${unanswered} of ${counted(trials, 'trial')}`;
      return unanswered === 0 ? null : left;
    }
    case 'incomplete': {
      const { trials, planned, why, run } = outcome;
      return `run ${run} left out, stopped after ${trials} of ${counted(planned, 'trial')}: ${why}`;
    }
    case 'not-run':
      return `could not run: ${outcome.why}`;
  }
}

/** Problems with the runs for this digest. */
export const outcomeFacts = (outcomes: readonly BenchmarkOutcome[]): DigestBlock[] =>
  facts(
    'Benchmarks that need attention',
    outcomes.flatMap((outcome) => {
      const value = problemOf(outcome);
      return value === null ? [] : [{ label: outcome.name, value }];
    }),
  );

/** A total cost; if any part is unknown, the total is “at least” the known sum. */
const costText = (costs: readonly (number | null)[], isAll = true): string =>
  `${isAll && !costs.includes(null) ? '' : 'at least '}${usd(costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0))}`;

/** Cost of all runs since the last digest, finished or not. */
function runsCost({ benchmarks, outcomes, last }: DigestData): Facts {
  const fresh = benchmarks.flatMap(({ runs }) =>
    last === null ? runs.slice(-1) : runs.filter(({ at }) => at > last.at),
  );
  const spent = [...fresh, ...outcomes.filter((outcome) => outcome.kind === 'incomplete')];
  const value = costText(spent.map(({ costUsd }) => costUsd));
  return spent.length === 0 ? [] : [{ label: 'Cost of the benchmark runs', value }];
}

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

export const checksSince = (now: LabelTotals, before: LabelTotals): number =>
  Math.max(0, total(now.verdicts) - total(before.verdicts));

/** Decisions of verdicts that compare two answers. */
const PREFERENCES = new Map([
  ['A', 'for A'],
  ['B', 'for B'],
  ['same', 'tied'],
]);

/**
 * Checks and votes since the last digest, and their cost.
 * @param now current totals
 */
export function checkFacts(data: DigestData, now: LabelTotals): DigestBlock[] {
  const { last, recent } = data;
  const before = last?.labels ?? noLabels;
  const checks = checksSince(now, before);
  const decisions = Object.keys(now.verdicts)
    .sort()
    .map((decision) => [decision, (now.verdicts[decision] ?? 0) - (before.verdicts[decision] ?? 0)] as const)
    .flatMap(([decision, count]) => (count > 0 ? [`${count} ${PREFERENCES.get(decision) ?? decision}`] : []));
  const votes = total(now.votes) - total(before.votes);
  const { successes, n } = rightShare(now.settled);
  const agreed =
    n === 0
      ? 'no verdict yet'
      : `${percent(successes / n)} of ${counted(n, 'verdict')} (${shareInterval(shareLimits({ successes, n }))})`;
  const undecided = `${counted(now.settled.tied, 'tie')}, ${counted(now.votes.unsure, '“unsure” vote')}`;
  const costs = [recent.costUsd, ...(recent.unpriced === 0 ? [] : [null])];
  return facts(last === null ? 'Spot checks and votes so far' : 'Spot checks and votes since', [
    {
      label: 'Spot checks',
      value: checks === 0 ? 'none' : recent.blind ? String(checks) : `${checks} (${decisions.join(', ')})`,
    },
    { label: 'Votes', value: votes < 0 ? `${-votes} taken back` : String(votes) },
    { label: 'All verdicts that people agree with', value: `${agreed}; ${undecided}` },
    { label: 'Cost of the spot checks', value: costText(costs, recent.isAll) },
    ...runsCost(data),
  ]);
}

/** How often people agree with each judge, on verdicts with a majority of votes. */
export function judgeTable(now: LabelTotals, before: LabelTotals | null): DigestBlock[] {
  const judges = Object.entries(now.judges)
    .map(([judge, settled]) => ({ judge, ...rightShare(settled) }))
    .filter(({ n }) => n > 0)
    .sort((a, b) => b.n - a.n || (a.judge < b.judge ? -1 : 1));
  const rows = judges.map(({ judge, successes, n }) => {
    const earlier = before?.judges[judge];
    const old = earlier === undefined ? { successes: 0, n: 0 } : rightShare(earlier);
    return {
      Judge: judge.replace(/^@/, ''),
      Agree: percent(successes / n),
      '95 % interval': shareInterval(shareLimits({ successes, n })),
      Verdicts: String(n),
      'Since the last digest': old.n === 0 ? '–' : points(successes / n - old.successes / old.n),
    };
  });
  return table('How often people agree with each judge', rows, MAX_JUDGES);
}

export const disputedList = ({ blind, disputed, read, isAll }: RecentChecks): DigestBlock[] =>
  list(
    `Most disputed${isAll ? '' : ` of the newest ${read}`}`,
    disputed.map(({ title, agree, disagree, link }) => ({
      text: blind ? title : `${title}: ${agree} agree, ${disagree} disagree`,
      link,
    })),
    MAX_DISPUTED,
  );
