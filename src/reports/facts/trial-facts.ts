import { outcomeOf, ownEffort, placesOf, type Trial } from '../../benchmark/index.ts';
import { categoryOfLabel } from '../../labels/index.ts';
import { sum } from '../../statistics/index.ts';
import type { Outcome } from '../../statistics/raters/index.ts';

/** What a report counts of a trial. Without texts; many are kept in a list, see `fact-list.ts`. */
export interface TrialFacts {
  /** Index of the case in the dataset. */
  place: number;
  /** The same for cases that belong together, see `Clusters`; otherwise the place. */
  unit: number;
  repeat: number;
  truth: 'pass' | 'fail' | null;
  outcome: Outcome;
  category: string | null;
  score: number | null;
  labelScore: number | null;
  /** Judges for pass and for fail in the first round, before they saw other answers; those without an answer are in neither. */
  firstRound: Readonly<{ pass: number; fail: number }>;
  /** Stated probability that the decision is right, 0 to 1. */
  confidence: number | null;
  calls: number;
  savedCalls: number;
  /** How many of the calls other configurations of the run made. */
  pooledCalls: number;
  /** Whether judges were not asked because the majority was decided, also where another run saved them. */
  stopped: boolean;
  tokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
  /** The part of the cost that was spent for this trial alone. */
  ownCostUsd: number | null;
  latencyMs: number | null;
  /** Latencies of all calls added up, ms. */
  sequentialMs: number | null;
  fromCache: boolean;
  /** The run that judged it, if it was taken over; otherwise null. */
  takenFrom: string | null;
  /** Criteria with a label or a score, and those that were found not relevant. */
  criteria: readonly CriterionFact[];
}

/** The finding on a criterion, with its label. */
export interface CriterionFact {
  id: string;
  truth: 'pass' | 'fail' | null;
  outcome: Outcome;
  score: number | null;
  labelScore: number | null;
  /** Whether the label, and the panel, find the criterion relevant; null if not known. */
  isRelevant: boolean | null;
  foundRelevant: boolean | null;
  /** The outcome whether or not the panel found it relevant. */
  anyway: Outcome;
}

/** The verdict's confidence, or that of the only judge that answered. */
function confidenceOf({ confidence, judgements }: Trial): number | null {
  if (confidence !== null) return confidence;
  const [only, ...others] = judgements.filter(({ decision }) => decision !== 'unscored');
  return only !== undefined && others.length === 0 ? only.confidence : null;
}

function firstRoundOf({ judgements }: Trial): TrialFacts['firstRound'] {
  const count = (wanted: 'pass' | 'fail') =>
    judgements.filter(({ round, decision }) => round === 0 && decision === wanted).length;
  return { pass: count('pass'), fail: count('fail') };
}

const plus = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);

/**
 * What a label implies for a criterion: by its id, or by the overall decision. Unknown for other criteria than the one that a failing
 * case is labeled with: they may fail too.
 */
function truthOf(
  { label, criteria }: Trial,
  { id, decision }: Trial['criteria'][number],
): Pick<CriterionFact, 'truth' | 'labelScore' | 'isRelevant'> {
  const stated = label?.criteria?.[id];
  if (typeof stated === 'number') return { truth: null, labelScore: stated, isRelevant: true };
  if (stated === 'not-relevant') return { truth: null, labelScore: null, isRelevant: false };
  const only = criteria.length === 1;
  if (decision === 'scored')
    return { truth: null, labelScore: (only ? label?.score : undefined) ?? null, isRelevant: null };
  const failed = label?.errorType === id || (only && label?.decision === 'fail');
  const truth = stated ?? (label?.decision === 'pass' ? 'pass' : failed ? 'fail' : null);
  return { truth, labelScore: null, isRelevant: stated === undefined ? null : true };
}

function criteriaOf(trial: Trial, whole: Outcome): readonly CriterionFact[] {
  return trial.criteria.flatMap((criterion): CriterionFact[] => {
    const { id, decision, ifRelevant, score } = criterion;
    if (decision === 'not-judged') return [];
    const label = truthOf(trial, criterion);
    const isAside = decision === 'not-relevant';
    const isLabeled = label.truth !== null || label.labelScore !== null || label.isRelevant !== null;
    if (!isLabeled && score === null && !isAside) return [];
    const isMute = decision === 'undecided' && (whole === 'no-quorum' || whole === 'unanswered');
    const isDecided = decision === 'pass' || decision === 'fail';
    // A panel that finds a criterion not relevant does not decide it.
    const outcome = isMute ? whole : isDecided ? decision : 'undecided';
    const foundRelevant = isAside ? false : isDecided ? true : null;
    const { truth, labelScore, isRelevant } = label;
    return [
      { id, outcome, score, truth, labelScore, isRelevant, foundRelevant, anyway: ifRelevant ?? outcome },
    ];
  });
}

const sequentialMsOf = ({ sequentialMs, judgements, ratings = [] }: Trial): number =>
  sequentialMs ?? sum([...ratings, ...judgements].map(({ latencyMs }) => latencyMs));

/** How trials are read. */
export interface Reading {
  /** See `Clusters`. */
  unitOf: (place: number) => number;
  /** An overall label on the scale of the judges' scores, see `readLabelScale`. */
  labelOf: (score: number) => number;
}

export function factsOf(
  trial: Trial,
  repeat: number,
  { unitOf = (place) => place, labelOf = (score) => score }: Partial<Reading> = {},
): TrialFacts {
  const { usage, cached } = trial;
  const outcome = outcomeOf(trial);
  const takenFrom = trial.takenFrom?.run ?? null;
  // Answers from the cache or from an earlier run say nothing about this run's tokens, cost and latency.
  const fresh = cached === 0 && takenFrom === null;
  const timed = fresh && trial.untimed !== true;
  const place = placesOf(trial.key)?.index ?? 0;
  return {
    place,
    unit: unitOf(place),
    repeat,
    truth: trial.label?.decision ?? null,
    outcome,
    category: categoryOfLabel(trial.label),
    score: trial.score,
    labelScore: trial.label?.score === undefined ? null : labelOf(trial.label.score),
    firstRound: firstRoundOf(trial),
    confidence: confidenceOf(trial),
    calls: trial.calls,
    savedCalls: takenFrom === null ? (trial.savedCalls ?? 0) : 0,
    pooledCalls: takenFrom === null ? (trial.pooled?.calls ?? 0) : 0,
    stopped: (trial.savedCalls ?? 0) > 0,
    tokens: fresh ? plus(usage.promptTokens, usage.completionTokens) : null,
    outputTokens: fresh ? usage.completionTokens : null,
    costUsd: fresh ? usage.costUsd : null,
    ownCostUsd: fresh ? ownEffort(trial).costUsd : null,
    latencyMs: timed ? trial.latencyMs : null,
    sequentialMs: timed ? sequentialMsOf(trial) : null,
    fromCache: cached > 0 && takenFrom === null,
    takenFrom,
    criteria: criteriaOf(trial, outcome),
  };
}
