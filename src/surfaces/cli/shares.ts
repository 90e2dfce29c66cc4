import { readThreshold, type Threshold, withCoverage } from '../../benchmark/reports/gates.ts';
import { JuryError } from '../../common/errors.ts';
import { counted } from '../../common/text.ts';
import type { Verdict } from '../../judging/verdict.ts';
import { type ExitCode, exitCode } from './terminal.ts';

/** Counts of decisions. */
export type Counts = Record<Verdict['decision'], number>;

/** The shares that thresholds are about; an undecided case does not pass. */
const shares: Readonly<Record<string, { title: string; of: (counts: Counts) => [number, number] }>> = {
  'pass-rate': { title: 'Pass rate', of: ({ pass, fail, undecided }) => [pass, pass + fail + undecided] },
  coverage: {
    title: 'Decided',
    of: ({ pass, fail, scored, undecided }) => [pass + fail + scored, pass + fail + scored + undecided],
  },
};

/** What the decisions mean to the shell: the thresholds where there are any, else every case. */
export function codeOf(
  counts: Counts,
  thresholds: readonly Threshold[],
  err: (line: string) => void,
): ExitCode {
  if (thresholds.length === 0)
    return counts.fail > 0 ? exitCode.failed : counts.undecided > 0 ? exitCode.undecided : exitCode.ok;
  const met = withCoverage(thresholds).map((threshold) => {
    const { metric, minimum } = threshold;
    const { title = '', of } = shares[metric] ?? {};
    const [hits, cases] = of?.(counts) ?? [0, 0];
    const isMet = cases > 0 && hits / cases >= minimum;
    const rate = cases === 0 ? 'not defined' : `${Math.floor((1000 * hits) / cases) / 10} %`;
    const text = `${title} ${rate} (${hits} of ${counted(cases, 'case')}), ${isMet ? 'at least' : 'below'} ${Math.round(minimum * 1000) / 10} %.`;
    if (!isMet || thresholds.includes(threshold)) err(text);
    return isMet;
  });
  return met.every(Boolean) ? exitCode.ok : exitCode.failed;
}

/** `--fail-under`. @throws JuryError `usage` */
export function readShare(text: string): Threshold {
  const read = readThreshold(text);
  if (read !== null && Object.hasOwn(shares, read.metric) && read.minimum >= 0) return read;
  throw new JuryError(
    'usage',
    `--fail-under ${text}: Must be pass-rate=minimum or coverage=minimum with a minimum from 0 to 1, such as pass-rate=0.9.`,
  );
}
