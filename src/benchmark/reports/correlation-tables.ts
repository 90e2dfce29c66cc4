import { grouped } from '../../common/text.ts';
import { fixed } from './format.ts';
import type { CriterionCorrelations } from './measures.ts';
import type { Report } from './report.ts';
import { type Cell, notApplicable, plain, type ReportTable, valueCell } from './tables.ts';

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

/** How far criteria are told apart, by people and by each setup. */
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
        const found = pairs.find(({ first, second }) => first === row && second === column);
        const other = found ?? pairs.find(({ first, second }) => first === column && second === row);
        if (other === undefined) return notApplicable;
        const cell = valueCell(other.pearson, () => fixed(other.pearson, 2));
        return other.pearson.defined ? { ...cell, shade: Math.abs(other.pearson.value) } : cell;
      }),
    })),
  }));
