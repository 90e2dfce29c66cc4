import { type Command, InvalidArgumentError } from 'commander';
import type { Parts } from '../parts.ts';
import type { ProgramContext } from './program.ts';
import type { ExitCode } from './terminal.ts';

interface Given {
  context: ProgramContext;
  end: (code: ExitCode) => void;
  withParts: (use: (parts: Parts) => Promise<unknown>) => Promise<void>;
}

interface Flags {
  model?: string[];
  rubric?: string;
  every?: number;
}

const LEAST = 2;
const MOST = 100;

function rateOf(text: string): number {
  const every = Number(text);
  if (Number.isInteger(every) && every >= LEAST && every <= MOST) return every;
  throw new InvalidArgumentError(`It must be a whole number from ${LEAST} to ${MOST}.`);
}

/** `jury gold`. */
export function addGoldCommand(program: Command, { context, end, withParts }: Given): void {
  program
    .command('gold')
    .summary('mix cases with a known answer into the queue of a channel')
    .description(
      'Judges labeled cases and puts them among those that a Slack channel votes on, without a sign that their answer is known: how people answer them tells how reliable votes are. Only where people vote before they see verdicts.',
    )
    .argument('<channel>', 'id of the channel, such as C0123ABCD')
    .argument('[file...]', 'labeled cases; standard input where none is named')
    .option('--every <n>', `one in so many cases of the queue, ${LEAST} to ${MOST}`, rateOf)
    .option('--rubric <id>', 'standard to judge by (default: found from each case)')
    .option('--model <id>', 'model that judges; repeat for several', (one, all: string[] = []) => [
      ...all,
      one,
    ])
    .addHelpText(
      'after',
      '\nThe same cases again change nothing; corrected answers are taken, and rulings of people since stand.\nExit codes: 0, 1 some answers are none that their rubric gives and were left out, 64 bad usage or unreadable input\n(nothing added), 130 stopped with Ctrl-C.',
    )
    .action(async (channel: string, files: string[], { model, ...flags }: Flags) => {
      const { goldCommand } = await import('./gold.ts');
      const models = model ?? [(await context.env()).settings.JURY_MODEL];
      await withParts(async (parts) =>
        end(await goldCommand(parts, context.terminal, files, { channel, models, ...flags }, context.stop)),
      );
    });
}
