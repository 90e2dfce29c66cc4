import { counted } from '../common/text/index.ts';
import { sum } from '../statistics/index.ts';
import { fixed, pText, rangeText, signed } from './estimates/index.ts';
import { type Cell, valueCell } from './metrics/index.ts';
import type { Benefit, SharedErrors } from './panel-benefit.ts';

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const PARTS = ['third', 'quarter', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

export const numberWord = (n: number): string => NUMBERS[n] ?? String(n);

/** How many panels are described in words; the table has all. */
export const MOST_IN_WORDS = 3;

/** How many calls are saved without one of k judges, at least three. */
export function fewerCalls(k: number): string {
  const part = PARTS[k - 3];
  return part === undefined
    ? `1 of ${k} calls less`
    : `${part === 'eighth' ? 'an' : 'a'} ${part} fewer calls`;
}

/** How many independent judges k judges are worth; nothing if that is not known. @param alike said if their errors are shared */
export function votesWords(
  { effectiveVotes: votes, inCommon }: SharedErrors,
  { k, cases, alike }: { k: number; cases: number; alike: string },
): string[] {
  if (!votes.measure.defined) return [];
  const range = votes.interval.defined ? ` (${rangeText(votes.interval, 1)})` : '';
  const words = {
    much: alike,
    little: 'Their errors have little in common',
    unknown: `${counted(cases, 'case')} ${cases === 1 ? 'does' : 'do'} not tell whether they err alike`,
  };
  return [
    `${words[inCommon]}: ${numberWord(k)} judges are worth ${fixed(votes.measure, 1)} independent ones${range}.`,
  ];
}

/** `+0.12`. */
export const signedText = (value: number, digits: number): string =>
  signed({ defined: true, n: 1, value }, digits);

/** `+4.2`: a share of all in points. */
export const signedPoints = (share: number): string => signedText(100 * share, 1);

/** `−1.2 to +4.2`. */
export const benefitRange = (
  { interval }: Pick<Benefit, 'interval'>,
  show: (value: number) => string,
): string => (interval.defined ? `${show(interval.low)} to ${show(interval.high)}` : 'no interval');

/** What a panel adds to its best judge. */
export const benefitCell = (benefit: Benefit, show: (value: number) => string): Cell =>
  valueCell(
    benefit.difference,
    show,
    `${benefitRange(benefit, show)}, p ${pText(benefit.pValue)}${benefit.holm === null ? '' : `, Holm ${pText(benefit.holm)}`}`,
  );

/** The mean correlation of a judge's errors with those of each other judge; null if none is known. */
export function errsWithOthers({ pairs }: SharedErrors, name: string): number | null {
  const own = pairs
    .filter(({ first, second }) => first === name || second === name)
    .flatMap(({ correlation }) => (correlation.defined ? correlation.value : []));
  return own.length === 0 ? null : sum(own) / own.length;
}
