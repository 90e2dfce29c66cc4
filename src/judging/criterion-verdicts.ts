import {
  answerOf,
  type Finding,
  isScored,
  type Judgement,
  leaderOf,
  notRelevantOf,
  quorumOf,
  scoredOf,
} from './judgement.ts';
import type { Method } from './method.ts';
import { type Reduction, weightBy } from './reduce.ts';
import { type Criterion, rangeOf, type SetAside } from './rubric.ts';
import type { CriterionVerdict } from './verdict.ts';

const noTally = { pass: 0, fail: 0, scored: 0, unscored: 0, notRelevant: 0 };

/** Judgements with the winning answer first, so that criteria show the winning side's rationale. */
function winnersFirst(judgements: readonly Judgement[], reduction: Reduction | null): Judgement[] {
  if (reduction?.kind !== 'answer') return [...judgements];
  const won = (judgement: Judgement) =>
    judgement.status === 'scored' && answerOf(judgement) === reduction.answer ? 0 : 1;
  return [...judgements].sort((a, b) => won(a) - won(b));
}

/** One judge's finding on a criterion, with its weight. */
interface Voice {
  finding: Finding;
  weight: number;
}

/** A criterion's own parts of its verdict. */
function headOf({ id, title, dimension, scale }: Criterion) {
  const range = rangeOf(scale);
  return {
    id,
    title,
    ...(dimension === undefined ? {} : { dimension }),
    ...(range === null ? {} : { scale: range }),
  };
}

/** What the judges decided whether or not they found the criterion relevant; null if none found it not relevant, or said so. */
function whetherRelevant(voices: readonly Voice[]): CriterionVerdict['ifRelevant'] | null {
  if (!voices.some(({ finding }) => finding.ifRelevant !== undefined)) return null;
  const answers = voices.flatMap(({ finding, weight }) => {
    const said = finding.ifRelevant ?? finding.decision;
    return said === 'pass' || said === 'fail' ? [[said, weight] as const] : [];
  });
  return (answers.length < quorumOf(voices.length) ? null : leaderOf(answers)) ?? 'undecided';
}

function pooled(criterion: Criterion, voices: readonly Voice[]): CriterionVerdict {
  const findings = voices.map(({ finding }) => finding);
  const tally = { ...noTally };
  for (const { decision } of findings) tally[decision === 'not-relevant' ? 'notRelevant' : decision] += 1;
  const { pass, fail, scored, unscored, notRelevant } = tally;
  const answered = pass + fail + scored;
  // More than half of the judges that found it relevant must have answered.
  const relevant = answered + unscored;
  const isAside = notRelevant > 0 && notRelevant >= quorumOf(relevant + notRelevant);
  const answers = voices.flatMap(({ finding: { decision }, weight }) =>
    decision === 'unscored' || decision === 'not-relevant' ? [] : [[decision, weight] as const],
  );
  const leader = answered < quorumOf(relevant) ? null : leaderOf(answers);
  const decision = isAside ? 'not-relevant' : (leader ?? 'undecided');
  // Sorted first, so that the floating-point sum does not depend on the seats.
  const scores = findings.flatMap(({ score }) => score ?? []).sort((a, b) => a - b);
  const ifRelevant = whetherRelevant(voices);
  const representative = findings.find((finding) => finding.decision === decision) ?? findings[0];
  return {
    ...headOf(criterion),
    decision,
    ...(ifRelevant === null ? {} : { ifRelevant }),
    score: scores.length > 0 ? scores.reduce((sum, score) => sum + score, 0) / scores.length : null,
    tally,
    rationale: representative === undefined ? 'no judge answered' : representative.rationale,
  };
}

/**
 * The panel's finding on each criterion, in the rubric's order: the majority, weighted as the method weights answers; undecided on a
 * tie or without a quorum; the mean of scores. If no judge answered, their partial findings are used. Criteria that were set aside
 * come with the reason.
 *
 * @param reduction the outcome of the panel's answers; null if they did not answer the criteria
 */
export function criterionVerdicts(
  round: readonly Judgement[],
  criteria: readonly Criterion[],
  setAside: readonly SetAside[],
  reduction: Reduction | null,
  by: Method['reduce'],
): CriterionVerdict[] {
  const answered = [...scoredOf(round), ...notRelevantOf(round)];
  const heard = winnersFirst(answered.length > 0 ? answered : round, reduction);
  const weightOf = weightBy(by);
  const voices = new Map(criteria.map(({ id }) => [id, [] as Voice[]]));
  for (const judgement of heard) {
    const weight = isScored(judgement) ? weightOf(judgement) : 1;
    for (const finding of judgement.criteria) voices.get(finding.id)?.push({ finding, weight });
  }
  return [
    ...criteria.map((criterion) => pooled(criterion, voices.get(criterion.id) ?? [])),
    ...setAside.map(({ criterion, reason }) => ({
      ...headOf(criterion),
      decision: 'not-judged' as const,
      score: null,
      tally: noTally,
      rationale: reason,
    })),
  ];
}
