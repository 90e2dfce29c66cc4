import { Command, CommanderError } from 'commander';
import { isEndpointRefused, JuryError, messageOf } from '../../common/errors.ts';
import {
  addCommands,
  createCommandContext,
  type LazyCommands,
  type ProgramContext,
} from './command-context.ts';
import type { registers } from './lists.ts';
import { type ExitCode, exitCode } from './terminal.ts';

const fromLists = (name: keyof typeof registers) => async () => ({
  register: (await import('./lists.ts')).registers[name],
});

const commands: LazyCommands = {
  judge: ['judge cases from files or standard input', () => import('./judge.ts')],
  parse: ['print each case as it was understood', () => import('./parse.ts')],
  methods: ['list the ways of judging, each with its source', fromLists('methods')],
  rubrics: ['list the standards, each with its source', fromLists('rubrics')],
  personas: ['list the points of view, each with its source', fromLists('personas')],
  models: ['list the models with known prices and abilities, each with its source', fromLists('models')],
  bench: ['benchmarks: runs of your own, and what the papers report', () => import('./bench.ts')],
  worker: ['judge trials of benchmark runs, beside other workers', () => import('./worker.ts')],
  dataset: ['generate, check, count and import labeled cases', () => import('./dataset.ts')],
  doctor: [
    'check configuration, prompts, models and credentials, and say how to fix what does not work',
    () => import('./doctor.ts'),
  ],
  digest: ['digests: what channels get at set times', () => import('./digest.ts')],
  study: ['studies: people rate cases independently', () => import('./study.ts')],
  gold: ['mix cases with known answers into the queue of a channel', () => import('./gold.ts')],
  labels: ['what colleagues voted, and what their votes say is right', () => import('./labels.ts')],
  serve: ['run the service: every configured surface', () => import('./serve.ts')],
  demo: ['judge the sample pastes that come with the program', () => import('./demo.ts')],
};

/** The command line. Sets the exit code through `end`; commander's own errors are thrown. */
async function createProgram(
  args: readonly string[],
  context: ProgramContext,
  end: (code: ExitCode) => void,
): Promise<Command> {
  const program = new Command('jury')
    .description('A panel of LLM judges for conversational systems.')
    .version(context.version, '--version', 'print the version')
    .helpOption('--help', 'show help')
    .configureOutput({
      writeOut: (text) => context.terminal.out(text.trimEnd()),
      writeErr: (text) => context.terminal.err(text.trimEnd()),
    })
    // Arguments and options are in each command's own help: most are not loaded for this one.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .exitOverride()
    .showHelpAfterError('Add --help to see what there is.');
  await addCommands(program, createCommandContext(context, args, end), commands);
  return program;
}

/**
 * Runs one command to its end.
 * @param args the command and its options, without the names of the program and its interpreter
 * @returns what its end means to the shell; whatever went wrong was said on standard error
 */
export async function runProgram(args: readonly string[], context: ProgramContext): Promise<ExitCode> {
  let code: ExitCode = exitCode.ok;
  try {
    const program = await createProgram(args, context, (ended) => {
      code = ended;
    });
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (thrown) {
    return explainFailure(thrown, context);
  }
}

/** Says what went wrong, with a stack trace only where the program itself is at fault. */
export function explainFailure(
  thrown: unknown,
  { terminal, stop }: Pick<ProgramContext, 'terminal' | 'stop'>,
): ExitCode {
  // Commander has printed its message already; asking for help or the version is no failure.
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? exitCode.ok : exitCode.usage;
  if (stop.aborted && thrown instanceof Error && thrown.name === 'AbortError') return exitCode.interrupted;
  const known = thrown instanceof JuryError && thrown.code !== 'internal';
  terminal.err(known ? thrown.message : `Internal error, please report it: ${messageOf(thrown)}`);
  if (!known && thrown instanceof Error && thrown.stack !== undefined) terminal.err(thrown.stack);
  if (isEndpointRefused(thrown)) return exitCode.refused;
  return known ? exitCode.usage : exitCode.internal;
}
