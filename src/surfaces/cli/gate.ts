import { type Command, InvalidArgumentError } from 'commander';
import {
  checkText,
  checkThresholds,
  junitFile,
  readThreshold,
  type Threshold,
  thresholdMetrics,
} from '../../benchmark/reports/gates.ts';
import type { SetupReport } from '../../benchmark/reports/report.ts';
import { JuryError } from '../../common/errors.ts';
import { writeOutput } from './output.ts';
import type { Terminal } from './terminal.ts';

/** What `--fail-under` and `--junit` say. */
export interface GateFlags {
  failUnder?: readonly Threshold[];
  /** The file that the thresholds are written to. */
  junit?: string;
}

/** @throws JuryError `usage` where a JUnit file would hold nothing */
export function requireGate({ failUnder = [], junit }: GateFlags): void {
  if (junit !== undefined && failUnder.length === 0)
    throw new JuryError('usage', '--junit needs --fail-under, such as f1=0.9: a test case is a threshold.');
}

/**
 * Whether every configuration meets every threshold; says which does not.
 * @throws JuryError `usage` where the JUnit file cannot be written
 */
export async function passesGate(
  terminal: Terminal,
  run: { name: string; createdAt: string; setups: readonly SetupReport[] },
  { failUnder = [], junit }: GateFlags,
): Promise<boolean> {
  const checks = checkThresholds(run.setups, failUnder);
  if (junit !== undefined) await writeOutput(junit, junitFile(run.name, run.createdAt, checks));
  const missed = checks.filter(({ met }) => !met);
  for (const check of missed) terminal.err(`Below the threshold: ${check.setup}: ${checkText(check)}.`);
  return missed.length === 0;
}

function threshold(value: string, before: Threshold[] = []): Threshold[] {
  const read = readThreshold(value);
  if (read === null)
    throw new InvalidArgumentError(
      `Must be score=minimum, such as f1=0.9. Scores: ${thresholdMetrics.join(', ')}.`,
    );
  return [...before, read];
}

/** The exit codes of commands that only read runs. */
export const GATE_CODES =
  '\nExit codes: 0, 1 a threshold of --fail-under is not met, 64 bad usage (such as no run of that name), 70 internal error.';

/** Adds `--fail-under` and `--junit`. */
export const withGate = (command: Command): Command =>
  command
    .option(
      '--fail-under <score=minimum>',
      `exit 1 where a configuration has less: ${thresholdMetrics.join(', ')}; repeatable`,
      threshold,
    )
    .option('--junit <file>', 'write the thresholds as a JUnit file');
