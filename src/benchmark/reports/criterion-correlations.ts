import { pearson } from '../../statistics/correlation.ts';
import { ratio, sum } from '../../statistics/measure.ts';
import type { CriterionCorrelations } from './measures.ts';
import type { TrialFacts } from './trial-facts.ts';

type Column = (number | null)[];

/** Scores of each criterion by row; null where there is none. */
function createColumns(scoreOf: (finding: TrialFacts['criteria'][number]) => number | null) {
  const columns = new Map<string, Column>();
  let rows = 0;
  const grow = (column: Column, to: number): void => {
    while (column.length < to) column.push(null);
  };
  return {
    add(row: number, { criteria }: TrialFacts): void {
      rows = Math.max(rows, row + 1);
      for (const finding of criteria) {
        const score = scoreOf(finding);
        if (score === null) continue;
        const column = columns.get(finding.id) ?? [];
        columns.set(finding.id, column);
        grow(column, row + 1);
        column[row] = score;
      }
    },
    result(): [id: string, column: Column][] {
      for (const column of columns.values()) grow(column, rows);
      return [...columns];
    },
  };
}

/** Pearson's correlation of each two criteria over what was scored; null if fewer than two criteria have scores. */
function correlationsOf(
  setup: string | null,
  columns: ReturnType<ReturnType<typeof createColumns>['result']>,
): CriterionCorrelations | null {
  if (columns.length < 2) return null;
  const pairs = columns.flatMap(([first, own], at) =>
    columns.slice(at + 1).map(([second, others]) => ({ first, second, pearson: pearson(own, others) })),
  );
  const known = pairs.flatMap((pair) => (pair.pearson.defined ? pair.pearson.value : []));
  const mean = ratio(sum(known), known.length, known.length, 'no two criteria differ over cases');
  return { setup, criteria: columns.map(([id]) => id), pairs, mean };
}

/**
 * How criteria go together, for people (the scores of labels, by case) and for each setup (by trial). Chen et al., CoRE, 7.1.1 and
 * figure 6.
 */
export function createCorrelations() {
  const labels = createColumns(({ labelScore }) => labelScore);
  const judged: (CriterionCorrelations | null)[] = [];
  return {
    /** The trials of the next setup. */
    add(setup: string, facts: readonly TrialFacts[]): void {
      const scores = createColumns(({ score }) => score);
      for (const [at, fact] of facts.entries()) {
        labels.add(fact.place, fact);
        scores.add(at, fact);
      }
      judged.push(correlationsOf(setup, scores.result()));
    },
    result: (): CriterionCorrelations[] =>
      [correlationsOf(null, labels.result()), ...judged].filter((one) => one !== null),
  };
}
