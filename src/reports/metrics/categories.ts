import * as z from 'zod';
import { groupedBy } from '../../common/index.ts';
import { grouped } from '../../common/text/index.ts';
import { NO_ERROR } from '../../labels/index.ts';
import {
  ACCURACY,
  caseBins,
  countCases,
  countGaps,
  Estimate,
  estimate,
  fixed,
  gapCounts,
  rangeText,
} from '../estimates/index.ts';
import type { TrialFacts } from '../facts/index.ts';
import { column, csvOf, estimateColumns, gapColumns, nameColumns } from './csv-columns.ts';
import type { Metric } from './metric.ts';
import type { With } from './setup-head.ts';
import {
  decidedText,
  notApplicable,
  type ReportTable,
  type SetupColumn,
  setupTable,
  shaded,
  unique,
} from './table.ts';

/** How the trials of one error type are judged. */
const Category = z.strictObject({
  category: z.string(),
  /** Share of right decisions, and among the trials with a decision. */
  accuracy: Estimate,
  decided: Estimate,
  ...gapCounts,
});
type Category = z.infer<typeof Category>;

/** Correct cases first, then error types in alphabetical order. */
const byCategory = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a === b ? 0 : a === NO_ERROR ? -1 : b === NO_ERROR ? 1 : a < b ? -1 : 1;

function categoriesOf(facts: readonly TrialFacts[]): Category[] {
  const labeled = facts.filter(({ category }) => category !== null);
  return [...groupedBy(labeled, ({ category }) => category ?? '')]
    .sort(byCategory)
    .map(([category, group]) => {
      const bins = caseBins(countCases(group));
      return {
        category,
        accuracy: estimate(ACCURACY, bins),
        decided: estimate(ACCURACY, bins, 'exclude'),
        ...countGaps(group),
      };
    });
}

type Whole = With<'categories', Category[]>;

/** Accuracy by error type, as in figures 7 to 9 of Habicht et al. */
function categoriesTable({ setups }: { setups: readonly Whole[] }): ReportTable | null {
  const find = ({ categories }: Whole, name: string) => categories.find(({ category }) => category === name);
  const names = unique(setups.flatMap(({ categories }) => categories.map(({ category }) => category)));
  if (names.length === 0) return null;
  const columns = names.map((name): SetupColumn<Whole> => {
    const sizes = setups.map((setup) => find(setup, name)?.accuracy.measure.n ?? 0);
    return {
      title: name,
      below: `n = ${grouped(Math.max(...sizes))}`,
      of: (setup) => {
        const category = find(setup, name);
        if (category === undefined) return notApplicable;
        const { measure, interval } = category.accuracy;
        const note = [rangeText(interval, 2), ...decidedText(category.decided, measure.n)].join(', ');
        return shaded({ text: fixed(measure), note }, measure);
      },
    };
  });
  return setupTable(
    'Accuracy by error type',
    setups,
    columns,
    'Share of right decisions; n counts all trials of a configuration, and one without a decision is not right. “Of decided” leaves those out.',
  );
}

/** One line per setup and error type. */
export const categoriesCsv = ({ setups }: { setups: readonly Whole[] }): string =>
  csvOf(
    setups.flatMap((setup) => setup.categories.map((category) => ({ setup, ...category }))),
    [
      nameColumns(({ setup }) => setup),
      column('kind of error', ({ category }) => category),
      column('trials', ({ accuracy }) => accuracy.measure.n),
      column('decided', ({ decided }) => decided.measure.n),
      estimateColumns('accuracy', ({ accuracy }) => accuracy),
      estimateColumns('accuracy of decided', ({ decided }) => decided),
      gapColumns((row) => row),
    ],
  );

/** Accuracy by the error type of the label. */
export const categories: Metric<'categories', Category[]> = {
  key: 'categories',
  definitions: [
    {
      part: 'decisions',
      name: 'accuracy by kind of error',
      definition: 'accuracy on the cases of each label’s error type',
      needs: 'labels with an error type; each kind has its n, and small ones wide intervals',
      source: 'Habicht et al., 6.4 (RQ3), 7.4',
    },
  ],
  schema: z.array(Category),
  of: ({ facts }) => categoriesOf(facts),
  tables: [{ id: 'categories', section: 'errors', of: categoriesTable }],
};
