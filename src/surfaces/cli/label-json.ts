import type { Settled, VerdictLabel } from '../../labels/label.ts';
import type { LabeledVerdict } from '../../labels/labels.ts';
import { rightText } from '../../labels/right.ts';

const settledJson = (settled: Settled) =>
  settled.settled
    ? { label: settled.right.kind === 'decision' ? settled.right.decision : settled.right.score, open: null }
    : { label: null, open: settled.why };

/** What there is to say about a label without naming a voter. */
export function labelJson({ voted: { record }, label }: LabeledVerdict) {
  const { verdict } = record;
  const { majority, modelled, passProbability, adjudication, tally, said, errorType } = label;
  return {
    verdict: record.id,
    case: verdict.caseId,
    rubric: verdict.rubric,
    method: verdict.method,
    judged: label.judged,
    tally,
    votes: said.length,
    majority: settledJson(majority),
    dawidSkene: modelled === null ? null : { ...settledJson(modelled), passProbability },
    ruling:
      adjudication === null
        ? null
        : {
            label: rightText(adjudication.right),
            role: adjudication.role,
            comment: adjudication.comment ?? null,
          },
    ...settledJson(label.label),
    basis: basisOf(label),
    errorType,
  };
}

/** What settled a label; null where nothing has. */
export const basisOf = ({ label }: Pick<VerdictLabel, 'label'>) => (label.settled ? label.basis : null);
