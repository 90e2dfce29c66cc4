import type { Payers } from '../judging/index.ts';
import type { Verdict } from '../judging/verdict/index.ts';
import type { CheckRun, SpotCheckParts } from './check-run.ts';

/**
 * The daily limits a check counts towards, by pseudonym: the person's and the conversation's, or only the token's if a
 * program asked.
 */
export function payersOf(
  { pseudonym }: Pick<SpotCheckParts, 'pseudonym'>,
  { check, surface: { isProgram } }: Pick<CheckRun, 'check' | 'surface'>,
): Payers {
  const { surface, team, channel, requestedBy: user } = check;
  const person = pseudonym({ surface, team, user });
  if (isProgram?.(user) === true) return { token: person };
  return { person, conversation: pseudonym({ surface: `${surface} conversation`, team: '', user: channel }) };
}

const isShort = ({ fallback, judgements }: Verdict): boolean =>
  fallback === 'budget' ||
  judgements.some((judgement) => judgement.status === 'unscored' && judgement.reason === 'budget');

/**
 * Informs the requester, once per check, which of their limits left judges unasked. The verdict counts even if that
 * fails.
 */
export async function tellLimits(
  parts: SpotCheckParts,
  run: CheckRun,
  verdict: Verdict,
  isJudged: boolean,
): Promise<void> {
  if (run.spent !== null || !isShort(verdict)) return;
  run.spent = await parts.spentBy(payersOf(parts, run)).catch(() => []);
  if (run.spent.length > 0)
    await run.surface.presenter.limits(run.check, run.spent, isJudged).catch(() => {});
}
