import { type Command, InvalidArgumentError, Option } from 'commander';
import { MOST_CASES, type StudyItem, studyItems } from '../../studies/study-items.ts';
import type { Parts } from '../parts.ts';
import type { ProgramContext } from './program.ts';
import type { ExitCode } from './terminal.ts';

interface Given {
  context: ProgramContext;
  end: (code: ExitCode) => void;
  withParts: (use: (parts: Parts) => Promise<unknown>) => Promise<void>;
  wholeNumber: (least: number, most: number) => (value: string) => number;
  ids: (value: string) => string[];
}

interface CreateFlags {
  annotators: string[];
  cases: number;
  seed: number;
  name?: string;
  rubric?: string;
  ask: StudyItem[];
}

const items = (value: string): StudyItem[] =>
  value.split(',').map((item) => {
    const known = studyItems.find((one) => one === item.trim());
    if (known === undefined) throw new InvalidArgumentError(`Must be of ${studyItems.join(', ')}.`);
    return known;
  });

const STUDY = 'id of a study; "jury study list" names them';
const FORMATS = ['csv', 'jsonl'] as const;
type Format = (typeof FORMATS)[number];

/** `jury study …`: people rate cases, each by themselves, and how far they agree is reported. */
export function addStudies(program: Command, { context, end, withParts, wholeNumber, ids }: Given): void {
  const { terminal, stop } = context;
  const study = program.command('study').description('studies: people rate cases, each by themselves');
  study
    .command('create')
    .summary('ask people about a sample of cases')
    .description(
      'Makes a study of a sample of labeled or unlabeled cases, as many of each error type as of correct ones. Each annotator sees the cases in an order of their own, without labels, ids or verdicts: people of Slack in private messages, names in the terminal with "jury study annotate".',
    )
    .argument('<dataset>', 'cases: a paste, JSON or JSONL; - for standard input')
    .requiredOption(
      '--annotators <people>',
      'with commas between them: Slack ids such as U0123ABCD, names such as name:ann',
      ids,
    )
    .option('--cases <n>', 'how many cases', wholeNumber(1, MOST_CASES), 20)
    .option('--seed <n>', 'which cases, and in which order', wholeNumber(0, 2 ** 31 - 1), 1)
    .option('--name <text>', "what annotators are told that it is (default: the dataset's name)")
    .option('--rubric <id>', "the standard that they go by (default: the cases' own)")
    .option('--ask <items>', `what is asked: of ${studyItems.join(', ')}`, items, [...studyItems])
    .action(async (dataset: string, { rubric, name, ...flags }: CreateFlags) => {
      const { createStudyCommand } = await import('./study.ts');
      const wish = {
        dataset,
        ...flags,
        ...(rubric === undefined ? {} : { rubric }),
        ...(name === undefined ? {} : { name }),
      };
      await withParts(async (parts) => end(await createStudyCommand(parts, terminal, wish, stop)));
    });
  study
    .command('list')
    .description('list the studies and how far each annotator is')
    .option('--json', 'one study a line as JSON', false)
    .action(async ({ json }: { json: boolean }) => {
      const { listStudiesCommand } = await import('./study.ts');
      await withParts(async (parts) => end(await listStudiesCommand(parts, terminal, json)));
    });
  study
    .command('annotate')
    .summary('rate the cases of a study, one after the other')
    .description(
      'Shows one case after the other and asks about each. What was answered is kept case by case: stop with Ctrl-C or "q" and go on later with the same command; "b" goes back to the case before. Answers can also be piped in, one a line.',
    )
    .argument('<study>', STUDY)
    .requiredOption('--as <name>', 'who annotates: a name such as ann, or a Slack id')
    .option(
      '--case <n>',
      'begin at this case of the own order, to change answers',
      wholeNumber(1, MOST_CASES),
    )
    .action(async (id: string, flags: { as: string; case?: number }) => {
      const { annotateCommand } = await import('./study-annotate.ts');
      const from = flags.case === undefined ? null : flags.case - 1;
      await withParts(async (parts) => end(await annotateCommand(parts, terminal, id, flags.as, from, stop)));
    });
  study
    .command('import')
    .summary('add annotations that were made elsewhere')
    .description(
      'Adds annotations that were made elsewhere: columns annotator, case (the id in the dataset), user_validity, system_validity, correct, error_types, comment, and at (a date and time) where it is known. The same file again changes nothing. Rows that are none are told with their reason and left out.',
    )
    .argument('<study>', STUDY)
    .argument('<file>', 'CSV or JSONL; - for standard input')
    .addOption(new Option('--format <name>', "the file's format (default: by its name)").choices(FORMATS))
    .addHelpText(
      'after',
      '\nExit codes: 0 every row was taken, 1 some were not, 64 bad usage, unreadable input or none was.',
    )
    .action(async (id: string, file: string, { format }: { format?: Format }) => {
      const { importStudyCommand } = await import('./study-data.ts');
      await withParts(async (parts) =>
        end(await importStudyCommand(parts, terminal, id, file, format, stop)),
      );
    });
  study
    .command('export')
    .summary('print the annotations of a study')
    .description(
      'Prints the annotations of a study, one a row, with the label of each case. Annotators are named by their pseudonym.',
    )
    .argument('<study>', STUDY)
    .addOption(new Option('--format <name>', 'as what').choices(FORMATS).default('csv'))
    .action(async (id: string, { format }: { format: Format }) => {
      const { exportStudyCommand } = await import('./study-data.ts');
      await withParts(async (parts) => end(await exportStudyCommand(parts, terminal, id, format)));
    });
  study
    .command('report')
    .description('means, deviations and agreement of the ratings, and how far people agree with the labels')
    .argument('<study>', STUDY)
    .option('--json', 'as JSON', false)
    .action(async (id: string, { json }: { json: boolean }) => {
      const { reportStudyCommand } = await import('./study.ts');
      await withParts(async (parts) => end(await reportStudyCommand(parts, terminal, id, json)));
    });
  const changes = {
    close: 'take no more annotations; nothing is lost',
    reopen: 'take annotations again',
    remove: 'delete a study with its cases and annotations',
  } as const;
  for (const change of ['close', 'reopen', 'remove'] as const)
    study
      .command(change)
      .description(changes[change])
      .argument('<study>', STUDY)
      .action(async (id: string) => {
        const { changeStudyCommand } = await import('./study.ts');
        await withParts(async (parts) => end(await changeStudyCommand(parts, terminal, change, id)));
      });
}
