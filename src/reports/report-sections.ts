import { rubricTexts } from '../benchmark/index.ts';
import { counted, plainLine } from '../common/text/index.ts';
import {
  agreementTable,
  calibrationTable,
  criteriaTable,
  criterionScoresTable,
  equalCallsTable,
  flipsTable,
  relevanceTable,
} from './agreement-tables.ts';
import type { ChangedGroup } from './assistant/assistant-report.ts';
import { changeSections, closingLines, groupRows } from './assistant/assistant-words.ts';
import { correlationMatrices, correlationsTable } from './correlations.ts';
import { groupCriteriaTables, groupsTable } from './groups.ts';
import { publishedTable } from './published-results.ts';
import { recallTable } from './recall.ts';
import type { Report } from './report.ts';
import {
  categoriesTable,
  decisionsTable,
  effectivenessTable,
  effortTable,
  f1Table,
  scoresTable,
} from './score-tables.ts';
import { isLabeled, NAMES_NOTE, type ReportTable } from './tables.ts';

interface ReportSection {
  id: string;
  title: string;
  /** Null if there is nothing to show. */
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

/** Text in one line without any markup: no link, mention, image or HTML, whatever was pasted. */
const plain = (text: string): string =>
  plainLine(text).replaceAll(/[\\`*_[\]<>|#~&@!$]|:(?=\/\/)/g, (sign) => `&#${sign.codePointAt(0)};`);

function tableMarkdown({ title, head, columns, rows, note }: ReportTable): string[] {
  const shown = columns.flatMap((column, index) => (column.pageOnly === true ? [] : [{ ...column, index }]));
  const row = (cells: readonly string[]): string => `| ${cells.map(plain).join(' | ')} |`;
  return [
    `### ${plain(title)}`,
    '',
    row([head, ...shown.map((column) => column.title)]),
    `|---${'|--:'.repeat(shown.length)}|`,
    ...rows.map(({ head: name, cells }) =>
      row([
        typeof name === 'string' ? name : name.id,
        ...shown.map(({ index, notes }) => {
          const { text = '', note: small } = cells[index] ?? {};
          return notes === undefined || small === undefined ? text : `${text} (${small})`;
        }),
      ]),
    ),
    '',
    ...(note === undefined ? [] : [plain(note), '']),
  ];
}

const groupMarkdown = ({ title, groups }: { title: string; groups: readonly ChangedGroup[] }): string[] => [
  `**${plain(title)}**`,
  '',
  ...groupRows(groups).flatMap(({ label, value }, index) => [
    `- **${plain(label)}**: ${plain(value)}`,
    ...(groups[index]?.answers ?? []).map(
      ({ caseId, request, answer, reason }) =>
        `  - ${plain(caseId)}: “${plain(request)}” → “${plain(answer)}”: ${plain(reason)}`,
    ),
  ]),
  '',
];

/** A report as Markdown, such as for a comment on a change. Pasted text is escaped. */
export function reportMarkdown(report: Report, { published }: { published: boolean }): string {
  const { run, assistant, trials, planned, notes } = report;
  const partly = trials < planned ? `, ${trials} of ${counted(planned, 'trial')} so far` : '';
  return [
    `# ${plain(run.name)}`,
    '',
    ...(assistant === null
      ? []
      : [
          ...changeSections(assistant).flatMap(({ headline, basis, turned }) => [
            `**${plain(headline)}**`,
            '',
            ...(basis === '' ? [] : [plain(basis), '']),
            ...turned.flatMap(groupMarkdown),
          ]),
          ...closingLines(assistant).flatMap((line) => [plain(line), '']),
        ]),
    `${counted(run.dataset.cases, 'case')} of ${plain(run.dataset.source)}, rubric ${plain(rubricTexts(run).join(', '))}${partly}`,
    '',
    ...[...notes, NAMES_NOTE].flatMap((note) => [plain(note), '']),
    ...reportTables(report, published).flatMap(tableMarkdown),
  ].join('\n');
}
