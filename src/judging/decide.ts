import type { AnswerNames } from '../case/pair.ts';
import { criterionVerdicts } from './criterion-verdicts.ts';
import type { Deliberation } from './deliberate.ts';
import {
  answerOf,
  type Judgement,
  notRelevantOf,
  quorumOf,
  type ScoredJudgement,
  scoredOf,
  totalUsage,
} from './judgement.ts';
import type { Method } from './method.ts';
import { preferenceOf, settledCriteria } from './pair.ts';
import { decidingRound, type Reduction, reduce } from './reduce.ts';
import { type Criterion, type Rubric, rangeOf, type SetAside } from './rubric.ts';
import type { Decision, Range, Tally, Verdict } from './verdict.ts';
import { type Decided, whyOf } from './why.ts';

/** The substance of a verdict; `judgeCase` adds the circumstances. */
export type Outcome = Decided & Pick<Verdict, 'why' | 'calls' | 'usage'>;

export interface DecisionInput {
  deliberation: Deliberation;
  panelSize: number;
  method: Method;
  criteria: readonly Criterion[];
  setAside: readonly SetAside[];
  /** What the two answers are called, if two are compared. */
  compared?: AnswerNames | undefined;
  /** The rubric's overall question, if any; its scale applies to the score if the criteria were rated first. */
  overall?: Rubric['overall'];
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

/** The decision and score of a reduction. @param scored the judgements that were reduced */
function settledBy(
  reduction: Reduction | null,
  scored: readonly ScoredJudgement[],
): { decision: Decision; score: number | null } {
  if (reduction?.kind === 'mean') return { decision: 'scored', score: reduction.score };
  const one = scored.find((judgement) => answerOf(judgement) === reduction?.answer);
  return { decision: one?.decision ?? 'undecided', score: one?.score ?? null };
}

/** What a panel prefers of two answers: neither if it is split; undecided without a quorum. */
function settledPair(
  reduction: Reduction | null,
  scored: readonly ScoredJudgement[],
  panelSize: number,
): { decision: Decision; score: number | null } {
  if (reduction?.kind === 'mean') return { decision: 'scored', score: Math.sign(reduction.score) };
  if (reduction !== null) return settledBy(reduction, scored);
  return scored.length < quorumOf(panelSize)
    ? { decision: 'undecided', score: null }
    : { decision: 'scored', score: 0 };
}

/** The number scale that all of these share, if any. */
function commonRange(scales: readonly Criterion['scale'][]): Range | null {
  const [first = null, ...others] = scales.map(rangeOf);
  return others.every((other) => other?.min === first?.min && other?.max === first?.max) ? first : null;
}

const callsOf = (judgements: readonly Judgement[]): number =>
  judgements.reduce((total, { calls = 1 }) => total + calls, 0);

/**
 * The outcome of a deliberation. Only the last round that was not cut short counts, and an unscored judgement is never an answer.
 * Without a quorum, on a tie, or if most judges find the rubric not relevant, the verdict is `undecided` and says why. If criteria
 * were rated first, the ratings stand, and the panel's answers to the overall question decide. Of two answers, a panel that is split
 * prefers neither.
 */
export function decide(input: DecisionInput): Outcome {
  const { deliberation, panelSize, method, compared } = input;
  const deciding = decidingRound(deliberation.rounds, panelSize);
  const round = deciding.judgements;
  const scored = scoredOf(round);
  const reduction = reduce(scored, panelSize, notRelevantOf(round).length, method.reduce);
  const { decision, score } =
    compared === undefined ? settledBy(reduction, scored) : settledPair(reduction, scored, panelSize);
  const { ratings } = deliberation;
  const criteria =
    ratings === undefined
      ? criterionVerdicts(round, input.criteria, input.setAside, reduction, method.reduce)
      : criterionVerdicts(ratings, input.criteria, input.setAside, null, 'majority');
  const judgements = deliberation.rounds.flat();
  const all = [...(ratings ?? []), ...judgements];
  const scale = commonRange(
    ratings === undefined || input.overall === undefined
      ? input.criteria.map((criterion) => criterion.scale)
      : [input.overall.scale],
  );
  const outcome = {
    decision,
    score,
    ...(scale === null ? {} : { scale }),
    ...(compared === undefined ? {} : { preference: preferenceOf(round, score, compared) }),
    confidence: reduction?.kind === 'answer' ? reduction.confidence : null,
    tally: tallyOf(round, panelSize),
    criteria: compared === undefined ? criteria : settledCriteria(criteria, round),
    judgements,
    ...(ratings === undefined ? {} : { ratings }),
    rounds: deliberation.rounds.length,
    decidedInRound: deciding.index,
    calls: callsOf(all),
    usage: totalUsage(all.map(({ usage }) => usage)),
    cancelled: deliberation.cancelled,
  };
  return { why: whyOf(outcome), ...outcome };
}
