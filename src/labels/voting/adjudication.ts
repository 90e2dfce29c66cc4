import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { EvalCase } from '../../case/index.ts';
import type { KeyValue } from '../../common/index.ts';
import { type CasePlan, type JudgeContext, judgeCase } from '../../judging/index.ts';
import type { Rubric } from '../../judging/standards/index.ts';
import {
  ballotOf,
  isNearest,
  isSameRight,
  Right,
  readRight,
  rightOf,
  rightText,
  saveJudged,
  subjectsOf,
  type VerdictRecord,
  type VerdictStore,
  type Vote,
} from '../record/index.ts';

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
  const name = role.replaceAll(/\s+/g, ' ').trim();
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

interface GoldParts extends JudgeContext {
  store: VerdictStore & AdjudicationStore & KeyValue;
}

/** A case whose answer is known, and the plan for judging it. */
export interface GoldCase {
  plan: CasePlan;
  right: Right;
  errorType: string | undefined;
}

/** The role recorded for answers that came with a dataset. */
const ROLE = 'dataset';

/** Null if the label has neither a decision nor a score. */
export function rightOfLabel({ label }: Pick<EvalCase, 'label'>): Right | null {
  if (label?.decision !== undefined) return { kind: 'decision', decision: label.decision };
  return label?.score === undefined ? null : { kind: 'score', score: label.score };
}

/** A case without its answer, and without an id that could give it away. */
export function withoutAnswer({ label: _label, id: _id, ...evalCase }: EvalCase): EvalCase {
  return evalCase;
}

/**
 * The result of adding a case. `corrected`: it replaced a different answer from a dataset. `overruled`: a person has
 * since ruled differently, and that ruling stands. `stopped`: nothing was saved. `problem`: the verdict cannot have
 * this answer, and nothing was saved.
 */
export type GoldOutcome = 'added' | 'known' | 'corrected' | 'overruled' | 'stopped' | { problem: string };

/**
 * Adds a case with a known answer to a channel's queue: judged, ruled on, and hidden until the viewer has voted. It has
 * no message of its own. Adding the same case to the same channel again changes nothing.
 *
 * @param standing rulings by verdict id
 * @throws JuryError `store-unavailable`
 */
export async function addGold(
  { store, ...context }: GoldParts,
  { surface, channel }: { surface: string; channel: string },
  { plan, right, errorType }: GoldCase,
  standing: ReadonlyMap<string, Adjudication>,
): Promise<GoldOutcome> {
  const content = JSON.stringify(plan.evalCase);
  const id = createHash('sha256').update(`gold\n${channel}\n${content}`).digest('hex').slice(0, 20);
  const storedRecord = await store.verdict(id);
  const verdict = storedRecord?.verdict ?? (await judgeCase(plan, context));
  // Do not save a verdict that was cut short: the case would count as known and never be judged again.
  if (storedRecord === null && context.signal.aborted) return 'stopped';
  const read = readRight(rightText(right), verdict);
  if ('problem' in read) return read;
  if (storedRecord === null) {
    const record: VerdictRecord = {
      id,
      at: context.now(),
      evalCase: plan.shown,
      verdict,
      source: { surface, team: '', channel, thread: null, message: null },
      subjects: subjectsOf(verdict),
      blind: true,
    };
    await saveJudged(store, record);
  }
  const before = standing.get(id);
  const isOther = before !== undefined && !isSameRight(before.right, right);
  if (before !== undefined && before.role !== ROLE) return isOther ? 'overruled' : 'known';
  await store.adjudicate({
    verdictId: id,
    right,
    ...(errorType === undefined ? {} : { errorType }),
    role: ROLE,
    at: context.now(),
  });
  if (storedRecord === null) return 'added';
  return isOther ? 'corrected' : 'known';
}

/**
 * Whether a vote matches the ruling; null if it implies nothing about the case. A score matches if no
 * other level is closer to the ruled score than the voter's; agreeing with the panel means the level closest to its score.
 */
export function isGoldRight(
  vote: Vote,
  { verdict }: VerdictRecord,
  { right: ruled }: Pick<Adjudication, 'right'>,
): boolean | null {
  const rightByVote = rightOf(vote, verdict);
  if (rightByVote === null) return null;
  if (rightByVote.kind === 'decision' || ruled.kind === 'decision')
    return (
      rightByVote.kind === 'decision' && ruled.kind === 'decision' && rightByVote.decision === ruled.decision
    );
  const ballot = ballotOf(verdict);
  const levels = ballot.kind === 'score' ? ballot.levels : [];
  // A vote that agrees with a panel's 2.7 means the closest level; a voter could not have chosen 2.7.
  const meant = levels.filter((level) => isNearest(level, levels, rightByVote.score));
  return meant.some((level) => isNearest(level, levels, ruled.score));
}
