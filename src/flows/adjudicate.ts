import type { Adjudication } from '../core/adjudication.ts';
import { JuryError } from '../core/errors.ts';
import { isSameRight, readRight } from '../core/right.ts';
import type { Rubric } from '../core/rubric.ts';
import type { VerdictRecord } from '../core/verdict-record.ts';
import type { Store } from '../store/store.ts';

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

/** Whether two rulings say the same, whenever they were given. */
const saySame = (a: Adjudication, b: Adjudication): boolean =>
  isSameRight(a.right, b.right) &&
  a.role === b.role &&
  a.errorType === b.errorType &&
  a.comment === b.comment;

/** What a ruling did: `replaced` another one, `unchanged` where the same stood already. */
export type Ruled = 'kept' | 'replaced' | 'unchanged';

/**
 * Keeps a ruling unless the same stands.
 *
 * @param before what stood on the verdict
 * @throws JuryError `usage` where the verdict is gone or a newer ruling stands
 */
export async function keepRuling(
  store: Pick<Store, 'adjudicate'>,
  ruling: Adjudication,
  before: Adjudication | null,
): Promise<Ruled> {
  if (before !== null && saySame(before, ruling)) return 'unchanged';
  const outcome = await store.adjudicate(ruling);
  switch (outcome) {
    case 'kept':
      return before === null ? 'kept' : 'replaced';
    case 'unchanged':
    case 'outdated':
      throw new JuryError(
        'usage',
        `A newer ruling on ${ruling.verdictId} stands: see "jury labels show ${ruling.verdictId}". If it is from the future, set the clock of this machine.`,
      );
    case 'unknown-verdict':
      throw new JuryError('usage', `The verdict ${ruling.verdictId} is no longer kept.`);
  }
}
