import { inputName, readTableFile } from '../../benchmark/datasets/read-cases.ts';
import { type ReadLabel, readLabelRows, type TableFormat } from '../../benchmark/datasets/read-table.ts';
import { JuryError } from '../../common/errors.ts';
import { counted, jsonLine, minuteText, plainText } from '../../common/text.ts';
import { type Card, cardOf, cardTexts } from '../../judging/card.ts';
import { keepRuling, type Ruling, rulingOn } from '../../labels/adjudication.ts';
import { importLabels, type LabelRow } from '../../labels/import-labels.ts';
import {
  labelOf,
  labelText,
  settledText,
  usualRule,
  type VerdictLabel,
  type Voted,
} from '../../labels/label.ts';
import { labelJson } from '../../labels/label-rows.ts';
import { readVoted } from '../../labels/labels.ts';
import { rightOf, rightText, type Vote } from '../../labels/vote.ts';
import { readPerson } from '../addresses.ts';
import type { Parts } from '../parts.ts';
import { renderCard } from './card-text.ts';
import { addCommands, type Register } from './command-context.ts';
import { tableFormatOption, VERDICT_ID } from './options.ts';
import { type ExitCode, exitCode, type Terminal } from './terminal.ts';

const labelNow = (voted: Voted): string => labelText(labelOf(voted, null, usualRule));

/** `jury labels adjudicate`: a ruling by a named role, which stands above all votes. */
async function adjudicate(
  parts: Parts,
  { out, screen }: Terminal,
  id: string,
  ruling: Ruling,
  { json }: { json: boolean },
): Promise<void> {
  const store = await parts.store();
  const before = await readVoted(store, id);
  const { verdict } = before.record;
  const made = rulingOn(before.record, parts.library.rubrics.get(verdict.rubric), ruling, parts.now());
  if ('problem' in made) throw new JuryError('usage', `Verdict ${id}: ${made.problem}. Nothing was changed.`);
  const kept = await keepRuling(store, made.ruling, before.adjudication);
  if ('problem' in kept) throw new JuryError('usage', `Verdict ${id}: ${kept.problem}. Nothing was changed.`);
  const { ruled } = kept;
  const after = await readVoted(store, id);
  if (json) {
    out(jsonLine({ ruled, ...labelJson({ voted: after, label: labelOf(after, null, usualRule) }) }));
    return;
  }
  const { decision, why, caseId, rubric, method } = verdict;
  const title = `${caseId} (${rubric} by ${method})`;
  out(renderCard(screen, [{ kind: 'headline', tone: decision, label: decision.toUpperCase(), title, why }]));
  out(plainText(`  label before: ${labelNow(before)}`));
  out(
    plainText(
      ruled === 'unchanged'
        ? '  The same ruling was already there; nothing was changed.'
        : `  label now:    ${labelNow(after)}`,
    ),
  );
}

/** `jury labels forget`: erases what a person voted and annotated. */
async function forget(parts: Parts, { out }: Terminal, text: string): Promise<void> {
  const person = readPerson(text, parts.surfaces);
  const pseudonym = await parts.pseudonym();
  const gone = await (await parts.store()).forgetVoter(pseudonym(person));
  const said = [
    ...(gone.votes > 0 || gone.annotations === 0 ? [counted(gone.votes, 'vote')] : []),
    ...(gone.annotations > 0 ? [counted(gone.annotations, 'annotation')] : []),
  ];
  out(
    gone.votes + gone.annotations === 0
      ? `No votes of ${text} are kept.`
      : `Erased ${said.join(' and ')} of ${text}.`,
  );
}

interface ImportOptions {
  /** The role in which rows that name none are ruled. */
  as?: string;
  format?: TableFormat;
}

const NO_ROLE = 'the role of the ruling is missing: add --as "safety lead", or a column "role"';

type Problem = { where: string; problem: string };

/** A row as a ruling, or what it lacks; nothing where it holds no label. */
function rowOf(read: ReadLabel, as: string | undefined): LabelRow | Problem | null {
  const { where, verdictId, user, response, rubric, label, errorType, note } = read;
  const role = read.role ?? as;
  if (label === null) return null;
  if (role === undefined) return { where, problem: NO_ROLE };
  const ruling = {
    right: label,
    role,
    ...(errorType === null ? {} : { errorType }),
    ...(note === null ? {} : { comment: note }),
  };
  const exchange = user !== null && response !== null ? { user, response } : null;
  return { where, verdictId, exchange, rubric, ruling };
}

/**
 * `jury labels import`: labels made elsewhere become rulings. Rows that fit nothing are said with their reason and left out;
 * ends with 1 where there are any, and with 64 where nothing is left.
 */
async function importRulings(
  parts: Parts,
  terminal: Terminal,
  file: string,
  { as, format }: ImportOptions,
  stop: AbortSignal,
): Promise<ExitCode> {
  const { err, out } = terminal;
  const table = await readTableFile(terminal, file, format, stop);
  const read = readLabelRows(table);
  if (as === undefined && read.labels.every(({ role }) => role === null))
    throw new JuryError('usage', `${inputName(file)}: ${NO_ROLE}. Nothing was changed.`);
  const made = read.labels.map((one) => rowOf(one, as));
  const rows = made.flatMap((row) => (row !== null && 'ruling' in row ? [row] : []));
  const early = made.flatMap((row) => (row !== null && 'problem' in row ? [row] : []));
  const empty = made.filter((row) => row === null).length;
  const store = await parts.store();
  const imported = await importLabels({ store, library: parts.library, now: parts.now() }, rows);
  const problems = [...read.problems, ...early, ...imported.problems];
  // A row about several verdicts can have the same problem with each.
  const lines = new Set(problems.map(({ where, problem }) => `${where}: ${problem}.`));
  for (const line of lines) err(line);
  if (empty > 0) err(`${counted(empty, 'row')} without a label left out.`);
  if (lines.size > 0) {
    const left = counted(new Set(problems.map(({ where }) => where)).size, 'row');
    err(`${left} left out, for all or some of the verdicts on the same words.`);
  }
  const { kept, replaced, unchanged } = imported.counts;
  if (kept + replaced + unchanged === 0)
    throw new JuryError('bad-input', `No row of ${inputName(file)} became a ruling. Nothing was changed.`);
  out(
    `${counted(kept + replaced + unchanged, 'verdict')} ruled on: ${kept} new, ${replaced} replaced, ${unchanged} unchanged.`,
  );
  return problems.length > 0 ? exitCode.failed : exitCode.ok;
}

/** What one vote adds to its thumb; without names. */
function voteText({ record }: Voted, vote: Vote): string {
  const right = rightOf(vote, record.verdict);
  const { criteria = [], errorType, judges = [], comment } = vote.correction ?? {};
  const parts = [
    ...(right === null ? [] : [`right: ${rightText(right)}`]),
    ...(errorType === undefined ? [] : [`error: ${errorType}`]),
    ...(criteria.length === 0 ? [] : [`wrong about ${criteria.join(', ')}`]),
    ...(judges.length === 0 ? [] : [`wrong judges: ${judges.join(', ')}`]),
  ];
  const said = `${vote.value}${parts.length === 0 ? '' : ` (${parts.join('; ')})`}`;
  return comment === undefined ? said : `${said}: ${comment}`;
}

function labelLines({ votes }: Voted, label: VerdictLabel): string[] {
  const { tally, adjudication, majority, said } = label;
  return [
    `label: ${labelText(label)}`,
    `votes: ${tally.agree} agree, ${tally.disagree} disagree, ${tally.unsure} unsure; ${said.length} of ${votes.length} say what is right`,
    `majority: ${settledText(majority)}`,
    ...(adjudication === null
      ? []
      : [
          `ruled by ${adjudication.role} at ${minuteText(adjudication.at)}${adjudication.comment === undefined ? '' : `: ${adjudication.comment}`}`,
        ]),
  ];
}

/** `jury labels show`: a verdict with all that people said of it, and its label by majority. */
async function show(
  parts: Parts,
  { out, screen }: Terminal,
  id: string,
  { json }: { json: boolean },
): Promise<void> {
  const voted = await readVoted(await parts.store(), id);
  const { record, votes } = voted;
  const label = labelOf(voted, null, usualRule);
  if (json) {
    const corrections = votes.map(({ value, correction }) => ({ value, correction: correction ?? null }));
    out(jsonLine({ ...labelJson({ voted, label }), corrections, record }));
    return;
  }
  const card: Card = [
    ...cardOf(record.verdict, record.evalCase, cardTexts(parts.library), record.trust),
    { kind: 'notes', title: 'Label', lines: labelLines(voted, label) },
  ];
  if (votes.length > 0)
    card.push({ kind: 'notes', title: 'What people say', lines: votes.map((vote) => voteText(voted, vote)) });
  out(renderCard(screen, card));
}

interface AdjudicateFlags {
  by: string;
  errorType?: string;
  note?: string;
  json: boolean;
}

/** `jury labels …`: what colleagues voted, and what it says is right. */
export const register: Register = async (labels, context) => {
  const { stop, terminal, withParts } = context;
  await addCommands(labels, context, {
    export: ['write labels as a dataset, as a table, or for Crowd-Kit', () => import('./labels-export.ts')],
    aggregate: [
      'settle labels by majority and by Dawid–Skene, side by side',
      () => import('./labels-aggregate.ts'),
    ],
  });
  labels
    .command('import')
    .summary('import labels from elsewhere as rulings')
    .description(
      'Imports labels from elsewhere as rulings by a named role. The file has a column "label" (pass, fail or a score) and says what each is about: "verdict_id" or "task", or "user" and "response", which stand for every verdict on these words; also "error_type", "note", "role" and "rubric". The datasets and tables of "jury labels export", and task,label of Crowd-Kit, can be read as they are; single votes cannot. Importing the same file again changes nothing.',
    )
    .argument('<file>', 'CSV (also with semicolons or tabs) or JSONL; - for standard input')
    .option('--as <role>', 'the role of rows that name none, such as "safety lead"')
    .addOption(tableFormatOption())
    .addHelpText(
      'after',
      '\nExit codes: 0 every row with a label was imported, 1 some were not, 64 bad usage, unreadable input or none at all.',
    )
    .action((file: string, options: ImportOptions) =>
      withParts({ cache: false }, (parts) => importRulings(parts, terminal, file, options, stop)),
    );
  labels
    .command('show')
    .description('show a verdict, what people said about it, and its label, without names')
    .argument('<verdict>', VERDICT_ID)
    .option('--json', 'as JSON', false)
    .action((id: string, options: { json: boolean }) =>
      withParts({ cache: false }, (parts) => show(parts, terminal, id, options)),
    );
  labels
    .command('adjudicate')
    .summary('rule on a verdict')
    .description(
      'Rules on what is right about the case of a verdict. A ruling overrides all votes, until a newer one.',
    )
    .argument('<verdict>', VERDICT_ID)
    .argument('<right>', 'pass or fail; for rubrics that give scores, a score')
    .requiredOption('--by <role>', 'the role that rules, such as "safety lead"; it is shown')
    .option('--error-type <id>', "what is wrong: a criterion, or one of the rubric's kinds of error")
    .option('--note <text>', 'why')
    .option('--json', 'as JSON', false)
    .action((id: string, right: string, { by: role, errorType, note, json }: AdjudicateFlags) => {
      const ruling = {
        right,
        role,
        ...(errorType === undefined ? {} : { errorType }),
        ...(note === undefined ? {} : { comment: note }),
      };
      return withParts({ cache: false }, (parts) => adjudicate(parts, terminal, id, ruling, { json }));
    });
  labels
    .command('forget')
    .summary("erase a person's votes")
    .description(
      "Erases a person's votes and comments everywhere, counts included, and prints how many there were.",
    )
    .argument('<user>', 'a user id such as U0123ABCD, or surface:team:user')
    .action((user: string) => withParts({ cache: false }, (parts) => forget(parts, terminal, user)));
  await addCommands(labels, context, {
    promote: ['make a worked example of a case whose label is settled', () => import('./labels-promote.ts')],
    stats: ['how far people agree with the judges, and among themselves', () => import('./labels-stats.ts')],
  });
};
