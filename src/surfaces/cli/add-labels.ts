import { type Command, Option } from 'commander';
import type { Parts, PartsOptions } from '../parts.ts';
import type { LabelsImportOptions } from './labels.ts';
import type { AggregateOptions } from './labels-aggregate.ts';
import type { ExportOptions } from './labels-export.ts';
import type { PromoteOptions } from './labels-promote.ts';
import type { ProgramContext } from './program.ts';
import type { ExitCode } from './terminal.ts';

interface Ways {
  context: ProgramContext;
  end: (code: ExitCode) => void;
  withParts: (options: Pick<PartsOptions, 'cache'>, use: (parts: Parts) => Promise<unknown>) => Promise<void>;
  wholeNumber: (least: number, most: number) => (value: string) => number;
}

const VERDICT = 'id of a verdict; "jury labels aggregate" lists those that somebody voted on';

/** How votes settle a label: the same options wherever labels are read. */
const withRule = (command: Command, { wholeNumber }: Ways): Command =>
  command
    .option('--rubric <id>', 'of one rubric only')
    .addOption(
      new Option('--by <way>', 'what settles a label that nobody has ruled on')
        .choices(['majority', 'dawid-skene'])
        .default('majority'),
    )
    .option('--least <n>', 'votes that say what is right, at least', wholeNumber(1, 1000), 3);

function addAggregate(labels: Command, ways: Ways): void {
  const command = labels
    .command('aggregate')
    .summary('settle labels by majority and by Dawid–Skene, side by side')
    .description(
      "Shows each verdict's label by counting votes and by the model of voters (Dawid and Skene), where both differ first, with how the model came out. A ruling stands above both.",
    );
  withRule(command, ways)
    .option('--voters', 'also tell how reliable each voter is, by pseudonym', false)
    .option('--json', 'the model, then one verdict a line, as JSON', false)
    .action(async (options: AggregateOptions) => {
      const { labelsAggregateCommand } = await import('./labels-aggregate.ts');
      await ways.withParts({ cache: false }, async (parts) =>
        ways.end(await labelsAggregateCommand(parts, ways.context.terminal, options, ways.context.stop)),
      );
    });
}

function addExport(labels: Command, ways: Ways): void {
  const command = labels
    .command('export')
    .summary('write labels as a dataset, as a table, or for Crowd-Kit')
    .description(
      'Writes what votes and rulings say is right. jsonl: cases with labels, a dataset for "jury bench run"; a case that was judged more than once is one case, and its id is that of the verdict. csv: one row a verdict, with tally, majority, model, ruling and what was judged. crowdkit: one row a vote, task,worker,label.',
    )
    .addOption(
      new Option('--format <name>', 'what to write').choices(['jsonl', 'csv', 'crowdkit']).default('jsonl'),
    );
  withRule(command, ways)
    .option('--all', 'also verdicts that have no label yet', false)
    .option('--output <file>', 'write to a file (default: standard output)')
    .option('--gold <file>', 'with crowdkit: write the rulings there, task,label')
    .action(async (options: ExportOptions) => {
      const { labelsExportCommand } = await import('./labels-export.ts');
      await ways.withParts({ cache: false }, async (parts) =>
        ways.end(await labelsExportCommand(parts, ways.context.terminal, options, ways.context.stop)),
      );
    });
}

function addImport(labels: Command, { context, end, withParts }: Ways): void {
  labels
    .command('import')
    .summary('take labels made elsewhere as rulings')
    .description(
      'Takes labels made elsewhere as rulings by a named role. The file has a column "label" (pass, fail or a score) and says what each is about: "verdict_id" or "task", or "user" and "response", which stand for every verdict on these words; also "error_type", "note", "role" and "rubric". The datasets and tables of "jury labels export", and task,label of Crowd-Kit, can be read as they are; single votes cannot. The same file again changes nothing.',
    )
    .argument('<file>', 'CSV (also with semicolons or tabs) or JSONL; - for standard input')
    .option('--as <role>', 'the role of rows that name none, such as "safety lead"')
    .addOption(
      new Option('--format <name>', "the file's format (default: by its name)").choices(['csv', 'jsonl']),
    )
    .addHelpText(
      'after',
      '\nExit codes: 0 every row with a label was taken, 1 some were not, 64 bad usage, unreadable input or none at all.',
    )
    .action(async (file: string, options: LabelsImportOptions) => {
      const { labelsImportCommand } = await import('./labels.ts');
      await withParts({ cache: false }, async (parts) =>
        end(await labelsImportCommand(parts, context.terminal, file, options, context.stop)),
      );
    });
}

function addPromote(labels: Command, { context, end, withParts, wholeNumber }: Ways): void {
  const collect = (value: string, before: string[] = []): string[] => [...before, value];
  labels
    .command('promote')
    .summary('make a worked example of a case whose label is settled')
    .description(
      'Makes a worked example of a case whose label is settled: the first one of its rubric, written into JURY_PROMPTS_DIR beside the version before. Its reason is what people wrote: the note of the ruling, the comment of a correction, or --reasoning. Labeled cases that share no words with an example are judged with the examples as they are and as they would be; where the agreement falls, nothing is written.',
    )
    .argument('<verdict>', VERDICT)
    .requiredOption('--rubric <id>', 'whose example it becomes')
    .option('--model <id>', 'the model that reads the examples (default: JURY_MODEL)')
    .option('--method <id>', 'a method that shows worked examples', 'cot-3')
    .option(
      '--held-out <file|n>',
      'what measures: a dataset with labels, or so many of the newest labels',
      '200',
    )
    .option('--reasoning <text>', 'why the label is right, where nobody has written it')
    .option(
      '--finding <criterion=finding: why>',
      "what is right about one criterion, in place of the panel's; repeatable",
      collect,
    )
    .addOption(
      new Option('--by <way>', 'what settles a label that nobody has ruled on')
        .choices(['majority', 'dawid-skene'])
        .default('majority'),
    )
    .option('--least <n>', 'votes that say what is right, at least', wholeNumber(1, 1000), 3)
    .option('--concurrency <n>', 'held-out cases judged at once', wholeNumber(1, 1000), 8)
    .option('--plan', 'show the example and what measuring it takes; ask nobody, write nothing', false)
    .option('--json', 'as JSON', false)
    .addHelpText(
      'after',
      '\nExit codes: 0 written, 1 the agreement falls and nothing was written, 2 judges did not answer and nothing was written,\n64 bad usage, or no example can be made of it, 130 stopped with Ctrl-C.',
    )
    .action(async (id: string, options: PromoteOptions) => {
      const { labelsPromoteCommand } = await import('./labels-promote.ts');
      await withParts({ cache: true }, async (parts) =>
        end(await labelsPromoteCommand(parts, context.terminal, id, options, context.stop)),
      );
    });
}

function addOne(labels: Command, { context, end, withParts }: Ways): void {
  labels
    .command('show')
    .description('show a verdict, what people said of it, and its label; nobody is named')
    .argument('<verdict>', VERDICT)
    .option('--json', 'as JSON', false)
    .action(async (id: string, options: { json: boolean }) => {
      const { labelsShowCommand } = await import('./labels.ts');
      await withParts({ cache: false }, async (parts) =>
        end(await labelsShowCommand(parts, context.terminal, id, options)),
      );
    });
  labels
    .command('adjudicate')
    .summary('rule on a verdict')
    .description(
      'Rules on what is right about the case of a verdict. A ruling stands above all votes, until a newer one.',
    )
    .argument('<verdict>', VERDICT)
    .argument('<right>', 'pass or fail; of rubrics that give scores, a score')
    .requiredOption('--by <role>', 'the role in which it is ruled, such as "safety lead"; it is shown')
    .option('--error-type <id>', "what is wrong: a criterion, or one of the rubric's kinds of error")
    .option('--note <text>', 'why')
    .option('--json', 'as JSON', false)
    .action(
      async (
        id: string,
        right: string,
        flags: { by: string; errorType?: string; note?: string; json: boolean },
      ) => {
        const { labelsAdjudicateCommand } = await import('./labels.ts');
        const { by: role, errorType, note, json } = flags;
        const ruling = {
          right,
          role,
          ...(errorType === undefined ? {} : { errorType }),
          ...(note === undefined ? {} : { comment: note }),
        };
        await withParts({ cache: false }, async (parts) =>
          end(await labelsAdjudicateCommand(parts, context.terminal, id, ruling, { json })),
        );
      },
    );
  labels
    .command('forget')
    .summary("erase a person's votes")
    .description(
      "Erases a person's votes and comments everywhere, counts included, and prints how many there were.",
    )
    .argument('<user>', 'a Slack user id such as U0123ABCD, or surface:team:user')
    .action(async (user: string) => {
      const { forgetCommand } = await import('./labels.ts');
      await withParts({ cache: false }, async (parts) =>
        end(await forgetCommand(parts, context.terminal, user)),
      );
    });
}

/** `jury labels …`: what colleagues voted, and what it says is right. Returns the command, for others to be added to it. */
export function addLabels(program: Command, ways: Ways): Command {
  const labels = program
    .command('labels')
    .description('what colleagues voted, and what their votes say is right');
  addExport(labels, ways);
  addAggregate(labels, ways);
  addImport(labels, ways);
  addOne(labels, ways);
  addPromote(labels, ways);
  return labels;
}
