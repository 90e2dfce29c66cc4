import { grouped } from '../../common/text.ts';
import { fixed, NONE, percent, percentRange } from './format.ts';
import type { Report, SetupReport } from './report.ts';
import {
  type Cell,
  criterionOf,
  estimateCell,
  plain,
  type ReportTable,
  unique,
  valueCell,
} from './tables.ts';

type Groups = NonNullable<Report['groups']>;

const dimensionTitle = (dimension: string): string => dimension.replace(/^tags\./, '');

/** A mean with the standard deviation, as papers print it. */
const meanCell = (scores: SetupReport['scores'] | undefined): Cell =>
  scores === null || scores === undefined
    ? plain(NONE)
    : plain(`${fixed(scores.mean.measure, 2)} (${fixed(scores.deviation, 2)})`);

/** What there is to say of a group: only columns that some group has. */
const columns: readonly { title: string; notes?: string; of: (setup: SetupReport) => Cell | null }[] = [
  { title: 'Trials', of: ({ trials }) => plain(grouped(trials)) },
  {
    title: 'Pass rate',
    notes: '95 %',
    of: ({ decisions, scores }) =>
      decisions === null || (scores !== null && decisions.pass + decisions.fail === 0)
        ? null
        : valueCell(
            decisions.passRate.measure,
            () => percent(decisions.passRate.measure),
            percentRange(decisions.passRate.interval),
          ),
  },
  {
    title: 'Accuracy',
    of: ({ effectiveness: { n, accuracy } }) => (n === 0 ? null : estimateCell(accuracy)),
  },
  { title: 'F1', of: ({ effectiveness: { n, f1 } }) => (n === 0 ? null : estimateCell(f1)) },
  {
    title: 'Decided',
    of: ({ effectiveness: { n, coverage } }) =>
      n === 0 || (coverage.defined && coverage.value === 1) ? null : plain(percent(coverage)),
  },
  {
    title: 'Kappa',
    of: ({ effectiveness: { n }, agreement }) => (n === 0 ? null : estimateCell(agreement.labels, 2)),
  },
  { title: 'Mean (SD)', of: ({ scores }) => (scores === null ? null : meanCell(scores)) },
  {
    title: 'Spearman',
    of: ({ scores }) => (scores?.against ? estimateCell(scores.against.spearman, 2) : null),
  },
];

/** Each setup's trials by group. */
export function groupsTable({ groups }: Pick<Report, 'groups'>): ReportTable | null {
  if (groups === null) return null;
  const { by, reports } = groups;
  const shown = columns.filter(({ of }) => reports.some(({ setup }) => of(setup) !== null));
  return {
    title: `By ${by.map(dimensionTitle).join(' and ')}`,
    head: 'Configuration',
    file: 'groups.csv',
    columns: [...by.map((one) => ({ title: dimensionTitle(one) })), ...shown],
    rows: reports.map(({ values, setup }) => ({
      head: setup,
      cells: [
        ...values.map((value) => plain(value ?? NONE)),
        ...shown.map(({ of }) => of(setup) ?? plain(NONE)),
      ],
    })),
    ...(by.some((one) => one === 'persona' || one === 'model')
      ? { note: 'Each judge’s own answer in the last round.' }
      : {}),
  };
}

const groupName = (values: readonly (string | null)[]): string =>
  values.map((value) => value ?? NONE).join(', ');

/** A setup's mean scores, criteria by groups, as in tables 21 to 23 of Chen et al. */
function criteriaOfGroups({ by, reports }: Groups, id: string): ReportTable | null {
  const own = reports.filter(({ setup }) => setup.id === id);
  const scored = own.flatMap(({ setup }) => setup.criteria.filter(({ scores }) => scores !== null));
  const criteria = unique(scored.map((one) => one.id));
  if (criteria.length === 0) return null;
  return {
    title: `Mean scores (SD) by ${by.map(dimensionTitle).join(' and ')}: ${id}`,
    head: 'Criterion',
    file: 'group-criteria.csv',
    columns: own.map(({ values }) => ({ title: groupName(values) })),
    rows: criteria.map((criterion) => ({
      head: criterion,
      cells: own.map(({ setup }) => meanCell(criterionOf(setup, criterion)?.scores)),
    })),
  };
}

export const groupCriteriaTables = ({ groups, setups }: Report): (ReportTable | null)[] =>
  groups === null ? [] : setups.map(({ id }) => criteriaOfGroups(groups, id));
