import { counted, grouped } from '../common/text/index.ts';
import { fixed, NONE } from './estimates/index.ts';
import {
  column,
  criterionOf,
  csvOf,
  estimateCell,
  estimateColumns,
  groupValueColumns,
  meanCell,
  measureColumn,
  plain,
  type ReportTable,
  rankable,
  type SetupReport,
  unique,
} from './metrics/index.ts';
import type { GroupValues, Report } from './report.ts';

type CriterionScores = NonNullable<SetupReport['criteria'][number]['scores']>;

/** The configuration of one model whose scores on a criterion agree best with the labels. */
interface Best {
  criterion: string;
  setup: SetupReport;
  against: NonNullable<CriterionScores['against']>;
  scores: CriterionScores;
}

const numberOf = (measure: { defined: boolean; value?: number }): number =>
  measure.defined ? (measure.value ?? Number.NEGATIVE_INFINITY) : Number.NEGATIVE_INFINITY;

/** The best of several by a number, all of them if they are equal. */
function highest<T>(items: readonly T[], by: (item: T) => number): T[] {
  const most = Math.max(...items.map(by));
  return items.filter((item) => by(item) === most);
}

/**
 * For each criterion the configuration of one model with the highest Spearman correlation with the labels, then with the highest Kendall
 * correlation; several if they are equal in both. Criteria that only one such configuration has scored are left out. Chen et al., CoRE,
 * 7.2.1 and figure 7.
 */
export function bestByCriterion(setups: readonly SetupReport[]): Best[][] {
  const alone = setups.filter(({ models, equalCallsOf }) => models.length === 1 && equalCallsOf === null);
  const ids = unique(alone.flatMap(({ criteria }) => criteria.map(({ id }) => id)));
  return ids.flatMap((criterion): Best[][] => {
    const rivals = alone.flatMap((setup): Best[] => {
      const scores = criterionOf(setup, criterion)?.scores ?? null;
      const against = scores?.against ?? null;
      if (scores === null || against === null || !rankable(against).measure.defined) return [];
      return [{ criterion, setup, against, scores }];
    });
    if (rivals.length < 2) return [];
    const leading = highest(rivals, ({ against }) => numberOf(against.spearman.measure));
    return [highest(leading, ({ against }) => numberOf(against.kendall))];
  });
}

/** A group's scores on the criterion by the configuration that is best at it. */
const groupScores = (
  { criterion, setup }: Best,
  reports: NonNullable<Report['groups']>['reports'],
): { values: GroupValues; scores: CriterionScores }[] =>
  reports.flatMap(({ values, setup: group }) => {
    const scores = group.id === setup.id ? criterionOf(group, criterion)?.scores : null;
    return scores === null || scores === undefined ? [] : [{ values, scores }];
  });

const nameOf = (values: GroupValues): string => values.map((value) => value ?? NONE).join(', ');

/** Criteria, each with the model that agrees best with people, and its mean scores by group; null if there is no choice of models. */
export function bestByCriterionTable({
  setups,
  groups,
}: Pick<Report, 'setups' | 'groups'>): ReportTable | null {
  const all = bestByCriterion(setups);
  if (all.length === 0) return null;
  const reports = groups?.reports ?? [];
  const names = unique(
    all.flat().flatMap((best) => groupScores(best, reports).map(({ values }) => nameOf(values))),
  );
  return {
    title: 'Best model by criterion',
    head: 'Criterion',
    file: 'best-by-criterion.csv',
    columns: [
      { title: 'Configuration' },
      { title: 'Cases' },
      { title: 'Spearman', notes: '95 %' },
      { title: 'Kendall' },
      ...(names.length === 0 ? [{ title: 'Mean (SD)' }] : names.map((title) => ({ title }))),
    ],
    rows: all.flatMap((equals) => {
      const [best] = equals;
      if (best === undefined) return [];
      const { against, criterion, scores } = best;
      const own = new Map(groupScores(best, reports).map((one) => [nameOf(one.values), one.scores]));
      const means = names.length === 0 ? [meanCell(scores)] : names.map((name) => meanCell(own.get(name)));
      return [
        {
          head: criterion,
          cells: [
            plain(equals.map(({ setup }) => setup.id).join(' = ')),
            plain(grouped(against.n)),
            estimateCell(against.spearman),
            plain(fixed(against.kendall)),
            ...(equals.length === 1 ? means : means.map(() => plain(NONE))),
          ],
        },
      ];
    }),
    note: `Of ${counted(unique(setups.map(({ id }) => id)).length, 'configuration')}, the one of a single model whose scores agree best with the labels: by Spearman’s correlation, then by Kendall’s. Chosen on the cases that it is measured on; on others it agrees less.`,
  };
}

/** One line a criterion, configuration that is best at it, and group. */
export const bestByCriterionCsv = ({ setups, groups }: Pick<Report, 'setups' | 'groups'>): string => {
  const by = groups?.by ?? [];
  const rows = bestByCriterion(setups)
    .flat()
    .flatMap((best) => {
      const inGroups = groupScores(best, groups?.reports ?? []);
      const shown = inGroups.length > 0 ? inGroups : [{ values: by.map(() => null), scores: best.scores }];
      return shown.map((group) => ({ ...group, best }));
    });
  return csvOf(rows, [
    column('criterion', ({ best }) => best.criterion),
    column('configuration', ({ best }) => best.setup.id),
    column('labeled', ({ best }) => best.against.n),
    estimateColumns('spearman', ({ best }) => best.against.spearman),
    measureColumn('kendall', ({ best }) => best.against.kendall),
    groupValueColumns(by),
    column('scored', ({ scores }) => scores.n),
    estimateColumns('score mean', ({ scores }) => scores.mean),
    measureColumn('score sd', ({ scores }) => scores.deviation),
  ]);
};
