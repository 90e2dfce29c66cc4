import wrapAnsi from 'wrap-ansi';
import {
  agreementTable,
  calibrationTable,
  equalCallsTable,
  flipsTable,
} from '../../benchmark/reports/reliability-tables.ts';
import type { Report } from '../../benchmark/reports/report.ts';
import {
  criterionScoresTable,
  decisionsTable,
  effectivenessTable,
  effortTable,
  scoresTable,
} from '../../benchmark/reports/score-tables.ts';
import { categoriesTable, criteriaTable } from '../../benchmark/reports/shaded-tables.ts';
import { isLabeled, type ReportTable } from '../../benchmark/reports/tables.ts';
import { counted, grouped, plainText } from '../../common/text.ts';
import { left, right, textTable } from './table.ts';
import type { Screen } from './terminal.ts';

/** A table with the notes of its cells in columns of their own, as far as they are for a terminal. */
function tableLines(screen: Screen, { title, head, columns, rows, note }: ReportTable): string[] {
  const shown = columns.flatMap((column, index) => (column.pageOnly === true ? [] : [{ ...column, index }]));
  const titles = shown.flatMap(({ title: text, notes }) => [
    right(plainText(text)),
    ...(notes === undefined ? [] : [right(notes)]),
  ]);
  const lines = rows.map((row) => [
    plainText(typeof row.head === 'string' ? row.head : row.head.id),
    ...shown.flatMap(({ notes, index }) => {
      const { text = '', note: small = '', none = false } = row.cells[index] ?? {};
      return [plainText(text), ...(notes === undefined ? [] : [none ? '' : plainText(small)])];
    }),
  ]);
  return [
    '',
    screen.colors.bold(title),
    ...textTable(screen, [left(head), ...titles], lines, 1),
    ...(note === undefined ? [] : [screen.colors.dim(wrapAnsi(note, screen.width))]),
  ];
}

function mistakesLine({ setups, mistakes }: Report): string {
  const total = setups.reduce((sum, { id }) => sum + (mistakes.counts[id] ?? 0), 0);
  return total === 0
    ? 'No trial differs from its label.'
    : `${counted(total, 'trial')} ${total === 1 ? 'differs' : 'differ'} from the label: --out writes them with the judges' reasoning.`;
}

/** A report as a terminal shows it. */
export function reportText(screen: Screen, report: Report, published: boolean): string {
  const { run, trials, planned } = report;
  const { dataset } = run;
  const incomplete =
    trials < planned ? `, not complete: ${grouped(trials)} of ${grouped(planned)} trials` : '';
  const tables = [
    decisionsTable(report),
    effectivenessTable(report, published),
    scoresTable(report),
    effortTable(report),
    categoriesTable(report),
    criteriaTable(report),
    criterionScoresTable(report),
    equalCallsTable(report),
    agreementTable(report),
    flipsTable(report),
    calibrationTable(report),
  ];
  return [
    `${screen.colors.bold(run.name)}: ${counted(dataset.cases, 'case')} (${grouped(dataset.labeled)} labeled) of ${plainText(dataset.source)}${incomplete}`,
    ...tables.flatMap((table) => (table === null ? [] : tableLines(screen, table))),
    ...(isLabeled(report) ? ['', mistakesLine(report)] : []),
  ].join('\n');
}
