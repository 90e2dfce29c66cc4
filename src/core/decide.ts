import { answerOf, notRelevantOf, scoredOf } from './answer.ts';
import { criterionVerdicts } from './criterion-verdicts.ts';
import { decidingRound } from './deciding-round.ts';
import type { Deliberation } from './deliberate.ts';
import type { Judgement, ScoredJudgement } from './judgement.ts';
import type { Method } from './method.ts';
import { type Reduction, reduce } from './reduce.ts';
import type { Criterion, SetAside } from './rubric.ts';
import type { Decision, Tally, TotalUsage, Verdict } from './verdict.ts';
import { whyOf } from './why.ts';

/** What a verdict says of its substance; who asked, when and how long is added by whoever ran it. */
export type Outcome = Pick<
  Verdict,
  | 'decision'
  | 'score'
  | 'confidence'
  | 'why'
  | 'tally'
  | 'criteria'
  | 'judgements'
  | 'rounds'
  | 'decidedInRound'
  | 'calls'
  | 'usage'
  | 'cancelled'
>;

export interface DecisionInput {
  deliberation: Deliberation;
  panelSize: number;
  method: Method;
  criteria: readonly Criterion[];
  setAside: readonly SetAside[];
}

function tallyOf(round: readonly Judgement[], panelSize: number): Tally {
  const count = (decision: ScoredJudgement['decision']) =>
    scoredOf(round).filter((judgement) => judgement.decision === decision).length;
  return {
    pass: count('pass'),
    fail: count('fail'),
    scored: count('scored'),
    unscored: round.length - scoredOf(round).length - notRelevantOf(round).length,
    notRelevant: notRelevantOf(round).length,
    notAsked: panelSize - round.length,
    panel: panelSize,
  };
}

/** Sums what is known; one unknown part makes the sum unknown. */
function totalUsage(judgements: readonly Judgement[]): TotalUsage {
  const total = (key: keyof TotalUsage): number | null =>
    judgements.reduce<number | null>((sum, { usage }) => {
      const part = usage[key];
      return sum === null || part === null ? null : sum + part;
    }, 0);
  return {
    promptTokens: total('promptTokens'),
    cachedTokens: total('cachedTokens'),
    completionTokens: total('completionTokens'),
    costUsd: total('costUsd'),
  };
}

/** Decision and score that a reduction stands for. `scored` holds the judgements that it was made from. */
function standing(
  reduction: Reduction,
  scored: readonly ScoredJudgement[],
): { decision: Decision; score: number | null } {
  switch (reduction.kind) {
    case 'mean':
      return { decision: 'scored', score: reduction.score };
    case 'answer': {
      const one = scored.find((judgement) => answerOf(judgement) === reduction.answer);
      return { decision: one?.decision ?? 'undecided', score: one?.score ?? null };
    }
    case 'tie':
    case 'not-relevant':
    case 'no-quorum':
      return { decision: 'undecided', score: null };
  }
}

/**
 * The verdict that a deliberation comes to. One round counts, the last one that was not cut short; an unscored judgement is never an answer;
 * without a quorum, on a tie, and where most judges find the rubric not relevant, the verdict is `undecided` and says why.
 */
export function decide(input: DecisionInput): Outcome {
  const { deliberation, panelSize, method } = input;
  const deciding = decidingRound(deliberation.rounds, panelSize);
  const round = deciding.judgements;
  const scored = scoredOf(round);
  const reduction = reduce(scored, panelSize, notRelevantOf(round).length, method.reduce);
  const { decision, score } = standing(reduction, scored);
  const tally = tallyOf(round, panelSize);
  const criteria = criterionVerdicts(round, input.criteria, input.setAside, reduction, method.reduce);
  const judgements = deliberation.rounds.flat();
  return {
    decision,
    score,
    confidence: reduction.kind === 'answer' ? reduction.confidence : null,
    why: whyOf({ reduction, deciding, tally, criteria, cancelled: deliberation.cancelled }),
    tally,
    criteria,
    judgements,
    rounds: deliberation.rounds.length,
    decidedInRound: deciding.index,
    calls: judgements.length,
    usage: totalUsage(judgements),
    cancelled: deliberation.cancelled,
  };
}
