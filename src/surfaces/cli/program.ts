import { existsSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { hasCode, isEndpointRefused, JuryError, messageOf } from '../../common/index.ts';
import { andList, capital } from '../../common/text/index.ts';
import {
  type CommandAction,
  type ExitCode,
  exitCode,
  type ProgramContext,
  withContext,
} from '../terminal/index.ts';
import { firstPaste } from '../wording/index.ts';
import { addOption } from './command-options.ts';
import { type CommandWords, commandWords, flagNames, optionsOf } from './command-words.ts';

/** The action of each command, imported when the command runs. */
const actions: Readonly<Record<string, () => Promise<CommandAction>>> = {
  judge: async () => (await import('./judge.ts')).judge,
  parse: async () => (await import('./judge.ts')).parse,
  methods: async () => (await import('./list-commands.ts')).methods,
  rubrics: async () => (await import('./list-commands.ts')).rubrics,
  personas: async () => (await import('./list-commands.ts')).personas,
  models: async () => (await import('./list-commands.ts')).models,
  'bench run': async () => (await import('./bench-run.ts')).run,
  'bench import': async () => (await import('./bench-import.ts')).importJudgements,
  'bench list': async () => (await import('./bench.ts')).listRuns,
  'bench show': async () => (await import('./bench.ts')).showRun,
  'bench report': async () => (await import('./bench-report.ts')).report,
  'bench compare': async () => (await import('./bench-compare.ts')).compare,
  'bench power': async () => (await import('./bench-compare.ts')).power,
  'bench pool': async () => (await import('./bench-pool.ts')).pool,
  'bench baseline': async () => (await import('./bench.ts')).baseline,
  'bench published': async () => (await import('./bench.ts')).published,
  worker: async () => (await import('./serve.ts')).worker,
  collect: async () => (await import('./collect.ts')).collect,
  'dataset manual': async () => (await import('./dataset-manual.ts')).casesOfManual,
  'dataset generate': async () => (await import('./dataset.ts')).generateCases,
  'dataset check': async () => (await import('./dataset.ts')).checkDataset,
  'dataset stats': async () => (await import('./dataset.ts')).showStats,
  'dataset sample': async () => (await import('./dataset.ts')).sampleCases,
  'dataset add': async () => (await import('./dataset.ts')).addCases,
  'dataset list': async () => (await import('./dataset.ts')).listSets,
  'dataset export': async () => (await import('./dataset.ts')).exportSet,
  'dataset remove': async () => (await import('./dataset.ts')).removeCases,
  'dataset import': async () => (await import('./dataset-import.ts')).importCases,
  'traces import': async () => (await import('./traces.ts')).importTraces,
  audit: async () => (await import('./audit.ts')).audit,
  doctor: async () => (await import('./doctor.ts')).doctor,
  'digest schedule': async () => (await import('./digest.ts')).schedule,
  'digest list': async () => (await import('./digest.ts')).list,
  'digest preview': async () => (await import('./digest.ts')).preview,
  'digest benchmarks': async () => (await import('./digest.ts')).benchmarks,
  'digest pause': async () => (await import('./digest.ts')).pause,
  'digest resume': async () => (await import('./digest.ts')).resume,
  'digest remove': async () => (await import('./digest.ts')).remove,
  'alert set': async () => (await import('./digest.ts')).alert.set,
  'alert list': async () => (await import('./digest.ts')).alert.list,
  'alert pause': async () => (await import('./digest.ts')).alert.pause,
  'alert resume': async () => (await import('./digest.ts')).alert.resume,
  'alert remove': async () => (await import('./digest.ts')).alert.remove,
  'digest send': async () => (await import('./digest.ts')).send,
  'study create': async () => (await import('./study.ts')).create,
  'study invite': async () => (await import('./study.ts')).join,
  'study list': async () => (await import('./study.ts')).list,
  'study annotate': async () => (await import('./study-annotate.ts')).annotate,
  'study import': async () => (await import('./study-data.ts')).importAnnotations,
  'study export': async () => (await import('./study-data.ts')).exportAnnotations,
  'study report': async () => (await import('./study-report.ts')).report,
  'study close': async () => (await import('./study.ts')).close,
  'study reopen': async () => (await import('./study.ts')).reopen,
  'study remove': async () => (await import('./study.ts')).remove,
  'review begin': async () => (await import('./review.ts')).begin,
  'review list': async () => (await import('./review.ts')).listReviews,
  'review show': async () => (await import('./review.ts')).show,
  'review answer': async () => (await import('./review.ts')).answer,
  gold: async () => (await import('./gold.ts')).gold,
  'labels export': async () => (await import('./labels-export.ts')).exportLabels,
  'labels aggregate': async () => (await import('./labels-aggregate.ts')).aggregate,
  'labels import': async () => (await import('./labels-import.ts')).importRulings,
  'labels vote': async () => (await import('./labels.ts')).vote,
  'labels show': async () => (await import('./labels.ts')).show,
  'labels adjudicate': async () => (await import('./labels.ts')).adjudicate,
  'labels forget': async () => (await import('./labels.ts')).forget,
  'labels promote': async () => (await import('./labels-promote.ts')).promote,
  'labels stats': async () => (await import('./labels-stats.ts')).stats,
  mcp: async () => (await import('./mcp.ts')).mcp,
  serve: async () => (await import('./serve.ts')).serve,
  demo: async () => (await import('./demo.ts')).demo,
  completion: async () => (await import('./completion.ts')).completion,
};

/** The path of the typed command in `commands.json`; '' if there is none. */
function pathOf(args: readonly string[]): string {
  const paths = [2, 1].map((words) => args.slice(0, words).join(' '));
  return paths.find((path) => path in commandWords) ?? '';
}

/** At most this many commands are named as having an option. */
const MOST_NAMED = 4;

/** What to do instead of an unknown option: the command's own hint, or the commands that have the option. */
function insteadOf(option: string, path: string): string | null {
  const instead = commandWords[path]?.instead?.[option];
  if (instead !== undefined) return instead;
  const having = Object.keys(commandWords).filter((one) =>
    optionsOf(one).flatMap(flagNames).includes(option),
  );
  const [group] = path.split(' ');
  const near = having.filter((one) => one.split(' ')[0] === group);
  const named = (near.length > 0 ? near : having).map((one) => `"jury ${one}"`);
  return named.length === 0 || named.length > MOST_NAMED
    ? null
    : `${option} is an option of ${andList(named)}.`;
}

/** A hint beside commander's own message for a command line that is not understood; null if there is none. */
function hintFor({ code, message }: CommanderError, args: readonly string[]): string | null {
  const [, typed = ''] = /'([^'=]+)/.exec(message) ?? [];
  if (code === 'commander.unknownOption') return insteadOf(typed, pathOf(args));
  const isThere = code === 'commander.unknownCommand' && args.length > 0 && existsSync(typed);
  return isThere ? `To judge it: jury judge ${typed}` : null;
}

/** Examples and exit codes, below the options. */
function moreHelp(command: Command, { examples, exits, paste = false }: CommandWords): string {
  const helpWidth = command.configureOutput().getOutHelpWidth?.() ?? 80;
  const codes =
    exits === undefined ? '' : `\n\n${command.createHelp().boxWrap(`Exit codes: ${exits}`, helpWidth)}`;
  const sample = paste ? `\n\nA paste to try:\n\n${firstPaste.replaceAll(/^/gm, '  ')}` : '';
  return `\nExamples:\n${examples.map((line) => `  $ ${line}`).join('\n')}${sample}${codes}`;
}

/** Gives a command its arguments, options, help and action, and the subcommands that were typed. */
function fill(command: Command, path: string, { typed, run, ofSurface }: Filling): void {
  const wordsOfCommand = commandWords[path];
  if (wordsOfCommand === undefined) return;
  command.description(wordsOfCommand.about ?? `${capital(wordsOfCommand.summary)}.`);
  for (const [name, about] of Object.entries(wordsOfCommand.arguments ?? {})) command.argument(name, about);
  for (const option of optionsOf(path)) addOption(command, option);
  command.addHelpText('after', () => moreHelp(command, wordsOfCommand));
  const load = wordsOfCommand.surface === true ? () => ofSurface(path) : actions[path];
  if (load !== undefined) command.action(async (...args) => run(await load(), args));
  else addCommands(command, `${path} `, { typed, run, ofSurface });
}

interface Filling {
  typed: readonly string[];
  run: (action: CommandAction, typed: Parameters<Parameters<Command['action']>[0]>) => Promise<void>;
  ofSurface: ProgramContext['surfaceAction'];
}

/** The sections of the list of commands, in order. */
const GROUPS = ['Judge', 'Data', 'Benchmarks', 'People', 'Service'];
const placeOf = ({ group = '' }: CommandWords): number => GROUPS.indexOf(group);

/** Adds the commands below a path. Those that were not typed get only a name and a summary, so that help is quick. */
function addCommands(parent: Command, below: string, filling: Filling): void {
  const sorted = Object.entries(commandWords).sort(([, a], [, b]) => placeOf(a) - placeOf(b));
  for (const [path, { group, summary }] of sorted) {
    const name = path.slice(below.length);
    if (!path.startsWith(below) || name.includes(' ')) continue;
    const command = parent.command(name).summary(summary);
    if (group !== undefined) command.helpGroup(`${group}:`);
    if (filling.typed.includes(name)) fill(command, path, filling);
  }
}

/** Builds the command line. Passes the exit code to `end`; commander's own errors are thrown. */
function createProgram(
  typed: readonly string[],
  context: ProgramContext,
  end: (code: ExitCode) => void,
): Command {
  const { terminal } = context;
  const helpWidth = () => terminal.screen.width;
  const program = new Command('jury')
    .description('A panel of LLM judges for conversational systems.')
    .version(context.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
      getOutHelpWidth: helpWidth,
      getErrHelpWidth: helpWidth,
    })
    // Arguments and options are in each command's own help: most are not loaded for this one.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .exitOverride()
    .showHelpAfterError('Add --help to see what there is.');
  const run: Filling['run'] = async (action, args) => {
    const code = await withContext(context, async (opened) => action(opened, ...args));
    if (typeof code === 'number') end(code);
  };
  addCommands(program, '', { typed, run, ofSurface: context.surfaceAction });
  return program.addHelpText(
    'after',
    '\nExamples:\n  $ jury judge paste.txt\n  $ jury judge cases.jsonl -m openai/gpt-4o-mini\n  $ jury demo',
  );
}

/**
 * Runs one command to its end.
 * @param args the command and its options, without the names of the program and its interpreter
 * @returns the exit code; anything that went wrong has been reported on standard error
 */
export async function runProgram(args: readonly string[], context: ProgramContext): Promise<ExitCode> {
  let code: ExitCode = exitCode.ok;
  try {
    const program = createProgram(args, context, (ended) => {
      code = ended;
    });
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (thrown) {
    const hint = thrown instanceof CommanderError ? hintFor(thrown, args) : null;
    if (hint !== null) context.terminal.err(hint);
    return explainFailure(thrown, context);
  }
}

/** Reports what went wrong, with a stack trace only for errors of the program itself. @returns the exit code */
export function explainFailure(
  thrown: unknown,
  { terminal, stop }: Pick<ProgramContext, 'terminal' | 'stop'>,
): ExitCode {
  // Commander has printed its message already; asking for help or the version is not a failure.
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? exitCode.ok : exitCode.usage;
  if (stop.aborted && thrown instanceof Error && thrown.name === 'AbortError') return exitCode.interrupted;
  if (isEndpointRefused(thrown)) {
    terminal.failures.report(`Stopped: ${thrown.message}.`);
    return exitCode.refused;
  }
  // The shell redirects into a file on a full disk: what was judged is lost, so this is not a usage error.
  if (!(thrown instanceof JuryError) && hasCode(thrown, 'ENOSPC')) {
    terminal.failures.report(`Cannot write the results: the disk is full (${messageOf(thrown)}).`);
    return exitCode.internal;
  }
  const isExpected = thrown instanceof JuryError && thrown.code !== 'internal';
  const stack = thrown instanceof Error && thrown.stack !== undefined ? `\n${thrown.stack}` : '';
  terminal.failures.report(
    isExpected ? thrown.message : `Internal error, please report it: ${messageOf(thrown)}${stack}`,
  );
  return isExpected ? exitCode.usage : exitCode.internal;
}
