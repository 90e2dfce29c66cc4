import { groupedBy } from '../../common/collections.ts';
import {
  type BinaryCounts,
  type Confusion,
  type GapRule,
  gapNames,
  gapsIn,
  noConfusion,
  type Outcome,
} from '../../statistics/classification.ts';
import { type Bin, mergedBins, singly } from '../../statistics/tallies.ts';
import type { TrialFacts } from './trial-facts.ts';

type Truth = 'pass' | 'fail';
type Row = Readonly<Record<Outcome, number>>;

const truths = ['pass', 'fail'] as const;
const outcomes = ['pass', 'fail', ...gapNames] as const;

/**
 * The outcomes of each case's trials by its place in the dataset, or those of cases that belong together by their unit. Equal ones are
 * one object, because a hundred thousand cases have few.
 */
export type CaseCounts = ReadonlyMap<number, Confusion>;

const rowKey = (row: Row): string => outcomes.map((outcome) => row[outcome]).join(' ');

/** Equal for equal tables. */
export const confusionKey = ({ pass, fail }: Confusion): string => `${rowKey(pass)} ${rowKey(fail)}`;

/** Counts trials one by one. */
function createCounts() {
  const cases = new Map<number, Confusion>();
  const none: Confusion = noConfusion();
  const known = new Map([[confusionKey(none), none]]);
  const follow = new Map<Confusion, Map<string, Confusion>>();
  /** The table with one more trial. */
  function plusOne(own: Confusion, truth: Truth, outcome: Outcome): Confusion {
    const nexts = follow.get(own) ?? new Map<string, Confusion>();
    follow.set(own, nexts);
    const step = truth === 'pass' ? outcome : `fail ${outcome}`;
    const found = nexts.get(step);
    if (found !== undefined) return found;
    const made = { ...own, [truth]: { ...own[truth], [outcome]: own[truth][outcome] + 1 } };
    const next = known.get(confusionKey(made)) ?? made;
    known.set(confusionKey(made), next);
    nexts.set(step, next);
    return next;
  }
  return {
    cases,
    add(place: number, truth: Truth, outcome: Outcome): void {
      cases.set(place, plusOne(cases.get(place) ?? none, truth, outcome));
    },
  };
}

/** Whether trials count by case, or by cases that belong together: these are the units of intervals. */
type By = 'place' | 'unit';

/** Counts the outcomes of labeled trials, or of findings on a criterion. */
export function countCases(
  facts: readonly Pick<TrialFacts, By | 'truth' | 'outcome'>[],
  by: By = 'unit',
): CaseCounts {
  const counts = createCounts();
  for (const { [by]: place, truth, outcome } of facts) if (truth !== null) counts.add(place, truth, outcome);
  return counts.cases;
}

/**
 * Counts the outcomes of all trials that give no score, as if every response were right: the accuracy of these counts is the share of
 * passes.
 */
export function countPasses(facts: readonly TrialFacts[], by: By = 'unit'): CaseCounts {
  const counts = createCounts();
  for (const { [by]: place, score, outcome } of facts) if (score === null) counts.add(place, 'pass', outcome);
  return counts.cases;
}

/** How many cases some trials are of. */
export const casesIn = (facts: readonly Pick<TrialFacts, 'place'>[]): number =>
  new Set(facts.map(({ place }) => place)).size;

/** The facts of each case, by its place. */
export const byCase = (facts: readonly TrialFacts[]): Map<number, TrialFacts[]> =>
  groupedBy(facts, ({ place }) => place);

/** The most common outcome of some trials; undecided if two are equally common. */
export function commonest(counts: Readonly<Row>): Outcome {
  const most = Math.max(...outcomes.map((outcome) => counts[outcome]));
  const [first = 'unanswered', ...others] = outcomes.filter((outcome) => counts[outcome] === most);
  return others.length === 0 ? first : 'undecided';
}

export function countOutcomes(facts: readonly Pick<TrialFacts, 'outcome'>[]): Row {
  const counts = noConfusion().pass;
  for (const { outcome } of facts) counts[outcome] += 1;
  return counts;
}

/** Counts equal items. @param keyOf equal for equal items */
export const binsOf = <T>(items: Iterable<T>, keyOf: (item: T) => string): Bin<T>[] =>
  mergedBins(singly(items), keyOf);

/**
 * Cases, or units, binned by the outcomes of all their trials, because these are not independent of each other. A few bins represent
 * any number of cases.
 */
export function caseBins(cases: CaseCounts): Bin<Confusion>[] {
  const bins = new Map<Confusion, Bin<Confusion>>();
  for (const value of cases.values()) {
    const bin = bins.get(value);
    if (bin === undefined) bins.set(value, { value, items: 1 });
    else bin.items += 1;
  }
  return [...bins.values()];
}

/** Sums the tables of all cases. */
export function sumOfBins(bins: readonly Bin<Confusion>[]): Confusion {
  const sum = noConfusion();
  for (const { value, items } of bins)
    for (const truth of truths)
      for (const outcome of outcomes) sum[truth][outcome] += items * value[truth][outcome];
  return sum;
}

const isDecided = ({ pass, fail }: Confusion): boolean => pass.pass + pass.fail + fail.pass + fail.fail > 0;

/** The cases that both sides decided at least once. */
export const bothDecided = <T extends Record<'first' | 'second', Confusion>>(cases: readonly T[]): T[] =>
  cases.filter(({ first, second }) => isDecided(first) && isDecided(second));

/** The decisions of all cases. Called for every case that an interval leaves out, hence a plain loop. @param gaps how trials without a decision count */
export function countsIn(bins: readonly Bin<Confusion>[], gaps: GapRule): BinaryCounts {
  const counts = { tp: 0, fp: 0, fn: 0, tn: 0 };
  const wrong = gaps === 'wrong' ? 1 : 0;
  for (const { value, items } of bins) {
    const { pass, fail } = value;
    counts.tp += items * pass.pass;
    counts.fn += items * (pass.fail + wrong * gapsIn(pass));
    counts.fp += items * (fail.pass + wrong * gapsIn(fail));
    counts.tn += items * fail.fail;
  }
  return counts;
}
