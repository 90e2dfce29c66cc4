import { grouped } from '../common/text/index.ts';
import type { BestModel } from './best-by-criterion.ts';
import { fixed, NONE, signed, signedRange } from './estimates/index.ts';
import {
  type Cell,
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
  type SetupReport,
  unique,
} from './metrics/index.ts';
import type { GroupValues, Report } from './report.ts';

type CriterionScores = NonNullable<SetupReport['criteria'][number]['scores']>;
type Shown = Pick<Report, 'setups' | 'groups' | 'bestByCriterion'>;

/** All scores on the criterion by a configuration that is best at it, by group. */
const groupScores = (
  { criterion }: BestModel,
  id: string,
  reports: NonNullable<Report['groups']>['reports'],
): { values: GroupValues; scores: CriterionScores }[] =>
  reports.flatMap(({ values, setup: group }) => {
    const scores = group.id === id ? criterionOf(group, criterion)?.scores : null;
    return scores === null || scores === undefined ? [] : [{ values, scores }];
  });

const allScores = ({ criterion }: BestModel, id: string, setups: Shown['setups']): CriterionScores | null => {
  const setup = setups.find((one) => one.id === id);
  return (setup === undefined ? null : criterionOf(setup, criterion)?.scores) ?? null;
};

const nameOf = (values: GroupValues): string => values.map((value) => value ?? NONE).join(', ');

/** The next best configuration, and whether it is worse beyond chance. */
function runnerUpCell({ runnerUp }: BestModel): Cell {
  if (runnerUp === null) return plain(NONE);
  const { difference, interval } = runnerUp.lead;
  const isSure = interval.defined && interval.low > 0;
  return plain(
    isSure ? runnerUp.id : `${runnerUp.id}: may be chance`,
    `${signed(difference)}, ${interval.defined ? signedRange(interval) : 'no interval'}`,
  );
}

/** Criteria, each with the model that agrees best with people, and its mean scores by group; null if there is no choice of models. */
export function bestByCriterionTable({ setups, groups, bestByCriterion: all }: Shown): ReportTable | null {
  if (all.length === 0) return null;
  const reports = groups?.reports ?? [];
  const names = unique(
    all.flatMap((one) =>
      one.best.flatMap((id) => groupScores(one, id, reports).map(({ values }) => nameOf(values))),
    ),
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
      { title: 'Runner-up', notes: 'ahead by, 95 %' },
      ...(names.length === 0 ? [{ title: 'Mean (SD)' }] : names.map((title) => ({ title }))),
    ],
    rows: all.flatMap((one) => {
      const { best, criterion, cases, spearman, kendall } = one;
      const [id] = best;
      if (id === undefined) return [];
      const own = new Map(
        groupScores(one, id, reports).map(({ values, scores }) => [nameOf(values), scores]),
      );
      const means =
        names.length === 0
          ? [meanCell(allScores(one, id, setups))]
          : names.map((name) => meanCell(own.get(name)));
      return [
        {
          head: criterion,
          cells: [
            plain(best.join(' = ')),
            plain(grouped(cases)),
            estimateCell(spearman),
            plain(fixed(kendall)),
            runnerUpCell(one),
            ...(best.length === 1 ? means : means.map(() => plain(NONE))),
          ],
        },
      ];
    }),
    note: 'Of the configurations with a single model, the one whose scores agree best with the labels, on the labeled cases that all of them scored: by Spearman’s correlation, then by Kendall’s. It may be chance where the interval of its lead over the runner-up holds 0. It is chosen on the cases that it is measured on; on others it agrees less.',
  };
}

/** One line a criterion, configuration that is best at it, and group. */
export const bestByCriterionCsv = ({ setups, groups, bestByCriterion: all }: Shown): string => {
  const by = groups?.by ?? [];
  const rows = all.flatMap((one) =>
    one.best.flatMap((id) => {
      const inGroups = groupScores(one, id, groups?.reports ?? []);
      const scores = allScores(one, id, setups);
      const shown =
        inGroups.length > 0 || scores === null ? inGroups : [{ values: by.map(() => null), scores }];
      return shown.map((group) => ({ ...group, id, one }));
    }),
  );
  const leadOf = ({ runnerUp }: BestModel) =>
    runnerUp === null ? null : { measure: runnerUp.lead.difference, interval: runnerUp.lead.interval };
  return csvOf(rows, [
    column('criterion', ({ one }) => one.criterion),
    column('configuration', ({ id }) => id),
    column('labeled', ({ one }) => one.spearman.measure.n),
    estimateColumns('spearman', ({ one }) => one.spearman),
    measureColumn('kendall', ({ one }) => one.kendall),
    groupValueColumns(by),
    column('scored', ({ scores }) => scores.n),
    estimateColumns('score mean', ({ scores }) => scores.mean),
    measureColumn('score sd', ({ scores }) => scores.deviation),
    column('cases of all', ({ one }) => one.cases),
    column('runner-up', ({ one }) => one.runnerUp?.id ?? null),
    estimateColumns('ahead by', ({ one }) => leadOf(one)),
  ]);
};
