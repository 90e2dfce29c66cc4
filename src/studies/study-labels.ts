import { type EvalCase, Label } from '../case/case.ts';
import { groupedBy } from '../common/collections.ts';
import { OVERALL } from '../judging/rubric.ts';
import {
  type Answer,
  commonest,
  type LabelBy,
  type LabelRule,
  type Said,
  settleAnswers,
} from '../labels/answers.ts';
import type { Annotation } from './annotation.ts';
import type { Answers } from './questions.ts';
import { type Study, standardOf } from './study.ts';

/** What can be the label of a criterion; which of two answers meets it better cannot. */
const CriterionLabel = Label.shape.criteria.unwrap().valueType;

/** Which of two answers is better, as the score of a label. */
const PREFERENCE: Readonly<Record<string, number>> = { A: -1, same: 0, B: 1 };

/** What an annotation says, by the part of the label that it is about: `decision`, `better`, or a criterion. */
function saidIn({ correct, better, criteria = {} }: Answers): [part: string, said: Said][] {
  const word = correct === true ? 'pass' : correct === false ? 'fail' : correct;
  return [
    ...(word === undefined ? [] : [['decision', word] satisfies [string, Said]]),
    ...(better === undefined ? [] : [['better', better] satisfies [string, Said]]),
    ...Object.entries(criteria).map(([id, said]): [string, Said] => [`criteria.${id}`, said]),
  ];
}

/** The label of a case from what is settled about it. */
function labelFrom(settled: ReadonlyMap<string, Said>, error: string | null): EvalCase['label'] {
  const decision = settled.get('decision');
  const better = settled.get('better');
  const overall = settled.get(`criteria.${OVERALL}`);
  const criteria = [...settled].flatMap(([part, said]) => {
    const id = part.startsWith('criteria.') ? part.slice('criteria.'.length) : OVERALL;
    const { data } = CriterionLabel.safeParse(said);
    return id === OVERALL || data === undefined ? [] : [[id, data] as const];
  });
  const score = better === undefined ? overall : PREFERENCE[better];
  return {
    ...(decision === 'pass' || decision === 'fail' ? { decision } : {}),
    ...(typeof score === 'number' ? { score } : {}),
    ...(decision === 'fail' && error !== null ? { errorType: error } : {}),
    ...(criteria.length === 0 ? {} : { criteria: Object.fromEntries(criteria) }),
  };
}

/**
 * The cases of a study, labeled by what its annotators agree on: the decision, the error that most of those name who find one, criteria,
 * a preference between two answers. The label that a case had is left out.
 *
 * @param all also cases about which nothing is settled, without a label
 * @throws JuryError `usage` as `settleAnswers`
 */
export function labeledStudyCases(
  study: Study,
  annotations: readonly Annotation[],
  { by, rule, all }: { by: LabelBy; rule: LabelRule; all: boolean },
): { cases: EvalCase[]; open: number } {
  const known = new Set(study.annotators.map(({ id }) => id));
  const given = annotations.filter(({ annotator }) => known.has(annotator));
  const said = given.flatMap(({ annotator, case: index, answers }) =>
    saidIn(answers).map(([part, one]): Answer & { part: string } => ({
      // Criteria of the same name are settled by rubric.
      part: part.startsWith('criteria.') ? `${standardOf(study, study.cases[index]).rubric}/${part}` : part,
      item: String(index),
      voter: annotator,
      said: one,
    })),
  );
  const settled = new Map<number, Map<string, Said>>();
  for (const [part, same] of groupedBy(said, (one) => one.part))
    for (const [item, one] of settleAnswers(same, by, rule)) {
      const own = settled.get(Number(item)) ?? new Map<string, Said>();
      if (one.settled) own.set(part.slice(part.lastIndexOf('/') + 1), one.said);
      settled.set(Number(item), own);
    }
  const byCase = groupedBy(given, (one) => one.case);
  const cases = study.cases.flatMap(({ id, evalCase: { label: _label, ...evalCase } }, index): EvalCase[] => {
    const errors = (byCase.get(index) ?? []).flatMap(({ answers }) =>
      answers.correct === false ? (answers.errors ?? []) : [],
    );
    const label = labelFrom(settled.get(index) ?? new Map(), commonest(errors));
    const own = { ...evalCase, id, rubric: standardOf(study, study.cases[index]).rubric };
    if (Object.keys(label ?? {}).length > 0) return [{ ...own, label }];
    return all ? [own] : [];
  });
  const labeled = cases.filter(({ label }) => label !== undefined).length;
  return { cases, open: study.cases.length - labeled };
}
