import * as z from 'zod';
import { singleSpaced } from '../../common/text/index.ts';
import type { Rubric } from '../../judging/standards/index.ts';
import { isSameRight, Right, readRight, type VerdictRecord, type Vote } from '../record/index.ts';

/** A ruling on a verdict by a person in charge, such as a `safety lead`. It overrides all votes. */
export const Adjudication = z.strictObject({
  verdictId: z.string(),
  right: Right,
  /** A criterion's id or one of the rubric's error types. */
  errorType: z.string().optional(),
  /** The role of the person who ruled; not a name, because it is displayed. */
  role: z.string().trim().min(1).max(60),
  comment: z.string().max(3000).optional(),
  /** ms since the epoch; the newest ruling counts. */
  at: z.number(),
});
export type Adjudication = z.infer<typeof Adjudication>;

/** A verdict with its votes and the ruling on it. */
export interface Voted {
  record: VerdictRecord;
  votes: readonly Vote[];
  adjudication: Adjudication | null;
}

export interface AdjudicationStore {
  /**
   * Rules on a verdict. The newest `at` wins; repeating a ruling changes nothing. It is deleted with its verdict and
   * does not change vote counts.
   */
  adjudicate(ruling: Adjudication): Promise<'kept' | 'unchanged' | 'outdated' | 'unknown-verdict'>;
  /** The current ruling on a verdict; null if there is none. */
  adjudication(verdictId: string): Promise<Adjudication | null>;
  /** The current ruling on each verdict, oldest first. */
  adjudications(): Promise<Adjudication[]>;
}

/** A ruling as typed. */
export interface Ruling {
  /** `pass`, `fail` or a score. */
  right: string;
  role: string;
  errorType?: string;
  comment?: string;
}

/** In characters. */
const maxLength = { role: 60, comment: 3000 };

/** The error types that a ruling or vote may name: the verdict's criteria and the rubric's own error types. */
const errorTypesOf = ({ verdict }: VerdictRecord, rubric: Rubric | undefined): string[] => [
  ...new Set([...verdict.criteria.map(({ id }) => id), ...(rubric?.errorTypes ?? []).map(({ id }) => id)]),
];

/** Why this error cannot go with what is right; null if it can. */
export function errorProblem(
  record: VerdictRecord,
  rubric: Rubric | undefined,
  right: Right | null,
  errorType: string | undefined,
): string | null {
  if (errorType === undefined) return null;
  if (right?.kind === 'decision' && right.decision === 'pass')
    return `"pass" and the error "${errorType}" contradict each other`;
  const errorTypes = errorTypesOf(record, rubric);
  return errorTypes.includes(errorType)
    ? null
    : `unknown error type "${errorType}"; choose one of: ${errorTypes.join(', ')}`;
}

/**
 * Checks a ruling against the verdict's rubric.
 *
 * @param rubric undefined if the prompt files no longer contain it
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
  const name = singleSpaced(role);
  if (name === '' || name.length > maxLength.role)
    return { problem: `the role must be 1 to ${maxLength.role} characters long, such as "safety lead"` };
  const note = comment?.trim() ?? '';
  if (note.length > maxLength.comment)
    return { problem: `the note is ${note.length} characters long; the limit is ${maxLength.comment}` };
  const wrong = errorProblem(record, rubric, right, errorType);
  if (wrong !== null) return { problem: wrong };
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

/** Whether a ruling adds nothing to the previous one. Leaving out a note or an error type does not retract it. */
const addsNothing = (now: Adjudication, before: Adjudication): boolean =>
  isSameRight(now.right, before.right) &&
  now.role === before.role &&
  (now.errorType ?? before.errorType) === before.errorType &&
  (now.comment ?? before.comment) === before.comment;

/** `unchanged`: the ruling added nothing to the current one. */
export type Ruled = 'kept' | 'replaced' | 'unchanged';

/** Records a ruling in the audit log before it is saved. */
export type NoteRuling = (after: Adjudication, before: Adjudication | null) => Promise<void>;

/**
 * Saves a ruling unless it adds nothing to the current one.
 *
 * @param before the current ruling
 */
export async function keepRuling(
  store: AdjudicationStore,
  ruling: Adjudication,
  before: Adjudication | null,
  note: NoteRuling,
): Promise<{ ruled: Ruled } | { problem: string }> {
  if (before !== null && addsNothing(ruling, before)) return { ruled: 'unchanged' };
  await note(ruling, before);
  const outcome = await store.adjudicate(ruling);
  if (outcome === 'kept') return { ruled: before === null ? 'kept' : 'replaced' };
  if (outcome === 'unknown-verdict') return { problem: 'the verdict has been deleted' };
  return {
    problem: `a newer ruling exists; see "jury labels show ${ruling.verdictId}". If it is dated in the future, correct this machine's clock`,
  };
}
