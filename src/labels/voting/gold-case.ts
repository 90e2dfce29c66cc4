import { createHash } from 'node:crypto';
import type { EvalCase } from '../../case/index.ts';
import type { KeyValue } from '../../common/index.ts';
import { type CasePlan, type JudgeContext, judgeCase } from '../../judging/index.ts';
import {
  ballotOf,
  isNearest,
  isSameRight,
  type Right,
  readRight,
  rightOf,
  rightText,
  saveJudged,
  subjectsOf,
  type VerdictRecord,
  type VerdictStore,
  type Vote,
} from '../record/index.ts';
import type { Adjudication, AdjudicationStore } from './adjudication.ts';

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
export const GOLD_ROLE = 'dataset';

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
  const id = goldId(channel, content);
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
  if (before !== undefined && before.role !== GOLD_ROLE) return isOther ? 'overruled' : 'known';
  await store.adjudicate({
    verdictId: id,
    right,
    ...(errorType === undefined ? {} : { errorType }),
    role: GOLD_ROLE,
    at: context.now(),
  });
  if (storedRecord === null) return 'added';
  return isOther ? 'corrected' : 'known';
}

/** The id of the hidden copy of a case in a channel's queue. */
const goldId = (channel: string, content: string): string =>
  createHash('sha256').update(`gold\n${channel}\n${content}`).digest('hex').slice(0, 20);

/**
 * Adds the case of a verdict to its channel's queue once more, as a case with a known answer: under the same verdict, ruled on, and
 * hidden until the viewer has voted.
 *
 * @param note records in the audit log what is about to change
 * @throws JuryError `store-unavailable`
 */
export async function addVerdictAsGold(
  store: GoldParts['store'],
  { evalCase, verdict, source: { surface, channel } }: VerdictRecord,
  right: Right,
  now: number,
  note: (outcome: 'added' | 'corrected') => Promise<void>,
): Promise<Exclude<GoldOutcome, 'stopped'>> {
  const shown = withoutAnswer(evalCase);
  const id = goldId(channel, JSON.stringify(shown));
  const isNew = (await store.verdict(id)) === null;
  const before = await store.adjudication(id);
  if (before !== null && isSameRight(before.right, right)) return 'known';
  if (before !== null && before.role !== GOLD_ROLE) return 'overruled';
  const outcome = isNew ? 'added' : 'corrected';
  await note(outcome);
  const source = { surface, team: '', channel, thread: null, message: null };
  const record = {
    id,
    at: now,
    evalCase: shown,
    verdict,
    source,
    subjects: subjectsOf(verdict),
    blind: true,
  };
  if (isNew) await saveJudged(store, record);
  await store.adjudicate({ verdictId: id, right, role: GOLD_ROLE, at: now });
  return outcome;
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
