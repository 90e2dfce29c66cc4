import { counted } from '../../common/text/index.ts';
import type { Trend } from '../../statistics/index.ts';
import { type Difference, fixed, signedRange } from '../estimates/index.ts';
import { type Comparison, casesOf } from './comparison.ts';
import type { PairReport } from './pair-report.ts';

/** A difference counts as one beyond chance up to this p-value, adjusted for the number of comparisons. */
const ALPHA = 0.05;

/** The first sentence on a comparison of judges: what it claims, and the rest. */
export interface ComparisonLead {
  claim: string;
  rest: string;
  /** Of the difference that it claims; unknown if that can be chance. */
  trend: Extract<Trend, 'better' | 'worse' | 'unknown'>;
}

/** The main measure of a pair: F1 if its cases are labeled, otherwise the mean score or the pass rate. */
function mainMeasure({ main: { measure }, scores, points, decisions }: PairReport): {
  title: string;
  by: Difference;
} {
  if (measure === 'mean' && points !== null) return { title: 'The mean score', by: points.mean };
  return measure === 'f1'
    ? { title: 'F1', by: scores.f1 }
    : { title: 'The pass rate', by: decisions.passRate };
}

const sizeOf = (pair: PairReport): number => {
  const { difference } = mainMeasure(pair).by;
  return difference.defined ? Math.abs(difference.value) : -1;
};

const isTested = ({ main }: PairReport): boolean => main.pValue.defined;

/**
 * Whether the main measure differs beyond chance: by its own test, adjusted for all that are read together, and by its interval. All
 * against none has a test, but no interval.
 */
function isBeyondChance(pair: PairReport): boolean {
  const { pValue, holm } = pair.main;
  const p = holm ?? pValue;
  const { interval } = mainMeasure(pair).by;
  return p.defined && p.value <= ALPHA && (!interval.defined || interval.low > 0 || interval.high < 0);
}

export const nameOfPair = ({ first, second }: Pick<PairReport, 'first' | 'second'>): string =>
  first === second ? first : `${first} → ${second}`;

function differenceLead(pair: PairReport, isSure: boolean): ComparisonLead {
  const { title, by } = mainMeasure(pair);
  const { first, second, difference, interval } = by;
  const on = `on ${counted(casesOf(pair), 'case')}`;
  if (!difference.defined)
    return { claim: '', rest: `${title} cannot be compared ${on}: ${difference.why}.`, trend: 'unknown' };
  const how =
    difference.value === 0
      ? 'is the same'
      : `is ${difference.value > 0 ? 'higher' : 'lower'} by ${fixed({ ...difference, value: Math.abs(difference.value) })}`;
  const doubt = difference.value === 0 || isSure ? '' : ', which can be chance';
  return {
    claim: `${title} ${how}`,
    rest: ` (${interval.defined ? signedRange(interval) : 'no interval'}): ${fixed(first)} before, ${fixed(second)} after, ${on}${doubt}.`,
    trend: !isSure || difference.value === 0 ? 'unknown' : difference.value > 0 ? 'better' : 'worse',
  };
}

/**
 * The result of a comparison of judges in one sentence, the same wherever it is shown. Of several configurations it names a difference
 * only if that is beyond chance among all of them; null if nothing was compared.
 */
export function comparisonLead({ pairs }: Pick<Comparison, 'pairs'>): ComparisonLead | null {
  const all = pairs.map(({ pair }) => pair);
  const [only] = all;
  if (only === undefined) return null;
  if (all.length === 1) return differenceLead(only, isBeyondChance(only));
  const tested = all.filter(isTested);
  const configurations = counted(all.length, 'configuration');
  if (tested.length === 0)
    return { claim: `No change of ${configurations} could be tested`, rest: '.', trend: 'unknown' };
  const among =
    tested.length === all.length
      ? `among ${configurations}`
      : `among the ${tested.length} of ${configurations} that could be tested`;
  const beyond = tested.filter(isBeyondChance).sort((a, b) => sizeOf(b) - sizeOf(a));
  const [largest] = beyond;
  if (largest === undefined)
    return { claim: `No change beyond chance ${among}`, rest: '.', trend: 'unknown' };
  const { claim, rest, trend } = differenceLead(largest, true);
  const which =
    beyond.length === 1
      ? `the only change beyond chance ${among}`
      : `the largest of ${beyond.length} changes beyond chance ${among}`;
  return { claim, rest: `${rest} This is ${which}: ${nameOfPair(largest)}.`, trend };
}

export const leadText = ({ claim, rest }: ComparisonLead): string => `${claim}${rest}`;

/** {@link comparisonLead} as text; null if nothing was compared. */
export function comparisonLeadText(comparison: Pick<Comparison, 'pairs'>): string | null {
  const lead = comparisonLead(comparison);
  return lead === null ? null : leadText(lead);
}
