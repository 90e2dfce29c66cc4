import type { Bin } from '../../core/metrics/bin.ts';
import type { Confusion, Outcome } from '../../core/metrics/confusion.ts';
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

/** What a case came to where it is known what is right. */
type Judged = Pick<TrialFacts, 'place' | 'truth' | 'outcome'>;

/** How the trials of each case with a known truth fell out. */
export function confusionByCase(facts: readonly Judged[]): Map<number, Confusion> {
  const cases = new Map<number, Record<'pass' | 'fail', Record<Outcome, number>>>();
  for (const { place, truth, outcome } of facts) {
    if (truth === null) continue;
    let own = cases.get(place);
    if (own === undefined) {
      own = { pass: { ...none }, fail: { ...none } };
      cases.set(place, own);
    }
    own[truth][outcome] += 1;
  }
  return cases;
}

/** What two tables that count the same have in common. */
export const confusionKey = ({ pass, fail }: Confusion): string =>
  `${pass.pass} ${pass.fail} ${pass.undecided} ${pass.unscored} ${fail.pass} ${fail.fail} ${fail.undecided} ${fail.unscored}`;

/** Counts items that look the same. @param keyOf equal for those that do */
export function binsOf<T>(items: Iterable<T>, keyOf: (item: T) => string): Bin<T>[] {
  const bins = new Map<string, Bin<T>>();
  for (const value of items) {
    const key = keyOf(value);
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
export const caseBins = (facts: readonly Judged[]): Bin<Confusion>[] =>
  binsOf(confusionByCase(facts).values(), confusionKey);

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
