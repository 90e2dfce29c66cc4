import * as z from 'zod';
import { Label } from '../case/index.ts';
import {
  CriterionVerdict,
  Decision,
  gapOf,
  hasFailed,
  Judge,
  type Judgement,
  outcomeOfVerdict,
  Preference,
  sequentialMsOf,
  TotalUsage,
  totalUsage,
  UnscoredReason,
  type Verdict,
} from '../judging/verdict/index.ts';
import { type Gap, noConfusion, type Outcome } from '../statistics/raters/index.ts';
import type { RunManifest } from './run-manifest.ts';

/** A case's label without what each person said, which stays with the case. */
const TrialLabel = Label.omit({ answers: true });
type TrialLabel = z.infer<typeof TrialLabel>;

/** A judgement without its texts. */
const TrialJudgement = z.strictObject({
  round: z.int(),
  judge: Judge,
  decision: z.enum(['pass', 'fail', 'scored', 'unscored']),
  score: z.number().nullable(),
  confidence: z.number().nullable(),
  /** Why there is no answer; null if there is one. */
  reason: UnscoredReason.nullable(),
  costUsd: z.number().nullable(),
  latencyMs: z.number(),
});

type TrialJudgement = z.infer<typeof TrialJudgement>;

/**
 * One case judged by one configuration, with everything that statistics need. Texts are in its `Verdict`, which is stored separately under the
 * same key, so that 100,000 trials can be counted without reading them.
 */
export const Trial = z.strictObject({
  key: z.string(),
  /** ID of the configuration. */
  configuration: z.string(),
  caseId: z.string(),
  rubric: z.string(),
  method: z.string(),
  /** Null if the case has no label. */
  label: TrialLabel.nullable(),
  decision: Decision,
  score: z.number().nullable(),
  /** Set if the case has two answers. */
  preference: Preference.pick({ better: true, judges: true }).optional(),
  confidence: z.number().nullable(),
  why: z.string(),
  criteria: z.array(CriterionVerdict.pick({ id: true, decision: true, ifRelevant: true, score: true })),
  judgements: z.array(TrialJudgement),
  /** The raters' judgements, if the method rates criteria first. */
  ratings: z.array(TrialJudgement).optional(),
  rounds: z.int(),
  decidedInRound: z.int().nullable(),
  /** Number of questions, including those answered from the cache. */
  calls: z.int(),
  /** Calls saved because the majority was already decided. Absent in older trials. */
  savedCalls: z.int().optional(),
  /** Requests sent, including retries. */
  attempts: z.int(),
  /** Questions answered from the cache. */
  cached: z.int(),
  usage: TotalUsage,
  latencyMs: z.number(),
  /** Latencies of all calls added up, as if made one after another. Absent in older runs. */
  sequentialMs: z.number().optional(),
  /** Set if it is not known how long it took. */
  untimed: z.literal(true).optional(),
  /** Distinct hashes of the prompts, sorted. */
  promptHashes: z.array(z.string()),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  /** The run that judged it, if this one took it over. */
  takenFrom: z.strictObject({ run: z.string() }).optional(),
  /** Set if other configurations of the run asked for some of its answers. What they took is part of `calls`, `usage` and the times. */
  pooled: z
    .strictObject({
      /** IDs of these configurations, sorted. */
      from: z.array(z.string()),
      /** The calls that they made. */
      calls: z.int(),
      /** Cost of the calls that were made for this trial alone; null if not fully known. */
      ownCostUsd: z.number().nullable(),
    })
    .optional(),
});
export type Trial = z.infer<typeof Trial>;

const SpokenJudgement = TrialJudgement.extend({
  /** Null if the method asks for none, or there is no answer. */
  rationale: z.string().nullable(),
  /** Why there is no answer, in words; null if there is one. */
  message: z.string().nullable(),
});

/** A trial as reports write it, with what its judges wrote. */
export const SpokenTrial = Trial.extend({
  /** The case's tags. */
  tags: z.record(z.string(), z.string()).optional(),
  judgements: z.array(SpokenJudgement),
  ratings: z.array(SpokenJudgement).optional(),
});
export type SpokenTrial = z.infer<typeof SpokenTrial>;

const briefly = (judgement: Judgement): TrialJudgement => {
  const { round, judge, usage } = judgement;
  const { costUsd, latencyMs } = usage;
  const scored = judgement.status === 'scored' ? judgement : null;
  return {
    round,
    judge,
    decision: scored?.decision ?? 'unscored',
    score: scored?.score ?? null,
    confidence: scored?.confidence ?? null,
    reason: judgement.status === 'unscored' ? judgement.reason : null,
    costUsd,
    latencyMs,
  };
};

/** Calls saved, assuming each judge that was not asked would have taken as many as those that were. */
const savedCallsOf = ({ tally: { notAsked }, cancelled, judgements, calls }: Verdict): number =>
  cancelled || judgements.length === 0 ? 0 : Math.round((notAsked * calls) / judgements.length);

/** @returns null if nothing else is in the label */
function withoutAnswers(label: Label | null): TrialLabel | null {
  if (label?.answers === undefined) return label;
  const { answers: _, ...rest } = label;
  return Object.keys(rest).length === 0 ? null : rest;
}

/** What a trial took from other configurations; undefined if nothing. */
function pooledOf(judgements: readonly Judgement[]): Trial['pooled'] {
  const pooled = judgements.filter(({ pooledFrom }) => pooledFrom !== undefined);
  if (pooled.length === 0) return undefined;
  const own = judgements.filter(({ pooledFrom }) => pooledFrom === undefined);
  return {
    from: [...new Set(pooled.flatMap(({ pooledFrom }) => pooledFrom ?? []))].sort(),
    calls: pooled.reduce((sum, { calls = 1 }) => sum + calls, 0),
    ownCostUsd: totalUsage(own.map(({ usage }) => usage)).costUsd,
  };
}

/** Calls that a run made for a trial alone, and their cost; null if not fully known. What was taken over was paid for by another run. */
export function ownEffort({
  calls,
  usage,
  takenFrom,
  pooled,
}: Pick<Trial, 'calls' | 'usage' | 'takenFrom' | 'pooled'>): { calls: number; costUsd: number | null } {
  if (takenFrom !== undefined) return { calls: 0, costUsd: 0 };
  if (pooled === undefined) return { calls, costUsd: usage.costUsd };
  return { calls: calls - pooled.calls, costUsd: pooled.ownCostUsd };
}

export function trialOf(key: string, configuration: string, label: Label | null, verdict: Verdict): Trial {
  const { judgements, ratings, preference } = verdict;
  const all = [...(ratings ?? []), ...judgements];
  const hashes = all.map(({ promptHash }) => promptHash).filter((hash) => hash !== null);
  // Written out where all trials have a key: a spread within gives each object a shape of its own, which takes more memory than
  // the trial, and there may be 100,000.
  const trial: Trial = {
    key,
    configuration,
    caseId: verdict.caseId,
    rubric: verdict.rubric,
    method: verdict.method,
    label: withoutAnswers(label),
    decision: verdict.decision,
    score: verdict.score,
    confidence: verdict.confidence,
    why: verdict.why,
    criteria: verdict.criteria.map(({ id, decision, score, ifRelevant }) =>
      ifRelevant === undefined ? { id, decision, score } : { id, decision, score, ifRelevant },
    ),
    judgements: judgements.map(briefly),
    rounds: verdict.rounds,
    decidedInRound: verdict.decidedInRound,
    calls: verdict.calls,
    savedCalls: savedCallsOf(verdict),
    attempts: all.reduce((sum, { usage }) => sum + usage.attempts, 0),
    cached: all.filter(({ usage }) => usage.fromCache).length,
    usage: verdict.usage,
    latencyMs: verdict.durationMs,
    sequentialMs: all.reduce((sum, { usage }) => sum + sequentialMsOf(usage), 0),
    promptHashes: [...new Set(hashes)].sort(),
    startedAt: verdict.startedAt,
    endedAt: new Date(Date.parse(verdict.startedAt) + verdict.durationMs).toISOString(),
  };
  if (preference !== undefined) trial.preference = { better: preference.better, judges: preference.judges };
  if (ratings !== undefined) trial.ratings = ratings.map(briefly);
  if (all.some(({ usage }) => usage.untimed === true)) trial.untimed = true;
  if (verdict.takenFrom !== undefined) trial.takenFrom = verdict.takenFrom;
  const pooled = pooledOf(all);
  if (pooled !== undefined) trial.pooled = pooled;
  return trial;
}

/** The outcome of a trial. A score alone is not a decision. */
export function outcomeOf(
  trial: Pick<Trial, 'decision' | 'decidedInRound' | 'judgements' | 'ratings'>,
): Outcome {
  const { decision } = trial;
  if (decision === 'pass' || decision === 'fail') return decision;
  return decision === 'scored' ? 'undecided' : gapOf(trial);
}

/**
 * Judgements with their texts.
 * @param judgementsWithWords the full judgements in the same order; undefined if they are not stored
 */
const spoken = (
  judgements: readonly TrialJudgement[],
  judgementsWithWords: readonly Judgement[] | undefined,
) =>
  judgements.map((judgement, index): z.infer<typeof SpokenJudgement> => {
    const withWords = judgementsWithWords?.[index];
    const { round, judge, decision, score, confidence, reason, costUsd, latencyMs } = judgement;
    return {
      // Written out, as in `trialOf`.
      round,
      judge,
      decision,
      score,
      confidence,
      reason,
      costUsd,
      latencyMs,
      rationale: (withWords?.status === 'scored' && withWords.rationale) || null,
      message: withWords?.status === 'unscored' ? withWords.message : null,
    };
  });

/**
 * Adds what its judges wrote to a trial.
 * @param trial changed and returned, because there may be many: a copy made with a spread would get a shape of its own
 * @param verdict the trial's own; null if it is not stored
 * @param tags the case's tags
 */
export function addWords(trial: Trial, verdict: Verdict | null, tags?: SpokenTrial['tags']): SpokenTrial {
  const { judgements, ratings } = trial;
  const withWords: SpokenTrial = Object.assign(trial, {
    judgements: spoken(judgements, verdict?.judgements),
    ...(ratings === undefined ? {} : { ratings: spoken(ratings, verdict?.ratings) }),
  });
  if (tags !== undefined) withWords.tags = tags;
  return withWords;
}

export interface ConfigurationSummary {
  id: string;
  trials: number;
  /** Decisions; trials without one are counted by what was missing. */
  decisions: Record<Decision | Gap, number>;
  failed: number;
  /** Calls behind its answers. */
  calls: number;
  /** How many of them other configurations of the run made, and the IDs of these configurations, sorted. */
  pooledCalls: number;
  pooledFrom: string[];
  /** Calls saved because the majority was already decided. */
  savedCalls: number;
  cached: number;
  /** Trials taken over from an earlier run, whose calls and costs are that run's. */
  takenOver: number;
  /** Known cost in US dollars of the calls that it made itself; `unknownCosts` is the number of trials without a known cost. */
  costUsd: number;
  unknownCosts: number;
  /** Sum over all trials, ms; `untimed` is the number of trials whose time is not known. */
  latencyMs: number;
  untimed: number;
  /** Trials on cases labeled pass or fail, by label and outcome: the input of `classify`. */
  confusion: ReturnType<typeof noConfusion>;
}

const nothing = (id: string): ConfigurationSummary => ({
  id,
  trials: 0,
  decisions: { pass: 0, fail: 0, scored: 0, undecided: 0, 'no-quorum': 0, unanswered: 0 },
  failed: 0,
  calls: 0,
  pooledCalls: 0,
  pooledFrom: [],
  savedCalls: 0,
  cached: 0,
  takenOver: 0,
  costUsd: 0,
  unknownCosts: 0,
  latencyMs: 0,
  untimed: 0,
  confusion: noConfusion(),
});

function add(summary: ConfigurationSummary, trial: Trial): void {
  summary.trials += 1;
  summary.decisions[outcomeOfVerdict(trial)] += 1;
  if (hasFailed(trial)) summary.failed += 1;
  if (trial.takenFrom !== undefined) summary.takenOver += 1;
  else {
    const { costUsd } = ownEffort(trial);
    summary.calls += trial.calls;
    summary.costUsd += costUsd ?? 0;
    if (costUsd === null) summary.unknownCosts += 1;
    const { pooled } = trial;
    if (pooled !== undefined) {
      summary.pooledCalls += pooled.calls;
      summary.pooledFrom = [...new Set([...summary.pooledFrom, ...pooled.from])].sort();
    }
    summary.savedCalls += trial.savedCalls ?? 0;
    summary.cached += trial.cached;
    summary.latencyMs += trial.latencyMs;
    if (trial.untimed === true) summary.untimed += 1;
  }
  const truth = trial.label?.decision;
  if (truth !== undefined && trial.decision !== 'scored') summary.confusion[truth][outcomeOf(trial)] += 1;
}

/** Summarizes a run's trials as they are read, in configuration order. */
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

/** Whether the judges of the deciding round disagreed. */
export function isSplitTrial({
  judgements,
  decidedInRound,
}: Pick<Trial, 'judgements' | 'decidedInRound'>): boolean {
  const said = (wanted: 'pass' | 'fail'): boolean =>
    judgements.some(({ round, decision }) => round === decidedInRound && decision === wanted);
  return said('pass') && said('fail');
}
