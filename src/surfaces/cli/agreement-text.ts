import wrapAnsi from 'wrap-ansi';
import { fixed, grouped, NONE, rangeText } from '../../benchmark/reports/format.ts';
import type { Agreement } from '../../labels/agreement.ts';
import type { AgreementReport } from '../../labels/read-agreement.ts';
import type { ScoreAgreement } from '../../labels/score-agreement.ts';
import type { Estimate } from '../../statistics/estimate.ts';
import { agreementNotes } from './agreement-notes.ts';
import { plainText } from './plain-text.ts';
import type { Screen } from './render-card.ts';
import { type TextColumn, textTable } from './text-table.ts';

const left = (title: string): TextColumn => ({ title, align: 'left' });
const right = (title: string): TextColumn => ({ title, align: 'right' });

/** Reasons why something has no value or no interval, each told once below the tables under its letter. */
function createReasons() {
  const letters = new Map<string, string>();
  return {
    mark: (why: string): string => {
      const letter = letters.get(why) ?? String.fromCharCode(97 + letters.size);
      letters.set(why, letter);
      return `(${letter})`;
    },
    lines: (): string[] => [...letters].map(([why, letter]) => `(${letter}) ${why}`),
  };
}
type Reasons = ReturnType<typeof createReasons>;

/** `0.62 (0.41–0.79)`; what has no value or no interval says why. */
function cell({ measure, interval }: Estimate, reasons: Reasons): string {
  if (!measure.defined) return `${NONE} ${reasons.mark(`not defined: ${measure.why}`)}`;
  if (!interval.defined) return `${fixed(measure, 2)} ${reasons.mark(`no interval: ${interval.why}`)}`;
  return `${fixed(measure, 2)} (${rangeText(interval, 2)})`;
}

const whole = (share: number): number => Math.round(share * 100);

/** `87 % (80–92)`. */
function percentCell({ measure, interval }: Estimate, reasons: Reasons): string {
  if (!measure.defined) return `${NONE} ${reasons.mark(`not defined: ${measure.why}`)}`;
  const value = `${whole(measure.value)} %`;
  if (!interval.defined) return `${value} ${reasons.mark(`no interval: ${interval.why}`)}`;
  return `${value} (${whole(interval.low)}–${whole(interval.high)})`;
}

interface Row {
  name: string;
  agreement: Agreement;
}

function judgesTable(screen: Screen, title: string, rows: readonly Row[], reasons: Reasons): string[] {
  const columns = ['agree', 'of n', 'tied', 'unsure', 'kappa', 'AC1', 'of n'].map(right);
  const cells = rows.map(({ name, agreement: { judges } }) => [
    name,
    percentCell(judges.share, reasons),
    grouped(judges.agreed + judges.disagreed),
    grouped(judges.tied),
    grouped(judges.unsure),
    cell(judges.kappa, reasons),
    cell(judges.ac1, reasons),
    grouped(judges.labeled),
  ]);
  return textTable(screen, [left(title), ...columns], cells, 1);
}

function peopleTable(screen: Screen, title: string, rows: readonly Row[], reasons: Reasons): string[] {
  const withKappa = rows.some(({ agreement }) => agreement.people.kappa.measure.defined);
  const columns = ['votes', 'same', ...(withKappa ? ['kappa'] : []), 'alpha', 'AC1', 'of n'].map(right);
  const cells = rows.map(({ name, agreement: { people } }) => [
    name,
    grouped(people.votes),
    percentCell(people.pairs, reasons),
    ...(withKappa ? [cell(people.kappa, reasons)] : []),
    cell(people.alpha, reasons),
    cell(people.ac1, reasons),
    grouped(people.compared),
  ]);
  return textTable(screen, [left(title), ...columns], cells, 1);
}

function scoresTable(
  screen: Screen,
  title: string,
  scores: readonly ScoreAgreement[],
  reasons: Reasons,
): string[] {
  const byRubric = title === 'rubric';
  const columns = [
    ...['verdicts', 'votes', 'corrected', 'Spearman', 'Kendall', 'alpha, ordinal', 'alpha, interval'],
    ...['people: ordinal', 'people: interval'],
  ].map(right);
  const cells = scores.map((one) => [
    plainText(one.group),
    ...(byRubric ? [] : [plainText(one.rubric)]),
    ...[one.verdicts, one.votes, one.corrected].map(grouped),
    ...[one.spearman, one.kendall, one.alphaOrdinal, one.alphaInterval].map((value) => cell(value, reasons)),
    ...[one.people.alphaOrdinal, one.people.alphaInterval].map((value) => cell(value, reasons)),
  ]);
  const labels = byRubric ? [left(title)] : [left(title), left('rubric')];
  return textTable(screen, [...labels, ...columns], cells, labels.length);
}

/** Agreement as tables for a terminal, with what the numbers stand on. */
export function agreementText(screen: Screen, report: AgreementReport): string {
  const { by, groups, all, scores } = report;
  const { bold, dim } = screen.colors;
  const reasons = createReasons();
  const rows: Row[] = [
    ...groups.map(({ name, agreement }) => ({ name: plainText(name), agreement })),
    ...(all === null ? [] : [{ name: 'all', agreement: all }]),
  ];
  const tables = [
    bold('Judges and people'),
    ...judgesTable(screen, by, rows, reasons),
    '',
    bold('People among themselves'),
    ...peopleTable(screen, by, rows, reasons),
    ...(scores.length === 0 ? [] : ['', bold('Scores'), ...scoresTable(screen, by, scores, reasons)]),
  ];
  const told = [...reasons.lines(), ...agreementNotes(report)].map((line) =>
    dim(wrapAnsi(line, screen.width)),
  );
  return [...tables, '', ...told].join('\n');
}
