import { type RunManifest, seriesOf } from '../../benchmark/index.ts';
import { JuryError } from '../../common/index.ts';
import { counted } from '../../common/text/index.ts';
import type { Verdict } from '../../judging/verdict/index.ts';
import type { Side } from '../../reports/comparison/index.ts';
import type { ReadingWishes } from '../../reports/facts/index.ts';
import { readClusterTag, requireRun } from '../../reports/facts/index.ts';
import {
  type AnnotationForm,
  annotationLines,
  type Build,
  buildLines,
  type CasePlace,
  type Check,
  changesSince,
  checkChange,
  checkThresholds,
  codeQualityFile,
  type FailUnderBy,
  headlineOf,
  junitFile,
  type Margin,
  readBuildCases,
  readThreshold,
  summaryFile,
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
  /** The files to write what broke to: JUnit, Markdown, and GitLab's code quality. */
  junit?: string;
  summary?: string;
  codeQuality?: string;
  /** The CI system to print annotations for. */
  annotations?: AnnotationForm;
  /** The address of the run's page; default: the console's. */
  page?: string;
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

/** Where the cases of a run are in its dataset, by id. */
export type CasePlaces = (caseId: string) => CasePlace | null;

interface Gated {
  side: Side;
  createdAt: string;
  setups: readonly SetupReport[];
  /** Whether these are the configurations of several runs, whose cases are not named; default: no. */
  isJoined?: boolean;
  /** Default: the dataset without a line, if it is one file. */
  placeOf?: CasePlaces;
}

export interface Gate {
  /**
   * Whether every configuration meets every threshold. Reports each one that is missed and the cases that broke it, in every form that is asked
   * for.
   * @throws JuryError `usage` if the baseline cannot be compared or a file cannot be written
   */
  passes: (run: Gated) => Promise<boolean>;
  /** Says in every form that is asked for that a run is not finished, so that neither an earlier run's file nor an empty one passes for its result. */
  unfinished: (manifest: RunManifest, why: string) => Promise<void>;
}

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
  const { by, whenUnclear, failUnderBy, junit, page } = flags;
  const isCompared = baselineOf(flags) !== null;
  const hasThresholds = (flags.failUnder ?? []).length > 0;
  const wrong = (why: string) => new JuryError('usage', why);
  if (by !== undefined && !isCompared)
    throw wrong('--by goes with --no-worse-than: it says how much worse is allowed.');
  if (whenUnclear !== undefined && !isCompared)
    throw wrong('--when-unclear goes with --no-worse-than: it says what decides if too few cases tell.');
  if (failUnderBy !== undefined && !hasThresholds)
    throw wrong('--fail-under-by goes with --fail-under: it says what must reach the minimum.');
  const isGated = hasThresholds || isCompared;
  const written = {
    '--summary': flags.summary,
    '--code-quality': flags.codeQuality,
    '--annotations': flags.annotations,
  };
  if (junit !== undefined && !isGated)
    throw wrong(
      '--junit needs --fail-under, such as f1=0.9, or --no-worse-than: a test case is a threshold.',
    );
  for (const [name, value] of Object.entries(written))
    if (value !== undefined && !isGated)
      throw wrong(`${name} needs --fail-under, such as f1=0.9, or --no-worse-than: it says what broke them.`);
  if (page !== undefined && !(URL.canParse(page) && /^https?:$/.test(new URL(page).protocol)))
    throw wrong(`--page ${page}: Must be an address that begins with https:// or http://.`);
}

/** The dataset of a run, if it is one file. */
const datasetFile = ({ dataset: { source } }: RunManifest): string | null =>
  /^(?:standard input$|set |generated )|,/.test(source) ? null : source;

/**
 * Reads what a run must meet, before anything is judged or printed.
 * @throws JuryError `usage` if a threshold is malformed, the baseline does not exist, or a file would be empty or cannot be written
 */
export async function readGate(
  { err, out, parts, runs }: Pick<CommandContext, 'err' | 'out' | 'parts' | 'runs'>,
  flags: GateFlags,
): Promise<Gate> {
  const {
    failUnder = [],
    failUnderBy,
    by = MARGIN,
    whenUnclear,
    junit,
    summary,
    codeQuality,
    ...reading
  } = flags;
  const thresholds = withCoverage(failUnder.map((text) => threshold(text, ANY_SCORE)));
  const named = baselineOf(flags);
  const baseline = named === null ? null : readSide(named);
  requireFitting(flags);
  for (const file of [junit, summary, codeQuality]) if (file !== undefined) await requireWritable(file);
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
  /** Says what a build says in every form that is asked for, besides the terminal. */
  async function publish(build: Build, dataset: string | null): Promise<void> {
    if (junit !== undefined) await writeOutput(junit, junitFile(build));
    if (summary !== undefined) await writeOutput(summary, summaryFile(build));
    if (codeQuality !== undefined)
      await writeOutput(codeQuality, codeQualityFile(build, dataset ?? build.run));
    if (flags.annotations !== undefined)
      for (const line of annotationLines(build, flags.annotations)) out(line);
  }
  async function pageOf(run: string): Promise<string | null> {
    if (flags.page !== undefined || summary === undefined) return flags.page ?? null;
    const { JURY_PUBLIC_URL: url } = (await parts()).env.settings;
    return url === undefined ? null : new URL(`/runs/${run}`, url).href;
  }
  /** What a build says of a run besides its checks. Several runs in one report have no dataset, page or cases in common. */
  async function about({ side, isJoined = false }: Gated, checks: readonly Check[]) {
    const { run } = side;
    const page = flags.page ?? null;
    if (isJoined) return { run, series: run, baseline: null, notes: [], cases: [], page, dataset: null };
    const store = await runs();
    const dataset = datasetFile(await requireRun(store, run));
    const read = await readBuildCases({ store, side, base: baseline, checks, wishes });
    return { ...read, page: await pageOf(run), dataset };
  }
  return {
    passes: async (run) => {
      const { side, createdAt, setups, placeOf } = run;
      const since = await checkSince(side);
      const checks = [...checkThresholds(setups, thresholds, failUnderBy), ...since];
      const missed = checks.filter(({ met }) => !met);
      for (const { setup, text, isOpen = false } of missed)
        err(`${isOpen ? 'Not sure enough' : 'Below the threshold'}: ${setup}: ${text}.`);
      if (checks.length === 0) return true;
      const { dataset, ...read } = await about(run, checks);
      const inDataset: CasePlaces = () => (dataset === null ? null : { file: dataset, line: null });
      const build: Build = {
        ...read,
        createdAt,
        passes: missed.length === 0,
        checks,
        unfinished: null,
        placeOf: ({ caseId }) => (placeOf ?? inDataset)(caseId),
      };
      const lines = buildLines(build);
      if (lines.length > 0)
        for (const line of [`${build.passes ? '✓' : '✗'} ${headlineOf(build)}`, ...lines]) err(line);
      await publish(build, dataset);
      return build.passes;
    },
    unfinished: async (manifest, why) => {
      const { name, createdAt } = manifest;
      const of = {
        run: name,
        series: seriesOf(manifest),
        createdAt,
        baseline: null,
        page: await pageOf(name),
      };
      const build = {
        ...of,
        passes: false,
        checks: [],
        notes: [],
        unfinished: why,
        cases: [],
        placeOf: () => null,
      };
      await publish(build, datasetFile(manifest));
    },
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
