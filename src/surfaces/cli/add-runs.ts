import { type Command, InvalidArgumentError } from 'commander';
import type { Parts, PartsOptions } from '../parts.ts';
import { type GateFlags, gateOf, withGate } from './gate.ts';
import type { ProgramContext } from './program.ts';
import { type ExitCode, exitCode } from './terminal.ts';
import { withRuns } from './with-runs.ts';

/** What the commands on runs need of the program. */
interface Ways {
  context: ProgramContext;
  end: (code: ExitCode) => void;
  withParts: (
    options: Pick<PartsOptions, 'cache' | 'pace'>,
    use: (parts: Parts) => Promise<unknown>,
  ) => Promise<void>;
  wholeNumber: (least: number, most: number) => (value: string) => number;
  ids: (value: string) => string[];
}

interface RunFlags extends GateFlags {
  methods?: string[];
  models?: string[];
  temperatures?: number[];
  repeat: number;
  rubric?: string;
  panel?: string[];
  seed?: number;
  set?: string[];
  concurrency: number;
  budget?: number;
  rate?: [string, number][];
  name?: string;
  equalCalls: boolean;
  retryFailed: boolean;
  plan: boolean;
  cache: boolean;
  json: boolean;
}

function temperatures(value: string): number[] {
  const list = value.split(',').map((text) => (text.trim() === '' ? Number.NaN : Number(text)));
  if (!list.every((one) => one >= 0 && one <= 2))
    throw new InvalidArgumentError('Must be numbers from 0 to 2 with commas between them.');
  return [...new Set(list)];
}

const collect = (value: string, before: string[] = []): string[] => [...before, value];

function money(value: string): number {
  const usd = Number(value.replace(/^\$/, ''));
  if (value.trim() === '' || !(usd > 0)) throw new InvalidArgumentError('Must be US dollars above 0.');
  return usd;
}

function rate(value: string, before: [string, number][] = []): [string, number][] {
  const [, provider, number] = /^([a-z0-9_-]+)=(\d+(?:\.\d+)?)(?:\/s)?$/i.exec(value) ?? [];
  if (provider === undefined || number === undefined)
    throw new InvalidArgumentError('Must be provider=requests/s, such as openai=5/s; 0 lifts the limit.');
  return [...before, [provider.toLowerCase(), Number(number)]];
}

const RUN_HELP = `
The same command again goes on where it was stopped, whatever stopped it; nothing is judged twice. Under one --name the
dataset, the prompts and the settings stay what they were; budget, concurrency and rates may change.
Exit codes: 0 every trial has a verdict or is rightly undecided, 1 a threshold of --fail-under is not met, 2 some have none because judges did not answer,
64 bad usage or unreadable input (nothing judged), 70 internal error, 75 stopped at the budget, 130 stopped with Ctrl-C.`;

function addRun(bench: Command, { context, end, withParts, wholeNumber, ids }: Ways): void {
  withGate(bench.command('run'))
    .summary('judge a dataset by several methods and models')
    .description(
      'Judges every case of a dataset by every configuration: the product of methods, models, temperatures and repeats.\nMethods that seat several models get all models as one panel. With REDIS_URL the trials are judged by "jury worker".',
    )
    .argument('<dataset...>', 'cases with labels: JSONL, JSON or pastes; - for standard input')
    .option('--methods <ids>', "ways of judging, with commas between them (default: the rubric's)", ids)
    .option('--models <ids>', 'provider/model or rules, with commas (default: JURY_MODEL, else rules)', ids)
    .option('--rubric <id>', 'the standard to judge by (default: found from each case)')
    .option('--temperatures <list>', "in place of the methods' own, with commas between them", temperatures)
    .option('--repeat <n>', 'judge everything so many times', wholeNumber(1, 100), 1)
    .option('--panel <ids>', "personas, with commas between them (default: the rubric's)", ids)
    .option('--set <name=value>', 'a setting of the personas, such as brand=Aurora; repeatable', collect)
    .option('--seed <n>', 'seed for endpoints that take one', wholeNumber(0, 2 ** 31 - 1))
    .option('--equal-calls', 'after each debate, a plain vote with as many calls on each case', false)
    .option('--concurrency <n>', 'trials judged at once in this process', wholeNumber(1, 1000), 20)
    .option('--budget <usd>', 'the most that the run may spend in all', money)
    .option('--rate <provider=n/s>', 'the most requests a second; repeatable', rate)
    .option('--name <name>', "the run's name (default: the dataset's, with a hash of what is compared)")
    .option('--retry-failed', 'judge those again that have no verdict because judges did not answer', false)
    .option('--plan', 'only say how many trials and calls it takes and what it costs', false)
    .option('--json', 'the summary as JSON', false)
    .option('--no-cache', 'ask again even where an answer is known')
    .addHelpText('after', RUN_HELP)
    .action(async (files: string[], flags: RunFlags) => {
      const { benchRunCommand } = await import('./bench-run.ts');
      const { readSettings } = await import('../../judging/persona.ts');
      const { env, stop, terminal } = context;
      const { settings } = await env();
      const rates = new Map(flags.rate);
      const options = {
        settings: {
          methods: [...new Set(flags.methods ?? [])],
          models: [...new Set(flags.models ?? [settings.JURY_MODEL])],
          temperatures: flags.temperatures ?? null,
          repeats: flags.repeat,
          rubric: flags.rubric ?? null,
          panel: flags.panel ?? null,
          seed: flags.seed ?? null,
          values: { ...settings.JURY_SETTINGS, ...readSettings(flags.set ?? []) },
          equalCalls: flags.equalCalls,
          cache: flags.cache,
        },
        name: flags.name ?? null,
        concurrency: flags.concurrency,
        budgetUsd: flags.budget ?? null,
        rates,
        retryFailed: flags.retryFailed,
        planOnly: flags.plan,
        json: flags.json,
        gate: gateOf(flags),
      };
      const { createPace, createTurns } = await import('../../judges/llm/rate-limits.ts');
      const limits = new Map([...rates].filter(([, perSecond]) => perSecond > 0));
      const pace = createPace(createTurns(limits, () => performance.now()));
      await withParts({ cache: true, ...(limits.size === 0 ? {} : { pace }) }, async (parts) =>
        withRuns(await env(), terminal.err, async (store) =>
          end(await benchRunCommand(parts, store, terminal, files, options, stop)),
        ),
      );
    });
}

function addWorker(program: Command, { context, end, withParts, wholeNumber }: Ways): void {
  program
    .command('worker')
    .summary('judge trials of benchmark runs, beside other workers')
    .description(
      'Judges trials of the runs that "jury bench run" has begun, beside any number of others on any machines that share\nREDIS_URL. Needs the same prompts and the keys of the models. Another worker takes over what one leaves behind.',
    )
    .option('--concurrency <n>', 'trials judged at once, of each run', wholeNumber(1, 1000), 20)
    .action(async (options: { concurrency: number }) => {
      const [{ workerCommand }, { createPace }] = await Promise.all([
        import('./worker.ts'),
        import('../../judges/llm/rate-limits.ts'),
      ]);
      let turn: (provider: string) => number | Promise<number> = () => 0;
      const pace = createPace((provider) => turn(provider));
      await withParts({ cache: true, pace }, async (parts) =>
        end(
          await workerCommand(
            parts,
            context.terminal,
            options,
            (given) => {
              turn = given;
            },
            context.stop,
          ),
        ),
      );
    });
}

/** `jury bench run|list|show` and `jury worker`: datasets are judged by many configurations. */
export function addRuns(program: Command, bench: Command, ways: Ways): void {
  const { context, end } = ways;
  addRun(bench, ways);
  bench
    .command('list')
    .description('list the runs that are kept, newest first')
    .option('--json', 'one run a line as JSON', false)
    .action(async ({ json }: { json: boolean }) => {
      const { benchListCommand } = await import('./bench-report.ts');
      await withRuns(await context.env(), context.terminal.err, (store) =>
        benchListCommand(store, context.terminal, json),
      );
      end(exitCode.ok);
    });
  bench
    .command('show')
    .description('show what a run came to')
    .argument('<name>', 'name of a run')
    .option('--json', 'the summary as JSON', false)
    .option('--trials', 'each trial, one a line as JSON', false)
    .action(async (name: string, show: { json: boolean; trials: boolean }) => {
      const { benchShowCommand } = await import('./bench-report.ts');
      await withRuns(await context.env(), context.terminal.err, (store) =>
        benchShowCommand(store, context.terminal, name, show),
      );
      end(exitCode.ok);
    });
  addWorker(program, ways);
}
