import { type Command, InvalidArgumentError } from 'commander';
import { readThreshold, type Threshold, thresholdMetrics } from '../../benchmark/reports/gates.ts';

export interface GateFlags {
  failUnder?: Threshold[];
  junit?: string;
}

function threshold(value: string, before: Threshold[] = []): Threshold[] {
  const read = readThreshold(value);
  if (read === null)
    throw new InvalidArgumentError(
      `Must be score=least, such as f1=0.9. Scores: ${thresholdMetrics.join(', ')}.`,
    );
  return [...before, read];
}

/** Adds `--fail-under` and `--junit`. */
export const withGate = (command: Command): Command =>
  command
    .option(
      '--fail-under <score=least>',
      `exit 1 where a configuration has less: ${thresholdMetrics.join(', ')}; repeatable`,
      threshold,
    )
    .option('--junit <file>', 'write the thresholds as a JUnit file');

export const gateOf = ({ failUnder, junit }: GateFlags) => ({
  thresholds: failUnder ?? [],
  junit: junit ?? null,
});
