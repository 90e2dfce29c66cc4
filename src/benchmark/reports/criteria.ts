import type { Outcome } from '../../statistics/classification.ts';
import { paretoFront } from '../../statistics/pareto-front.ts';
import { type CaseCounter, createCaseCounter } from './case-counter.ts';
import { estimate } from './estimate.ts';
import type { CriterionReport, Report, ReportMeasure, SetupReport } from './report.ts';
import { type Scored, scoresOf } from './scores.ts';
import type { CriterionFact, TrialFacts } from './trial-facts.ts';

/** What is gathered on one criterion. */
interface Found {
  decisions: CaseCounter;
  /** Of trials in which it is known what is right. */
  known: Record<Outcome, number>;
  scored: Scored[];
}

const nothing = (): Found => ({
  decisions: createCaseCounter(),
  known: { pass: 0, fail: 0, undecided: 0, unscored: 0 },
  scored: [],
});

function gather(found: Found, place: number, { truth, outcome, score, labelScore }: CriterionFact): void {
  if (truth !== null) {
    found.decisions.add(place, truth, outcome);
    found.known[outcome] += 1;
  }
  if (score !== null) found.scored.push({ place, score, labelScore });
}

function criterionReport(id: string, { decisions, known, scored }: Found): CriterionReport {
  const bins = decisions.bins();
  return {
    id,
    accuracy: bins.length === 0 ? null : estimate('accuracy', bins),
    undecided: known.undecided,
    unscored: known.unscored,
    scores: scoresOf(scored),
  };
}

/** What was found on each criterion, in the order in which rubrics have them. */
export function criteriaOf(facts: readonly TrialFacts[]): CriterionReport[] {
  const found = new Map<string, Found>();
  for (const { place, criteria } of facts)
    for (const criterion of criteria) {
      let own = found.get(criterion.id);
      if (own === undefined) {
        own = nothing();
        found.set(criterion.id, own);
      }
      gather(own, place, criterion);
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
