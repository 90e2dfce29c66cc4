import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Grouping } from '../../labels/count-groups.ts';
import type { AgreementWish } from '../../labels/read-agreement.ts';
import type { Parts } from '../parts.ts';
import type { ProgramContext } from './program.ts';
import type { ExitCode } from './terminal.ts';

/** Spelled out here: what knows the groupings takes long to load, and this is loaded by every command. */
const groupings: Record<Grouping, true> = {
  rubric: true,
  criterion: true,
  method: true,
  model: true,
  persona: true,
  day: true,
  week: true,
  month: true,
};

interface Given {
  context: ProgramContext;
  end: (code: ExitCode) => void;
  withParts: (use: (parts: Parts) => Promise<unknown>) => Promise<void>;
  wholeNumber: (least: number, most: number) => (value: string) => number;
}

function readDay(value: string): string {
  const day = new Date(`${value}T00:00:00Z`);
  if (!Number.isNaN(day.getTime()) && day.toISOString().startsWith(`${value}T`)) return value;
  throw new InvalidArgumentError('Must be a day such as 2026-11-21.');
}

/** `jury labels stats`: how far people agree with the judges and among themselves. */
export function addLabelsStats(labels: Command, { context, end, withParts, wholeNumber }: Given): void {
  labels
    .command('stats')
    .summary('how far people agree with the judges, and among themselves')
    .description(
      'Shows how far votes agree with the judges and with each other: percent, kappa, AC1 and alpha, and rank correlations of scores, each with n and a 95 % interval by verdict. Nobody who voted is named.',
    )
    .addOption(
      new Option('--by <what>', 'tell apart by; persona and model are about single judges')
        .choices(Object.keys(groupings))
        .default('rubric'),
    )
    .option('--rubric <id>', 'of one rubric only')
    .option('--channel <id>', 'of verdicts given in one channel only')
    .option('--since <day>', 'of verdicts from this day on (UTC), such as 2026-11-21', readDay)
    .option(
      '--least <n>',
      'votes that agree or disagree without which a verdict does not enter (default: 1)',
      wholeNumber(1, 1000),
    )
    .option('--json', 'everything as JSON', false)
    .action(async ({ json, ...wish }: AgreementWish & { json: boolean }) => {
      const { labelsStatsCommand } = await import('./labels-stats.ts');
      await withParts(async (parts) => end(await labelsStatsCommand(parts, context.terminal, wish, json)));
    });
}
