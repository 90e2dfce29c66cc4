import * as z from 'zod';
import { Right } from './right.ts';

/** A ruling on a verdict by somebody whose role it is to rule, such as `safety lead`; it stands above all votes. */
export const Adjudication = z.strictObject({
  verdictId: z.string(),
  right: Right,
  /** By criterion id or the rubric's error type id. */
  errorType: z.string().optional(),
  /** The role in which it was given; a role and not a name, since it is shown. */
  role: z.string().trim().min(1).max(60),
  comment: z.string().max(3000).optional(),
  /** ms since the epoch; the newest ruling counts. */
  at: z.number(),
});
export type Adjudication = z.infer<typeof Adjudication>;

export interface AdjudicationStore {
  /**
   * Rules on a verdict. The newest `at` wins; the same again changes nothing. Goes with its verdict; moves no counts, since those
   * are of votes.
   */
  adjudicate(ruling: Adjudication): Promise<'kept' | 'unchanged' | 'outdated' | 'unknown-verdict'>;
  /** Every standing ruling, oldest first. */
  adjudications(): Promise<Adjudication[]>;
}
