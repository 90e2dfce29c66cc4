import * as z from 'zod';
import { andList, counted, grouped, usd } from '../../common/text/index.ts';
import {
  createSum,
  distributionOf,
  type Measure,
  meanNoise,
  medianNoise,
  ratio,
  sum,
} from '../../statistics/index.ts';
import { duration, NONE, ReportMeasure, shown } from '../estimates/index.ts';
import type { TrialFacts } from '../facts/index.ts';
import { type Effectiveness, isLabeled } from './classification.ts';
import { column, distribution, measureColumn } from './csv-columns.ts';
import type { Metric, ParetoFronts } from './metric.ts';
import type { With } from './setup-head.ts';
import { placeIn, plain, type ReportTable, type SetupColumn, setupTable } from './table.ts';

const Distribution = z.strictObject({
  missing: z.int(),
  mean: ReportMeasure,
  median: ReportMeasure,
  p95: ReportMeasure,
  least: ReportMeasure,
  most: ReportMeasure,
});

/** The effort per trial. Trials with cached answers are `missing` in cost and latency. */
export const Efficiency = z.strictObject({
  calls: Distribution,
  /** Calls saved over all trials because the majority was already decided. */
  savedCalls: z.int(),
  /** Calls of all trials that other configurations made, whose answers are used. Absent in older reports. */
  pooledCalls: z.int().default(0),
  /** Prompt and completion tokens together. */
  tokens: Distribution,
  outputTokens: Distribution,
  /** US dollars. `noise`: half of the 95 % interval of the mean. */
  costUsd: Distribution.extend({ noise: z.number() }),
  /** Milliseconds. `noise`: half of the 95 % interval of the median. */
  latencyMs: Distribution.extend({ noise: z.number() }),
  /** Latencies of all of a trial's calls added up, as if made one after another. */
  sequentialMs: Distribution,
  /** Those of all trials over their tokens. Giebisch et al., Automated Factual Benchmarking, table V. */
  secondsPerToken: ReportMeasure,
  /** Known costs of all trials in US dollars, without what other configurations paid; null if none is known. */
  totalCostUsd: z.number().nullable(),
  /** Trials with at least one answer from the cache. */
  fromCache: z.int(),
});
export type Efficiency = z.infer<typeof Efficiency>;

function secondsPerToken(facts: readonly TrialFacts[]): Measure {
  const [allMs, allTokens] = [createSum(), createSum()];
  let n = 0;
  for (const { sequentialMs, tokens } of facts) {
    if (sequentialMs === null || tokens === null) continue;
    allMs.add(sequentialMs);
    allTokens.add(tokens);
    n += 1;
  }
  return ratio(allMs.total() / 1000, allTokens.total(), n, 'no tokens are known');
}

function efficiencyOf(facts: readonly TrialFacts[]): Efficiency {
  const costs = facts.map(({ costUsd }) => costUsd);
  const knownCosts = costs.filter((cost) => cost !== null);
  const ownCosts = facts.map(({ ownCostUsd }) => ownCostUsd).filter((cost) => cost !== null);
  const latencies = facts.map(({ latencyMs }) => latencyMs);
  return {
    calls: distributionOf(facts.map(({ calls }) => calls)),
    savedCalls: sum(facts.map(({ savedCalls }) => savedCalls)),
    pooledCalls: sum(facts.map(({ pooledCalls }) => pooledCalls)),
    tokens: distributionOf(facts.map(({ tokens }) => tokens)),
    outputTokens: distributionOf(facts.map(({ outputTokens }) => outputTokens)),
    costUsd: { ...distributionOf(costs), noise: meanNoise(knownCosts) },
    latencyMs: { ...distributionOf(latencies), noise: medianNoise(latencies.filter((ms) => ms !== null)) },
    sequentialMs: distributionOf(facts.map(({ sequentialMs }) => sequentialMs)),
    secondsPerToken: secondsPerToken(facts),
    totalCostUsd: ownCosts.length === 0 ? null : sum(ownCosts),
    fromCache: facts.filter(({ fromCache }) => fromCache).length,
  };
}

type Whole = With<'efficiency', Efficiency> & With<'effectiveness', Effectiveness>;

/** What a configuration takes from others instead of asking again; empty if nothing. */
const pooledText = ({ id, pooledFrom, efficiency: { pooledCalls } }: Whole): string[] =>
  pooledCalls === 0
    ? []
    : [
        `${id} is pooled from ${andList(pooledFrom)}: ${counted(pooledCalls, 'call')} of theirs, not made again.`,
      ];

/** The effort per trial. */
function effortTable(report: { setups: readonly Whole[]; pareto: ParetoFronts }): ReportTable | null {
  const { setups, pareto } = report;
  const mean = (value: number) => value.toFixed(1);
  const whole = (value: number) => grouped(Math.round(value));
  const labeled = isLabeled(report);
  const columns: SetupColumn<Whole>[] = [
    {
      title: 'Calls',
      ...(setups.some(({ efficiency: { savedCalls, pooledCalls } }) => savedCalls + pooledCalls > 0)
        ? { notes: 'saved, pooled' }
        : {}),
      of: ({ efficiency: { calls, savedCalls, pooledCalls } }) => {
        const notes = [
          ...(savedCalls > 0 ? [`${grouped(savedCalls)} saved in all`] : []),
          ...(pooledCalls > 0 ? [`${grouped(pooledCalls)} pooled in all`] : []),
        ];
        return plain(shown(calls.mean, mean), notes.length > 0 ? notes.join(', ') : undefined);
      },
    },
    {
      title: 'Tokens',
      pageOnly: true,
      of: ({ efficiency: { tokens } }) => plain(shown(tokens.median, grouped), shown(tokens.p95, grouped)),
    },
    {
      title: 'Output tokens',
      of: ({ efficiency: { outputTokens } }) => plain(shown(outputTokens.mean, whole)),
    },
    {
      title: 'Cost per trial',
      of: ({ efficiency: { costUsd } }) =>
        plain(
          shown(costUsd.mean, usd),
          costUsd.missing > 0 ? `${grouped(costUsd.missing)} unknown` : undefined,
        ),
    },
    {
      title: 'Total cost',
      pageOnly: true,
      of: ({ efficiency: { totalCostUsd } }) => plain(totalCostUsd === null ? NONE : usd(totalCostUsd)),
    },
    {
      title: 'Latency',
      notes: 'p95',
      of: ({ efficiency: { latencyMs } }) =>
        plain(shown(latencyMs.median, duration), shown(latencyMs.p95, duration)),
    },
    {
      title: 'Calls in sequence',
      pageOnly: true,
      of: ({ efficiency: { sequentialMs, secondsPerToken } }) =>
        plain(
          shown(sequentialMs.mean, duration),
          secondsPerToken.defined ? `${secondsPerToken.value.toFixed(4)} s per token` : undefined,
        ),
    },
    { title: 'From cache', pageOnly: true, of: ({ efficiency }) => plain(grouped(efficiency.fromCache)) },
    ...(labeled
      ? [{ title: 'F1, cost, time', pageOnly: true, of: (setup: Whole) => placeIn(pareto.all, setup) }]
      : []),
  ];
  return setupTable(
    'Cost and time',
    setups,
    columns,
    [
      ...setups.flatMap(pooledText),
      'Calls and output tokens: mean per trial. Tokens and latency: median and 95th percentile. Calls in sequence: mean time of a trial if its calls were made one after another, and that time by token. Trials with cached answers, or taken over from an earlier run, are left out of tokens, cost and latency. Answers that are pooled from other configurations count as if they had been asked for again, but not in the total cost.',
    ].join(' '),
  );
}

/** Calls, tokens, cost and time of a trial. */
export const efficiency: Metric<'efficiency', Efficiency, Whole> = {
  key: 'efficiency',
  definitions: [
    {
      part: 'decisions',
      name: 'cost, tokens, calls, time',
      definition:
        'mean, median and 95th percentile of a trial; trials with answers from the cache are left out of cost, tokens and time. Answers pooled from other configurations of the run count as if they had been asked for again, so that methods can be compared; *total cost* counts each call once, where it was made',
      needs: 'known prices and times: unknown ones are left out, and counted beside the mean',
      source: 'Habicht et al., 6.4 (RQ2)',
    },
    {
      part: 'decisions',
      name: 'calls in sequence, *sequential ms*',
      definition:
        'the latencies of all calls of a trial together, as if they were made one after another; *latency* is what the trial took, with judges asked at once',
      needs: 'latencies of all calls; otherwise –',
      source: 'Habicht et al., 6.4; Giebisch et al., III-B',
    },
    {
      part: 'decisions',
      name: 'seconds per token',
      definition: 'calls in sequence of all trials over their tokens, prompt and answer together',
      needs: 'known tokens; otherwise –',
      source: 'Giebisch et al., table V',
    },
  ],
  schema: Efficiency,
  of: ({ facts }) => efficiencyOf(facts),
  tables: [{ id: 'efficiency', section: 'trade-off', of: effortTable }],
  csv: [
    measureColumn('calls mean', (setup) => setup.efficiency.calls.mean),
    column('calls saved', (setup) => setup.efficiency.savedCalls),
    column('calls pooled', (setup) => setup.efficiency.pooledCalls),
    column('pooled from', (setup) => setup.pooledFrom.join('; ')),
    ...distribution<Whole>('tokens', (setup) => setup.efficiency.tokens),
    ...distribution<Whole>('output tokens', (setup) => setup.efficiency.outputTokens),
    ...distribution<Whole>('cost usd', (setup) => setup.efficiency.costUsd),
    ...distribution<Whole>('latency ms', (setup) => setup.efficiency.latencyMs),
    ...distribution<Whole>('sequential ms', (setup) => setup.efficiency.sequentialMs),
    measureColumn('seconds per token', (setup) => setup.efficiency.secondsPerToken),
    column('cost usd total', (setup) => setup.efficiency.totalCostUsd),
    column('from cache', (setup) => setup.efficiency.fromCache),
  ],
};
