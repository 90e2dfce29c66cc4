import { andList, counted } from '../common/text/index.ts';
import { sum } from '../statistics/index.ts';
import { type Estimate, pText, rangeText, signed } from './estimates/index.ts';
import { type Cell, valueCell } from './metrics/index.ts';
import { type Benefit, type SharedErrors, surely } from './panel-benefit.ts';

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

/** `40 cases in 7 groups`, where some of the cases belong together. */
export const casesText = (cases: number, groups: number | null): string =>
  `${counted(cases, 'case')}${groups === null || groups >= cases ? '' : ` in ${counted(groups, 'group')}`}`;

/** The number of groups beside that of cases, where some of the cases belong together. */
export const groupsNote = ({
  cases,
  groups,
}: {
  cases: number;
  groups: number | null;
}): string | undefined => (groups === null || groups >= cases ? undefined : counted(groups, 'group'));

/** The column of the judge that is picked on one half of the cases and measured on the other. */
export const PICKED = 'Judge picked on other cases';

const PICKED_HOW = 'picked by how it did on other cases';

/** That judge as the subject of a sentence. It need not be the best of the table, so it is never called that. */
export const pickedJudge = (names: readonly string[] = []): string =>
  `A single judge, ${PICKED_HOW}${names.length > 1 && new Set(names).size === 1 ? ` (${names[0]} both times)` : ''}`;

/** What the panel has beyond that judge, as the end of a sentence. @param show a difference without its sign, then with it */
export function beyondPicked(
  { difference, interval }: Pick<Benefit, 'difference' | 'interval'>,
  {
    better,
    worse,
    size,
    range,
  }: Record<'better' | 'worse', string> & {
    size: (value: number) => string;
    range: (interval: Benefit['interval']) => string;
  },
): string {
  if (!difference.defined) return '';
  const limits = interval.defined ? ` (${range(interval)})` : '';
  if (interval.defined && interval.low > 0)
    return `; the panel is ${size(difference.value)} ${better}${limits}`;
  if (interval.defined && interval.high < 0)
    return `; the panel is ${size(difference.value)} ${worse}${limits}`;
  return difference.value === 0
    ? `; the panel is no ${better} and no ${worse}${limits}`
    : `; the difference may be chance${limits}`;
}

/** The judges that are better alone than the panel beyond chance; nothing if there are none. */
export function aheadWords(
  judges: readonly { name: string; figure: string; ahead: Benefit | null }[],
  { does, than }: { does: string; than: string },
): string[] {
  const sure = judges.filter(({ ahead }) => ahead !== null && surely(ahead) > 0);
  if (sure.length === 0) return [];
  const each = sure.map(({ name, figure }, at) => `${name} ${at === 0 ? 'alone ' : ''}${does} ${figure}`);
  return [`${andList(each)}, ${sure.length > 1 ? 'each ' : ''}${than} beyond chance.`];
}

/** Where judges err on other cases than each other, the formula gives more votes than there are judges. */
const votesShown = (value: number, k: number, digits: number): string =>
  value > k ? `${k} or more` : value.toFixed(digits);

function votesRange({ interval }: Estimate, k: number, digits: number): string | null {
  if (!interval.defined) return null;
  if (interval.high <= k) return rangeText(interval, digits);
  const low = votesShown(interval.low, k, digits);
  return interval.low > k ? low : `${low} to ${votesShown(interval.high, k, digits)}`;
}

/** Effective votes of k judges. */
export const votesCell = (votes: Estimate, k: number): Cell =>
  valueCell(votes.measure, (value) => votesShown(value, k, 2), votesRange(votes, k, 2) ?? 'no interval');

/** How many independent judges k judges are worth; nothing if that is not known. @param alike said if their errors are shared */
export function votesWords(
  { effectiveVotes: votes, inCommon }: SharedErrors,
  { k, cases, alike }: { k: number; cases: number; alike: string },
): string[] {
  if (!votes.measure.defined) return [];
  const range = votesRange(votes, k, 1);
  const isOffset = votes.interval.defined && votes.interval.low > k;
  const words = {
    much: alike,
    little: isOffset ? 'Their errors offset each other' : 'Their errors have little in common',
    unknown: `${counted(cases, 'case')} ${cases === 1 ? 'does' : 'do'} not tell whether they err alike`,
  };
  const limits = range === null || isOffset ? '' : ` (${range})`;
  return [
    `${words[inCommon]}: ${numberWord(k)} judges are worth ${votesShown(votes.measure.value, k, 1)} independent ones${limits}.`,
  ];
}

/** Why panels are missing. @param stop the run's own setting */
export const stoppedWords = (stop: string | undefined): string =>
  `Panels stopped once the majority was decided, so judges were not all asked, and nothing fair can be compared. Judge ${stop === 'decided' ? 'without --stop decided' : 'with --no-early-stop'} to compare them.`;

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
