import { JuryError } from '../common/errors.ts';
import type { Voted } from './label.ts';
import type { LabelStore } from './labels.ts';

/**
 * One verdict with its votes and the ruling on it.
 * @throws JuryError `usage` where no verdict of that id is kept
 */
export async function readVoted(store: LabelStore, id: string): Promise<Voted> {
  const record = await store.verdict(id);
  if (record === null)
    throw new JuryError(
      'usage',
      `There is no verdict "${id}". "jury labels aggregate" lists those that somebody voted on.`,
    );
  const rulings = await store.adjudications();
  return {
    record,
    votes: await store.votes(id),
    adjudication: rulings.find(({ verdictId }) => verdictId === id) ?? null,
  };
}
