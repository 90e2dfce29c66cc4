import type { BenchmarkOutcome } from '../benchmark/index.ts';
import { percent, usd } from '../common/text/index.ts';
import { MIN_FOR_SHARE } from '../labels/agreement/index.ts';
import type { CountRow } from '../labels/record/index.ts';
import { shareLimits } from '../reports/estimates/index.ts';
import type { BenchmarkHistory, BenchmarkRun, JudgesHistory } from '../reports/history/index.ts';
import { type Language, type Words, wordsIn } from '../words/index.ts';
import {
  benchmarkChange,
  dayIn,
  hourIn,
  intervalOfRun,
  newestRun,
  type Place,
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
export function benchmarkTable(benchmarks: readonly JudgesHistory[], language: Language): DigestBlock[] {
  const { title, columns, thisOne, notKnown } = wordsIn(language).digests.benchmarks;
  const rows = benchmarks.flatMap((history) => {
    const [run, best] = [newestRun(history), bestRun(history)];
    if (run === null || best === undefined) return [];
    const moved = benchmarkChange(history, language);
    return [
      {
        [columns.name]: history.name,
        [columns.right]: run.n === 0 ? '–' : percent(shareOfRun(run)),
        [columns.interval]: shareInterval(intervalOfRun(run), language),
        [columns.trials]: String(run.n),
        [columns.since]: moved === null ? '–' : `${moved.points} (${moved.interval})`,
        [columns.best]: best.name === run.name ? thisOne : percent(shareOfRun(best)),
        [columns.cost]: run.costUsd === null ? notKnown : usd(run.costUsd),
      },
    ];
  });
  return table(title, rows, MAX_BENCHMARKS);
}

/** What the configurations of each benchmark that has several came to, as the headline says it of one. */
export const configurationTexts = (benchmarks: readonly JudgesHistory[], language: Language): DigestBlock[] =>
  benchmarks.flatMap(({ name, lead }): DigestBlock[] =>
    lead === undefined
      ? []
      : [{ kind: 'text', text: `${wordsIn(language).digests.judges.of(name)}: ${lead.text[language]}` }],
  );

const YEAR = / \d{4}\b/;

/** A chart of the benchmarks that have at least two runs. There is one point per day, or one per hour if a benchmark ran more than once in a day. */
export function benchmarkTrend(
  what: 'passing' | 'right',
  benchmarks: readonly BenchmarkHistory[],
  place: Place,
): DigestBlock[] {
  const { trend } = wordsIn(place.language).digests;
  const drawable = benchmarks
    .map(({ name, runs }) => ({ name, runs: runs.filter(({ n }) => n > 0) }))
    .filter(({ runs }) => runs.length > 1);
  const drawn = drawable.slice(0, MAX_LINES);
  const sameDay = drawn.some(
    ({ runs }) => new Set(runs.map(({ at }) => dayIn(place, at))).size < runs.length,
  );
  const labelOf = ({ at }: BenchmarkRun): string => (sameDay ? hourIn : dayIn)(place, at);
  const all = drawn.flatMap(({ runs }) => runs).sort((a, b) => a.at - b.at);
  const points = [...new Set(all.map(labelOf))].slice(-MAX_POINTS);
  if (points.length < 2) return [];
  const series = drawn.map(({ name, runs }) => {
    // If several runs share a point, the newest is drawn.
    const shares = new Map(runs.map((run) => [labelOf(run), inPercent(shareOfRun(run))]));
    return { name, values: points.map((label) => shares.get(label) ?? null) };
  });
  const title = trend.byRun({ what: trend[what], drawn: drawn.length, all: drawable.length });
  // Space below a chart is tight: drop the year if it is the same everywhere.
  const years = new Set(points.flatMap((label) => label.match(YEAR) ?? []));
  const categories = years.size === 1 ? points.map((label) => label.replace(YEAR, '')) : points;
  return [{ kind: 'trend', title, categories, series }];
}

/** The share of settled verdicts that people agree with, week by week; nothing if there are too few in all. */
export function labelTrend(counts: readonly CountRow[], language: Language): DigestBlock[] {
  const { trend } = wordsIn(language).digests;
  const weeks = settledByWeek(counts)
    .map(({ week, settled }) => ({ week, ...rightShare(settled) }))
    .filter(({ n }) => n > 0)
    .slice(-MAX_WEEKS);
  if (weeks.length < 2 || weeks.reduce((all, { n }) => all + n, 0) < MIN_FOR_SHARE) return [];
  const values = weeks.map(({ successes, n }) => inPercent(successes / n));
  return [
    {
      kind: 'trend',
      title: trend.votes,
      categories: weeks.map(({ week }) => week),
      series: [{ name: trend.agree, values }],
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
export function regressionFacts(benchmarks: readonly JudgesHistory[], language: Language): DigestBlock[] {
  const { regressions: words } = wordsIn(language).digests;
  const { lost, total } = lostIn(benchmarks);
  const kinds = new Map<string, number>();
  for (const { category } of lost) kinds.set(category, (kinds.get(category) ?? 0) + 1);
  const sorted = [...kinds].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const others = sorted.slice(MAX_KINDS);
  const rest = others.reduce((sum, [, n]) => sum + n, 0);
  const first = lost.length < total ? lost.length : null;
  return facts(words.byType({ count: total, first }), [
    ...sorted.slice(0, MAX_KINDS).map(([label, n]) => ({ label, value: String(n) })),
    ...(others.length === 0 ? [] : [{ label: words.otherKinds(others.length), value: String(rest) }]),
  ]);
}

/** Those cases with the reason, and the commands that list all of them: a channel has no link that opens a run. */
export function regressionDetails(
  benchmarks: readonly JudgesHistory[],
  { origins, language }: Pick<DigestData, 'origins' | 'language'>,
): DigestBlock[] {
  const { regressions: words } = wordsIn(language).digests;
  const { lost, total } = lostIn(benchmarks);
  const items = lost.map(({ name, caseId, category, why }) => {
    const { link = null, hidden = false } = origins.get(caseId) ?? {};
    return { text: words.line({ name, caseId, category, why: hidden ? null : why }), link };
  });
  const commands = benchmarks.flatMap((history) => {
    const [{ compared }, run] = [history, newestRun(history)];
    if (compared === null || compared.lost === 0 || run === null) return [];
    return [{ text: `jury bench compare ${compared.against} ${run.name}`, link: null }];
  });
  return [
    ...list(words.title, items, MAX_REGRESSIONS, total),
    ...(lost.length === 0 ? [] : list(words.allCases, commands, MAX_COMMANDS)),
  ];
}

function problemOf(outcome: BenchmarkOutcome, language: Language): string | null {
  const words = wordsIn(language).digests.benchmarks;
  switch (outcome.kind) {
    case 'complete': {
      const { unanswered, trials } = outcome;
      return unanswered === 0 ? null : words.unanswered({ count: unanswered, trials });
    }
    case 'incomplete': {
      return words.incomplete(outcome);
    }
    case 'not-run':
      return words.notRun(outcome.why);
  }
}

/** Problems with the runs for this digest. */
export const outcomeFacts = (outcomes: readonly BenchmarkOutcome[], language: Language): DigestBlock[] =>
  facts(
    wordsIn(language).digests.benchmarks.attention,
    outcomes.flatMap((outcome) => {
      const value = problemOf(outcome, language);
      return value === null ? [] : [{ label: outcome.name, value }];
    }),
  );

/** A total cost; if any part is unknown, the total is “at least” the known sum. */
function costText(costs: readonly (number | null)[], language: Language, isAll = true): string {
  const known = usd(costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0));
  return isAll && !costs.includes(null) ? known : wordsIn(language).digests.checks.atLeast(known);
}

/** Cost of all runs since the last digest, finished or not. */
function runsCost({ benchmarks, outcomes, last, language }: DigestData): Facts {
  const fresh = benchmarks.flatMap(({ runs }) =>
    last === null ? runs.slice(-1) : runs.filter(({ at }) => at > last.at),
  );
  const spent = [...fresh, ...outcomes.filter((outcome) => outcome.kind === 'incomplete')];
  const value = costText(
    spent.map(({ costUsd }) => costUsd),
    language,
  );
  return spent.length === 0 ? [] : [{ label: wordsIn(language).digests.checks.runsCost, value }];
}

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

export const checksSince = (now: LabelTotals, before: LabelTotals): number =>
  Math.max(0, total(now.verdicts) - total(before.verdicts));

/** Decisions of verdicts that compare two answers, as they are counted. */
const PREFERENCES = ['A', 'B', 'same'];

/** `3 for New, 1 tied`, by the answers' own names; `4 of two answers` if not all of these verdicts were read. */
function preferenceTexts(
  count: (decision: string) => number,
  { preferred, isAll }: RecentChecks,
  language: Language,
): string[] {
  const words = wordsIn(language).digests.checks;
  const [better, same] = [count('A') + count('B'), count('same')];
  const named = Object.entries(preferred);
  const read = named.reduce((sum, [, n]) => sum + n, 0);
  if (isAll && read === better)
    return [
      ...named.map(([name, n]) => words.preferred({ count: n, name })),
      ...(same > 0 ? [words.tied(same)] : []),
    ];
  return better + same > 0 ? [words.ofTwo(better + same)] : [];
}

/** A decision as a count names it. */
const decisionText = (decision: string, { decision: words }: Words['verdict']): string =>
  Object.entries(words).find(([name]) => name === decision)?.[1] ?? decision;

/** Where the votes and spot checks come from: `in this conversation`. */
export const whereText = ({ scope, language }: Pick<DigestData, 'scope' | 'language'>): string =>
  wordsIn(language).digests.where[scope];

/**
 * Checks and votes since the last digest, and their cost.
 * @param now current totals
 */
export function checkFacts(data: DigestData, now: LabelTotals): DigestBlock[] {
  const { recent, language } = data;
  const { digests, verdict } = wordsIn(language);
  const words = digests.checks;
  const known = labelsBefore(data);
  const before = known ?? noLabels;
  const checks = checksSince(now, before);
  const since = (decision: string): number =>
    Math.max(0, (now.verdicts[decision] ?? 0) - (before.verdicts[decision] ?? 0));
  const decisions = [
    ...Object.keys(now.verdicts)
      .filter((decision) => !PREFERENCES.includes(decision))
      .sort()
      .flatMap((decision) => {
        const count = since(decision);
        return count > 0 ? [words.decided({ count, decision: decisionText(decision, verdict) })] : [];
      }),
    ...preferenceTexts(since, recent, language),
  ];
  const votes = total(now.votes) - total(before.votes);
  const { successes, n } = rightShare(now.settled);
  const { tied } = now.settled;
  const { unsure } = now.votes;
  const settled = [
    n < MIN_FOR_SHARE
      ? String(n)
      : words.agree({
          n,
          share: percent(successes / n),
          interval: shareInterval(shareLimits({ successes, n }), language),
        }),
    ...(tied > 0 ? [words.ties(tied)] : []),
    ...(unsure > 0 ? [words.unsure(unsure)] : []),
  ].join('; ');
  const costs = [recent.costUsd, ...(recent.unpriced === 0 ? [] : [null])];
  return facts(words.title({ where: whereText(data), isSince: known !== null }), [
    {
      label: words.spotChecks,
      value:
        checks === 0 ? words.none : recent.blind ? String(checks) : `${checks} (${decisions.join(', ')})`,
    },
    { label: words.votes, value: votes < 0 ? words.takenBack(-votes) : String(votes) },
    ...(n + tied + unsure === 0 ? [] : [{ label: words.settled, value: settled }]),
    { label: words.cost, value: costText(costs, language, recent.isAll) },
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
function allJudgeRows({ personas, language }: Pick<DigestData, 'personas' | 'language'>, now: LabelTotals) {
  const judges = Object.entries(now.judges)
    .map(([judge, settled]) => ({ judge, ...rightShare(settled) }))
    .filter(({ n }) => n >= MIN_FOR_SHARE)
    .sort((a, b) => b.n - a.n || (a.judge < b.judge ? -1 : 1));
  return judges.map(({ judge, successes, n }) => ({
    judge: nameOfJudge(judge, personas),
    agree: percent(successes / n),
    interval: shareInterval(shareLimits({ successes, n }), language),
    verdicts: String(n),
  }));
}

/** The rows of {@link judgeTable} that are shown. */
export const judgeRows = (...args: Parameters<typeof allJudgeRows>) =>
  allJudgeRows(...args).slice(0, MAX_JUDGES);

export function judgeTable(
  data: Pick<DigestData, 'personas' | 'scope' | 'language'>,
  now: LabelTotals,
): DigestBlock[] {
  const { title, columns } = wordsIn(data.language).digests.byJudge;
  const rows = allJudgeRows(data, now).map(({ judge, agree, interval, verdicts }) => ({
    [columns.judge]: judge,
    [columns.agree]: agree,
    [columns.interval]: interval,
    [columns.verdicts]: verdicts,
  }));
  return table(title(whereText(data)), rows, MAX_JUDGES);
}

export function disputedList(
  { blind, disputed, read, isAll }: RecentChecks,
  language: Language,
): DigestBlock[] {
  const words = wordsIn(language).digests.disputed;
  return list(
    words.title(isAll ? null : read),
    disputed.map(({ link, ...one }) => ({ text: blind ? one.title : words.line(one), link })),
    MAX_DISPUTED,
  );
}
