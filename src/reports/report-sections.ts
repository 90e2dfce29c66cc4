import { bestByCriterionTable } from './best-by-criterion-tables.ts';
import { correlationMatrices, correlationsTable } from './correlations.ts';
import { equalCallsTable } from './equal-calls.ts';
import { groupCriteriaTables, groupsTable } from './groups.ts';
import {
  type AddedColumn,
  everyMetric,
  isLabeled,
  notApplicable,
  type ReportTable,
  type SectionId,
  type SetupReport,
} from './metrics/index.ts';
import { altTestTables, judgesTables, panelsTable } from './panel-tables.ts';
import { publishedTable } from './published/index.ts';
import { recallTable } from './recall.ts';
import type { Report } from './report.ts';
import { scoreJudgesTables, scorePanelsTable } from './score-panel-tables.ts';

interface ReportSection {
  id: string;
  title: string;
  /** Null if there is nothing to show. */
  tables: readonly (ReportTable | null)[];
  /** Terminals and Markdown leave the section out. */
  pageOnly?: boolean;
}

/** A table with the columns that other metrics add to it, and what they say below it. */
export function withAdded(
  table: ReportTable,
  added: readonly AddedColumn<SetupReport>[],
  setups: readonly SetupReport[],
): ReportTable {
  const notes = [table, ...added].flatMap(({ note }) => note ?? []);
  return {
    ...table,
    ...(notes.length === 0 ? {} : { note: notes.join(' ') }),
    columns: [...table.columns, ...added],
    rows: table.rows.map(({ head, cells }) => {
      const setup = setups.find((one) => one === head);
      return {
        head,
        cells: [...cells, ...added.map(({ of }) => (setup === undefined ? notApplicable : of(setup)))],
      };
    }),
  };
}

const addedTo = (id: string): AddedColumn<SetupReport>[] =>
  everyMetric.flatMap(({ columns = [] }) => columns.filter(({ table }) => table === id));

/** The tables of the metrics in a section. */
const tablesIn = (report: Report, section: SectionId): (ReportTable | null)[] =>
  everyMetric
    .flatMap(({ tables = [] }) => tables)
    .filter((table) => table.section === section)
    .map(({ id, of }) => {
      const table = of(report);
      return table === null ? null : withAdded(table, addedTo(id), report.setups);
    });

/** The tables of a report in order, whatever shows them. @param published whether to show the papers' figures too */
export function reportSections(report: Report, published: boolean): ReportSection[] {
  const labeled = isLabeled(report);
  const tables = (section: SectionId) => tablesIn(report, section);
  const criteria = { id: 'criteria', title: 'Criterion by criterion', tables: tables('criteria') };
  return [
    { id: 'decisions', title: 'Pass rate', tables: tables('decisions') },
    {
      id: 'f1',
      title: 'F1 by method and model',
      tables: tables('f1'),
      pageOnly: true,
    },
    { id: 'scores', title: 'Precision and recall', tables: tables('scores') },
    { id: 'points', title: 'Scores', tables: tables('points') },
    { id: 'published', title: 'Beside the papers', tables: [published ? publishedTable(report) : null] },
    ...(labeled ? [] : [criteria]),
    {
      id: 'trade-off',
      title: labeled ? 'Effectiveness, cost and time' : 'Cost and time',
      tables: tables('trade-off'),
    },
    { id: 'errors', title: 'Accuracy by error type', tables: tables('errors') },
    ...(labeled ? [criteria] : []),
    {
      id: 'groups',
      title: 'By group',
      tables: [groupsTable(report), ...(report.setups.length === 1 ? groupCriteriaTables(report) : [])],
    },
    {
      id: 'group-criteria',
      title: 'Criteria by group',
      tables: report.setups.length === 1 ? [] : groupCriteriaTables(report),
      pageOnly: true,
    },
    { id: 'best', title: 'Best model by criterion', tables: [bestByCriterionTable(report)] },
    { id: 'recall', title: 'Recall of recommendations', tables: [recallTable(report)] },
    { id: 'correlations', title: 'How criteria go together', tables: [correlationsTable(report)] },
    {
      id: 'correlation-matrices',
      title: 'Criteria by criteria',
      tables: correlationMatrices(report),
      pageOnly: true,
    },
    { id: 'equal-calls', title: 'Debate or vote, at equal calls', tables: [equalCallsTable(report)] },
    {
      id: 'panels',
      title: 'What the panel adds',
      tables: [
        panelsTable(report),
        ...judgesTables(report),
        ...altTestTables(report),
        scorePanelsTable(report),
        ...scoreJudgesTables(report),
      ],
    },
    {
      id: 'reliability',
      title: 'Agreement, steadiness and calibration',
      tables: tables('reliability'),
    },
  ];
}

/** The tables of a report in terminals and Markdown. */
export const reportTables = (report: Report, published: boolean): ReportTable[] =>
  reportSections(report, published).flatMap(({ tables, pageOnly = false }) =>
    pageOnly ? [] : tables.filter((table) => table !== null),
  );
