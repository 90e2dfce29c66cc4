import * as z from 'zod';
import type { Rubric } from '../judging/rubric.ts';
import type { VerdictRecord } from './verdict-record.ts';
import { isSameRight, Right, readRight } from './vote.ts';

/** A ruling on a verdict by a person whose role it is to rule, such as `safety lead`; it stands above all votes. */
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

/** What somebody rules, as written. */
export interface Ruling {
  /** `pass`, `fail` or a score. */
  right: string;
  role: string;
  errorType?: string;
  comment?: string;
}

/** Most characters of a role and of a note. */
const longest = { role: 60, comment: 3000 };

/** The kinds of error that can be named for a verdict: its criteria, and what its rubric knows beside them. */
const errorTypesOf = ({ verdict }: VerdictRecord, rubric: Rubric | undefined): string[] => [
  ...new Set([...verdict.criteria.map(({ id }) => id), ...(rubric?.errorTypes ?? []).map(({ id }) => id)]),
];

/**
 * A ruling on a verdict, checked against what its rubric decides and which errors it knows.
 *
 * @param rubric undefined where the prompt files no longer hold it
 * @param at ms since the epoch
 */
export function rulingOn(
  record: VerdictRecord,
  rubric: Rubric | undefined,
  { right: text, role, errorType, comment }: Ruling,
  at: number,
): { ruling: Adjudication } | { problem: string } {
  const read = readRight(text, record.verdict);
  if ('problem' in read) return read;
  const { right } = read;
  const name = role.replaceAll(/\s+/g, ' ').trim();
  if (name === '' || name.length > longest.role)
    return { problem: `a role has 1 to ${longest.role} characters, such as "safety lead"` };
  const note = comment?.trim() ?? '';
  if (note.length > longest.comment)
    return { problem: `the note has ${note.length} characters, the limit is ${longest.comment}` };
  if (errorType !== undefined) {
    if (right.kind === 'decision' && right.decision === 'pass')
      return { problem: `"pass" and the error "${errorType}" contradict each other` };
    const known = errorTypesOf(record, rubric);
    if (!known.includes(errorType))
      return { problem: `there is no kind of error "${errorType}"; there is: ${known.join(', ')}` };
  }
  return {
    ruling: {
      verdictId: record.id,
      right,
      role: name,
      ...(errorType === undefined ? {} : { errorType }),
      ...(note === '' ? {} : { comment: note }),
      at,
    },
  };
}

/** Whether a ruling adds nothing to the one that stands; what it leaves out, a note say, it does not take back. */
const addsNothing = (now: Adjudication, before: Adjudication): boolean =>
  isSameRight(now.right, before.right) &&
  now.role === before.role &&
  (now.errorType ?? before.errorType) === before.errorType &&
  (now.comment ?? before.comment) === before.comment;

/** What a ruling did: `replaced` another one, `unchanged` where it added nothing to the one that stood. */
export type Ruled = 'kept' | 'replaced' | 'unchanged';

/**
 * Keeps a ruling unless it adds nothing to what stands.
 *
 * @param before what stood on the verdict
 */
export async function keepRuling(
  store: AdjudicationStore,
  ruling: Adjudication,
  before: Adjudication | null,
): Promise<{ ruled: Ruled } | { problem: string }> {
  if (before !== null && addsNothing(ruling, before)) return { ruled: 'unchanged' };
  switch (await store.adjudicate(ruling)) {
    case 'kept':
      return { ruled: before === null ? 'kept' : 'replaced' };
    case 'unchanged':
    case 'outdated':
      return {
        problem: `a newer ruling stands, see "jury labels show ${ruling.verdictId}"; where it is from the future, set the clock of this machine`,
      };
    case 'unknown-verdict':
      return { problem: 'the verdict is no longer kept' };
  }
}
