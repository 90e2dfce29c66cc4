import { pearson } from '../../statistics/correlation.ts';
import { ratio, sum } from '../../statistics/measure.ts';
import type { CriterionCorrelations } from './measures.ts';
import type { TrialFacts } from './trial-facts.ts';

/** The scores of each criterion by row; null where there is none. */
type Columns = ReadonlyMap<string, readonly (number | null)[]>;

function columnsOf(
  facts: readonly TrialFacts[],
  rowOf: (fact: TrialFacts, at: number) => number,
  scoreOf: (finding: TrialFacts['criteria'][number]) => number | null,
): Columns {
  const rows = facts.reduce((most, fact, at) => Math.max(most, rowOf(fact, at) + 1), 0);
  const columns = new Map<string, (number | null)[]>();
  for (const [at, fact] of facts.entries())
    for (const finding of fact.criteria) {
      const score = scoreOf(finding);
      if (score === null) continue;
      const column = columns.get(finding.id) ?? new Array<number | null>(rows).fill(null);
      columns.set(finding.id, column);
      column[rowOf(fact, at)] = score;
    }
  return columns;
}

/** Pearson's correlation of each two criteria over what was scored; null if fewer than two criteria have scores. */
function correlationsOf(setup: string | null, scores: Columns): CriterionCorrelations | null {
  if (scores.size < 2) return null;
  const columns = [...scores];
  const pairs = columns.flatMap(([first, own], at) =>
    columns.slice(at + 1).map(([second, others]) => ({ first, second, pearson: pearson(own, others) })),
  );
  const known = pairs.flatMap((pair) => (pair.pearson.defined ? pair.pearson.value : []));
  const mean = ratio(sum(known), known.length, known.length, 'no two criteria differ over cases');
  return { setup, criteria: [...scores.keys()], pairs, mean };
}

/**
 * How criteria go together, for people (the scores of labels, by case) and for each setup (by trial). Chen et al., CoRE, 7.1.1 and
 * figure 6.
 */
export function criterionCorrelations(
  facts: ReadonlyMap<string, readonly TrialFacts[]>,
): CriterionCorrelations[] {
  const labels = columnsOf(
    [...facts.values()].flat(),
    ({ place }) => place,
    ({ labelScore }) => labelScore,
  );
  const judged = [...facts].map(([setup, own]) =>
    correlationsOf(
      setup,
      columnsOf(
        own,
        (_, at) => at,
        ({ score }) => score,
      ),
    ),
  );
  return [correlationsOf(null, labels), ...judged].filter((one) => one !== null);
}
