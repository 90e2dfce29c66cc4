import type { Confusion, Outcome } from '../../statistics/classification.ts';
import type { Bin } from '../../statistics/tallies.ts';

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
