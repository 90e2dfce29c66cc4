import { unmeasured } from '../../statistics/measure.ts';
import { escaped } from './html/html.ts';
import { scoreNames } from './metrics.ts';
import type { ReportMeasure, SetupReport } from './report.ts';

/** Metrics for thresholds, by their names on the command line. */
const measures = new Map<string, (setup: SetupReport) => ReportMeasure>([
  ...scoreNames.map(
    (name) =>
      [
        name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
        ({ effectiveness }: SetupReport) => effectiveness[name].measure,
      ] as const,
  ),
  [
    'coverage',
    ({ effectiveness, decisions }) =>
      effectiveness.n > 0 ? effectiveness.coverage : (decisions?.coverage ?? effectiveness.coverage),
  ],
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
  return measures.has(metric) && number !== '' && minimum >= -1 && minimum <= 1 ? { metric, minimum } : null;
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
      const measure = measures.get(threshold.metric)?.(setup) ?? unmeasured('there is no such metric', 0);
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
