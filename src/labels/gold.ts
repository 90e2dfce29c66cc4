import { createHash } from 'node:crypto';
import type { EvalCase } from '../case/case.ts';
import { type CasePlan, type JudgeContext, judgeCase } from '../judging/judge-case.ts';
import type { Adjudication, AdjudicationStore } from './adjudication.ts';
import { ballotOf, isNearest } from './blind-vote.ts';
import type { VerdictRecord, VerdictStore } from './verdict-record.ts';
import { isSameRight, type Right, readRight, rightOf, rightText, subjectsOf, type Vote } from './vote.ts';

interface GoldParts extends JudgeContext {
  store: VerdictStore & AdjudicationStore;
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
 * What became of a case. `corrected`: it replaced another answer from a dataset. `overruled`: a person has ruled otherwise since,
 * and that ruling stands. `stopped`: nothing was saved. A `problem`: its verdict cannot have this answer; nothing was saved.
 */
export type GoldOutcome = 'added' | 'known' | 'corrected' | 'overruled' | 'stopped' | { problem: string };

/**
 * Adds a case with a known answer to a channel's queue: judged, hidden until the viewer has voted, and ruled on. It has no message
 * of its own. Adding the same case to the same channel again changes nothing.
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
  const known = await store.verdict(id);
  const verdict = known?.verdict ?? (await judgeCase(plan, context));
  // A verdict that was cut short must not be saved: the case would count as known and never be judged again.
  if (known === null && context.signal.aborted) return 'stopped';
  const read = readRight(rightText(right), verdict);
  if ('problem' in read) return read;
  if (known === null) {
    const record: VerdictRecord = {
      id,
      at: context.now(),
      evalCase: plan.shown,
      verdict,
      source: { surface, team: '', channel, thread: null, message: null },
      subjects: subjectsOf(verdict),
      blind: true,
    };
    await store.saveVerdict(record);
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
  if (known === null) return 'added';
  return isOther ? 'corrected' : 'known';
}

/**
 * Whether a vote matches the ruling; null if it implies nothing about the case. A score matches if no other level is closer to
 * the ruled score than the voter's level, or than the level nearest to the panel's score that they agreed with.
 */
export function isGoldRight(
  vote: Vote,
  { verdict }: VerdictRecord,
  { right: ruled }: Pick<Adjudication, 'right'>,
): boolean | null {
  const said = rightOf(vote, verdict);
  if (said === null) return null;
  if (said.kind === 'decision' || ruled.kind === 'decision')
    return said.kind === 'decision' && ruled.kind === 'decision' && said.decision === ruled.decision;
  const ballot = ballotOf(verdict);
  const levels = ballot.kind === 'score' ? ballot.levels : [];
  // A vote that agrees with a panel's 2.7 means the nearest level; a voter could not have chosen 2.7.
  const meant = levels.filter((level) => isNearest(level, levels, said.score));
  return meant.some((level) => isNearest(level, levels, ruled.score));
}
