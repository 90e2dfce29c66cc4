import { pearson } from '../../statistics/correlation.ts';
import { ratio, sum } from '../../statistics/measure.ts';
import type { CriterionCorrelations } from './measures.ts';
import type { TrialFacts } from './trial-facts.ts';

type Scored = ReadonlyMap<string, number>;

/** Pearson's correlation of each two criteria over what was scored; null if fewer than two criteria have scores. */
function correlationsOf(setup: string | null, scored: readonly Scored[]): CriterionCorrelations | null {
  const criteria = [...new Set(scored.flatMap((scores) => [...scores.keys()]))];
  if (criteria.length < 2) return null;
  const columns = criteria.map((id) => ({ id, scores: scored.map((scores) => scores.get(id) ?? null) }));
  const pairs = columns.flatMap((first, at) =>
    columns.slice(at + 1).map((second) => ({
      first: first.id,
      second: second.id,
      pearson: pearson(first.scores, second.scores),
    })),
  );
  const known = pairs.flatMap((pair) => (pair.pearson.defined ? pair.pearson.value : []));
  const mean = ratio(sum(known), known.length, known.length, 'no two criteria differ over cases');
  return { setup, criteria, pairs, mean };
}

/**
 * How criteria go together, for people (the scores of labels, by case) and for each setup (by trial). Chen et al., CoRE, 7.1.1 and
 * figure 6.
 */
export function criterionCorrelations(
  facts: ReadonlyMap<string, readonly TrialFacts[]>,
): CriterionCorrelations[] {
  const labels = new Map<number, Map<string, number>>();
  for (const { place, criteria } of [...facts.values()].flat())
    for (const { id, labelScore } of criteria)
      if (labelScore !== null) {
        const own = labels.get(place) ?? new Map<string, number>();
        labels.set(place, own.set(id, labelScore));
      }
  const judged = [...facts].map(([setup, own]) =>
    correlationsOf(
      setup,
      own.flatMap(({ criteria }) => {
        const scored = criteria.flatMap(({ id, score }) => (score === null ? [] : [[id, score] as const]));
        return scored.length === 0 ? [] : [new Map(scored)];
      }),
    ),
  );
  return [correlationsOf(null, [...labels.values()]), ...judged].filter((one) => one !== null);
}
