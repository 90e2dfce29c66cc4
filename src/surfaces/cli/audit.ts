import { userInfo } from 'node:os';
import { counted, jsonLine, plainLine } from '../../common/text/index.ts';
import { type Actor, type Conversation, changeLine, namesOf } from '../../labels/access/index.ts';
import { type Language, type Words, wordsIn } from '../../words/index.ts';
import { type Announcement, type Parts, surfaceOf, TERMINAL, whoIn } from '../index.ts';
import type { CommandContext } from '../terminal/index.ts';

interface AuditOptions {
  json: boolean;
  /** ms since the epoch. */
  since?: number;
  by?: string;
  channel?: string;
}

/** `jury audit`: prints who changed what in shared conversations, one line per change, oldest first. */
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

/** The person running the command: the account on this machine. No permissions apply to it. */
function operator(): Actor {
  let user = 'unknown';
  try {
    user = userInfo().username;
  } catch {
    // An account without a name, as in a container.
  }
  return { people: [{ surface: TERMINAL, team: '', user: `${TERMINAL}:${user}` }], at: null };
}

/** What a command needs to record and announce changes to a whole conversation. @throws JuryError `store-unavailable` */
export async function commandChanges(parts: Parts, err: CommandContext['err']) {
  const actor = operator();
  /** Posts a line to a conversation if its surface is set up here. */
  const announce = async (conversation: Conversation, says: Announcement): Promise<boolean> => {
    const { channel } = conversation;
    const surface = surfaceOf(parts.surfaces, conversation);
    try {
      const posters = await parts.surfaces.find(({ name }) => name === surface)?.posters(parts);
      if (posters === undefined || !('announce' in posters)) return false;
      return (await posters.announce?.(channel, says)) ?? false;
    } catch {
      err(`This change could not be announced in ${channel}.`);
      return false;
    }
  };
  return {
    store: await parts.store(),
    now: parts.now,
    actor,
    announce,
    /** Announces in a conversation what the operator did there. */
    say: (
      conversation: Conversation,
      did: (words: Words['announcements'], language: Language) => string,
    ): Promise<boolean> =>
      announce(conversation, (language) => [
        whoIn(actor, conversation.surface, language),
        did(wordsIn(language).announcements, language),
      ]),
  };
}
