import { userInfo } from 'node:os';
import { counted, jsonLine, plainLine } from '../../common/text.ts';
import { changeLine, namesOf } from '../../labels/audit.ts';
import type { Actor, Conversation } from '../../labels/permissions.ts';
import { TERMINAL, whoIn } from '../changes.ts';
import type { Parts } from '../parts.ts';
import { type Line, surfaceOf } from '../surface.ts';
import type { CommandContext } from './command.ts';

interface AuditOptions {
  json: boolean;
  /** ms since the epoch. */
  since?: number;
  by?: string;
  channel?: string;
}

/** `jury audit`: who changed what belongs to a whole conversation, oldest first, a line each. */
export async function audit(
  { err, out, env, store }: CommandContext,
  { json, since = -Number.MAX_VALUE, by, channel }: AuditOptions,
): Promise<void> {
  const wanted = by?.toLowerCase();
  const all = (await (await store()).changes(since)).filter(
    (change) =>
      (channel === undefined || change.channel === channel) &&
      (wanted === undefined || namesOf(change).some((name) => name.toLowerCase() === wanted)),
  );
  for (const change of all)
    out(
      json ? jsonLine({ ...change, at: new Date(change.at).toISOString() }) : plainLine(changeLine(change)),
    );
  const days = (await env()).settings.JURY_RETENTION_DAYS;
  if (all.length === 0)
    err(`No changes found${days === 0 ? '' : `; they are kept for ${counted(days, 'day')}`}.`);
}

/** Who runs commands: the account on this machine, which no permission is asked of. */
function operator(): Actor {
  let user = 'unknown';
  try {
    user = userInfo().username;
  } catch {
    // An account without a name, as in a container.
  }
  return { people: [{ surface: TERMINAL, team: '', user: `${TERMINAL}:${user}` }], at: null };
}

/** What commands change for a whole conversation is noted and said with. @throws JuryError `store-unavailable` */
export async function commandChanges(parts: Parts, err: CommandContext['err']) {
  const actor = operator();
  /** Posted where the surface is set up here. */
  const announce = async (conversation: Conversation, line: Line): Promise<void> => {
    const { channel } = conversation;
    const surface = surfaceOf(parts.surfaces, conversation);
    try {
      const posters = await parts.surfaces.find(({ name }) => name === surface)?.posters(parts);
      if (posters !== undefined && 'announce' in posters) await posters.announce?.(channel, line);
    } catch {
      err(`This change could not be announced in ${channel}.`);
    }
  };
  return {
    store: await parts.store(),
    now: parts.now,
    actor,
    announce,
    /** Tells a conversation what the person did there. */
    say: (conversation: Conversation, did: string): Promise<void> =>
      announce(conversation, [whoIn(actor, conversation.surface), ` ${did}.`]),
  };
}
