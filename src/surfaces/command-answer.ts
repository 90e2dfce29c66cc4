import { JuryError } from '../common/errors.ts';
import type { Digest } from '../digests/digest.ts';
import { type Action, type Actor, type Roles, refusal } from '../labels/permissions.ts';

/** Who asks, and in which conversation. */
export interface DigestAsker {
  surface: string;
  team: string;
  channel: string;
  channelName: string | null;
  user: string;
  /** The same person, as permissions know them. */
  actor: Actor;
}

/** A line in which people may be named, by their ids. */
export type Line = readonly (string | { person: string })[];

/** For who asked alone: lines, a digest, or the form for a schedule. `announced` is for everyone in the channel. */
export type DigestAnswer = ({ lines: readonly Line[] } | { digest: Digest } | { form: true }) & {
  announced?: Line | null;
};

/** @throws JuryError `usage` that says why this person may not */
export async function requirePermission(
  roles: Roles,
  { actor, surface, channel }: Pick<DigestAsker, 'actor' | 'surface' | 'channel'>,
  action: Action,
): Promise<void> {
  const why = await refusal(roles, action, actor, { surface, channel });
  if (why !== null) throw new JuryError('usage', why);
}

/** Changing what another person has scheduled takes more than scheduling. */
export const changeOf = ({ user }: Pick<DigestAsker, 'user'>, { owner }: { owner: string | null }): Action =>
  owner === user ? 'schedule' : 'set';
