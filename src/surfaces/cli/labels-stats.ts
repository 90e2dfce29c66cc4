import { JuryError } from '../../common/index.ts';
import { counted, grouped, jsonLine, plainText } from '../../common/text/index.ts';
import { currentOf } from '../../judging/standards/index.ts';
import {
  type Agreement,
  type AgreementQuery,
  type AgreementReport,
  kindOf,
  readAgreement,
  type ScoreAgreement,
} from '../../labels/agreement/index.ts';
import { fixed, NONE, rangeText } from '../../reports/estimates/index.ts';
import type { Estimate } from '../../statistics/index.ts';
import {
  type Column,
  type CommandContext,
  type JsonFlag,
  type Screen,
  tableOf,
  wrap,
} from '../terminal/index.ts';

/** What is counted, and what a vote says about it if that is not obvious. */
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

const answersIn = ({ judges: { agreed, disagreed, tied, open, unsure } }: Agreement): number =>
  agreed + disagreed + tied + open + unsure;

/** Notes on what the numbers of a report are based on, as far as they apply. */
export function agreementNotes({ by, groups, scores, settledFrom }: AgreementReport): string[] {
  const agreements = groups.map(({ agreement }) => agreement);
  const total = (of: (agreement: Agreement) => number): number =>
    agreements.reduce((sum, agreement) => sum + of(agreement), 0);
  const { noun, remarks } = subjects[kindOf(by)];
  const ties = counted(
    total(({ judges }) => judges.tied),
    'tie',
  );
  const tooFew = total(({ judges }) => judges.open);
  const unsureOnly = counted(
    total(({ judges }) => judges.unsure),
    noun,
  );
  // A single unsure vote applies to every judge and criterion of its verdict.
  const unsure =
    noun === 'verdict'
      ? `, said ${counted(
          total(({ votes }) => votes.unsure),
          'time',
        )},`
      : '';
  const several = agreements.some((agreement) => answersIn(agreement) > agreement.verdicts);
  return [
    `Agree: of n that are settled: ${counted(settledFrom, 'vote')} for or against or more, more than half of them on one side. ${[ties, `${grouped(tooFew)} with fewer votes`].join(', ')} and ${unsureOnly} with nothing but “unsure” are left out. “Unsure”${unsure} counts as a missing vote.`,
    'Cohen’s kappa and Gwet’s AC1 compare what was decided with what votes settled on, over n verdicts of pass or fail.',
    'People: what each vote says is right, pass or fail. Same is the share of pairs of votes that agree, alpha Krippendorff’s (nominal, votes may be missing); of n with two such votes or more. Votes on scores and on what was left undecided do not say it.',
    'In parentheses: 95 % intervals by verdict, Wilson’s for agree, the jackknife’s for the others.',
    ...remarks,
    ...(several
      ? [
          'Several judges of a group sit on one verdict: n counts their answers, and intervals rest on the verdicts, as though such answers were alike.',
        ]
      : []),
    ...(scores.length === 0
      ? []
      : [
          'Scores: the score given beside the median of what people say. A vote that agrees says the same score, and most people saw it before they voted, which flatters the judges.',
        ]),
  ];
}

/** Reasons why a value or an interval is missing, each printed once below the tables under its letter. */
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

/** `0.62 (0.41–0.79)`; a missing value or interval refers to its reason. */
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

const judgesColumns = (by: string, reasons: Reasons): Column<Row>[] => [
  [by, ({ name }) => name],
  ['agree', ({ agreement: { judges } }) => percentCell(judges.share, reasons)],
  ['of n', ({ agreement: { judges } }) => grouped(judges.agreed + judges.disagreed)],
  ['tied', ({ agreement: { judges } }) => grouped(judges.tied)],
  ['too few votes', ({ agreement: { judges } }) => grouped(judges.open)],
  ['unsure', ({ agreement: { judges } }) => grouped(judges.unsure)],
  ['kappa', ({ agreement: { judges } }) => cell(judges.kappa, reasons)],
  ['AC1', ({ agreement: { judges } }) => cell(judges.ac1, reasons)],
  ['of n', ({ agreement: { judges } }) => grouped(judges.labeled)],
];

function peopleColumns(by: string, rows: readonly Row[], reasons: Reasons): Column<Row>[] {
  const withKappa = rows.some(({ agreement }) => agreement.people.kappa.measure.defined);
  const kappa: Column<Row> = ['kappa', ({ agreement: { people } }) => cell(people.kappa, reasons)];
  return [
    [by, ({ name }) => name],
    ['votes', ({ agreement: { people } }) => grouped(people.votes)],
    ['same', ({ agreement: { people } }) => percentCell(people.pairs, reasons)],
    ...(withKappa ? [kappa] : []),
    ['alpha', ({ agreement: { people } }) => cell(people.alpha, reasons)],
    ['AC1', ({ agreement: { people } }) => cell(people.ac1, reasons)],
    ['of n', ({ agreement: { people } }) => grouped(people.compared)],
  ];
}

function scoresTable(
  screen: Screen,
  by: string,
  scores: readonly ScoreAgreement[],
  reasons: Reasons,
): string[] {
  const rubric: Column<ScoreAgreement>[] = by === 'rubric' ? [] : [['rubric', (one) => one.rubric]];
  const columns: Column<ScoreAgreement>[] = [
    [by, ({ group }) => group],
    ...rubric,
    ['verdicts', ({ verdicts }) => grouped(verdicts)],
    ['votes', ({ votes }) => grouped(votes)],
    ['corrected', ({ corrected }) => grouped(corrected)],
    ['Spearman', ({ spearman }) => cell(spearman, reasons)],
    ['Kendall', ({ kendall }) => cell(kendall, reasons)],
    ['alpha, ordinal', ({ alphaOrdinal }) => cell(alphaOrdinal, reasons)],
    ['alpha, interval', ({ alphaInterval }) => cell(alphaInterval, reasons)],
    ['people: ordinal', ({ people }) => cell(people.alphaOrdinal, reasons)],
    ['people: interval', ({ people }) => cell(people.alphaInterval, reasons)],
  ];
  return tableOf(screen, scores, columns, 1 + rubric.length);
}

/** Agreement as tables for a terminal, with notes on what the numbers are based on. */
export function agreementText(screen: Screen, report: AgreementReport): string {
  const { by, groups, all, scores } = report;
  const { bold, dim } = screen.colors;
  const reasons = createReasons();
  const rows: Row[] = [
    ...groups.map(({ name, agreement }) => ({ name, agreement })),
    ...(all === null ? [] : [{ name: 'all', agreement: all }]),
  ];
  const tables = [
    bold('Judges and people'),
    ...tableOf(screen, rows, judgesColumns(by, reasons)),
    '',
    bold('People among themselves'),
    ...tableOf(screen, rows, peopleColumns(by, rows, reasons)),
    ...(scores.length === 0 ? [] : ['', bold('Scores'), ...scoresTable(screen, by, scores, reasons)]),
  ];
  const notes = [...reasons.lines(), ...agreementNotes(report)].map((line) => dim(wrap(line, screen.width)));
  return [...tables, '', ...notes].join('\n');
}

/** What to do if there is nothing to show. */
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
    return `No verdicts${of} are kept. "jury serve" keeps those that are asked for in a chat, and "jury judge --save" its own.`;
  const enough =
    minVotes === undefined ? 'a vote for or against it' : `${counted(minVotes, 'vote')} for or against it`;
  const none =
    verdicts === 1 ? `The verdict${of} does not have` : `None of ${counted(verdicts, 'verdict')}${of} has`;
  return `${none} ${enough} yet: vote on the cards in the chat, which lists those that need it, or with "jury labels vote". Answers to “What is right?” on verdicts without a decision are labels and do not count here: "jury labels export" has them.`;
}

/**
 * `jury labels stats`: prints how far judges and people agree.
 * @throws JuryError `usage` if the rubric is unknown and has no verdicts
 */
export async function stats(
  { err, out, parts: open, screen }: CommandContext,
  { json, ...query }: AgreementQuery & JsonFlag,
): Promise<void> {
  const parts = await open();
  const report = await readAgreement(await parts.store(), query);
  const { rubrics } = parts.library;
  if (query.rubric !== undefined && report.verdicts === 0 && !rubrics.has(query.rubric))
    throw new JuryError(
      'usage',
      `There is no rubric "${plainText(query.rubric)}" and no verdict by it. Rubrics: ${currentOf(rubrics)
        .map(({ id }) => id)
        .join(', ')}.`,
    );
  if (json) out(jsonLine(report));
  else if (report.groups.length === 0) err(plainText(nothingText(report, query)));
  else out(agreementText(screen, report));
}
