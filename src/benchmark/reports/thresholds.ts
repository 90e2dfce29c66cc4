import type { ReportMeasure, SetupReport } from './report.ts';

/** What a threshold can be set on, by the name on the command line. */
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

/** The least that a score may be. */
export interface Threshold {
  metric: ThresholdMetric;
  least: number;
}

export const thresholdMetrics = Object.keys(measures);

const isMetric = (name: string): name is ThresholdMetric => Object.hasOwn(measures, name);

/** Reads `f1=0.9`; null where it is none. */
export function readThreshold(text: string): Threshold | null {
  const [, metric = '', number = ''] = /^([a-z0-9-]+)=(-?\d*\.?\d+)$/.exec(text) ?? [];
  const least = Number(number);
  return isMetric(metric) && number !== '' && least >= -1 && least <= 1 ? { metric, least } : null;
}

/** Perfect scores may miss 1 by a hair of floating point. */
const ROUNDING = 1e-12;

/** One threshold on one setup. What is not defined does not meet any threshold. */
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
        met: measure.defined && measure.value >= threshold.least - ROUNDING,
      };
    }),
  );

/** `f1 is 0.871, under 0.9` or what else there is to say, in one line. */
export function checkText({ threshold: { metric, least }, measure, met }: Check): string {
  if (!measure.defined) return `${metric} is not defined (${measure.why}), so not at least ${least}`;
  // As many digits as it takes to see on which side it is.
  const digits = [3, 6, 12].find((count) => Number(measure.value.toFixed(count)) >= least === met) ?? 12;
  return `${metric} is ${measure.value.toFixed(digits)}, ${met ? 'at least' : 'under'} ${least}`;
}
