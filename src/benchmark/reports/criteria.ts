import { paretoFront } from '../../core/metrics/pareto-front.ts';
import { caseBins } from './case-bins.ts';
import { estimate } from './estimate.ts';
import type { CriterionReport, Report, ReportMeasure, SetupReport } from './report.ts';
import { scoredOf, scoresOf } from './scores.ts';
import type { CriterionFact, TrialFacts } from './trial-facts.ts';

/** One criterion of one trial. */
type Placed = CriterionFact & Pick<TrialFacts, 'place'>;

function criterionReport(id: string, found: readonly Placed[]): CriterionReport {
  const known = found.filter(({ truth }) => truth !== null);
  const count = (outcome: Placed['outcome']) => known.filter((one) => one.outcome === outcome).length;
  return {
    id,
    accuracy: known.length === 0 ? null : estimate('accuracy', caseBins(known)),
    undecided: count('undecided'),
    unscored: count('unscored'),
    scores: scoresOf(scoredOf(found, ({ place }) => place)),
  };
}

/** What was found on each criterion, in the order in which rubrics have them. */
export function criteriaOf(facts: readonly TrialFacts[]): CriterionReport[] {
  const found = new Map<string, Placed[]>();
  for (const { place, criteria } of facts)
    for (const criterion of criteria) {
      const own = found.get(criterion.id);
      const placed = { ...criterion, place };
      if (own === undefined) found.set(criterion.id, [placed]);
      else own.push(placed);
    }
  return [...found].map(([id, own]) => criterionReport(id, own));
}

/** How well a criterion is judged: its accuracy, or the rank correlation of its scores with labels; null where it has no labels. */
export function agreementOn({ accuracy, scores }: CriterionReport): ReportMeasure | null {
  return accuracy?.measure ?? scores?.against?.spearman.measure ?? null;
}

/** The front over all criteria that have labels; null where they are fewer than two. */
export function paretoOfCriteria(setups: readonly SetupReport[]): Report['pareto']['criteria'] {
  const labeled = setups.flatMap(({ criteria }) => criteria.filter((one) => agreementOn(one) !== null));
  const criteria = [...new Set(labeled.map(({ id }) => id))];
  if (criteria.length < 2) return null;
  const { front, dominated, incomparable } = paretoFront(
    setups,
    criteria.map((id) => ({
      of: (setup: SetupReport) => {
        const own = setup.criteria.find((one) => one.id === id);
        const measure = own === undefined ? null : agreementOn(own);
        return measure?.defined === true ? measure.value : null;
      },
      direction: 'max' as const,
    })),
  );
  const ids = (parted: readonly SetupReport[]) => parted.map(({ id }) => id);
  return { criteria, front: ids(front), dominated: ids(dominated), incomparable: ids(incomparable) };
}
