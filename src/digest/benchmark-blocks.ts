import type { DigestBlock } from '../core/digest.ts';
import { wilsonInterval } from '../core/metrics/wilson.ts';
import { benchmarkChange, bestRun, newestRun, shareOfRun } from './change.ts';
import type { BenchmarkHistory } from './digest-data.ts';
import { dayIn, dollars, percent, points, pointsInterval, shareInterval } from './figures.ts';

/** The most that Slack's charts take; older points and further lines are left to the reports. */
const POINTS = 20;
const LINES = 6;
const REGRESSIONS = 10;
const ROWS = 20;

/** Each benchmark against the last digest and the best so far. */
export function benchmarkTable(benchmarks: readonly BenchmarkHistory[]): DigestBlock[] {
  const rows = benchmarks.flatMap((history) => {
    const [run, best] = [newestRun(history), bestRun(history)];
    if (run === null || best === null) return [];
    const moved = benchmarkChange(history);
    return [
      [
        history.name,
        percent(shareOfRun(run)),
        shareInterval(wilsonInterval(run.correct, run.n)),
        String(run.n),
        moved === null ? '–' : `${points(moved.difference)} (${pointsInterval(moved.interval)})`,
        best.name === run.name ? 'this one' : percent(shareOfRun(best)),
        run.costUsd === null ? 'not known' : dollars(run.costUsd),
      ],
    ];
  });
  if (rows.length === 0) return [];
  const columns = [
    'Benchmark',
    'Right',
    '95% interval',
    'Cases',
    'Since the last digest',
    'Best so far',
    'Cost',
  ];
  return [
    {
      kind: 'table',
      title: 'Benchmarks',
      columns: columns.map((title, n) => ({ title, align: n === 0 ? 'left' : 'right' })),
      rows: rows.slice(0, ROWS),
      more: Math.max(0, rows.length - ROWS),
    },
  ];
}

/** How benchmarks have moved, run by run; of those with one run nothing can be drawn. */
export function benchmarkTrend(benchmarks: readonly BenchmarkHistory[], timezone: string): DigestBlock[] {
  const drawn = benchmarks.filter(({ runs }) => runs.length > 1).slice(0, LINES);
  const times = [...new Set(drawn.flatMap(({ runs }) => runs.map(({ at }) => at)))].sort((a, b) => a - b);
  const shown = times.slice(-POINTS);
  if (shown.length < 2) return [];
  return [
    {
      kind: 'trend',
      title: 'Right decisions by run, %',
      categories: shown.map((at) => dayIn(timezone, at)),
      series: drawn.map(({ name, runs }) => ({
        name,
        values: shown.map((at) => {
          const run = runs.find((one) => one.at === at);
          return run === undefined || run.n === 0 ? null : Math.round(shareOfRun(run) * 1000) / 10;
        }),
      })),
    },
  ];
}

/** Cases that were right and are wrong now, by kind of error. */
export function regressionBlocks(benchmarks: readonly BenchmarkHistory[]): {
  blocks: DigestBlock[];
  details: DigestBlock[];
} {
  const lost = benchmarks.flatMap(({ name, compared }) =>
    (compared?.regressions ?? []).map((regression) => ({ ...regression, name })),
  );
  const total = benchmarks.reduce((sum, { compared }) => sum + (compared?.lost ?? 0), 0);
  if (lost.length === 0) return { blocks: [], details: [] };
  const categories = new Map<string, number>();
  for (const { category } of lost) categories.set(category, (categories.get(category) ?? 0) + 1);
  const sorted = [...categories].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return {
    blocks: [
      {
        kind: 'facts',
        title: `${total} regressions by kind of error${lost.length < total ? `, of the first ${lost.length}` : ''}`,
        facts: sorted.map(([label, count]) => ({ label, value: String(count) })),
      },
    ],
    details: [
      {
        kind: 'list',
        title: 'Right before, wrong now',
        items: lost.slice(0, REGRESSIONS).map(({ name, caseId, category, why, link }) => ({
          text: `${name}, ${caseId} (${category}): ${why}`,
          link,
        })),
        more: total - Math.min(REGRESSIONS, lost.length),
      },
    ],
  };
}
