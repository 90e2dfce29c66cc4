import { type EvalCase, missingFields } from '../../case/case.ts';
import { JuryError, messageOf } from '../../common/errors.ts';
import { RULES } from '../../judges/rules/rules-judge.ts';
import type { Finding } from '../../judging/judgement.ts';
import { Method } from '../../judging/method.ts';
import type { Ask } from '../../judging/ports.ts';
import type { Rubric } from '../../judging/rubric.ts';

/** A criterion whose exact check differs from the label. */
export interface Deviation {
  criterion: string;
  expected: 'pass' | 'fail';
  found: Finding['decision'];
  /** The finding in words. */
  why: string;
}

/** Whether exact checks confirm a case's label. */
export type CaseCheck =
  | { kind: 'confirmed' }
  /** A criterion contradicts the label. */
  | { kind: 'contradicted'; deviations: readonly Deviation[] }
  /** Nothing contradicts the label, but some criteria cannot be checked exactly. */
  | { kind: 'unscored'; deviations: readonly Deviation[] }
  /** The case cannot be judged, or has no label that exact checks could confirm. */
  | { kind: 'unusable'; problem: string };

/** A method is required, although exact checks ignore it. */
const ONCE = Method.parse({
  id: 'check',
  title: 'Exact checks',
  source: 'datasets',
  seats: 'one',
  examples: 0,
  reasoning: 'brief',
  rounds: 1,
  sees: 'nothing',
  stop: 'never',
  reduce: 'majority',
  confidence: false,
  temperature: 0,
});

/** The criterion that a label says fails (null for pass), or why it names none. */
function labeled({ label }: EvalCase, rubric: Rubric): { fails: string | null } | { problem: string } {
  if (label?.decision === undefined) return { problem: 'has no label.decision' };
  if (label.decision === 'pass')
    return label.errorType === undefined
      ? { fails: null }
      : { problem: `is labeled pass but has the error type "${label.errorType}"` };
  if (label.errorType === undefined) return { problem: 'is labeled fail without label.errorType' };
  const ids = rubric.criteria.map(({ id }) => id);
  return ids.includes(label.errorType)
    ? { fails: label.errorType }
    : {
        problem: `has the error type "${label.errorType}", but the rubric "${rubric.id}" has no such criterion (it has ${ids.join(', ')})`,
      };
}

async function findingsOn(
  evalCase: EvalCase,
  rubric: Rubric,
  ask: Ask,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { criteria } = await ask({
    judge: { persona: null, model: RULES, sample: 0 },
    persona: null,
    cast: [],
    rubric,
    criteria: rubric.criteria,
    method: ONCE,
    evalCase,
    round: 0,
    seen: [],
    temperature: 0,
    seed: null,
    deadlineAt: Number.POSITIVE_INFINITY,
    signal,
  });
  return criteria;
}

/**
 * Checks whether a case has exactly the error of its label: that criterion fails its exact check and all others pass; in a case labeled
 * pass, none fails.
 *
 * @param rubricOf the rubric for a case; if it throws `bad-input` or `usage`, the case is unusable
 * @param ask the exact checks (`rules`)
 */
export async function checkCase(
  evalCase: EvalCase,
  rubricOf: (evalCase: EvalCase) => Rubric,
  ask: Ask,
  signal: AbortSignal,
): Promise<CaseCheck> {
  let rubric: Rubric;
  try {
    rubric = rubricOf(evalCase);
  } catch (thrown) {
    if (thrown instanceof JuryError && (thrown.code === 'bad-input' || thrown.code === 'usage'))
      return { kind: 'unusable', problem: `cannot be judged: ${messageOf(thrown)}` };
    throw thrown;
  }
  const label = labeled(evalCase, rubric);
  if ('problem' in label) return { kind: 'unusable', problem: label.problem };
  const lacking = missingFields(evalCase, rubric.needs);
  if (lacking.length > 0) return { kind: 'unusable', problem: `lacks ${lacking.join(', ')}` };
  const deviations = (await findingsOn(evalCase, rubric, ask, signal)).flatMap((finding): Deviation[] => {
    const expected = finding.id === label.fails ? 'fail' : 'pass';
    return finding.decision === expected
      ? []
      : [{ criterion: finding.id, expected, found: finding.decision, why: finding.rationale ?? '' }];
  });
  if (deviations.length === 0) return { kind: 'confirmed' };
  const isOpen = deviations.every(({ found }) => found === 'unscored');
  return { kind: isOpen ? 'unscored' : 'contradicted', deviations };
}
