import { rubricTexts } from '../benchmark/index.ts';
import { counted, plainLine } from '../common/text/index.ts';
import { type ChangedGroup, changeSections, closingLines, groupRows } from './assistant/index.ts';
import { NAMES_NOTE, type ReportTable } from './metrics/index.ts';
import type { Report } from './report.ts';
import { reportTables } from './report-sections.ts';

/** Text in one line without any markup: no link, mention, image or HTML, whatever was pasted. */
export const markdownText = (text: string): string =>
  plainLine(text).replaceAll(/[\\`*_[\]<>|#~&@!$]|:(?=\/\/)/g, (sign) => `&#${sign.codePointAt(0)};`);

function tableMarkdown({ title, head, columns, rows, lead = [], note }: ReportTable): string[] {
  const shown = columns.flatMap((column, index) => (column.pageOnly === true ? [] : [{ ...column, index }]));
  const row = (cells: readonly string[]): string => `| ${cells.map(markdownText).join(' | ')} |`;
  return [
    `### ${markdownText(title)}`,
    '',
    ...lead.flatMap((line) => [markdownText(line), '']),
    ...(columns.length === 0
      ? []
      : [row([head, ...shown.map((column) => column.title)]), `|---${'|--:'.repeat(shown.length)}|`]),
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
    ...(note === undefined ? [] : [markdownText(note), '']),
  ];
}

const groupMarkdown = ({ title, groups }: { title: string; groups: readonly ChangedGroup[] }): string[] => [
  `**${markdownText(title)}**`,
  '',
  ...groupRows(groups).flatMap(({ label, value }, index) => [
    `- **${markdownText(label)}**: ${markdownText(value)}`,
    ...(groups[index]?.answers ?? []).map(
      ({ caseId, request, answer, reason }) =>
        `  - ${markdownText(caseId)}: “${markdownText(request)}” → “${markdownText(answer)}”: ${markdownText(reason)}`,
    ),
  ]),
  '',
];

/** A report as Markdown, such as for a comment on a change. Pasted text is escaped. */
export function reportMarkdown(report: Report, { published }: { published: boolean }): string {
  const { run, assistant, trials, planned, notes } = report;
  const partly = trials < planned ? `, ${trials} of ${counted(planned, 'trial')} so far` : '';
  return [
    `# ${markdownText(run.name)}`,
    '',
    ...(assistant === null
      ? []
      : [
          ...changeSections(assistant).flatMap(({ headline, basis, turned }) => [
            `**${markdownText(headline)}**`,
            '',
            ...(basis === '' ? [] : [markdownText(basis), '']),
            ...turned.flatMap(groupMarkdown),
          ]),
          ...closingLines(assistant).flatMap((line) => [markdownText(line), '']),
        ]),
    `${counted(run.dataset.cases, 'case')} of ${markdownText(run.dataset.source)}, rubric ${markdownText(rubricTexts(run).join(', '))}${partly}`,
    '',
    ...[...notes, NAMES_NOTE].flatMap((note) => [markdownText(note), '']),
    ...reportTables(report, published).flatMap(tableMarkdown),
  ].join('\n');
}
