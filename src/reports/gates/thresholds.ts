import { unmeasured } from '../../statistics/index.ts';
import { LEAST_COVERAGE, type ReportInterval, type ReportMeasure } from '../estimates/index.ts';
import { everyMetric, type SetupReport, type ThresholdMetric } from '../metrics/index.ts';

/** What `--fail-under` can name. */
const byName = new Map<string, ThresholdMetric<SetupReport>>(
  everyMetric.flatMap(({ thresholds = {} }) => Object.entries(thresholds)),
);

/** A lower bound for a metric. */
export interface Threshold {
  metric: string;
  minimum: number;
}

export const thresholdMetrics = [...byName.keys()];

/** Parses `f1=0.9`; null if it is not a threshold. */
export function readThreshold(text: string): Threshold | null {
  const [, metric = '', number = ''] = /^([a-z0-9-]+)=(-?\d*\.?\d+)$/.exec(text) ?? [];
  const minimum = Number(number);
  const threshold = byName.get(metric);
  if (threshold === undefined || number === '') return null;
  const { from = 0, to = 1 } = threshold;
  return minimum >= from && minimum <= to ? { metric, minimum } : null;
}

/** Adds a minimum coverage to any thresholds that don't set one, so that a judge that gives up on most cases fails. */
export const withCoverage = (thresholds: readonly Threshold[]): readonly Threshold[] =>
  thresholds.length === 0 || thresholds.some(({ metric }) => metric === 'coverage')
    ? thresholds
    : [...thresholds, { metric: 'coverage', minimum: LEAST_COVERAGE }];

/** Floating-point tolerance. */
export const ROUNDING = 1e-12;

/** Whether one setup meets one requirement. */
export interface Check {
  setup: string;
  metric: string;
  /** What is required: at least a minimum, or at most so much less than in a baseline. */
  required: { kind: 'minimum' | 'drop'; value: number };
  /** The value, or the change, and of how many cases it is; null if it is not defined. */
  found: { value: number; n: number } | null;
  /** Whether the value alone decides, not what is sure of it. */
  isByValue: boolean;
  /** `f1 at least 0.9`. */
  name: string;
  met: boolean;
  /** `f1 is 0.871, under 0.9`. */
  text: string;
  /** Whether it is not met only because too few cases tell; default: no. */
  isOpen?: boolean;
}

/** Enough digits to show on which side of the minimum a value is. */
function shown(value: number, minimum: number, met: boolean): string {
  const digits = [3, 6, 12].find((count) => Number(value.toFixed(count)) >= minimum === met) ?? 12;
  return value.toFixed(digits);
}

/**
 * Checks a threshold. An undefined measure never meets one.
 * @param interval whose lower end must reach the minimum, too; null: the measure alone decides
 */
export function checkThreshold(
  { metric, minimum }: Threshold,
  setup: string,
  measure: ReportMeasure,
  interval: ReportInterval | null = null,
): Check {
  const check = {
    setup,
    metric,
    name: `${metric} at least ${minimum}${interval === null ? '' : ' by its interval'}`,
    required: { kind: 'minimum', value: minimum },
    found: measure.defined ? { value: measure.value, n: measure.n } : null,
    isByValue: interval === null,
  } as const;
  if (!measure.defined) {
    const text = `${metric} is not defined (${measure.why}), so not at least ${minimum}`;
    return { ...check, met: false, text };
  }
  if (interval?.defined === false) {
    const text = `the interval of ${metric} is not defined (${interval.why}), so it is not sure to be at least ${minimum}`;
    return { ...check, met: false, text };
  }
  const least = interval === null ? measure.value : interval.low;
  const met = least >= minimum - ROUNDING;
  const side = met ? 'at least' : 'under';
  const text =
    interval === null
      ? `${metric} is ${shown(least, minimum, met)}, ${side} ${minimum}`
      : `${metric} is ${measure.value.toFixed(3)}, and its 95 % interval begins at ${shown(least, minimum, met)}, ${side} ${minimum}`;
  return { ...check, met, text };
}

/** What must reach a minimum: the measured value, or its whole interval. */
export type FailUnderBy = 'estimate' | 'interval';

export const checkThresholds = (
  setups: readonly SetupReport[],
  thresholds: readonly Threshold[],
  by: FailUnderBy = 'estimate',
): Check[] =>
  setups.flatMap((setup) =>
    thresholds.map((threshold) => {
      const metric = byName.get(threshold.metric);
      const measure = metric?.of(setup) ?? unmeasured('there is no such metric', 0);
      const interval = by === 'interval' ? metric?.interval?.(setup) : undefined;
      return checkThreshold(threshold, setup.id, measure, interval ?? null);
    }),
  );
