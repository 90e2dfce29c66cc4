import type { AnswerNames } from '../case/index.ts';
import { firstSentence } from '../common/text/index.ts';
import type { Deliberation } from './deliberate.ts';
import { criterionVerdicts, decidingRound, type Reduction, reduce } from './reduce.ts';
import { type Criterion, type Method, type Rubric, rangeOf, type SetAside } from './standards/index.ts';
import {
  answerOf,
  type Better,
  betterOf,
  type CriterionVerdict,
  type Decided,
  type Decision,
  type Judgement,
  leaderOf,
  notRelevantOf,
  type Preference,
  quorumOf,
  type Range,
  type ScoredJudgement,
  scoredOf,
  type Tally,
  totalUsage,
  type Verdict,
  whyOf,
} from './verdict/index.ts';

/** The substance of a verdict; `judgeCase` adds the circumstances. */
export type Outcome = Decided & Pick<Verdict, 'why' | 'calls' | 'usage'>;

export interface DecisionInput {
  deliberation: Deliberation;
  panelSize: number;
  method: Pick<Method, 'reduce'>;
  criteria: readonly Criterion[];
  setAside: readonly SetAside[];
  /** Names of the two answers, if two are compared. */
  compared?: AnswerNames | undefined;
  /** Why exact checks stand in for models, if they do. */
  fallback?: Verdict['fallback'];
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
function decidedBy(
  reduction: Reduction | null,
  scored: readonly ScoredJudgement[],
): { decision: Decision; score: number | null } {
  if (reduction?.kind === 'mean') return { decision: 'scored', score: reduction.score };
  const decisive = scored.find((judgement) => answerOf(judgement) === reduction?.answer);
  return { decision: decisive?.decision ?? 'undecided', score: decisive?.score ?? null };
}

/** A panel's preference between two answers: neither if it is split; undecided without a quorum. */
function decidedPair(
  reduction: Reduction | null,
  scored: readonly ScoredJudgement[],
  panelSize: number,
): { decision: Decision; score: number | null } {
  if (reduction?.kind === 'mean') return { decision: 'scored', score: Math.sign(reduction.score) };
  if (reduction !== null) return decidedBy(reduction, scored);
  return scored.length < quorumOf(panelSize)
    ? { decision: 'undecided', score: null }
    : { decision: 'scored', score: 0 };
}

/** The number scale that all of these share, if any. */
function commonRange(scales: readonly Criterion['scale'][]): Range | null {
  const [first = null, ...others] = scales.map(rangeOf);
  return others.every((other) => other?.min === first?.min && other?.max === first?.max) ? first : null;
}

/** What the scored judgements of a round prefer. @param score the panel's; null without a decision */
function preferenceOf(
  round: readonly Judgement[],
  score: number | null,
  [first, second]: AnswerNames,
): Preference {
  const scored = scoredOf(round);
  const better = score === null ? null : betterOf(score);
  const count = (wanted: Better) => scored.filter((one) => betterOf(one.score ?? 0) === wanted).length;
  const backer = scored.find((one) => betterOf(one.score ?? 0) === better && one.sides !== undefined);
  const { sides } = backer ?? scored.find((one) => one.sides !== undefined) ?? {};
  return {
    better,
    names: [first, second],
    judges: {
      A: count('A'),
      B: count('B'),
      same: count('same'),
      changed: scored.filter(({ changedWithOrder }) => changedWithOrder === true).length,
    },
    reasons: { A: firstSentence(sides?.first ?? ''), B: firstSentence(sides?.second ?? '') },
  };
}

/** The criteria with the score that most judges give each of them, 0 if they are split, and a reason for it. */
const decidedCriteria = (criteria: readonly CriterionVerdict[], round: readonly Judgement[]) =>
  criteria.map((criterion): CriterionVerdict => {
    const findings = round
      .flatMap((judgement) => judgement.criteria)
      .filter(({ id, decision }) => id === criterion.id && decision === 'scored');
    if (findings.length === 0) return criterion;
    const score = Number(leaderOf(findings.map((one) => [String(one.score), 1])) ?? 0);
    const { rationale } = findings.find((finding) => finding.score === score) ?? criterion;
    return { ...criterion, score, rationale };
  });

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
    compared === undefined ? decidedBy(reduction, scored) : decidedPair(reduction, scored, panelSize);
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
    ...(input.fallback === undefined ? {} : { fallback: input.fallback }),
    tally: tallyOf(round, panelSize),
    criteria: compared === undefined ? criteria : decidedCriteria(criteria, round),
    judgements,
    ...(ratings === undefined ? {} : { ratings }),
    rounds: deliberation.rounds.length,
    decidedInRound: deciding.index,
    calls: all.reduce((total, { calls = 1 }) => total + calls, 0),
    usage: totalUsage(all.map(({ usage }) => usage)),
    cancelled: deliberation.cancelled,
  };
  return { why: whyOf(outcome), ...outcome };
}
