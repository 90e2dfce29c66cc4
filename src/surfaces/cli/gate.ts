import { JuryError } from '../../common/index.ts';
import { counted } from '../../common/text/index.ts';
import type { Verdict } from '../../judging/verdict/index.ts';
import type { Side } from '../../reports/comparison/index.ts';
import type { ReadingWishes } from '../../reports/facts/index.ts';
import { readClusterTag, requireRun } from '../../reports/facts/index.ts';
import {
  type Check,
  changesSince,
  checkChange,
  checkThresholds,
  type FailUnderBy,
  junitFile,
  type Margin,
  readThreshold,
  type Threshold,
  thresholdMetrics,
  withCoverage,
} from '../../reports/gates/index.ts';
import { readLabelScale, type SetupReport } from '../../reports/metrics/index.ts';
import { readSide } from '../index.ts';
import { type CommandContext, requireWritable, writeOutput } from '../terminal/index.ts';

/** What a run must meet, as typed. */
export interface GateFlags {
  failUnder?: readonly string[];
  /** What must reach the minimum of `--fail-under`; default: the estimate. */
  failUnderBy?: FailUnderBy;
  /** `--no-worse-than`: a run, or one configuration of it. Commander takes "no" for a negation, so that it is true if not given. */
  worseThan?: string | boolean | undefined;
  /** How much worse than the baseline is allowed. */
  by?: number | undefined;
  /** What decides where it is not clear whether that is so; default: the estimate. */
  whenUnclear?: Margin['whenUnclear'];
  /** The JUnit file to write the thresholds to. */
  junit?: string;
  /** A tag, as `tags.NAME`; cases with the same value belong together. */
  clusterBy?: string;
  /** A mapping of score scales, such as `0-100=0-4`. */
  labelScale?: string;
}

/** How trials are read. @throws JuryError `usage` for a malformed tag or mapping */
export const readWishes = ({
  clusterBy,
  labelScale,
}: Pick<GateFlags, 'clusterBy' | 'labelScale'>): ReadingWishes => ({
  clusterBy: readClusterTag(clusterBy),
  labelOf: readLabelScale(labelScale),
});

interface Gated {
  side: Side;
  createdAt: string;
  setups: readonly SetupReport[];
}

/**
 * Whether every configuration meets every threshold; reports each one that is missed.
 * @throws JuryError `usage` if the baseline cannot be compared or the JUnit file cannot be written
 */
export type Gate = (run: Gated) => Promise<boolean>;

/** What was compared with the baseline: the same cases, other requests, or both. */
function comparedText(
  {
    compared,
    others,
    cases,
  }: Pick<Awaited<ReturnType<typeof changesSince>>, 'compared' | 'others' | 'cases'>,
  baseline: string,
): string {
  const all = counted(cases, 'case');
  if (others.n === 0) return `Compared ${compared} of ${all} with ${baseline}.`;
  const same = compared === 0 ? '' : `${compared} of ${all} with ${baseline}, and `;
  return `Compared ${same}${others.n} of ${all} with other requests ${others.kinds} in ${baseline}.`;
}

/** The run of `--no-worse-than`; null if it is not given. */
export const baselineOf = ({ worseThan }: Pick<GateFlags, 'worseThan'>): string | null =>
  typeof worseThan === 'string' ? worseThan : null;

/** How much worse than a baseline is allowed if no margin is given: on a few hundred cases, two points are well within chance. */
const MARGIN = 0.02;

/** Reads a threshold. @param must what is allowed, for the message. @throws JuryError `usage` for anything else */
function threshold(text: string, must: string, isKnown = (_metric: string) => true): Threshold {
  const read = readThreshold(text);
  if (read !== null && isKnown(read.metric)) return read;
  throw new JuryError('usage', `--fail-under ${text}: Must be ${must}.`);
}

const ANY_SCORE = `score=minimum, such as f1=0.9. A minimum is from 0 to 1 (mcc: from -1). Scores: ${thresholdMetrics.join(', ')}`;
const ANY_SHARE = 'pass-rate=minimum or coverage=minimum with a minimum from 0 to 1, such as pass-rate=0.9';

/** @throws JuryError `usage` if an option is given without the one that it goes with */
function requireFitting(flags: GateFlags): void {
  const { by, whenUnclear, failUnderBy, junit } = flags;
  const isCompared = baselineOf(flags) !== null;
  const hasThresholds = (flags.failUnder ?? []).length > 0;
  const wrong = (why: string) => new JuryError('usage', why);
  if (by !== undefined && !isCompared)
    throw wrong('--by goes with --no-worse-than: it says how much worse is allowed.');
  if (whenUnclear !== undefined && !isCompared)
    throw wrong('--when-unclear goes with --no-worse-than: it says what decides if too few cases tell.');
  if (failUnderBy !== undefined && !hasThresholds)
    throw wrong('--fail-under-by goes with --fail-under: it says what must reach the minimum.');
  if (junit !== undefined && !hasThresholds && !isCompared)
    throw wrong(
      '--junit needs --fail-under, such as f1=0.9, or --no-worse-than: a test case is a threshold.',
    );
}

/**
 * Reads what a run must meet, before anything is judged or printed.
 * @throws JuryError `usage` if a threshold is malformed, the baseline does not exist, or the JUnit file would be empty or cannot be written
 */
export async function readGate(
  { err, runs }: Pick<CommandContext, 'err' | 'runs'>,
  flags: GateFlags,
): Promise<Gate> {
  const { failUnder = [], failUnderBy, by = MARGIN, whenUnclear, junit, ...reading } = flags;
  const thresholds = withCoverage(failUnder.map((text) => threshold(text, ANY_SCORE)));
  const named = baselineOf(flags);
  const baseline = named === null ? null : readSide(named);
  requireFitting(flags);
  if (junit !== undefined) await requireWritable(junit);
  const wishes = readWishes(reading);
  if (baseline !== null) await requireRun(await runs(), baseline.run);
  const margin = { by, whenUnclear: whenUnclear ?? 'estimate' };
  /** Checks the changes since the baseline, if there is one. */
  async function checkSince(side: Side): Promise<Check[]> {
    if (baseline === null || named === null) return [];
    const since = await changesSince(await runs(), baseline, side, wishes);
    err(comparedText(since, named));
    const checks = since.changes.map((change) => checkChange(change, named, margin));
    const met = checks.filter((check) => check.met);
    for (const { setup, text } of met) err(`Not below the threshold: ${setup}: ${text}.`);
    return checks;
  }
  return async ({ side, createdAt, setups }) => {
    const since = await checkSince(side);
    const checks = [...checkThresholds(setups, thresholds, failUnderBy), ...since];
    if (junit !== undefined) await writeOutput(junit, junitFile(side.run, createdAt, checks));
    const missed = checks.filter(({ met }) => !met);
    for (const { setup, text, isOpen = false } of missed)
      err(`${isOpen ? 'Not sure enough' : 'Below the threshold'}: ${setup}: ${text}.`);
    return missed.length === 0;
  };
}

/** How many verdicts have each decision. */
export type Counts = Record<Verdict['decision'], number>;

/** The shares that thresholds apply to. An undecided case counts as not passing, but with no pass and no fail there is no pass rate. */
const shares: Readonly<Record<string, { title: string; of: (counts: Counts) => [number, number] }>> = {
  'pass-rate': {
    title: 'Pass rate',
    of: ({ pass, fail, undecided }) => [pass, pass + fail === 0 ? 0 : pass + fail + undecided],
  },
  coverage: {
    title: 'Decided',
    of: ({ pass, fail, scored, undecided }) => [pass + fail + scored, pass + fail + scored + undecided],
  },
};

/** Whether counts meet every threshold; reports each share. */
export type ShareGate = (counts: Counts, err: (line: string) => void) => boolean;

/** Reads `--fail-under` for verdicts. @throws JuryError `usage` */
export function readShareGate(failUnder: readonly string[]): ShareGate {
  const thresholds = failUnder.map((text) =>
    threshold(text, ANY_SHARE, (metric) => Object.hasOwn(shares, metric)),
  );
  return (counts, err) =>
    withCoverage(thresholds)
      .map((threshold) => {
        const { metric, minimum } = threshold;
        const { title = '', of } = shares[metric] ?? {};
        const [hits, cases] = of?.(counts) ?? [0, 0];
        const isMet = cases > 0 && hits / cases >= minimum;
        const least = `${Math.round(minimum * 1000) / 10} %`;
        const text =
          cases === 0
            ? `${title} not defined, since no case was decided; at least ${least} is required.`
            : `${title} ${Math.floor((1000 * hits) / cases) / 10} % (${hits} of ${counted(cases, 'case')}), ${isMet ? 'at least' : 'below'} ${least}.`;
        if (!isMet || thresholds.includes(threshold)) err(text);
        return isMet;
      })
      .every(Boolean);
}
