import wrapAnsi from 'wrap-ansi';
import { fixed, NONE, rangeText } from '../../benchmark/reports/format.ts';
import { JuryError } from '../../common/errors.ts';
import { counted, grouped, jsonLine, plainText } from '../../common/text.ts';
import type { Agreement } from '../../labels/agreement.ts';
import {
  type AgreementQuery,
  type AgreementReport,
  kindOf,
  readAgreement,
  type ScoreAgreement,
} from '../../labels/read-agreement.ts';
import type { Estimate } from '../../statistics/estimate.ts';
import type { CommandContext } from './command-context.ts';
import { left, right, textTable } from './table.ts';
import type { Screen } from './terminal.ts';

/** What is counted, and what a vote says of it where that is not plain. */
const subjects = {
  verdict: { noun: 'verdict', remarks: [] },
  judge: {
    noun: 'answer',
    remarks: [
      'A judge is agreed with where it gave the decision that a vote says is right. A vote cannot agree with the score of one judge and not with another’s, so that answers with a score are among the scores alone.',
    ],
  },
  criterion: {
    noun: 'finding',
    remarks: [
      'A vote speaks of a criterion where it agrees with the verdict, or names the criterion as wrong; other votes leave it open.',
    ],
  },
} as const;

const answersIn = ({ judges: { agreed, disagreed, tied, unsure } }: Agreement): number =>
  agreed + disagreed + tied + unsure;

/** What the numbers of a report stand on, as far as it applies. */
export function agreementNotes({ by, groups, scores }: AgreementReport): string[] {
  const agreements = groups.map(({ agreement }) => agreement);
  const total = (of: (agreement: Agreement) => number): number =>
    agreements.reduce((sum, agreement) => sum + of(agreement), 0);
  const { noun, remarks } = subjects[kindOf(by)];
  const ties = counted(
    total(({ judges }) => judges.tied),
    'tie',
  );
  const unsureOnly = counted(
    total(({ judges }) => judges.unsure),
    noun,
  );
  // One such vote is about each judge and criterion of its verdict.
  const unsure =
    noun === 'verdict'
      ? `, said ${counted(
          total(({ votes }) => votes.unsure),
          'time',
        )},`
      : '';
  const several = agreements.some((agreement) => answersIn(agreement) > agreement.verdicts);
  return [
    `Agree: of n with more votes on one side; ${ties} and ${unsureOnly} with nothing but “unsure” are left out. “Unsure”${unsure} counts as a missing vote.`,
    'Kappa is Cohen’s and AC1 Gwet’s, of what was decided beside what most votes say is right; of n that were judged pass or fail.',
    'People: what each vote says is right, pass or fail. Same is the share of pairs of votes that agree, alpha Krippendorff’s (nominal, votes may be missing); of n with two such votes or more. Votes on scores and on what was left undecided do not say it.',
    'In brackets 95 % intervals by verdict: of agree Wilson’s, of the others from a seeded bootstrap.',
    ...remarks,
    ...(several
      ? [
          'Several judges of a group sit on one verdict: n counts their answers, and intervals rest on the verdicts, as though such answers were alike.',
        ]
      : []),
    ...(scores.length === 0
      ? []
      : [
          'Scores: the score given beside the median of what people say. Who agrees says the same score, and most saw it before they voted, which flatters the judges.',
        ]),
  ];
}

/** Reasons why something has no value or no interval, each printed once below the tables under its letter. */
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
  const notes = [...reasons.lines(), ...agreementNotes(report)].map((line) =>
    dim(wrapAnsi(line, screen.width)),
  );
  return [...tables, '', ...notes].join('\n');
}

/** What to do where there is nothing to show. */
function nothingText(
  { verdicts }: AgreementReport,
  { rubric, channel, since, minVotes }: AgreementQuery,
): string {
  const narrowed = [
    ...(rubric === undefined ? [] : [`of the rubric ${rubric}`]),
    ...(channel === undefined ? [] : [`in the channel ${channel}`]),
    ...(since === undefined ? [] : [`since ${since}`]),
  ].join(' ');
  const of = narrowed === '' ? '' : ` ${narrowed}`;
  if (verdicts === 0)
    return `No verdicts${of} are kept. "jury serve" keeps those that are asked for in a chat, where colleagues vote on them.`;
  const enough =
    minVotes === undefined
      ? 'a vote'
      : `${counted(minVotes, 'vote')} that ${minVotes === 1 ? 'agrees or disagrees' : 'agree or disagree'}`;
  return `None of ${counted(verdicts, 'verdict')}${of} has ${enough} yet: vote on the cards in the chat, which lists those that need it.`;
}

/**
 * `jury labels stats`.
 * @throws JuryError `usage` where nothing is known of the rubric
 */
export async function stats(
  { err, out, parts: open, screen }: CommandContext,
  { json, ...query }: AgreementQuery & { json: boolean },
): Promise<void> {
  const parts = await open();
  const report = await readAgreement(await parts.store(), query);
  const { rubrics } = parts.library;
  if (query.rubric !== undefined && report.verdicts === 0 && !rubrics.has(query.rubric))
    throw new JuryError(
      'usage',
      `There is no rubric "${plainText(query.rubric)}" and no verdict by it. Rubrics: ${[...rubrics.keys()].join(', ')}.`,
    );
  if (json) out(jsonLine(report));
  else if (report.groups.length === 0) err(plainText(nothingText(report, query)));
  else out(agreementText(screen, report));
}
