import { readTraceFiles, type TraceFiles } from '../../case/paste/index.ts';
import { JuryError } from '../../common/index.ts';
import { counted, grouped, jsonLine, plainLine } from '../../common/text/index.ts';
import {
  type AnswersReport,
  type ColumnMapping,
  importTable,
  inputName,
  readDataset,
  readSpeakers,
  readText,
  refusalLines,
  type TableFormat,
  tableIn,
} from '../../datasets/index.ts';
import { entry } from '../../judging/standards/index.ts';
import { type LabelBy, usualRule } from '../../labels/index.ts';
import { alphaText } from '../../reports/estimates/index.ts';
import { caseOptions, type Parts } from '../index.ts';
import {
  type CommandContext,
  type ExitCode,
  exitCode,
  type Screen,
  titledTable,
  writeCases,
} from '../terminal/index.ts';
import { writeTraces } from './traces.ts';

interface ImportOptions {
  /** `column=path`, repeatable; `column=-` leaves a column out. */
  map?: readonly (readonly [column: string, path: string])[];
  mapValue?: readonly string[];
  speaker?: readonly string[];
  /** A dataset with the cases that rows refer to by id. */
  cases?: string;
  format?: TableFormat;
  rubric?: string;
  by: LabelBy;
  minVotes: number;
  all: boolean;
  json: boolean;
  out?: string;
}

const mappingText = ({ column, path, why }: ColumnMapping): string =>
  path === null ? `  ${column} → left out: ${why}` : `  ${column} → ${path} (${why})`;

/** What settled the labels, where a share of the answers did. */
function settledLines(labels: AnswersReport['labels']): string[] {
  const counts = labels.flatMap(({ lessThanHalf }) => lessThanHalf ?? []);
  if (counts.length === 0) return [];
  const less = counts.reduce((total, count) => total + count, 0);
  return [
    less === 0
      ? 'Settled by more than half of the answers.'
      : `Settled by more than half of the answers that are not "unsure"; of ${counted(less, 'label')} that is half of all answers or less.`,
  ];
}

/** The annotators' answers, and how far they agree. */
function answersText(screen: Screen, { annotators, labels, open }: AnswersReport): string {
  const many = annotators === 0 ? 'annotators who are not named' : counted(annotators, 'annotator');
  // More than six values, such as scores, would fill the table.
  const countsText = (counts: Record<string, number>) =>
    Object.entries(counts).length > 6
      ? `${Object.keys(counts).length} values`
      : Object.entries(counts)
          .map(([said, count]) => `${said} ${grouped(count)}`)
          .join(', ');
  return [
    ...titledTable(screen, `Answers of ${many}`, labels, [
      ['label', ({ path }) => path.replace('label.', ''), 'left'],
      ['cases', ({ cases }) => grouped(cases)],
      ['answers', ({ answers }) => grouped(answers)],
      ['said', ({ counts }) => countsText(counts), 'left'],
      ['alpha (95 %)', ({ alpha }) => alphaText(alpha)],
      ['settled', ({ settled }) => grouped(settled)],
    ]).slice(1),
    ...(labels.length === 0
      ? []
      : [
          `Alpha is Krippendorff's, ${[...new Set(labels.map(({ alpha }) => alpha.scale))].join(' and ')}, with an interval by case; "unsure" is an answer of its own and never a label.`,
        ]),
    ...settledLines(labels),
    ...(open > 0 ? [`${counted(open, 'case')} not settled.`] : []),
  ].join('\n');
}

/** The cases of a dataset by id. */
async function casesById(context: CommandContext, file: string, parts: Parameters<typeof caseOptions>[0]) {
  const cases = await readDataset(context, [file], caseOptions(parts), context.stop);
  return new Map(cases.map(({ name, evalCase }) => [name, { id: name, ...evalCase }]));
}

/** The conversations in a file that holds traces or a log of another tool; null for a table. */
function tracesIn(text: string, file: string, { library, env }: Parts): TraceFiles | null {
  const traces = readTraceFiles([{ name: plainLine(inputName(file)), text }], {
    format: library.caseFormat,
    maxCaseChars: env.settings.JURY_MAX_CASE_CHARS,
    everyAnswer: false,
  });
  return traces.counts.length === 0 ? null : traces;
}

type Imported = ReturnType<typeof importTable>;

/** Reads the rows of a table as cases. */
async function readRows(
  context: CommandContext,
  table: ReturnType<typeof tableIn>,
  options: ImportOptions,
  parts: Parts,
): Promise<Imported> {
  const { library, env } = parts;
  const { rubric, by, minVotes, all, cases } = options;
  return importTable(table, {
    map: new Map(options.map),
    values: options.mapValue ?? [],
    speakers: readSpeakers(options.speaker ?? []),
    format: library.caseFormat,
    rubrics: library.rubrics,
    maxCaseChars: env.settings.JURY_MAX_CASE_CHARS,
    by,
    rule: { ...usualRule, minVotes },
    all,
    ...(rubric === undefined ? {} : { rubric }),
    ...(cases === undefined ? {} : { cases: await casesById(context, cases, parts) }),
  });
}

/** Says what the annotators answered. Without `out`, standard output is reserved for the cases. */
function writeAnswers(
  { err, out: print, screen }: CommandContext,
  answers: AnswersReport,
  { json, out }: ImportOptions,
): void {
  const text = json ? jsonLine(answers) : answersText(screen, answers);
  if (out === undefined) err(text);
  else print(text);
}

/** How many rows became how many cases; several rows may have become one case. */
function countsLine(rows: number, { cases, problems, answers, isJoined }: Imported): string {
  const left = problems.length > 0 ? `, ${grouped(problems.length)} left out` : '';
  return answers === null && !isJoined
    ? `${grouped(cases.length)} of ${counted(rows, 'row')} became ${cases.length === 1 ? 'a case' : 'cases'}${left}.`
    : `${counted(rows, 'row')} became ${counted(cases.length, 'case')}${left}.`;
}

/**
 * `jury dataset import`: turns rows of a CSV or JSON file into cases. If several people answered about a case, its label is what
 * they agree on. Rows that make no case are counted by reason and left out.
 *
 * @returns 1 if rows were left out
 * @throws JuryError `bad-input` if no row became a case
 */
export async function importCases(
  context: CommandContext,
  file: string,
  options: ImportOptions,
): Promise<ExitCode> {
  const { err } = context;
  const parts = await context.parts();
  const { library } = parts;
  const { rubric, out, json } = options;
  if (rubric !== undefined) entry('rubric', library.rubrics, rubric);
  const text = await readText(context, file, context.stop);
  const traces = options.map === undefined ? tracesIn(text, file, parts) : null;
  if (traces !== null) return writeTraces(context, traces, { json, ...(out === undefined ? {} : { out }) });
  const table = tableIn(file, text, options.format);
  const imported = await readRows(context, table, options, parts);
  const { cases, mapping, problems, assumed, answers } = imported;
  err(`Columns:\n${mapping.map(mappingText).join('\n')}`);
  for (const { note, rows } of assumed) err(`Assumed: ${note} (${counted(rows, 'row')})`);
  for (const line of refusalLines(problems)) err(line);
  if (answers !== null) writeAnswers(context, answers, options);
  if (cases.length === 0)
    throw new JuryError(
      'bad-input',
      'No row became a case; nothing was written. Name the columns with --map, such as --map question=conversation --map reply=response.',
    );
  await writeCases(context, cases, out);
  err(countsLine(table.rows.length, imported));
  for (const note of table.notes) err(note);
  return problems.length > 0 ? exitCode.failed : exitCode.ok;
}
