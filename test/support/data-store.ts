import { join } from 'node:path';
import type { Correction, VoteValue } from '../../src/labels/record/vote.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { aBallot } from './store-builders.ts';

/** The store that a command started in a folder uses, for as long as it is filled or looked at. */
export async function inDataOf<T>(cwd: string, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openSqliteStore(join(cwd, 'data', 'jury.db'));
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** What a person votes: a thumb, or one with what is right. */
export type Said = VoteValue | [VoteValue, Partial<Correction>];

/** Votes on a verdict, by voter. */
export async function voteOn(
  store: Pick<Store, 'castVote'>,
  verdictId: string,
  said: Readonly<Record<string, Said>>,
): Promise<void> {
  for (const [voter, one] of Object.entries(said)) {
    const [value, correction] = typeof one === 'string' ? [one] : one;
    await store.castVote(
      aBallot({
        verdictId,
        voter,
        value,
        ...(correction === undefined ? {} : { correction: { criteria: [], judges: [], ...correction } }),
      }),
    );
  }
}
