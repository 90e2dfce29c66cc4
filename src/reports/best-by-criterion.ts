import * as z from 'zod';
import { Difference, Estimate, ReportMeasure } from './estimates/index.ts';
import {
  criterionOf,
  type JudgedCases,
  rankable,
  rankedTogether,
  type SetupReport,
  unique,
} from './metrics/index.ts';

/** The configuration of one model whose scores on a criterion agree best with the labels. */
export const BestModel = z.strictObject({
  criterion: z.string(),
  /** Its id; several if they are equal in both correlations. */
  best: z.array(z.string()),
  /** Labeled cases that all such configurations scored: all numbers are of these. */
  cases: z.int(),
  spearman: Estimate,
  kendall: ReportMeasure,
  /** The next best; null if all are equal. */
  runnerUp: z.strictObject({ id: z.string(), lead: Difference }).nullable(),
});
export type BestModel = z.infer<typeof BestModel>;

/** Without what rounding makes of equal values. */
const numberOf = (measure: ReportMeasure): number =>
  measure.defined ? Number(measure.value.toFixed(12)) : Number.NEGATIVE_INFINITY;

/**
 * For each criterion the configuration of one model with the highest Spearman correlation with the labels, then with the highest Kendall
 * correlation; several if they are equal in both. All are compared on the cases that each of them scored. Criteria that only one such
 * configuration has scored are left out. Chen et al., CoRE, 7.2.1 and figure 7.
 * @param casesOf what a setup decided, case by case
 */
export function bestByCriterion(
  setups: readonly SetupReport[],
  casesOf: (id: string) => JudgedCases | undefined,
): BestModel[] {
  // What is pooled from another configuration has that one's findings.
  const alone = setups.filter(
    ({ models, equalCallsOf, pooledFrom }) =>
      models.length === 1 && equalCallsOf === null && pooledFrom.length === 0,
  );
  const ids = unique(alone.flatMap(({ criteria }) => criteria.map(({ id }) => id)));
  return ids.flatMap((criterion): BestModel[] => {
    const rivals = alone.flatMap((setup) => {
      const against = criterionOf(setup, criterion)?.scores?.against ?? null;
      const judged = casesOf(setup.id);
      if (against === null || judged === undefined || !rankable(against).measure.defined) return [];
      return [{ id: setup.id, judged }];
    });
    if (rivals.length < 2) return [];
    const { cases, correlations, lead } = rankedTogether(
      rivals.map(({ judged }) => judged),
      criterion,
    );
    const ranked = rivals
      .flatMap(({ id }, place) => {
        const own = correlations[place];
        return own?.spearman.measure.defined === true ? [{ id, place, ...own }] : [];
      })
      .sort(
        (a, b) =>
          numberOf(b.spearman.measure) - numberOf(a.spearman.measure) ||
          numberOf(b.kendall) - numberOf(a.kendall),
      );
    const [first] = ranked;
    if (first === undefined || ranked.length < 2) return [];
    const { spearman, kendall } = first;
    const isBest = (one: typeof first): boolean =>
      numberOf(one.spearman.measure) === numberOf(spearman.measure) &&
      numberOf(one.kendall) === numberOf(kendall);
    const next = ranked.find((one) => !isBest(one));
    return [
      {
        criterion,
        best: ranked.filter(isBest).map(({ id }) => id),
        cases,
        spearman,
        kendall,
        runnerUp: next === undefined ? null : { id: next.id, lead: lead(first.place, next.place) },
      },
    ];
  });
}
