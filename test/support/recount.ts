import { type CountRow, countKeys, type VerdictRecord } from '../../src/labels/record/verdict-record.ts';
import type { Vote, VoteTally } from '../../src/labels/record/vote.ts';
import { emptyTallies, noStances, stancesOf, tallyMoves } from '../../src/labels/record/vote-subjects.ts';
import type { Store } from '../../src/stores/store.ts';

const everyDay = { from: '0000-01-01', to: '9999-12-31' };

/** Rows in an order of their own, so that those of two stores can be compared. */
const sorted = (rows: readonly CountRow[]): CountRow[] =>
  rows
    .map((row): [string, CountRow] => [JSON.stringify([Object.entries(row.key).sort(), row.tally]), row])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row);

export const countsOf = async (store: Store): Promise<CountRow[]> => sorted(await store.counts(everyDay));

function talliesOf(record: VerdictRecord, votes: readonly Vote[]): VoteTally[] {
  const tallies = emptyTallies(record.subjects);
  for (const vote of votes) {
    const stances = stancesOf(record.subjects, record.verdict.decision, vote);
    for (const { place, to } of tallyMoves(tallies, noStances(record.subjects), stances)) tallies[place] = to;
  }
  return tallies;
}

/** What the counts have to be, from the verdicts and the standing votes alone. Nothing may have been pruned. */
export async function recount(store: Store): Promise<CountRow[]> {
  const votes = new Map<string, readonly Vote[]>();
  for await (const { record, votes: standing } of store.allVoted()) votes.set(record.id, standing);
  const rows = new Map<string, CountRow>();
  for (const record of await store.recentVerdicts({ channel: null, limit: 1_000_000 })) {
    const tallies = talliesOf(record, votes.get(record.id) ?? []);
    for (const [index, key] of countKeys(record).entries()) {
      const tally = tallies[index + 1];
      if (tally === undefined) throw new Error('a subject without a tally');
      const name = JSON.stringify([key, tally]);
      rows.set(name, { key, tally, items: (rows.get(name)?.items ?? 0) + 1 });
    }
  }
  return sorted([...rows.values()]);
}
