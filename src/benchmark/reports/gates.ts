import { junitText } from '../../common/junit.ts';
import { counted, grouped } from '../../common/text.ts';
import { ratio, unmeasured } from '../../statistics/measure.ts';
import { signed, signedRange } from './format.ts';
import { type Difference, LEAST_COVERAGE, type ReportMeasure, scoreNames } from './measures.ts';
import type { SetupReport } from './report.ts';

/**
 * Of the labeled trials the share with a decision; without labels, of all trials the share with a decision or a score. Not defined
 * before all planned trials are judged: what is left may come out otherwise.
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

/** Metrics for thresholds, by their names on the command line. */
const measures = new Map<string, (setup: SetupReport) => ReportMeasure>([
  ...scoreNames.map(
    (name) =>
      [
        name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
        ({ effectiveness }: SetupReport) => effectiveness[name].measure,
      ] as const,
  ),
  ['coverage', coverageOf],
  ['pass-rate', ({ decisions }) => decisions?.passRate.measure ?? unmeasured('no case was decided', 0)],
]);

/** A lower bound for a metric. */
export interface Threshold {
  metric: string;
  minimum: number;
}

export const thresholdMetrics = [...measures.keys()];

/** Reads `f1=0.9`; null if it is not a threshold. */
export function readThreshold(text: string): Threshold | null {
  const [, metric = '', number = ''] = /^([a-z0-9-]+)=(-?\d*\.?\d+)$/.exec(text) ?? [];
  const minimum = Number(number);
  const least = metric === 'mcc' ? -1 : 0;
  return measures.has(metric) && number !== '' && minimum >= least && minimum <= 1
    ? { metric, minimum }
    : null;
}

/** A threshold on anything brings a least coverage with it, unless one is named: a judge that gives up on most cases meets none. */
export const withCoverage = (thresholds: readonly Threshold[]): readonly Threshold[] =>
  thresholds.length === 0 || thresholds.some(({ metric }) => metric === 'coverage')
    ? thresholds
    : [...thresholds, { metric: 'coverage', minimum: LEAST_COVERAGE }];

/** Floating-point tolerance. */
const ROUNDING = 1e-12;

/** What one setup must meet. */
export interface Check {
  setup: string;
  /** `f1 at least 0.9`. */
  name: string;
  met: boolean;
  /** `f1 is 0.871, under 0.9`. */
  text: string;
}

/** An undefined score meets no threshold. */
export function checkThreshold({ metric, minimum }: Threshold, setup: string, measure: ReportMeasure): Check {
  const name = `${metric} at least ${minimum}`;
  if (!measure.defined)
    return {
      setup,
      name,
      met: false,
      text: `${metric} is not defined (${measure.why}), so not at least ${minimum}`,
    };
  const met = measure.value >= minimum - ROUNDING;
  // Enough digits to show on which side it is.
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

/** What is compared with a baseline, on the cases of both. */
export interface Change {
  setup: string;
  metric: string;
  difference: Pick<Difference, 'difference' | 'interval'>;
}

/** The metric of how many trials have a score at all. */
export const SCORED = 'share with a score';
/** How much lower that share may be at most, whatever the margin: a margin is in points of the score. */
const SCORED_MARGIN = 0.05;

/** Whether a setup is no worse than a baseline by more than a margin: the difference itself counts, not what chance could make of it. */
export function checkChange(
  { setup, metric, difference: { difference, interval } }: Change,
  baseline: string,
  margin: number,
): Check {
  const by = metric === SCORED ? Math.min(margin, SCORED_MARGIN) : margin;
  const name = `${metric} no worse than ${baseline} by ${by}`;
  if (!difference.defined)
    return {
      setup,
      name,
      met: false,
      text: `${metric} cannot be compared with ${baseline}: ${difference.why}`,
    };
  const met = difference.value >= -by - ROUNDING;
  const range = interval.defined ? `; 95 % interval ${signedRange(interval)}` : '';
  const text = `${metric} changed by ${signed(difference)} since ${baseline} (n = ${grouped(difference.n)}${range}); it may be lower by at most ${by}`;
  return { setup, name, met, text };
}

/**
 * Thresholds as a JUnit file for CI systems: a suite is a configuration, a test case is a threshold. Single mistakes are not test cases:
 * judges are expected to make some, and thresholds define how many are too many.
 *
 * @param timestamp ISO 8601, of the run
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
