import { subjectOf, type TrialStore } from '../benchmark/index.ts';
import { JuryError } from '../common/index.ts';
import { counted, grouped, junitText } from '../common/text/index.ts';
import { measured, ratio, sum, unmeasured } from '../statistics/index.ts';
import { strictChange } from './assistant/answer-changes.ts';
import { readAnswers } from './assistant/answers.ts';
import { byCase } from './case-statistics.ts';
import { type Side, sideOf } from './compare-runs.ts';
import { comparePairs, matchCases, matchSetups } from './comparison.ts';
import type { Wishes } from './make-report.ts';
import {
  type Difference,
  LEAST_COVERAGE,
  type PairReport,
  type ReportMeasure,
  scoreNames,
  signed,
  signedRange,
} from './measures.ts';
import type { SetupReport } from './report.ts';
import type { TrialFacts } from './trial-facts.ts';

/**
 * Share of labeled trials with a decision or, without labels, share of all trials with a decision or a score. Undefined until all planned
 * trials are judged, because the rest could change it.
 */
function coverageOf({ effectiveness, decisions, scores, trials, planned }: SetupReport): ReportMeasure {
  if (trials < planned)
    return unmeasured(
      `only ${trials} of ${counted(planned, 'planned trial')} are judged; finish the run with the same "jury bench run" command`,
      trials,
    );
  if (effectiveness.n > 0) return effectiveness.coverage;
  const answered = (decisions?.pass ?? 0) + (decisions?.fail ?? 0) + (scores?.n ?? 0);
  return ratio(answered, trials, trials, 'there is no trial');
}

/** Metrics for thresholds, by their command-line names. */
const measures = new Map<string, (setup: SetupReport) => ReportMeasure>([
  ...scoreNames.map((name): [string, (setup: SetupReport) => ReportMeasure] => [
    name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    ({ effectiveness }) =>
      effectiveness.n === 0 ? unmeasured('no case has a label', 0) : effectiveness[name].measure,
  ]),
  ['coverage', coverageOf],
  ['pass-rate', ({ decisions }) => decisions?.passRate.measure ?? unmeasured('no case was decided', 0)],
]);

/** A lower bound for a metric. */
export interface Threshold {
  metric: string;
  minimum: number;
}

export const thresholdMetrics = [...measures.keys()];

/** Parses `f1=0.9`; null if it is not a threshold. */
export function readThreshold(text: string): Threshold | null {
  const [, metric = '', number = ''] = /^([a-z0-9-]+)=(-?\d*\.?\d+)$/.exec(text) ?? [];
  const minimum = Number(number);
  const least = metric === 'mcc' ? -1 : 0;
  return measures.has(metric) && number !== '' && minimum >= least && minimum <= 1
    ? { metric, minimum }
    : null;
}

/** Adds a minimum coverage to any thresholds that don't set one, so that a judge that gives up on most cases fails. */
export const withCoverage = (thresholds: readonly Threshold[]): readonly Threshold[] =>
  thresholds.length === 0 || thresholds.some(({ metric }) => metric === 'coverage')
    ? thresholds
    : [...thresholds, { metric: 'coverage', minimum: LEAST_COVERAGE }];

/** Floating-point tolerance. */
const ROUNDING = 1e-12;

/** Whether one setup meets one requirement. */
export interface Check {
  setup: string;
  /** `f1 at least 0.9`. */
  name: string;
  met: boolean;
  /** `f1 is 0.871, under 0.9`. */
  text: string;
}

/** Checks a threshold. An undefined measure never meets one. */
export function checkThreshold({ metric, minimum }: Threshold, setup: string, measure: ReportMeasure): Check {
  const name = `${metric} at least ${minimum}`;
  if (!measure.defined) {
    const text = `${metric} is not defined (${measure.why}), so not at least ${minimum}`;
    return { setup, name, met: false, text };
  }
  const met = measure.value >= minimum - ROUNDING;
  // Enough digits to show which side of the threshold it is on.
  const digits = [3, 6, 12].find((count) => Number(measure.value.toFixed(count)) >= minimum === met) ?? 12;
  const text = `${metric} is ${measure.value.toFixed(digits)}, ${met ? 'at least' : 'under'} ${minimum}`;
  return { setup, name, met, text };
}

export const checkThresholds = (setups: readonly SetupReport[], thresholds: readonly Threshold[]): Check[] =>
  setups.flatMap((setup) =>
    thresholds.map((threshold) => {
      const measure = measures.get(threshold.metric)?.(setup) ?? unmeasured('there is no such metric', 0);
      return checkThreshold(threshold, setup.id, measure);
    }),
  );

/** A change since a baseline, on the cases in both. */
interface Change {
  setup: string;
  metric: string;
  difference: Pick<Difference, 'difference' | 'interval'>;
}

/** Metric name for the share of trials that have a score at all. */
const SCORED = 'share with a score';
/** The most that share may drop, whatever the margin: a margin is in points of the score. */
const SCORED_MARGIN = 0.05;

/** Whether a setup is at most `margin` worse than a baseline. The observed difference counts, not its interval. */
export function checkChange(
  { setup, metric, difference: { difference, interval } }: Change,
  baseline: string,
  margin: number,
): Check {
  const by = metric === SCORED ? Math.min(margin, SCORED_MARGIN) : margin;
  const name = `${metric} no worse than ${baseline} by ${by}`;
  if (!difference.defined) {
    const text = `${metric} cannot be compared with ${baseline}: ${difference.why}`;
    return { setup, name, met: false, text };
  }
  const met = difference.value >= -by - ROUNDING;
  const range = interval.defined ? `; 95 % interval ${signedRange(interval)}` : '';
  const text = `${metric} changed by ${signed(difference)} since ${baseline} (n = ${grouped(difference.n)}${range}); it may be lower by at most ${by}`;
  return { setup, name, met, text };
}

/**
 * Thresholds as a JUnit file for CI systems: one suite per configuration, one test case per threshold. Single mistakes are not test cases:
 * judges are expected to make some, and thresholds define how many are too many.
 * @param timestamp of the run, ISO 8601
 */
export const junitFile = (run: string, timestamp: string, checks: readonly Check[]): string =>
  junitText(
    `jury bench ${run}`,
    timestamp,
    checks.map((check) => ({
      suite: check.setup,
      name: check.name,
      seconds: 0,
      ...(check.met ? {} : { problem: { kind: 'failure' as const, type: 'threshold', message: check.text } }),
    })),
    run,
  );

/**
 * The JUnit file of an unfinished run: a single error, so that neither an earlier run's file nor an empty one passes for its result.
 * @param timestamp of the run, ISO 8601
 */
export const unfinishedFile = (run: string, timestamp: string, why: string): string =>
  junitText(
    `jury bench ${run}`,
    timestamp,
    [
      {
        suite: run,
        name: 'the run is finished',
        seconds: 0,
        problem: { kind: 'error', type: 'unfinished', message: why },
      },
    ],
    run,
  );

/** Minimum share of a run's cases that must be the same, and judged, in the baseline. */
const LEAST_SAME = 0.9;

/** How a run changed since its baseline, and the number of cases compared. */
interface Changes {
  compared: number;
  changes: Change[];
}

/** Trials of one case in both runs. */
interface Pair {
  before: readonly TrialFacts[];
  after: readonly TrialFacts[];
}

type ComparedRun = Awaited<ReturnType<typeof sideOf>>;

const incomparable = (base: Side, why: string): JuryError =>
  new JuryError('usage', `--no-worse-than ${base.run}: cannot be compared: ${why}.`);

const isScored = ({ score }: TrialFacts): boolean => score !== null;
const isDecided = ({ outcome }: TrialFacts): boolean => outcome === 'pass' || outcome === 'fail';

/** Change in the share of trials with a score, on cases that have at least one score. The mean score alone would miss it. */
function scoredChange(setup: string, pairs: readonly Pair[]): Change {
  const share = (facts: readonly TrialFacts[]) => facts.filter(isScored).length / facts.length;
  const drifts = pairs.map(({ before, after }) => share(after) - share(before));
  const n = drifts.length;
  const difference = measured(sum(drifts) / n, n);
  return { setup, metric: SCORED, difference: { difference, interval: unmeasured('none is computed', n) } };
}

const unscored: Change['difference'] = {
  difference: unmeasured('no case is scored in both', 0),
  interval: unmeasured('', 0),
};

/** Makes a change of one setup. */
const changeOf =
  (setup: string) =>
  (metric: string, difference: Change['difference']): Change => ({ setup, metric, difference });

/** The changes to check: F1 if cases are labeled, otherwise the pass rate; for scores, their mean and how many trials have one. */
function changesOf(
  { cases, scores, decisions, points, second }: PairReport,
  pairs: readonly Pair[],
): Change[] {
  const change = changeOf(second);
  const scored = pairs.filter(({ before, after }) => [...before, ...after].some(isScored));
  const hasDecisions = pairs.some(({ before, after }) => [...before, ...after].some(isDecided));
  const decided =
    cases === 0
      ? decisions.cases > 0 && (hasDecisions || scored.length === 0)
        ? [change('pass-rate', decisions.passRate)]
        : []
      : scores.f1.difference.defined
        ? [change('f1', scores.f1)]
        : [change('accuracy', scores.accuracy)];
  return scored.length === 0
    ? decided
    : [...decided, change('mean score', points?.mean ?? unscored), scoredChange(second, scored)];
}

/** The changes of an assistant's answers. Null for a labeled run about judges where no answer changed: differences then come from the judges. */
async function assistantChanges(
  store: TrialStore,
  base: Side,
  before: ComparedRun,
  after: ComparedRun,
  clusterBy: string | undefined,
): Promise<Changes | null> {
  const { subject, dataset } = after.manifest;
  const [then, now] = [
    await readAnswers(store, before.manifest),
    await readAnswers(store, after.manifest, clusterBy),
  ];
  const { obstacles, compared, changed, passRate, scored } = strictChange(then, now);
  if (changed === 0 && subject !== 'assistant' && dataset.labeled > 0) return null;
  if (compared === 0 || (changed > 0 && obstacles.length > 0)) throw incomparable(base, obstacles.join('; '));
  const change = changeOf(now.setup.id);
  if (changed === 0) {
    const same = { difference: measured(0, compared), interval: unmeasured('no answer changed', compared) };
    const metric = scored === null ? 'pass-rate' : 'mean score';
    return { compared, changes: [change(metric, same)] };
  }
  const differenceOf = (found: typeof passRate): Change['difference'] =>
    found === null ? unscored : { difference: measured(found.value, found.n), interval: found.interval };
  const changes = [
    ...(passRate === null ? [] : [change('pass-rate', differenceOf(passRate))]),
    ...(scored === null
      ? []
      : [change('mean score', differenceOf(scored.mean)), scoredChange(now.setup.id, scored.pairs)]),
  ];
  return { compared, changes };
}

/** The change of each configuration, on the cases that are the same and judged in both runs. */
function judgeChanges(base: Side, before: ComparedRun, after: ComparedRun): Changes {
  const { places } = matchCases(before.marks, after.marks);
  if (places.size === 0) throw incomparable(base, 'no case is the same in both');
  const [only] = before.setups;
  const { pairs, unmatched } =
    base.setup !== null && only !== undefined
      ? { pairs: after.setups.map((setup) => [only, setup] as const), unmatched: { second: [] } }
      : matchSetups(before.setups, after.setups);
  const [alone] = unmatched.second;
  if (alone !== undefined)
    throw incomparable(
      base,
      `it has no configuration "${alone}". Name the one to compare with: "${base.run}:${only?.id ?? ''}"`,
    );
  const judged = pairs.map(([one, other]) => {
    const known = byCase(before.table.factsOf(one.id));
    return [...byCase(after.table.factsOf(other.id))].flatMap(([place, facts]): Pair[] => {
      const own = known.get(places.get(place) ?? -1);
      return own === undefined ? [] : [{ before: own, after: facts }];
    });
  });
  const changes = comparePairs(pairs, before.table, after.table, places, before.marks).map(({ pair }, at) =>
    changesOf(pair, judged[at] ?? []),
  );
  if (changes.some(({ length }) => length === 0))
    throw incomparable(base, 'no case that was judged in both gets a decision');
  return { compared: Math.min(...judged.map(({ length }) => length)), changes: changes.flat() };
}

/**
 * How a run's configurations changed since a baseline, pair by pair on the cases in both; a trial without a decision counts as wrong. For an
 * assistant, its answers to the same requests are compared.
 * @throws JuryError `usage` if there is no such run, or too little to compare
 */
export async function changesSince(
  store: TrialStore,
  base: Side,
  side: Side,
  wishes: Wishes = {},
): Promise<Changes & { cases: number }> {
  const [before, after] = [await sideOf(store, base, wishes), await sideOf(store, side, wishes)];
  const isAssistant = base.setup === null && side.setup === null && subjectOf(after.manifest) === 'assistant';
  const found =
    (isAssistant ? await assistantChanges(store, base, before, after, wishes.clusterBy) : null) ??
    judgeChanges(base, before, after);
  const cases = after.marks.length;
  if (found.compared < LEAST_SAME * cases)
    throw incomparable(
      base,
      `only ${found.compared} of ${counted(cases, 'case')} are the same and judged in both, and at least 90 % must be. Finish both runs, or judge the cases of ${side.run} again as ${base.run} was judged, under a new --name, and compare with that run`,
    );
  return { ...found, cases };
}
