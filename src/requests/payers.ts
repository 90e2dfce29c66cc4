import type { Payers } from '../judging/index.ts';
import type { Verdict } from '../judging/verdict/index.ts';
import type { CheckRun, SpotCheckParts } from './check-run.ts';
import type { SpotCheck } from './spot-check.ts';

/** Who asks, and where. */
export type Requester = Pick<SpotCheck, 'surface' | 'team' | 'channel' | 'requestedBy'>;

/**
 * The daily limits a check counts towards, by pseudonym: the person's and the conversation's, or only the token's if a
 * program asked.
 */
export const payersOf = (
  parts: Pick<SpotCheckParts, 'pseudonym'>,
  { check, surface: { isProgram } }: Pick<CheckRun, 'check' | 'surface'>,
): Payers => payersFor(parts, check, isProgram?.(check.requestedBy) === true);

/** The same before a check exists. */
export function payersFor(
  { pseudonym }: Pick<SpotCheckParts, 'pseudonym'>,
  { surface, team, channel, requestedBy: user }: Requester,
  isProgram: boolean,
): Payers {
  const person = pseudonym({ surface, team, user });
  if (isProgram) return { token: person };
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
