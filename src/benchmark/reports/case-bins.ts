import type { BinaryCounts, Confusion, Outcome } from '../../statistics/classification.ts';
import type { Bin } from '../../statistics/tallies.ts';
import type { TrialFacts } from './trial-facts.ts';

/** The outcomes of a case's trials so far, with links to the tables after one more trial. */
interface Table {
  confusion: Confusion;
  next: Record<'pass' | 'fail', Partial<Record<Outcome, Table>>>;
}

const noRow = { pass: 0, fail: 0, undecided: 0, unscored: 0 };
const noTrials: Confusion = { pass: noRow, fail: noRow };

const rowKey = (row: Confusion['pass']): string => `${row.pass} ${row.fail} ${row.undecided} ${row.unscored}`;

/** Equal for equal tables. */
export const confusionKey = ({ pass, fail }: Confusion): string => `${rowKey(pass)} ${rowKey(fail)}`;

/** Counts trials by case. Cases share equal tables, of which there are few. */
export interface CaseCounter {
  add(place: number, truth: 'pass' | 'fail', outcome: Outcome): void;
  byCase(): Map<number, Confusion>;
  /** Number of cases per table. */
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

export function byCase(facts: readonly TrialFacts[]): Map<number, TrialFacts[]> {
  const cases = new Map<number, TrialFacts[]>();
  for (const fact of facts) {
    const own = cases.get(fact.place);
    if (own === undefined) cases.set(fact.place, [fact]);
    else own.push(fact);
  }
  return cases;
}

/** Counts the outcomes of labeled cases. */
export function countCases(facts: readonly TrialFacts[]): CaseCounter {
  const counter = createCaseCounter();
  for (const { place, truth, outcome } of facts) if (truth !== null) counter.add(place, truth, outcome);
  return counter;
}

/** Counts equal items. @param keyOf equal for equal items */
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
 * Cases binned by the outcomes of their repeats. Cases, not trials, are resampled, because repeats are not independent. A few bins
 * represent any number of cases.
 */
export const caseBins = (facts: readonly TrialFacts[]): Bin<Confusion>[] => countCases(facts).bins();

const truths = ['pass', 'fail'] as const;
const outcomes = ['pass', 'fail', 'undecided', 'unscored'] as const;

/** Sums the tables of all cases. */
export function sumOfBins(bins: readonly Bin<Confusion>[]): Confusion {
  const sum = { pass: { ...none }, fail: { ...none } };
  for (const { value, items } of bins)
    for (const truth of truths)
      for (const outcome of outcomes) sum[truth][outcome] += items * value[truth][outcome];
  return sum;
}

/** The decisions of all cases; trials without one are left out. Called for every resample, hence a plain loop. */
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
