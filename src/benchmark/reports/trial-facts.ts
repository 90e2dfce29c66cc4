import { categoryOfLabel, NO_ERROR } from '../../core/label-category.ts';
import type { Outcome } from '../../core/metrics/confusion.ts';
import { placesOf } from '../../core/run.ts';
import type { Trial } from '../../core/trial.ts';

/** What a report counts of a trial: no text but a category that all trials of it share, so that many fit into memory. */
export interface TrialFacts {
  /** Place of the case in the dataset. */
  place: number;
  repeat: number;
  truth: 'pass' | 'fail' | null;
  outcome: Outcome;
  category: string | null;
  score: number | null;
  labelScore: number | null;
  /** How many judges said pass and how many fail in the first round, before any of them saw another's answer. */
  firstRound: { pass: number; fail: number };
  /** That the decision is right, 0 to 1. */
  confidence: number | null;
  calls: number;
  tokens: number | null;
  costUsd: number | null;
  latencyMs: number | null;
  fromCache: boolean;
}

export { NO_ERROR };

/** A decision, or whether judges answered without reaching one; a score is no decision. */
function outcomeOf({ decision, judgements }: Pick<Trial, 'decision' | 'judgements'>): Outcome {
  if (decision === 'pass' || decision === 'fail') return decision;
  return judgements.some((judgement) => judgement.decision !== 'unscored') ? 'undecided' : 'unscored';
}

/** The verdict's own confidence, or that of the only judge that answered. */
function confidenceOf({ confidence, judgements }: Trial): number | null {
  if (confidence !== null) return confidence;
  const [only, ...others] = judgements.filter(({ decision }) => decision !== 'unscored');
  return only !== undefined && others.length === 0 ? only.confidence : null;
}

function firstRoundOf({ judgements }: Trial): TrialFacts['firstRound'] {
  const said = judgements.filter(({ round }) => round === 0).map(({ decision }) => decision);
  const count = (decision: 'pass' | 'fail') => said.filter((one) => one === decision).length;
  return { pass: count('pass'), fail: count('fail') };
}

const plus = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);

/** @param shared gives one and the same string for equal strings */
export function factsOf(trial: Trial, repeat: number, shared: (text: string) => string): TrialFacts {
  const { usage, cached } = trial;
  const category = categoryOfLabel(trial.label);
  // An answer from the cache costs nothing and takes no time, which says nothing about asking for it.
  const fresh = cached === 0;
  return {
    place: placesOf(trial.key)?.index ?? 0,
    repeat,
    truth: trial.label?.decision ?? null,
    outcome: outcomeOf(trial),
    category: category === null ? null : shared(category),
    score: trial.score,
    labelScore: trial.label?.score ?? null,
    firstRound: firstRoundOf(trial),
    confidence: confidenceOf(trial),
    calls: trial.calls,
    tokens: plus(usage.promptTokens, usage.completionTokens),
    costUsd: fresh ? usage.costUsd : null,
    latencyMs: fresh ? trial.latencyMs : null,
    fromCache: !fresh,
  };
}
