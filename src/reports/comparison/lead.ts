import type { Trend } from '../../statistics/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
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
  name: 'mean' | 'f1' | 'passRate';
  by: Difference;
} {
  if (measure === 'mean' && points !== null) return { name: 'mean', by: points.mean };
  return measure === 'f1' ? { name: 'f1', by: scores.f1 } : { name: 'passRate', by: decisions.passRate };
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

function differenceLead(pair: PairReport, isSure: boolean, language: Language): ComparisonLead {
  const { comparison: words, numbers } = wordsIn(language);
  const { name, by } = mainMeasure(pair);
  const { first, second, difference, interval } = by;
  const measure = words.measures[name];
  const cases = casesOf(pair);
  if (!difference.defined)
    return {
      claim: '',
      rest: words.notComparable({ measure, cases, why: difference.why }),
      trend: 'unknown',
    };
  const size = numbers.written(fixed({ ...difference, value: Math.abs(difference.value) }));
  return {
    claim:
      difference.value === 0
        ? words.same(measure)
        : words.moved({ measure, isHigher: difference.value > 0, by: size }),
    rest: words.figures({
      range: interval.defined ? numbers.written(signedRange(interval, 3, numbers.to)) : null,
      before: numbers.written(fixed(first)),
      after: numbers.written(fixed(second)),
      cases,
      canBeChance: difference.value !== 0 && !isSure,
    }),
    trend: !isSure || difference.value === 0 ? 'unknown' : difference.value > 0 ? 'better' : 'worse',
  };
}

/**
 * The result of a comparison of judges in one sentence, the same wherever it is shown. Of several configurations it names a difference
 * only if that is beyond chance among all of them; null if nothing was compared.
 */
export function comparisonLead(
  { pairs }: Pick<Comparison, 'pairs'>,
  language: Language = 'en',
): ComparisonLead | null {
  const words = wordsIn(language).comparison;
  const all = pairs.map(({ pair }) => pair);
  const [only] = all;
  if (only === undefined) return null;
  if (all.length === 1) return differenceLead(only, isBeyondChance(only), language);
  const tested = all.filter(isTested);
  if (tested.length === 0) return { claim: words.noneTested(all.length), rest: '.', trend: 'unknown' };
  const among = words.among({ tested: tested.length, all: all.length });
  const beyond = tested.filter(isBeyondChance).sort((a, b) => sizeOf(b) - sizeOf(a));
  const [largest] = beyond;
  if (largest === undefined) return { claim: words.noneBeyondChance(among), rest: '.', trend: 'unknown' };
  const { claim, rest, trend } = differenceLead(largest, true, language);
  const name = nameOfPair(largest);
  const which =
    beyond.length === 1 ? words.only({ among, name }) : words.largest({ count: beyond.length, among, name });
  return { claim, rest: `${rest}${which}`, trend };
}

export const leadText = ({ claim, rest }: ComparisonLead): string => `${claim}${rest}`;

/** {@link comparisonLead} as text; null if nothing was compared. */
export function comparisonLeadText(comparison: Pick<Comparison, 'pairs'>): string | null {
  const lead = comparisonLead(comparison);
  return lead === null ? null : leadText(lead);
}
