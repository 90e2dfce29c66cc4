import { writeFile } from 'node:fs/promises';
import { checkText, checkThresholds, junitFile, type Threshold } from '../../benchmark/reports/gates.ts';
import type { SetupReport } from '../../benchmark/reports/report.ts';
import { JuryError, messageOf } from '../../common/errors.ts';
import type { Terminal } from './console.ts';

/** What `--fail-under` and `--junit` say. */
export interface GateOptions {
  thresholds: readonly Threshold[];
  /** Where the thresholds go as a JUnit file. */
  junit: string | null;
}

/** @throws JuryError `usage` where a JUnit file would hold nothing */
export function requireGate({ thresholds, junit }: GateOptions): void {
  if (junit !== null && thresholds.length === 0)
    throw new JuryError('usage', '--junit needs --fail-under, such as f1=0.9: a test case is a threshold.');
}

/**
 * Whether every configuration meets every threshold; says which does not.
 * @throws JuryError `usage` where the JUnit file cannot be written
 */
export async function passesGate(
  terminal: Terminal,
  run: { name: string; createdAt: string; setups: readonly SetupReport[] },
  { thresholds, junit }: GateOptions,
): Promise<boolean> {
  const checks = checkThresholds(run.setups, thresholds);
  if (junit !== null)
    try {
      await writeFile(junit, junitFile(run.name, run.createdAt, checks));
    } catch (thrown) {
      throw new JuryError('usage', `Cannot write ${junit}: ${messageOf(thrown)}.`, { cause: thrown });
    }
  const missed = checks.filter(({ met }) => !met);
  for (const check of missed) terminal.err(`Below the threshold: ${check.setup}: ${checkText(check)}.`);
  return missed.length === 0;
}
