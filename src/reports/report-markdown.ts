import { rubricTexts } from '../benchmark/index.ts';
import { counted, plainLine } from '../common/text/index.ts';
import { type ChangedGroup, changeSections, closingLines, groupRows } from './assistant/index.ts';
import { NAMES_NOTE, type ReportTable } from './metrics/index.ts';
import type { Report } from './report.ts';
import { reportTables } from './report-sections.ts';

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
