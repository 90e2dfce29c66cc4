import { JuryError } from '../../common/index.ts';
import type { SpotCheck } from '../../requests/index.ts';
import { shortLine } from '../wording/index.ts';
import type { Origin } from './activities.ts';
import type { TeamsContext, TeamsParts } from './context.ts';
import { kindOf } from './ids.ts';
import type { TeamsMessage } from './messages.ts';
import { note } from './render/elements.ts';
import { commandIn } from './text-commands.ts';

/** Where a recorded message came from, and who wrote it. */
const originOf = ({ team, channel, kind, thread, requestedBy, at }: SpotCheck): Origin => ({
  tenant: team,
  channel,
  thread,
  kind: kind ?? kindOf(channel) ?? 'channel',
  user: requestedBy,
  at,
});

/** Whether Teams will never take a message that it has refused. */
const isFinal = (thrown: unknown): boolean => thrown instanceof JuryError && !thrown.retryable;

/** The message as shown in another chat than the one that it is about. */
const fromElsewhere = (shown: TeamsMessage, words: string): TeamsMessage => ({
  ...shown,
  card: {
    ...shown.card,
    body: [...(shown.card.body ?? []), note(`About the conversation in which you wrote “${words}”.`)],
  },
});

/**
 * Shows a message to one person: where there are others, as a targeted message, which only they see. Where Teams takes none, in
 * their own chat with Jury, unless its buttons are about the conversation. Otherwise everyone there can read it.
 *
 * @param words what the person wrote
 * @throws JuryError `usage` or `undelivered`
 */
export async function showTo(
  { messages, places }: Pick<TeamsParts, 'messages' | 'places'>,
  { tenant, channel, thread, kind, user }: Pick<Origin, 'tenant' | 'channel' | 'thread' | 'kind' | 'user'>,
  shown: TeamsMessage,
  words: string,
): Promise<void> {
  const here = { channel, thread };
  const account = kind === 'direct' ? undefined : (await places.profile(tenant, user))?.account;
  if (account !== undefined) {
    try {
      return await messages.postTo(here, account, shown);
    } catch (thrown) {
      if (!isFinal(thrown)) throw thrown;
    }
    const own = shown.isAboutPlace === true ? null : await places.personal(tenant, user);
    if (own !== null) {
      try {
        await messages.post({ channel: own, thread: null }, fromElsewhere(shown, shortLine(words, 60)));
        return;
      } catch (thrown) {
        if (!isFinal(thrown)) throw thrown;
      }
    }
  }
  await messages.post(here, shown);
}

/** How a recorded message is answered if it is a command; null for any other. */
export function replyTo(context: TeamsContext, check: SpotCheck): (() => Promise<void>) | null {
  if (check.input.kind !== 'message') return null;
  const { text } = check.input;
  const origin = originOf(check);
  if (commandIn(context, origin, text) === null) return null;
  return async () => {
    // Only this person sees it.
    const language = await context.languages.ofPerson(origin.user, origin.channel);
    const own = { ...context, texts: context.textsIn(language) };
    const shown = await commandIn(own, origin, text)?.();
    if (shown) await showTo(own, origin, shown, text);
  };
}
