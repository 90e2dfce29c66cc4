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

/** A case whose answer is known, and who is asked for a verdict to go with it. */
export interface GoldCase {
  plan: CasePlan;
  right: Right;
  errorType: string | undefined;
}

/** Who ruled on cases that came with their answer. */
const ROLE = 'dataset';

/** A label as what is right; null where it says nothing of that. */
export function rightOfLabel({ label }: Pick<EvalCase, 'label'>): Right | null {
  if (label?.decision !== undefined) return { kind: 'decision', decision: label.decision };
  return label?.score === undefined ? null : { kind: 'score', score: label.score };
}

/** A case as it is shown: without its answer, and without a name that could tell it. */
export function withoutAnswer({ label: _label, id: _id, ...evalCase }: EvalCase): EvalCase {
  return evalCase;
}

/**
 * What became of a case. `corrected`: it was there with another answer from a dataset, which this one replaced. `overruled`: it was
 * there, and somebody has ruled otherwise since; that stands. `stopped`: nothing was kept. A `problem`: its verdict can have no such answer; nothing was kept.
 */
export type GoldOutcome = 'added' | 'known' | 'corrected' | 'overruled' | 'stopped' | { problem: string };

/**
 * Keeps a case with a known answer for a channel's queue: judged, hidden until one has answered, and ruled on. It has no message
 * of its own. The same case in the same channel again changes nothing.
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
  const said = JSON.stringify(plan.evalCase);
  const id = createHash('sha256').update(`gold\n${channel}\n${said}`).digest('hex').slice(0, 20);
  const known = await store.verdict(id);
  const verdict = known?.verdict ?? (await judgeCase(plan, context));
  // Cut off halfway: kept, it would be known and never judged to its end.
  if (known === null && context.signal.aborted) return 'stopped';
  const read = readRight(rightText(right), verdict);
  if ('problem' in read) return read;
  if (known === null) {
    const record: VerdictRecord = {
      id,
      at: context.now(),
      evalCase: plan.evalCase,
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
 * Whether a vote says what was ruled; null where it says nothing of the case. A score is right where no level that a voter
 * could have chosen is closer to the ruled one than the one they chose, or that is next to the panel's which they agreed with.
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
  // Who agrees with a panel's 2.7 could not have said that by themselves: they mean the level next to it.
  const meant = levels.filter((level) => isNearest(level, levels, said.score));
  return meant.some((level) => isNearest(level, levels, ruled.score));
}
