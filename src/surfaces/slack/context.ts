import type { Block, KnownBlock } from '@slack/types';
import { isStoreAway, JuryError } from '../../common/errors.ts';
import { type Actor, viewerFor } from '../../labels/permissions.ts';
import type { Viewer } from '../../labels/visible-verdict.ts';
import type { SpotChecks } from '../../requests/take-up.ts';
import type { Cards, ChatParts } from '../chat-presenter.ts';
import { STORE_AWAY } from '../wording.ts';
import type { NameOf, SlackClients } from './clients.ts';
import type { SlackIdentity } from './credentials.ts';
import { kindOf, SLACK } from './ids.ts';
import type { Members } from './members.ts';
import type { Messages } from './messages.ts';
import type { Origin } from './payloads.ts';
import { quietPost, type SlackMessage } from './render/blocks.ts';
import { errorMessage } from './render/notices.ts';

/** What the surface is made of, before anything listens. */
export interface SlackParts extends ChatParts {
  identity: SlackIdentity;
  clients: SlackClients;
  /** Where files come from: with the bot's token, from Slack's hosts or this one in their place. */
  download: { token: string; apiUrl: string | undefined; fetch: typeof globalThis.fetch };
  messages: Messages;
  members: Members;
  nameOf: NameOf;
}

/** What the listeners work with. */
export interface SlackContext extends SlackParts {
  checks: SpotChecks;
  cards: Cards;
}

/** Where a person is reached: in a conversation, else in person. */
type Where = Pick<Origin, 'user' | 'channel'> & Partial<Pick<Origin, 'thread'>>;

/** What a person is told of something that went wrong. */
export const problemText = (thrown: unknown): string => {
  if (isStoreAway(thrown)) return STORE_AWAY;
  return thrown instanceof JuryError ? thrown.message : 'That did not work. Try again.';
};

/**
 * Shows one person something that the others need not read.
 * @throws what Slack answered
 */
export async function showTo(
  { clients }: Pick<SlackContext, 'clients'>,
  { channel, thread, user }: Where,
  shown: { text: string; blocks: (Block | KnownBlock)[] },
): Promise<void> {
  const message = { ...quietPost, ...shown };
  const inThread = thread === null || thread === undefined ? {} : { thread_ts: thread };
  // Slack shows such messages at once but keeps none in a conversation with the app.
  if (channel === null || kindOf(channel) === 'direct')
    await clients.now.chat.postMessage({ channel: channel ?? user, ...inThread, ...message });
  else
    await clients.now.chat
      .postEphemeral({ channel, user, ...inThread, ...message })
      // Commands, forms and shortcuts work where the app is no member, but it cannot write there.
      .catch(() => clients.now.chat.postMessage({ channel: user, ...message }));
}

/** Tells one person of a problem, or of what was done. Never rejects: there is no one else to tell. */
export async function tell(
  context: Pick<SlackContext, 'clients' | 'log'>,
  where: Where,
  what: string,
  shown: (what: string) => SlackMessage = errorMessage,
): Promise<void> {
  try {
    await showTo(context, where, shown(what));
  } catch {
    context.log.warn('slack: a person could not be reached');
  }
}

/** Does something for one person and tells them what went wrong. What is no problem of ours is thrown all the same. */
export async function orTell(
  context: Pick<SlackContext, 'clients' | 'log'>,
  where: Where,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    await tell(context, where, problemText(thrown));
    if (!(thrown instanceof JuryError)) throw thrown;
  }
}

/** The team of who acts. */
export const teamOf = (
  { identity }: Pick<SlackContext, 'identity'>,
  { team }: Pick<Origin, 'team'>,
): string => team ?? identity.team;

/** The pseudonym of who acts. */
export const voterOf = (
  { pseudonym, identity }: Pick<SlackContext, 'pseudonym' | 'identity'>,
  { user, team }: Pick<Origin, 'user' | 'team'>,
): string => pseudonym({ surface: SLACK, team: team ?? identity.team, user });

/** Who acts, as permissions know them. */
export const actorOf = ({ user, channel }: Pick<Origin, 'user' | 'channel'>): Actor => ({
  people: [{ surface: SLACK, team: '', user }],
  at: channel,
});

/** Who acts, as someone who looks at verdicts. */
export const viewerOf = (
  context: Pick<SlackContext, 'pseudonym' | 'identity' | 'roles'>,
  origin: Origin,
  action: Parameters<typeof viewerFor>[1] = 'read',
): Viewer => viewerFor(context.roles, action, actorOf(origin), voterOf(context, origin));
