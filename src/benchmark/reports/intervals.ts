import { type EvalCase, GROUP_TAG } from '../../case/case.ts';
import { groupedBy } from '../../common/collections.ts';
import { JuryError } from '../../common/errors.ts';
import { counted } from '../../common/text.ts';
import type { Confusion, GapRule } from '../../statistics/classification.ts';
import { jackknifeEstimate, type Range } from '../../statistics/jackknife.ts';
import { type Measure, measured } from '../../statistics/measure.ts';
import { clusteredShareInterval } from '../../statistics/proportions.ts';
import type { Bin } from '../../statistics/tallies.ts';
import { binsOf, countsIn } from './case-bins.ts';
import { type Difference, type Estimate, type ScoreName, scores } from './measures.ts';
import type { TrialFacts } from './trial-facts.ts';

export type Statistic<T> = (bins: readonly Bin<T>[]) => Measure;

/**
 * A score with its 95 % interval. A monotone function of a share has Wilson's interval, with an effective number of trials where a case
 * was judged several times or belongs to a group; other scores have the jackknife's.
 *
 * @param bins outcomes of all trials of each group of cases, or of each case that is in none
 * @param gaps how trials without a decision count
 */
export function estimate(
  name: ScoreName,
  bins: readonly Bin<Confusion>[],
  gaps: GapRule = 'wrong',
): Estimate {
  const statistic: Statistic<Confusion> = (some) => scores[name].of(countsIn(some, gaps));
  const { share, ofShare = (value) => value, range = 'share' } = scores[name];
  if (share === undefined) return jackknifeEstimate(bins, statistic, range);
  const measure = statistic(bins);
  if (!measure.defined) return { measure, interval: measure };
  const interval = clusteredShareInterval(
    bins.map(({ value, items }) => {
      const { hits, of } = share(countsIn([{ value, items: 1 }], gaps));
      return { value: { successes: hits, n: of }, items };
    }),
  );
  if (!interval.defined) return { measure, interval };
  const [low, high] = [ofShare(interval.low), ofShare(interval.high)];
  return { measure, interval: { ...interval, low, high, by: 'wilson' } };
}

/** What two setups have of one case, or of cases that belong together. */
export interface Both<T> {
  first: T;
  second: T;
}

/** What two setups have of a case that belongs to a unit. */
export type BothOfCase<T> = Both<T> & { unit: number };

/** The cases that both have, by their places. @param facts of either, which say what cases belong to */
export function bothCases<T>(
  first: ReadonlyMap<number, T>,
  second: ReadonlyMap<number, T>,
  facts: readonly Pick<TrialFacts, 'place' | 'unit'>[],
): BothOfCase<T>[] {
  const units = new Map(facts.map(({ place, unit }) => [place, unit]));
  return [...first].flatMap(([place, one]): BothOfCase<T>[] => {
    const other = second.get(place);
    return other === undefined ? [] : [{ unit: units.get(place) ?? place, first: one, second: other }];
  });
}

/** Cases by the units that they belong to, binned. @param join what cases of one unit come to @param keyOf equal for equal values */
export function unitBins<T>(
  cases: readonly BothOfCase<T>[],
  join: (own: readonly T[]) => T,
  keyOf: (own: T) => string,
): Bin<Both<T>>[] {
  const units = [...groupedBy(cases, ({ unit }) => unit).values()].map((own): Both<T> => {
    const [only] = own;
    if (only !== undefined && own.length === 1) return { first: only.first, second: only.second };
    return { first: join(own.map(({ first }) => first)), second: join(own.map(({ second }) => second)) };
  });
  return binsOf(units, ({ first, second }) => `${keyOf(first)} | ${keyOf(second)}`);
}

export const sideOf = <T>(bins: readonly Bin<Both<T>>[], side: keyof Both<T>): Bin<T>[] =>
  bins.map(({ value, items }) => ({ value: value[side], items }));

/** A statistic of both sides and its difference, with the jackknife's interval by unit, so that easy and hard cases cancel out. */
export function differenceOf<T>(
  bins: readonly Bin<Both<T>>[],
  first: Statistic<T>,
  second: Statistic<T> = first,
  range: Range = 'any',
): Difference {
  const difference: Statistic<Both<T>> = (drawn) => {
    const [one, other] = [first(sideOf(drawn, 'first')), second(sideOf(drawn, 'second'))];
    if (!one.defined) return one;
    return other.defined ? measured(other.value - one.value, Math.min(one.n, other.n)) : other;
  };
  const { measure, interval } = jackknifeEstimate(bins, difference, range);
  return {
    first: first(sideOf(bins, 'first')),
    second: second(sideOf(bins, 'second')),
    difference: measure,
    interval,
  };
}

/** Which cases belong together, such as those of one user, conversation or document, so that they are not independent. */
export interface Clusters {
  /** The same number for cases that belong together; a case on its own has its place. */
  unitOf: (place: number) => number;
  /** What a report says of them; null if every case is on its own. */
  note: string | null;
}

/** @param text `tags.NAME`, or nothing @throws JuryError `usage` for anything else */
export function readClusterTag(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const [, name] = /^tags\.(.+)$/s.exec(text) ?? [];
  if (name === undefined)
    throw new JuryError('usage', `--cluster-by ${text}: Must be tags.NAME, such as tags.${GROUP_TAG}.`);
  return name;
}

/**
 * What cases belong to.
 *
 * @param tag in place of `group`
 * @throws JuryError `usage` if no case has that tag
 */
export function clustersOf(cases: Iterable<Pick<EvalCase, 'tags'>>, tag?: string): Clusters {
  const units: number[] = [];
  const firsts = new Map<string, number>();
  for (const { tags = {} } of cases) {
    const value = tags[tag ?? GROUP_TAG];
    const own = (value === undefined ? undefined : firsts.get(value)) ?? units.length;
    if (value !== undefined) firsts.set(value, own);
    units.push(own);
  }
  if (tag !== undefined && firsts.size === 0)
    throw new JuryError('usage', `No case has the tag "${tag}" of --cluster-by.`);
  const groups = new Set(units).size;
  return {
    unitOf: (place) => units[place] ?? place,
    note:
      groups === units.length
        ? null
        : `Intervals and p-values count ${counted(units.length, 'case')} as ${counted(groups, 'group')} of cases that belong together (tags.${tag ?? GROUP_TAG}).`,
  };
}
