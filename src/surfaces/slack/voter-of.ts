import type { SlackContext } from './context.ts';

/** The pseudonym of who clicked, sent a form or wrote. */
export const voterOf = (
  { pseudonym, identity }: Pick<SlackContext, 'pseudonym' | 'identity'>,
  { user, team }: { user: { id: string }; team?: { id: string } | null | undefined },
): string => pseudonym({ surface: 'slack', team: team?.id ?? identity.team, user: user.id });
