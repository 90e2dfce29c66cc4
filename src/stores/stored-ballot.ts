import * as z from 'zod';
import { type Ballot, BlindVote, Correction, type Vote, VoteValue } from '../labels/vote.ts';

/** What both adapters keep of a ballot beside its keys and its time. `value` null: taken back (a tombstone). */
export const StoredBallot = z.strictObject({
  value: VoteValue.nullable(),
  correction: Correction.optional(),
  blind: BlindVote.optional(),
  surface: z.string(),
});
export type StoredBallot = z.infer<typeof StoredBallot>;

/** The same ballot is the same text. What a person adds to a vote goes with the vote. */
export function writeBallot({ value, correction, blind, surface }: Ballot): string {
  const kept =
    value === null
      ? {}
      : {
          ...(correction === undefined ? {} : { correction: Correction.parse(correction) }),
          ...(blind === undefined ? {} : { blind: BlindVote.parse(blind) }),
        };
  return JSON.stringify({ value, ...kept, surface } satisfies StoredBallot);
}

/** The vote that a kept ballot stands for; null for one that was taken back. */
export function standingVote(
  keys: { verdictId: string; voter: string; at: number },
  { value, correction, blind, surface }: StoredBallot,
): Vote | null {
  if (value === null) return null;
  return {
    ...keys,
    value,
    ...(correction === undefined ? {} : { correction }),
    ...(blind === undefined ? {} : { blind }),
    surface,
  };
}
