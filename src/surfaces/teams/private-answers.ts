import { JuryError } from '../../common/index.ts';
import type { SpotCheck } from '../../requests/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
import { shortLine } from '../wording/index.ts';
import type { Origin } from './activities.ts';
import type { TeamsContext, TeamsParts } from './context.ts';
import { kindOf } from './ids.ts';
import type { TeamsMessage } from './messages.ts';
import { lines, message, note, run } from './render/elements.ts';
import { commandIn } from './text-commands.ts';

/** Where a recorded request came from, and who made it. */
export const askerOf = ({ team, channel, kind, thread, requestedBy, at }: SpotCheck): Origin => ({
  tenant: team,
  channel,
  thread,
  kind: kind ?? kindOf(channel) ?? 'channel',
  user: requestedBy,
  at,
});

/** Says nothing of what was asked: everyone can read it. */
const cannotAnswer = (language: Language): TeamsMessage => {
  const text = wordsIn(language).chat.privately.notHere;
  return message(text, { body: [lines(run(text))] });
};

/** Whether Teams will never take a message that it has refused. */
const isFinal = (thrown: unknown): boolean => thrown instanceof JuryError && !thrown.retryable;

/** The message as shown in another chat than the one that it is about. */
const fromElsewhere = (shown: TeamsMessage, words: string, language: Language): TeamsMessage => ({
  ...shown,
  card: {
    ...shown.card,
    body: [...(shown.card.body ?? []), note(wordsIn(language).chat.privately.aboutMessage(words))],
  },
});

type Asker = Pick<Origin, 'tenant' | 'channel' | 'thread' | 'kind' | 'user'>;
type Showing = Pick<TeamsParts, 'messages' | 'places' | 'languages'>;

/** Resolves to whether Teams took it. @throws JuryError `undelivered` if it may take it later */
const isTaken = (sent: Promise<unknown>): Promise<boolean> =>
  sent.then(
    () => true,
    (thrown) => {
      if (!isFinal(thrown)) throw thrown;
      return false;
    },
  );

/**
 * Shows a message to one person and no one else: where there are others, as a targeted message, which only they see. Where Teams
 * takes none, in their own chat with Jury, unless its buttons are about the conversation.
 *
 * @param words what the person wrote
 * @returns whether the person sees it
 * @throws JuryError `undelivered` if they may see it later
 */
export async function tellAlone(
  { messages, places, languages }: Showing,
  { tenant, channel, thread, kind, user }: Asker,
  shown: TeamsMessage,
  words: string,
): Promise<boolean> {
  const account = kind === 'direct' ? undefined : (await places.profile(tenant, user))?.account;
  const here = { channel, thread };
  if (account !== undefined && (await isTaken(messages.postTo(here, account, shown)))) return true;
  const ownChat = () => (kind === 'direct' ? channel : places.personal(tenant, user));
  const own = shown.isAboutPlace === true ? null : await ownChat();
  if (own === null) return false;
  const language = await languages.ofPerson(user, channel);
  const message = own === channel ? shown : fromElsewhere(shown, shortLine(words, 60), language);
  return isTaken(messages.post({ channel: own, thread: null }, message));
}

/**
 * Answers one person, and no one else. If Teams takes no message that they alone see, they read where they are that they can ask
 * in their own chat. What is about the conversation itself then stands there for everyone.
 *
 * @param words what the person wrote
 * @throws JuryError `usage` or `undelivered`
 */
export async function showTo(
  parts: Showing,
  asker: Asker,
  shown: TeamsMessage,
  words: string,
): Promise<void> {
  const { channel, thread, kind } = asker;
  const { messages, languages } = parts;
  const here = { channel, thread };
  if (kind === 'direct') await messages.post(here, shown);
  else if (await tellAlone(parts, asker, shown, words)) return;
  else if (shown.isAboutPlace === true) await messages.post(here, shown);
  else await messages.post(here, cannotAnswer(await languages.inConversation(channel)));
}

/** How a recorded message is answered if it is a command; null for any other. */
export function replyTo(context: TeamsContext, check: SpotCheck): (() => Promise<void>) | null {
  if (check.input.kind !== 'message') return null;
  const { text } = check.input;
  const origin = askerOf(check);
  if (commandIn(context, origin, text) === null) return null;
  return async () => {
    // Only this person sees it.
    const language = await context.languages.ofPerson(origin.user, origin.channel);
    const own = { ...context, texts: context.textsIn(language) };
    const shown = await commandIn(own, origin, text)?.();
    if (shown) await showTo(own, origin, shown, text);
  };
}
