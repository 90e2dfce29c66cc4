import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Parts } from '../parts.ts';
import type { ProgramContext } from './program.ts';
import type { ExitCode } from './terminal.ts';

/** What the commands on datasets need of the program. */
interface Ways {
  context: ProgramContext;
  end: (code: ExitCode) => void;
  withParts: (use: (parts: Parts) => Promise<unknown>) => Promise<void>;
  wholeNumber: (least: number, most: number) => (value: string) => number;
}

/** Cases that one run of `jury judge` takes are 10,000; six a user for navigation. */
const MOST_USERS = 100_000;

const pair = (value: string, before: string[] = []): string[] => {
  if (!value.includes('=')) throw new InvalidArgumentError('Must be column=path.');
  return [...before, value];
};

interface GenerateFlags {
  users: number;
  seed: number;
  out?: string;
  paraphrase?: string;
}

interface ImportFlags {
  map?: string[];
  format?: 'csv' | 'jsonl';
  rubric?: string;
  out?: string;
}

/** `jury dataset …`: labeled cases are generated, checked, counted and imported. */
export function addDataset(program: Command, { context, end, withParts, wholeNumber }: Ways): void {
  const dataset = program.command('dataset').description('generate, check, count and import labeled cases');

  dataset
    .command('generate')
    .summary('generate labeled cases: one right and one for each error a user')
    .description(
      'Generates labeled cases as JSONL: for each user one recommendation that meets every wish, and one for each kind of error that is the same but for that. The same seed gives the same bytes; more users keep the earlier ones.',
    )
    .argument('[domain]', 'what the cases are about: a file in prompts/datasets', 'navigation')
    .option(
      '--users <n>',
      'users, each with a situation and wishes of its own',
      wholeNumber(1, MOST_USERS),
      100,
    )
    .option('--seed <n>', 'which users', wholeNumber(0, 2 ** 31 - 1), 1)
    .option('--out <file>', 'write to a file (default: standard output)')
    .option('--paraphrase <model>', 'let a model say the requests in other words; labels stay checked')
    .action(async (domain: string, flags: GenerateFlags) => {
      const { generateCommand } = await import('./dataset.ts');
      await withParts(async (parts) =>
        end(await generateCommand(parts, context.terminal, domain, flags, context.stop)),
      );
    });

  dataset
    .command('check')
    .summary('prove that every case has exactly the error of its label')
    .description(
      'Runs the exact checks on every case: the criterion of label.errorType must fail and all others pass; a case labeled pass must fail none. Says which case deviates, in which criterion and why.',
    )
    .argument('[file...]', 'datasets; - for standard input')
    .option('--rubric <id>', "the standard to check by (default: the case's own)")
    .option('--json', 'one result a line as JSON', false)
    .addHelpText(
      'after',
      '\nExit codes: 0 every case is confirmed, 1 at least one is not, 64 bad usage or unreadable input.',
    )
    .action(async (files: string[], flags: { rubric?: string; json: boolean }) => {
      const { checkCommand } = await import('./dataset-check.ts');
      await withParts(async (parts) =>
        end(await checkCommand(parts, context.terminal, files, flags, context.stop)),
      );
    });

  dataset
    .command('stats')
    .description('count what a dataset holds: labels, error types, languages, lengths, gaps, duplicates')
    .argument('[file...]', 'datasets; - for standard input')
    .option('--json', 'as JSON', false)
    .action(async (files: string[], flags: { json: boolean }) => {
      const { statsCommand } = await import('./dataset-check.ts');
      await withParts(async (parts) =>
        end(await statsCommand(parts, context.terminal, files, flags, context.stop)),
      );
    });

  dataset
    .command('import')
    .summary('make cases of the rows of a CSV or JSONL file')
    .description(
      'Makes cases of the rows of a CSV or JSONL file. Columns go where their names say, and that is told; --map says it for those that it gets wrong. Rows that make no case are told with their reason and left out.',
    )
    .argument('<file>', 'CSV (also with semicolons or tabs) or JSONL; - for standard input')
    .option(
      '--map <column=path>',
      'where a column goes: a path such as label.decision, or - for nowhere; repeatable',
      pair,
    )
    .addOption(
      new Option('--format <name>', "the file's format (default: by its name)").choices(['csv', 'jsonl']),
    )
    .option('--rubric <id>', 'the rubric of cases that name none')
    .option('--out <file>', 'write to a file (default: standard output)')
    .addHelpText(
      'after',
      '\nExit codes: 0 every row became a case, 1 some did not, 64 bad usage, unreadable input or no case at all.',
    )
    .action(async (file: string, { map = [], ...flags }: ImportFlags) => {
      const { importCommand } = await import('./dataset.ts');
      await withParts(async (parts) =>
        end(await importCommand(parts, context.terminal, file, { map, ...flags }, context.stop)),
      );
    });
}
