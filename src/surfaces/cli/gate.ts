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

/** `--fail-under` and `--junit`, as typed. */
export interface GateFlags {
  failUnder?: readonly string[];
  /** The file that the thresholds are written to. */
  junit?: string;
}

interface Run {
  name: string;
  createdAt: string;
  setups: readonly SetupReport[];
}

/**
 * Whether every configuration meets every threshold; says which one does not.
 * @throws JuryError `usage` if the JUnit file cannot be written
 */
export type Gate = (terminal: Terminal, run: Run) => Promise<boolean>;

function threshold(text: string): Threshold {
  const read = readThreshold(text);
  if (read !== null) return read;
  throw new JuryError(
    'usage',
    `--fail-under ${text}: Must be score=minimum, such as f1=0.9. A minimum is from 0 to 1 (mcc: from -1). Scores: ${thresholdMetrics.join(', ')}.`,
  );
}

/** @throws JuryError `usage` for what is no threshold, or a JUnit file that would hold nothing */
export function readGate({ failUnder = [], junit }: GateFlags): Gate {
  const thresholds = failUnder.map(threshold);
  if (junit !== undefined && thresholds.length === 0)
    throw new JuryError('usage', '--junit needs --fail-under, such as f1=0.9: a test case is a threshold.');
  return async ({ err }, { name, createdAt, setups }) => {
    const checks = checkThresholds(setups, thresholds);
    if (junit !== undefined) await writeOutput(junit, junitFile(name, createdAt, checks));
    const missed = checks.filter(({ met }) => !met);
    for (const check of missed) err(`Below the threshold: ${check.setup}: ${checkText(check)}.`);
    return missed.length === 0;
  };
}
