import { type Decision, hasFailed } from '../judging/verdict.ts';
import type { Outcome } from '../statistics/classification.ts';
import type { RunManifest } from './run.ts';
import type { Trial } from './trial.ts';

type Counts = Record<'pass' | 'fail', Record<Outcome, number>>;

/** What a configuration came to, counted. */
export interface ConfigurationSummary {
  id: string;
  trials: number;
  decisions: Record<Decision, number>;
  failed: number;
  calls: number;
  cached: number;
  /** US dollars as far as known, and trials whose cost is not known. */
  costUsd: number;
  unknownCosts: number;
  /** Sum over its trials, ms. */
  latencyMs: number;
  /** Trials of cases labeled pass or fail, by label and outcome: what `classify` takes. */
  confusion: Counts;
}

const nothing = (id: string): ConfigurationSummary => {
  const row = () => ({ pass: 0, fail: 0, undecided: 0, unscored: 0 });
  return {
    id,
    trials: 0,
    decisions: { pass: 0, fail: 0, scored: 0, undecided: 0 },
    failed: 0,
    calls: 0,
    cached: 0,
    costUsd: 0,
    unknownCosts: 0,
    latencyMs: 0,
    confusion: { pass: row(), fail: row() },
  };
};

/** A verdict as an outcome of classification; a panel of which nobody answered is unscored. A score is none. */
function outcomeOf({ decision, judgements, decidedInRound }: Trial): Outcome | null {
  if (decision === 'scored') return null;
  if (decision !== 'undecided') return decision;
  const deciding = judgements.filter(({ round }) => round === decidedInRound);
  return deciding.some((judgement) => judgement.decision !== 'unscored') ? 'undecided' : 'unscored';
}

function add(summary: ConfigurationSummary, trial: Trial): void {
  summary.trials += 1;
  summary.decisions[trial.decision] += 1;
  if (hasFailed(trial)) summary.failed += 1;
  summary.calls += trial.calls;
  summary.cached += trial.cached;
  summary.costUsd += trial.usage.costUsd ?? 0;
  if (trial.usage.costUsd === null) summary.unknownCosts += 1;
  summary.latencyMs += trial.latencyMs;
  const truth = trial.label?.decision;
  const outcome = outcomeOf(trial);
  if (truth !== undefined && outcome !== null) summary.confusion[truth][outcome] += 1;
}

/** Counts a run's trials as they are read, in the order of its configurations. */
export async function summarizeRun(
  { configurations }: Pick<RunManifest, 'configurations'>,
  trials: AsyncIterable<Trial>,
): Promise<ConfigurationSummary[]> {
  const summaries = new Map(configurations.map(({ id }) => [id, nothing(id)]));
  for await (const trial of trials) {
    const summary = summaries.get(trial.configuration);
    if (summary !== undefined) add(summary, trial);
  }
  return [...summaries.values()];
}
