import * as z from 'zod';
import { KeptCase } from '../case/case.ts';
import { Trust } from '../judging/trust.ts';
import { Verdict } from '../judging/verdict.ts';
import { Subject } from './subject.ts';

/** Where a request came from and where its verdict stands. Ids are the platform's own. */
const Source = z.strictObject({
  surface: z.string(),
  team: z.string(),
  channel: z.string(),
  /** The thread that it belongs to, and the message that holds the card, where there is one. */
  thread: z.string().nullable(),
  message: z.string().nullable(),
  permalink: z.string().optional(),
});

/** A verdict as it is kept: with its case, where it was given, and what votes on it speak about. */
export const VerdictRecord = z.strictObject({
  id: z.string(),
  at: z.number(),
  evalCase: KeptCase,
  verdict: Verdict,
  source: Source,
  subjects: z.array(Subject),
  /** Whether it is shown to each person only after their own vote. Stays as it was when the verdict was asked for. */
  blind: z.boolean().optional(),
  /** What was known of such verdicts when it was given; it stays so, whatever is voted later. Absent where it was too little. */
  trust: Trust.optional(),
});
export type VerdictRecord = z.infer<typeof VerdictRecord>;
