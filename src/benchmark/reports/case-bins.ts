import type { BinaryCounts, Confusion, Outcome } from '../../statistics/classification.ts';
import type { Bin } from '../../statistics/tallies.ts';
import type { TrialFacts } from './trial-facts.ts';

/** A way in which a case can fall out, with those that one more trial makes of it. */
interface Table {
  confusion: Confusion;
  next: Record<'pass' | 'fail', Partial<Record<Outcome, Table>>>;
}

const noRow = { pass: 0, fail: 0, undecided: 0, unscored: 0 };
const noTrials: Confusion = { pass: noRow, fail: noRow };

const rowKey = (row: Confusion['pass']): string => `${row.pass} ${row.fail} ${row.undecided} ${row.unscored}`;

/** What two tables that count the same have in common. */
export const confusionKey = ({ pass, fail }: Confusion): string => `${rowKey(pass)} ${rowKey(fail)}`;

/** Counts trials by case. Ways to fall out are few, so that there is one table each, and cases only point to theirs. */
export interface CaseCounter {
  add(place: number, truth: 'pass' | 'fail', outcome: Outcome): void;
  byCase(): Map<number, Confusion>;
  /** How many cases fell out in each way. */
  bins(): Bin<Confusion>[];
}

export function createCaseCounter(): CaseCounter {
  const tables = new Map<string, Table>();
  const cases = new Map<number, Table>();

  function tableOf(confusion: Confusion): Table {
    const key = confusionKey(confusion);
    const known = tables.get(key);
    if (known !== undefined) return known;
    const made: Table = { confusion, next: { pass: {}, fail: {} } };
    tables.set(key, made);
    return made;
  }
  function after(table: Table, truth: 'pass' | 'fail', outcome: Outcome): Table {
    const known = table.next[truth][outcome];
    if (known !== undefined) return known;
    const row = table.confusion[truth];
    const made = tableOf({ ...table.confusion, [truth]: { ...row, [outcome]: row[outcome] + 1 } });
    table.next[truth][outcome] = made;
    return made;
  }
  const none = tableOf(noTrials);
  return {
    add(place, truth, outcome) {
      cases.set(place, after(cases.get(place) ?? none, truth, outcome));
    },
    byCase: () => new Map([...cases].map(([place, { confusion }]) => [place, confusion])),
    bins() {
      const counts = new Map<Table, number>();
      for (const table of cases.values()) counts.set(table, (counts.get(table) ?? 0) + 1);
      return [...counts].map(([{ confusion }, items]) => ({ value: confusion, items }));
    },
  };
}

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

/** How the trials of each case with a known truth fell out. */
export function countCases(facts: readonly TrialFacts[]): CaseCounter {
  const counter = createCaseCounter();
  for (const { place, truth, outcome } of facts) if (truth !== null) counter.add(place, truth, outcome);
  return counter;
}

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
export const caseBins = (facts: readonly TrialFacts[]): Bin<Confusion>[] => countCases(facts).bins();

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

/** The decisions of all cases of the bins; trials without one are left out. Of every resample, so it is a plain loop. */
export function decidedCounts(bins: readonly Bin<Confusion>[]): BinaryCounts {
  const counts = { tp: 0, fp: 0, fn: 0, tn: 0 };
  for (const { value, items } of bins) {
    counts.tp += items * value.pass.pass;
    counts.fn += items * value.pass.fail;
    counts.fp += items * value.fail.pass;
    counts.tn += items * value.fail.fail;
  }
  return counts;
}

const none = { pass: 0, fail: 0, undecided: 0, unscored: 0 };
