import type { BenchmarkHistory, BenchmarkRun } from '../benchmark/benchmark-history.ts';
import type { BenchmarkOutcome } from '../benchmark/run-defined-benchmark.ts';
import { counted, usd } from '../common/text.ts';
import {
  benchmarkChange,
  bestRun,
  dayIn,
  hourIn,
  intervalOfRun,
  newestRun,
  percent,
  points,
  pointsInterval,
  shareInterval,
  shareOfRun,
} from './change.ts';
import type { DigestBlock, DigestData } from './digest.ts';

/** Charts in a chat take no more; reports show the rest. */
const MAX_POINTS = 20;
const MAX_LINES = 6;
export const MAX_REGRESSIONS = 10;
const MAX_ROWS = 20;
const MAX_COMMANDS = 5;

/** Each benchmark compared with the last digest and the best run so far. */
export function benchmarkTable(benchmarks: readonly BenchmarkHistory[]): DigestBlock[] {
  const rows = benchmarks.flatMap((history) => {
    const [run, best] = [newestRun(history), bestRun(history)];
    if (run === null || best === null) return [];
    const moved = benchmarkChange(history);
    return [
      [
        history.name,
        run.n === 0 ? '–' : percent(shareOfRun(run)),
        shareInterval(intervalOfRun(run)),
        String(run.n),
        moved === null ? '–' : `${points(moved.difference)} (${pointsInterval(moved.interval)})`,
        best.name === run.name ? 'this one' : percent(shareOfRun(best)),
        run.costUsd === null ? 'not known' : usd(run.costUsd),
      ],
    ];
  });
  if (rows.length === 0) return [];
  const columns = [
    'Benchmark',
    'Right',
    '95% interval',
    'Of trials',
    'Since the last digest',
    'Best so far',
    'Cost',
  ];
  return [
    {
      kind: 'table',
      title: 'Benchmarks',
      columns: columns.map((title, n) => ({ title, align: n === 0 ? 'left' : 'right' })),
      rows: rows.slice(0, MAX_ROWS),
      more: Math.max(0, rows.length - MAX_ROWS),
    },
  ];
}

/** Benchmarks with at least two runs. Runs of one day share a point, or runs of one hour if a benchmark ran twice a day. */
export function benchmarkTrend(benchmarks: readonly BenchmarkHistory[], timezone: string): DigestBlock[] {
  const drawable = benchmarks
    .map(({ name, runs }) => ({ name, runs: runs.filter(({ n }) => n > 0) }))
    .filter(({ runs }) => runs.length > 1);
  const drawn = drawable.slice(0, MAX_LINES);
  const sameDay = drawn.some(
    ({ runs }) => new Set(runs.map(({ at }) => dayIn(timezone, at))).size < runs.length,
  );
  const labelOf = ({ at }: BenchmarkRun): string => (sameDay ? hourIn : dayIn)(timezone, at);
  const all = drawn.flatMap(({ runs }) => runs).sort((a, b) => a.at - b.at);
  const shown = [...new Set(all.map(labelOf))].slice(-MAX_POINTS);
  if (shown.length < 2) return [];
  return [
    {
      kind: 'trend',
      title: `Right decisions by run, %${drawn.length < drawable.length ? `; the first ${drawn.length} of ${drawable.length}` : ''}`,
      categories: shown,
      series: drawn.map(({ name, runs }) => {
        // Of runs that share a point the newest is drawn.
        const shares = new Map(runs.map((run) => [labelOf(run), shareOfRun(run)]));
        return { name, values: shown.map((label) => inPercent(shares.get(label))) };
      }),
    },
  ];
}

const inPercent = (share: number | undefined): number | null =>
  share === undefined ? null : Math.round(share * 1000) / 10;

/** Error types, and case names per type; the rest are counted. */
const MAX_KINDS = 8;
const MAX_NAMED = 4;

const named = (ids: readonly string[]): string =>
  `${ids.length} (${ids.slice(0, MAX_NAMED).join(', ')}${ids.length > MAX_NAMED ? `, ${ids.length - MAX_NAMED} more` : ''})`;

const otherKinds = (kinds: readonly (readonly [string, readonly string[]])[]) =>
  kinds.length === 0
    ? []
    : [
        {
          label: counted(kinds.length, 'other kind'),
          value: String(kinds.reduce((sum, [, cases]) => sum + cases.length, 0)),
        },
      ];

/** Cases that were right and are wrong now, by error type; the details say why. */
export function regressionBlocks(
  benchmarks: readonly BenchmarkHistory[],
  links: DigestData['links'],
): {
  blocks: DigestBlock[];
  details: DigestBlock[];
} {
  const lost = benchmarks.flatMap((history) =>
    (history.compared?.regressions ?? []).map((regression) => ({ ...regression, name: history.name })),
  );
  const total = benchmarks.reduce((sum, { compared }) => sum + (compared?.lost ?? 0), 0);
  if (lost.length === 0) return { blocks: [], details: [] };
  const categories = new Map<string, string[]>();
  for (const { category, caseId } of lost)
    categories.set(category, [...(categories.get(category) ?? []), caseId]);
  const sorted = [...categories].sort(([a, n], [b, m]) => m.length - n.length || (a < b ? -1 : 1));
  return {
    blocks: [
      {
        kind: 'facts',
        title: `${counted(total, 'regression')} by error type${lost.length < total ? `, of the first ${lost.length}` : ''}`,
        facts: [
          ...sorted.slice(0, MAX_KINDS).map(([label, cases]) => ({ label, value: named(cases) })),
          ...otherKinds(sorted.slice(MAX_KINDS)),
        ],
      },
    ],
    details: [
      {
        kind: 'list',
        title: 'Right before, wrong now',
        items: lost.slice(0, MAX_REGRESSIONS).map(({ name, caseId, category, why }) => ({
          text: `${name}, ${caseId} (${category}): ${why}`,
          link: links.get(caseId) ?? null,
        })),
        more: total - Math.min(MAX_REGRESSIONS, lost.length),
      },
      ...compareCommands(benchmarks),
    ],
  };
}

/** Commands that show every changed case: runs have no link that a channel could open. */
function compareCommands(benchmarks: readonly BenchmarkHistory[]): DigestBlock[] {
  const items = benchmarks.flatMap((history) => {
    const run = newestRun(history);
    if (history.compared === null || history.compared.lost === 0 || run === null) return [];
    return [{ text: `jury bench compare ${history.compared.against} ${run.name}`, link: null }];
  });
  const more = Math.max(0, items.length - MAX_COMMANDS);
  return [
    {
      kind: 'list',
      title: 'All changed cases, with what the judges said',
      items: items.slice(0, MAX_COMMANDS),
      more,
    },
  ];
}

/** Problems with the runs for this digest. */
export function outcomeBlocks(outcomes: readonly BenchmarkOutcome[]): DigestBlock[] {
  const facts = outcomes.flatMap((outcome) => {
    const said = problemOf(outcome);
    return said === null ? [] : [{ label: outcome.name, value: said }];
  });
  return facts.length === 0 ? [] : [{ kind: 'facts', title: 'Benchmarks that need attention', facts }];
}

function problemOf(outcome: BenchmarkOutcome): string | null {
  switch (outcome.kind) {
    case 'complete': {
      const { unanswered, trials } = outcome;
      return unanswered === 0
        ? null
        : `${unanswered} of ${counted(trials, 'trial')} left out: judges did not answer`;
    }
    case 'incomplete': {
      const { trials, planned, why, run } = outcome;
      return `run ${run} left out, stopped after ${trials} of ${counted(planned, 'trial')}: ${why}`;
    }
    case 'not-run':
      return `could not run: ${outcome.why}`;
  }
}

/** Cost of all runs since the last digest, finished or not; null if there are none. */
export function runsCost({ benchmarks, outcomes, last }: DigestData): string | null {
  const fresh = benchmarks.flatMap(({ runs }) =>
    last === null ? runs.slice(-1) : runs.filter(({ at }) => at > last.at),
  );
  const spent = [...fresh, ...outcomes.filter((outcome) => outcome.kind === 'incomplete')].map(
    ({ costUsd }) => costUsd,
  );
  if (spent.length === 0) return null;
  const total = spent.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
  return `${spent.includes(null) ? 'at least ' : ''}${usd(total)}`;
}
