import {
  answerOf,
  type Finding,
  isScored,
  type Judgement,
  notRelevantOf,
  quorumOf,
  ranked,
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

/** The heaviest answer; null on a tie, or unless more than half of the judges that found the criterion relevant answered. */
function settled(
  weights: ReadonlyMap<'pass' | 'fail' | 'scored', number>,
  { pass, fail, scored, unscored, notRelevant }: CriterionVerdict['tally'],
): 'pass' | 'fail' | 'scored' | 'not-relevant' | null {
  const answered = pass + fail + scored;
  const asked = answered + unscored;
  if (notRelevant > 0 && notRelevant >= quorumOf(asked + notRelevant)) return 'not-relevant';
  const [first, second] = ranked(weights);
  if (first === undefined || first[1] === second?.[1] || answered < quorumOf(asked)) return null;
  return first[0];
}

/** One judge's finding on a criterion, with its weight. */
interface Voice {
  finding: Finding;
  weight: number;
}

/** A criterion's own parts of its verdict. */
function headOf({
  id,
  title,
  dimension,
  scale,
}: Criterion): Pick<CriterionVerdict, 'id' | 'title' | 'dimension' | 'scale'> {
  const range = rangeOf(scale);
  return {
    id,
    title,
    ...(dimension === undefined ? {} : { dimension }),
    ...(range === null ? {} : { scale: range }),
  };
}

function pooled(criterion: Criterion, voices: readonly Voice[]): CriterionVerdict {
  const tally = { ...noTally };
  const weights = new Map<'pass' | 'fail' | 'scored', number>();
  for (const { finding, weight } of voices) {
    const { decision } = finding;
    if (decision === 'not-relevant') tally.notRelevant += 1;
    else tally[decision] += 1;
    if (decision !== 'unscored' && decision !== 'not-relevant')
      weights.set(decision, (weights.get(decision) ?? 0) + weight);
  }
  const decision = settled(weights, tally);
  const findings = voices.map(({ finding }) => finding);
  // Sorted first, so that the floating-point sum does not depend on the seats.
  const scores = findings.flatMap(({ score }) => score ?? []).sort((a, b) => a - b);
  const representative = findings.find((finding) => finding.decision === decision) ?? findings[0];
  return {
    ...headOf(criterion),
    decision: decision ?? 'undecided',
    score: scores.length > 0 ? scores.reduce((sum, score) => sum + score, 0) / scores.length : null,
    tally,
    rationale: representative?.rationale ?? 'no judge answered',
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
