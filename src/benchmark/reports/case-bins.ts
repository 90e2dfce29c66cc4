import type { Bin } from '../../core/metrics/bin.ts';
import { type Confusion, confusionOf } from '../../core/metrics/confusion.ts';
import type { TrialFacts } from './trial-facts.ts';

/** Trials by case. */
export function byCase(facts: readonly TrialFacts[]): Map<number, TrialFacts[]> {
  const cases = new Map<number, TrialFacts[]>();
  for (const fact of facts) {
    const own = cases.get(fact.place);
    if (own === undefined) cases.set(fact.place, [fact]);
    else own.push(fact);
  }
  return cases;
}

/** Trials of cases with a known truth, by case. */
export const labeledByCase = (facts: readonly TrialFacts[]): Map<number, TrialFacts[]> =>
  byCase(facts.filter(({ truth }) => truth !== null));

export const confusionOfFacts = (facts: readonly TrialFacts[]): Confusion =>
  confusionOf(facts.flatMap(({ truth, outcome }) => (truth === null ? [] : [{ truth, outcome }])));

/** Counts items that look the same. */
export function binsOf<T>(items: Iterable<T>): Bin<T>[] {
  const bins = new Map<string, Bin<T>>();
  for (const value of items) {
    const key = JSON.stringify(value);
    const bin = bins.get(key);
    if (bin === undefined) bins.set(key, { value, items: 1 });
    else bin.items += 1;
  }
  return [...bins.values()];
}

/**
 * "So many cases fell out like this": how the repeats of one case fell out is the unit that is resampled, because they are
 * not independent. A few bins stand for any number of cases.
 */
export const caseBins = (facts: readonly TrialFacts[]): Bin<Confusion>[] =>
  binsOf([...labeledByCase(facts).values()].map(confusionOfFacts));

const truths = ['pass', 'fail'] as const;
const outcomes = ['pass', 'fail', 'undecided', 'unscored'] as const;

/** All cases of the bins in one table. */
export function sumOfBins(bins: readonly Bin<Confusion>[]): Confusion {
  const sum = { pass: { ...none }, fail: { ...none } };
  for (const { value, items } of bins)
    for (const truth of truths)
      for (const outcome of outcomes) sum[truth][outcome] += items * value[truth][outcome];
  return sum;
}

const none = { pass: 0, fail: 0, undecided: 0, unscored: 0 };
