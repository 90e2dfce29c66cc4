import { type CsvValue, csvText } from '../../common/text/index.ts';
import { type Gap, gapNames } from '../../statistics/raters/index.ts';
import type { Estimate, ReportMeasure } from '../estimates/index.ts';
import type { SetupHead } from './setup-head.ts';

/** One or several columns of a CSV file: their heads, and their cells in a row. */
export interface CsvColumns<Row> {
  heads: readonly string[];
  of: (row: Row) => readonly CsvValue[];
}

export const column = <Row>(head: string, of: (row: Row) => CsvValue): CsvColumns<Row> => ({
  heads: [head],
  of: (row) => [of(row)],
});

const numberIn = (measure: ReportMeasure | null | undefined): number | null =>
  measure?.defined === true ? measure.value : null;

export const measureColumn = <Row>(
  head: string,
  of: (row: Row) => ReportMeasure | null | undefined,
): CsvColumns<Row> => column(head, (row) => numberIn(of(row)));

/** A value with the ends of its interval. */
export const estimateColumns = <Row>(
  head: string,
  of: (row: Row) => Estimate | null | undefined,
): CsvColumns<Row> => ({
  heads: [head, `${head} low`, `${head} high`],
  of: (row) => {
    const value = of(row);
    const ends = value?.interval.defined === true ? value.interval : null;
    return [numberIn(value?.measure), ends?.low ?? null, ends?.high ?? null];
  },
});

export const distribution = <Row>(
  head: string,
  of: (row: Row) => Record<'mean' | 'median' | 'p95', ReportMeasure>,
): CsvColumns<Row>[] =>
  (['mean', 'median', 'p95'] as const).map((name) =>
    measureColumn(`${head} ${name}`, (row) => of(row)[name]),
  );

export const gapColumns = <Row>(of: (row: Row) => Readonly<Record<Gap, number>>): CsvColumns<Row>[] =>
  gapNames.map((name) => column(name.replace('-', ' '), (row) => of(row)[name]));

export const nameColumns = <Row>(of: (row: Row) => SetupHead): CsvColumns<Row>[] => [
  column('configuration', (row) => of(row).id),
  column('method', (row) => of(row).method),
  column('models', (row) => of(row).models.join(' + ')),
  column('temperature', (row) => of(row).temperature),
];

/** The values of a group of cases. */
export const groupValueColumns = <Row extends { values: readonly (string | null)[] }>(
  by: readonly string[],
): CsvColumns<Row>[] => by.map((name, at) => column(name, ({ values }) => values[at] ?? null));

/** One line per row. @param parts columns, or lists of them, in order */
export function csvOf<Row>(
  rows: readonly Row[],
  parts: readonly (CsvColumns<NoInfer<Row>> | readonly CsvColumns<NoInfer<Row>>[])[],
): string {
  const columns = parts.flat();
  return csvText([
    columns.flatMap(({ heads }) => heads),
    ...rows.map((row) => columns.flatMap(({ of }) => of(row))),
  ]);
}
