import type { BenchmarkOutcome } from '../benchmark/index.ts';
import { counted, percent, usd } from '../common/text/index.ts';
import { MIN_FOR_SHARE } from '../labels/agreement/index.ts';
import type { CountRow } from '../labels/record/index.ts';
import { shareLimits } from '../reports/estimates/index.ts';
import type { BenchmarkHistory, BenchmarkRun, JudgesHistory } from '../reports/history/index.ts';
import {
  benchmarkChange,
  dayIn,
  hourIn,
  intervalOfRun,
  newestRun,
  rightShare,
  shareInterval,
  shareOfRun,
} from './change-since-last.ts';
import {
  type DigestBlock,
  type DigestData,
  type LabelTotals,
  labelsBefore,
  noLabels,
  type RecentChecks,
  settledByWeek,
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
/** Limit on error types; the rest are only counted. */
const MAX_KINDS = 8;

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
export const bestRun = ({ runs }: BenchmarkHistory): BenchmarkRun | undefined =>
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

/** What the configurations of each benchmark that has several came to, as the headline says it of one. */
export const configurationTexts = (benchmarks: readonly JudgesHistory[]): DigestBlock[] =>
  benchmarks.flatMap(({ name, lead }): DigestBlock[] =>
    lead === undefined ? [] : [{ kind: 'text', text: `The judges of ${name}: ${lead.text}` }],
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

/** The share of settled verdicts that people agree with, week by week; nothing if there are too few in all. */
export function labelTrend(counts: readonly CountRow[]): DigestBlock[] {
  const weeks = settledByWeek(counts)
    .map(({ week, settled }) => ({ week, ...rightShare(settled) }))
    .filter(({ n }) => n > 0)
    .slice(-MAX_WEEKS);
  if (weeks.length < 2 || weeks.reduce((all, { n }) => all + n, 0) < MIN_FOR_SHARE) return [];
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

const lostIn = (benchmarks: readonly JudgesHistory[]) => ({
  lost: benchmarks.flatMap(({ name, compared }) =>
    (compared?.regressions ?? []).map((regression) => ({ ...regression, name })),
  ),
  total: benchmarks.reduce((sum, { compared }) => sum + (compared?.lost ?? 0), 0),
});

/** How many cases were right before and are wrong now, by error type; the thread names them. */
export function regressionFacts(benchmarks: readonly JudgesHistory[]): DigestBlock[] {
  const { lost, total } = lostIn(benchmarks);
  const kinds = new Map<string, number>();
  for (const { category } of lost) kinds.set(category, (kinds.get(category) ?? 0) + 1);
  const sorted = [...kinds].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const others = sorted.slice(MAX_KINDS);
  const rest = others.reduce((sum, [, n]) => sum + n, 0);
  const part = lost.length < total ? `, of the first ${lost.length}` : '';
  return facts(`${counted(total, 'regression')} by error type${part}`, [
    ...sorted.slice(0, MAX_KINDS).map(([label, n]) => ({ label, value: String(n) })),
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

/** Decisions of verdicts that compare two answers, as they are counted. */
const PREFERENCES = ['A', 'B', 'same'];

/** `3 for New, 1 tied`, by the answers' own names; `4 of two answers` if not all of these verdicts were read. */
function preferenceTexts(count: (decision: string) => number, { preferred, isAll }: RecentChecks): string[] {
  const [better, same] = [count('A') + count('B'), count('same')];
  const named = Object.entries(preferred);
  const read = named.reduce((sum, [, n]) => sum + n, 0);
  if (isAll && read === better)
    return [...named.map(([name, n]) => `${n} for ${name}`), ...(same > 0 ? [`${same} tied`] : [])];
  return better + same > 0 ? [`${better + same} of two answers`] : [];
}

/** Where the votes and spot checks come from: `in this conversation`. */
export const whereText = ({ scope }: Pick<DigestData, 'scope'>): string =>
  scope === 'here' ? 'in this conversation' : 'in all conversations';

/**
 * Checks and votes since the last digest, and their cost.
 * @param now current totals
 */
export function checkFacts(data: DigestData, now: LabelTotals): DigestBlock[] {
  const { recent } = data;
  const known = labelsBefore(data);
  const before = known ?? noLabels;
  const checks = checksSince(now, before);
  const since = (decision: string): number =>
    Math.max(0, (now.verdicts[decision] ?? 0) - (before.verdicts[decision] ?? 0));
  const decisions = [
    ...Object.keys(now.verdicts)
      .filter((decision) => !PREFERENCES.includes(decision))
      .sort()
      .flatMap((decision) => (since(decision) > 0 ? [`${since(decision)} ${decision}`] : [])),
    ...preferenceTexts(since, recent),
  ];
  const votes = total(now.votes) - total(before.votes);
  const { successes, n } = rightShare(now.settled);
  const { tied } = now.settled;
  const { unsure } = now.votes;
  const settled = [
    n < MIN_FOR_SHARE
      ? String(n)
      : `${n}, and people agree with ${percent(successes / n)} of them (${shareInterval(shareLimits({ successes, n }))})`,
    ...(tied > 0 ? [counted(tied, 'tie')] : []),
    ...(unsure > 0 ? [counted(unsure, '“unsure” vote')] : []),
  ].join('; ');
  const costs = [recent.costUsd, ...(recent.unpriced === 0 ? [] : [null])];
  const where = `Spot checks and votes ${whereText(data)}`;
  return facts(known === null ? `${where} so far` : `${where} since`, [
    {
      label: 'Spot checks',
      value: checks === 0 ? 'none' : recent.blind ? String(checks) : `${checks} (${decisions.join(', ')})`,
    },
    { label: 'Votes', value: votes < 0 ? `${-votes} taken back` : String(votes) },
    ...(n + tied + unsure === 0 ? [] : [{ label: 'All verdicts settled by votes', value: settled }]),
    { label: 'Cost of the spot checks', value: costText(costs, recent.isAll) },
    ...runsCost(data),
  ]);
}

/** `Forensic Examiner (openai/gpt-4o-mini)`. @param key a `judgeKey` */
function nameOfJudge(key: string, personas: DigestData['personas']): string {
  const at = key.indexOf('@');
  const [persona, model] = [key.slice(0, at), key.slice(at + 1)];
  return persona === '' ? model : `${personas.get(persona) ?? persona} (${model})`;
}

/** How often people agree with each judge whose settled answers are enough to say so, most answers first. */
function allJudgeRows({ personas }: Pick<DigestData, 'personas'>, now: LabelTotals) {
  const judges = Object.entries(now.judges)
    .map(([judge, settled]) => ({ judge, ...rightShare(settled) }))
    .filter(({ n }) => n >= MIN_FOR_SHARE)
    .sort((a, b) => b.n - a.n || (a.judge < b.judge ? -1 : 1));
  return judges.map(({ judge, successes, n }) => ({
    Judge: nameOfJudge(judge, personas),
    Agree: percent(successes / n),
    '95 % interval': shareInterval(shareLimits({ successes, n })),
    Verdicts: String(n),
  }));
}

/** The rows of {@link judgeTable} that are shown. */
export const judgeRows = (...args: Parameters<typeof allJudgeRows>) =>
  allJudgeRows(...args).slice(0, MAX_JUDGES);

export const judgeTable = (data: Pick<DigestData, 'personas' | 'scope'>, now: LabelTotals): DigestBlock[] =>
  table(`How often people agree with each judge ${whereText(data)}`, allJudgeRows(data, now), MAX_JUDGES);

export const disputedList = ({ blind, disputed, read, isAll }: RecentChecks): DigestBlock[] =>
  list(
    `Most disputed${isAll ? '' : ` of the newest ${read}`}`,
    disputed.map(({ title, agree, disagree, link }) => ({
      text: blind ? title : `${title}: ${agree} agree, ${disagree} disagree`,
      link,
    })),
    MAX_DISPUTED,
  );
