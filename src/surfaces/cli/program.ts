import { Command, InvalidArgumentError, Option } from 'commander';
import type { Env } from '../../env.ts';
import { firstPaste } from '../examples.ts';
import type { Parts, PartsOptions } from '../parts.ts';
import { addDataset } from './add-dataset.ts';
import { addDigests } from './add-digests.ts';
import { addGoldCommand } from './add-gold.ts';
import { addLabels } from './add-labels.ts';
import { addLabelsStats } from './add-labels-stats.ts';
import { addReports } from './add-reports.ts';
import { addRuns } from './add-runs.ts';
import { addStudies } from './add-studies.ts';
import { type ExitCode, exitCode, type Terminal } from './terminal.ts';

/** What the commands are given; parts are put together only when a command needs them. */
export interface ProgramContext {
  version: string;
  terminal: Terminal;
  env: () => Promise<Env>;
  parts: (options: Pick<PartsOptions, 'cache' | 'pace'>) => Promise<Parts>;
  /** Aborts when the user asks to stop (Ctrl-C). */
  stop: AbortSignal;
}

const wholeNumber = (least: number, most: number) => (value: string) => {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < least || number > most)
    throw new InvalidArgumentError(`Must be a whole number from ${least} to ${most}.`);
  return number;
};

const temperature = (value: string) => {
  const number = Number(value);
  if (value.trim() === '' || !(number >= 0 && number <= 2))
    throw new InvalidArgumentError('Must be a number from 0 to 2.');
  return number;
};

const collect = (value: string, before: string[] = []): string[] => [...before, value];
const ids = (value: string): string[] => {
  const list = value.split(',').map((id) => id.trim());
  if (list.includes('')) throw new InvalidArgumentError('Must be ids with commas between them.');
  return list;
};

/** Puts the parts together for one command and takes them apart again, whatever happens. */
async function withParts(
  context: ProgramContext,
  options: Pick<PartsOptions, 'cache' | 'pace'>,
  use: (parts: Parts) => Promise<unknown>,
): Promise<void> {
  const parts = await context.parts(options);
  try {
    await use(parts);
  } finally {
    await parts.close();
  }
}

interface JudgeFlags {
  rubric?: string;
  method?: string;
  model?: string[];
  panel?: string[];
  rounds?: number;
  temperature?: number;
  seed?: number;
  set?: string[];
  concurrency: number;
  json: boolean;
  cache: boolean;
}

function addJudge(program: Command, context: ProgramContext, end: (code: ExitCode) => void): void {
  program
    .command('judge')
    .summary('judge cases from files or standard input')
    .description(
      'Judges cases from files, or from standard input when no file is named or the file is "-".\nA file is a paste (User: … System: …), a JSON case, or JSONL with one case a line.',
    )
    .argument('[file...]', 'pastes, JSON or JSONL; - for standard input')
    .option('--rubric <id>', 'the standard to judge by (default: found from the case)')
    .option('--method <id>', "the way of judging (default: the rubric's)")
    .option(
      '--model <id>',
      'provider/model, or "rules" for exact checks without a model; repeatable (default: JURY_MODEL, else rules)',
      collect,
    )
    .option('--panel <ids>', "personas, with commas between them (default: the rubric's)", ids)
    .option(
      '--set <name=value>',
      'a setting of the personas on the panel, such as brand=Aurora; repeatable ("jury personas" lists them)',
      collect,
    )
    .option('--rounds <n>', 'most rounds of a debate', wholeNumber(1, 20))
    .option('--temperature <x>', "sampling temperature in place of the method's", temperature)
    .option('--seed <n>', 'seed for endpoints that take one', wholeNumber(0, 2 ** 31 - 1))
    .option('--concurrency <n>', 'cases judged at once', wholeNumber(1, 1000), 8)
    .option('--json', 'one verdict a line as JSON, in input order', false)
    .option('--no-cache', 'ask again even where an answer is known')
    .addHelpText(
      'after',
      `\nA paste to try:\n\n${firstPaste.replaceAll(/^/gm, '  ')}\n\nExit codes: 0 every case passed or was scored, 1 at least one failed, 2 at least one undecided and none failed,\n64 bad usage or unreadable input (nothing judged), 70 internal error, 130 stopped with Ctrl-C.`,
    )
    .action(async (files: string[], flags: JudgeFlags) => {
      const { judgeCommand } = await import('./judge.ts');
      const { readSettings } = await import('../../judging/persona.ts');
      const { cache, model, set = [], ...options } = flags;
      const models = model ?? [(await context.env()).settings.JURY_MODEL];
      await withParts(context, { cache }, async (parts) => {
        const told = { ...options, models, settings: readSettings(set) };
        end(await judgeCommand(parts, context.terminal, files, told, context.stop));
      });
    });
}

function addLists(program: Command, context: ProgramContext, end: (code: ExitCode) => void): void {
  const lists = { methods: 'ways of judging', rubrics: 'standards', personas: 'points of view' } as const;
  for (const [name, what] of Object.entries(lists)) {
    program
      .command(name)
      .description(`list the ${what}, each with its source`)
      .action(async () => {
        const { listMethods, listPersonas, listRubrics } = await import('./lists.ts');
        const show = { methods: listMethods, rubrics: listRubrics, personas: listPersonas }[name];
        await withParts(context, { cache: false }, async (parts) => show?.(parts, context.terminal));
        end(exitCode.ok);
      });
  }
  program
    .command('models')
    .description('list the models whose prices and abilities are known, each with its source')
    .action(async () => {
      const { listModels } = await import('./lists.ts');
      listModels(await context.env(), context.terminal);
      end(exitCode.ok);
    });
}

function addBench(program: Command, context: ProgramContext, end: (code: ExitCode) => void): void {
  const bench = program
    .command('bench')
    .description('benchmarks: runs of your own, and what the papers report');
  bench
    .command('published')
    .summary('show the results that the papers print')
    .description(
      'Shows the results that the papers print, with their sources, and marks where a paper contradicts itself.\nWithout a table: lists what there is.',
    )
    .argument('[table]', 'id of a table')
    .option('--json', 'one row a line as JSON, of one table or of all', false)
    .action(async (table: string | undefined, { json }: { json: boolean }) => {
      const { publishedCommand } = await import('./bench-published.ts');
      publishedCommand(context.terminal, table, json);
      end(exitCode.ok);
    });
  addRuns(program, bench, {
    context,
    end,
    withParts: (options, use) => withParts(context, options, use),
    wholeNumber,
    ids,
  });
  addReports(bench, context, end);
}

/** The command line. Sets the exit code through `end`; commander's own errors are thrown. */
export function createProgram(context: ProgramContext, end: (code: ExitCode) => void): Command {
  const program = new Command('jury')
    .description('A panel of LLM judges for conversational systems.')
    .version(context.version, '--version', 'print the version')
    .helpOption('--help', 'show help')
    .configureOutput({
      writeOut: (text) => context.terminal.out(text.trimEnd()),
      writeErr: (text) => context.terminal.err(text.trimEnd()),
    })
    .exitOverride()
    .showHelpAfterError('Add --help to see what there is.');
  addJudge(program, context, end);
  program
    .command('parse')
    .summary('print each case as it was understood')
    .description(
      'Prints each case as it was understood, one JSON object a line, and what was assumed. Judges nothing.',
    )
    .argument('[file...]', 'pastes, JSON or JSONL; - for standard input')
    .action(async (files: string[]) => {
      const { parseCommand } = await import('./parse.ts');
      end(await parseCommand(await context.env(), context.terminal, files, context.stop));
    });
  addLists(program, context, end);
  addBench(program, context, end);
  addDataset(program, {
    context,
    end,
    withParts: (use) => withParts(context, { cache: true }, use),
    wholeNumber,
  });
  program
    .command('doctor')
    .description(
      'check configuration, prompts, models and credentials, and say how to mend what does not work',
    )
    .addOption(new Option('--model <id>', 'also try this model; repeatable').argParser(collect))
    .action(async ({ model }: { model?: string[] }) => {
      const { doctorCommand } = await import('./doctor.ts');
      end(await doctorCommand(context, model ?? []));
    });
  addDigests(program, { context, end, withParts: (use) => withParts(context, { cache: false }, use) });
  addStudies(program, {
    context,
    end,
    withParts: (use) => withParts(context, { cache: false }, use),
    wholeNumber,
    ids,
  });
  addGoldCommand(program, { context, end, withParts: (use) => withParts(context, { cache: true }, use) });
  const labels = addLabels(program, {
    context,
    end,
    withParts: (options, use) => withParts(context, options, use),
    wholeNumber,
  });
  addLabelsStats(labels, {
    context,
    end,
    withParts: (use) => withParts(context, { cache: false }, use),
    wholeNumber,
  });
  program
    .command('serve')
    .description('run the service: every surface that is configured')
    .action(async () => {
      const { serveCommand } = await import('./serve.ts');
      await withParts(context, { cache: true }, async (parts) =>
        end(await serveCommand(parts, context.terminal, context.stop)),
      );
    });
  program
    .command('demo')
    .description('judge the sample pastes that come with the program')
    .action(async () => {
      const { demoCommand } = await import('./demo.ts');
      await withParts(context, { cache: false }, async (parts) =>
        end(await demoCommand(parts, context.terminal, context.stop)),
      );
    });
  return program;
}
