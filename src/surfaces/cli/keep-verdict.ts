import { randomBytes } from 'node:crypto';
import type { CasePlan } from '../../judging/index.ts';
import type { Verdict } from '../../judging/verdict/index.ts';
import { subjectsOf } from '../../labels/record/index.ts';
import { type Parts, TERMINAL } from '../index.ts';

/**
 * Keeps a verdict of a command, so that people can vote on it.
 * @param id by default, one of its own
 * @returns its id; undefined if it was stopped, and is therefore not kept
 */
export async function keepVerdict(
  parts: Pick<Parts, 'store' | 'now'>,
  plan: CasePlan,
  verdict: Verdict,
  id = randomBytes(10).toString('hex'),
): Promise<string | undefined> {
  if (verdict.cancelled) return undefined;
  await (await parts.store()).saveVerdict({
    id,
    at: parts.now(),
    evalCase: { ...plan.shown, id: plan.caseId },
    ...(plan.leftOut === undefined ? {} : { withLeftOut: { ...plan.leftOut.withIt, id: plan.caseId } }),
    verdict,
    source: { surface: TERMINAL, team: '', channel: TERMINAL, thread: null, message: null },
    subjects: subjectsOf(verdict),
  });
  return id;
}
