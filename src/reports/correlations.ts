import { grouped } from '../common/text/index.ts';
import { ratio, sum } from '../statistics/index.ts';
import { pearson } from '../statistics/raters/index.ts';
import { fixed } from './estimates/index.ts';
import type { TrialFacts } from './facts/index.ts';
import { type Cell, notApplicable, plain, type ReportTable, valueCell } from './metrics/index.ts';
import type { CriterionCorrelations, Report } from './report.ts';

type Column = (number | null)[];

/** Scores of each criterion by row; null if a row has none. */
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
  const values = pairs.flatMap((pair) => (pair.pearson.defined ? pair.pearson.value : []));
  const mean = ratio(sum(values), values.length, values.length, 'no two criteria differ over cases');
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

const LABELS = 'Labels';

const valuesOf = ({ pairs }: CriterionCorrelations): number[] =>
  pairs.flatMap(({ pearson }) => (pearson.defined ? Math.abs(pearson.value) : []));

function strongest({ pairs }: CriterionCorrelations): Cell {
  const sizeOf = ({ pearson }: (typeof pairs)[number]) => (pearson.defined ? Math.abs(pearson.value) : -1);
  const [most] = pairs.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  return most?.pearson.defined === true
    ? plain(`${fixed(most.pearson, 2)} ${most.first} and ${most.second}`)
    : notApplicable;
}

/** How well people, and each setup, distinguish criteria. */
export function correlationsTable({ correlations, setups }: Report): ReportTable | null {
  if (correlations.length === 0) return null;
  return {
    title: 'Correlation between criteria',
    head: 'Scores of',
    file: 'correlations.csv',
    columns: ['Mean', 'Below 0.2', '0.5 and more', 'Strongest'].map((title) => ({ title })),
    rows: correlations.map((one) => {
      const values = valuesOf(one);
      const count = (fits: (value: number) => boolean): Cell =>
        plain(`${grouped(values.filter(fits).length)} of ${grouped(values.length)}`);
      return {
        head: setups.find(({ id }) => id === one.setup) ?? one.setup ?? LABELS,
        cells: [
          plain(fixed(one.mean, 2)),
          count((value) => value < 0.2),
          count((value) => value >= 0.5),
          strongest(one),
        ],
      };
    }),
    note: 'Pearson’s correlation of each two criteria over the scores of trials, or of labels by case. Pairs are counted without their sign.',
  };
}

/** The correlation of each two criteria, as in figure 6 of Chen et al. */
export const correlationMatrices = ({ correlations }: Report): ReportTable[] =>
  correlations.map(({ setup, criteria, pairs }) => ({
    title: `Correlation between criteria: ${setup ?? LABELS}`,
    head: 'Criterion',
    columns: criteria.map((title) => ({ title })),
    rows: criteria.map((row) => ({
      head: row,
      cells: criteria.map((column): Cell => {
        const pair = pairs.find(({ first, second }) => first === row && second === column);
        const other = pair ?? pairs.find(({ first, second }) => first === column && second === row);
        if (other === undefined) return notApplicable;
        const cell = valueCell(other.pearson, () => fixed(other.pearson, 2));
        return other.pearson.defined ? { ...cell, shade: Math.abs(other.pearson.value) } : cell;
      }),
    })),
  }));
