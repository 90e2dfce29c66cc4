import type { EvalCase } from '../case/case.ts';
import { OVERALL } from '../judging/rubric.ts';
import {
  type Answer,
  type LabelBy,
  type LabelRule,
  labelsFrom,
  type PartAnswer,
  type Said,
  settleParts,
} from '../labels/answers.ts';
import type { Annotation } from './annotation.ts';
import type { Answers } from './questions.ts';
import { type Study, standardOf } from './study.ts';

/** Which of two answers is better, as the score of a label. */
const PREFERENCE: Readonly<Record<string, number>> = { A: -1, same: 0, B: 1 };

/** What an annotation says, by the part of the label that it is about. */
function saidIn({ correct, better, criteria = {} }: Answers): [part: string, said: Said][] {
  const decision = correct === true ? 'pass' : correct === false ? 'fail' : correct;
  const all: [string, Said | undefined][] = [
    ['decision', decision],
    // Classes, of which more than half settle, not scores with a median.
    ['better', better],
    ...Object.entries(criteria).map(([id, said]): [string, Said] => [
      id === OVERALL ? 'score' : `criteria.${id}`,
      said,
    ]),
  ];
  return all.flatMap(([part, said]): [string, Said][] => (said === undefined ? [] : [[part, said]]));
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
  const answers = given.flatMap(({ annotator: voter, case: index, answers: own }) =>
    saidIn(own).map(([part, said]): PartAnswer => ({ part, item: String(index), voter, said })),
  );
  const errors = given.flatMap(({ annotator: voter, case: index, answers: { correct, errors: own = [] } }) =>
    correct === false ? own.map((said): Answer => ({ item: String(index), voter, said })) : [],
  );
  const settled = settleParts(answers, by, rule);
  const preferences = [...(settled.get('better') ?? [])].flatMap(([item, said]): [string, Said][] => {
    const score = PREFERENCE[said];
    return score === undefined ? [] : [[item, score]];
  });
  const scores = new Map([...(settled.get('score') ?? []), ...preferences]);
  const labels = labelsFrom(new Map([...settled, ['score', scores]]), errors);
  const cases = study.cases.flatMap((shown, index): EvalCase[] => {
    const { label: _label, ...evalCase } = shown.evalCase;
    const own = { ...evalCase, id: shown.id, rubric: standardOf(study, shown).rubric };
    const label = labels.get(String(index));
    if (label !== undefined) return [{ ...own, label }];
    return all ? [own] : [];
  });
  const labeled = cases.filter(({ label }) => label !== undefined).length;
  return { cases, open: study.cases.length - labeled };
}
