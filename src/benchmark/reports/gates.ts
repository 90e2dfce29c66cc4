import { escaped } from './html/html.ts';
import type { ReportMeasure, SetupReport } from './report.ts';

/** Metrics for thresholds, by their names on the command line. */
const measures = {
  f1: ({ effectiveness }: SetupReport) => effectiveness.f1.measure,
  precision: ({ effectiveness }: SetupReport) => effectiveness.precision.measure,
  recall: ({ effectiveness }: SetupReport) => effectiveness.recall.measure,
  accuracy: ({ effectiveness }: SetupReport) => effectiveness.accuracy.measure,
  'balanced-accuracy': ({ effectiveness }: SetupReport) => effectiveness.balancedAccuracy.measure,
  mcc: ({ effectiveness }: SetupReport) => effectiveness.mcc.measure,
  coverage: ({ effectiveness }: SetupReport) => effectiveness.coverage,
} as const;

type ThresholdMetric = keyof typeof measures;

/** A lower bound for a score. */
export interface Threshold {
  metric: ThresholdMetric;
  minimum: number;
}

export const thresholdMetrics = Object.keys(measures);

const isMetric = (name: string): name is ThresholdMetric => Object.hasOwn(measures, name);

/** Reads `f1=0.9`; null if it is not a threshold. */
export function readThreshold(text: string): Threshold | null {
  const [, metric = '', number = ''] = /^([a-z0-9-]+)=(-?\d*\.?\d+)$/.exec(text) ?? [];
  const minimum = Number(number);
  return isMetric(metric) && number !== '' && minimum >= -1 && minimum <= 1 ? { metric, minimum } : null;
}

/** Floating-point tolerance. */
const ROUNDING = 1e-12;

/** One threshold on one setup. An undefined score meets no threshold. */
export interface Check {
  setup: string;
  threshold: Threshold;
  measure: ReportMeasure;
  met: boolean;
}

export const checkThresholds = (setups: readonly SetupReport[], thresholds: readonly Threshold[]): Check[] =>
  setups.flatMap((setup) =>
    thresholds.map((threshold) => {
      const measure = measures[threshold.metric](setup);
      return {
        setup: setup.id,
        threshold,
        measure,
        met: measure.defined && measure.value >= threshold.minimum - ROUNDING,
      };
    }),
  );

/** `f1 is 0.871, under 0.9`. */
export function checkText({ threshold: { metric, minimum }, measure, met }: Check): string {
  if (!measure.defined) return `${metric} is not defined (${measure.why}), so not at least ${minimum}`;
  // Enough digits to show on which side it is.
  const digits = [3, 6, 12].find((count) => Number(measure.value.toFixed(count)) >= minimum === met) ?? 12;
  return `${metric} is ${measure.value.toFixed(digits)}, ${met ? 'at least' : 'under'} ${minimum}`;
}

const attribute = (name: string, value: string | number): string => ` ${name}="${escaped(String(value))}"`;

function testcase(check: Check, run: string): string {
  const { metric, minimum } = check.threshold;
  const head = `    <testcase${attribute('name', `${metric} at least ${minimum}`)}${attribute('classname', `${run}.${check.setup}`)}${attribute('time', '0.000')}`;
  return check.met
    ? `${head}/>`
    : `${head}><failure${attribute('type', 'threshold')}${attribute('message', checkText(check))}/></testcase>`;
}

/**
 * Thresholds as a JUnit file for CI systems (Jenkins' schema junit-10): a suite is a configuration, a test case is a threshold. Single
 * mistakes are not test cases: judges are expected to make some, and thresholds define how many are too many.
 *
 * @param timestamp ISO 8601, of the run
 */
export function junitFile(run: string, timestamp: string, checks: readonly Check[]): string {
  const setups = [...new Set(checks.map(({ setup }) => setup))];
  const failures = (own: readonly Check[]) => own.filter(({ met }) => !met).length;
  const suites = setups.map((setup) => {
    const own = checks.filter((check) => check.setup === setup);
    const counts = `${attribute('tests', own.length)}${attribute('failures', failures(own))}${attribute('errors', 0)}${attribute('skipped', 0)}`;
    return `  <testsuite${attribute('name', setup)}${counts}${attribute('time', '0.000')}${attribute('timestamp', timestamp.slice(0, 19))}>\n${own.map((check) => testcase(check, run)).join('\n')}\n  </testsuite>`;
  });
  const counts = `${attribute('tests', checks.length)}${attribute('failures', failures(checks))}${attribute('errors', 0)}`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attribute('name', `jury bench ${run}`)}${counts}>\n${suites.join('\n')}\n</testsuites>\n`;
}
