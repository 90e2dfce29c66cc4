import { correlationMatrices, correlationsTable } from './correlation-tables.ts';
import { groupCriteriaTables, groupsTable } from './group-tables.ts';
import { publishedTable } from './published-results.ts';
import { recallTable } from './recall.ts';
import { agreementTable, calibrationTable, equalCallsTable, flipsTable } from './reliability-tables.ts';
import type { Report } from './report.ts';
import {
  criterionScoresTable,
  decisionsTable,
  effectivenessTable,
  effortTable,
  scoresTable,
} from './score-tables.ts';
import { categoriesTable, criteriaTable, f1Table, relevanceTable } from './shaded-tables.ts';
import { isLabeled, type ReportTable } from './tables.ts';

interface ReportSection {
  id: string;
  title: string;
  /** Null where there is nothing to show. */
  tables: readonly (ReportTable | null)[];
  /** Terminals and Markdown leave the section out. */
  pageOnly?: boolean;
}

/** The tables of a report in order, whatever shows them. @param published whether to show the papers' figures too */
export function reportSections(report: Report, published: boolean): ReportSection[] {
  const labeled = isLabeled(report);
  const criteria = {
    id: 'criteria',
    title: 'Criterion by criterion',
    tables: [criteriaTable(report), criterionScoresTable(report), relevanceTable(report)],
  };
  return [
    { id: 'decisions', title: 'Pass rate', tables: [decisionsTable(report)] },
    {
      id: 'f1',
      title: 'F1 by method and model',
      tables: [f1Table(report)],
      pageOnly: true,
    },
    { id: 'scores', title: 'Precision and recall', tables: [effectivenessTable(report)] },
    { id: 'points', title: 'Scores', tables: [scoresTable(report)] },
    { id: 'published', title: 'Beside the papers', tables: [published ? publishedTable(report) : null] },
    ...(labeled ? [] : [criteria]),
    {
      id: 'trade-off',
      title: labeled ? 'Effectiveness, cost and time' : 'Cost and time',
      tables: [effortTable(report)],
    },
    { id: 'errors', title: 'Accuracy by error type', tables: [categoriesTable(report)] },
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
      id: 'reliability',
      title: 'Agreement, steadiness and calibration',
      tables: [agreementTable(report), flipsTable(report), calibrationTable(report)],
    },
  ];
}

/** The tables of a report in terminals and Markdown. */
export const reportTables = (report: Report, published: boolean): ReportTable[] =>
  reportSections(report, published).flatMap(({ tables, pageOnly = false }) =>
    pageOnly ? [] : tables.filter((table) => table !== null),
  );
