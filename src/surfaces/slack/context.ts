import type { App } from '@slack/bolt';
import type { Block, KnownBlock, ModalView } from '@slack/types';
import { isStoreAway, JuryError } from '../../common/errors.ts';
import { type Actor, viewerFor } from '../../labels/permissions.ts';
import type { Viewer } from '../../labels/visible-verdict.ts';
import type { MessageSource } from '../../requests/read-message.ts';
import type { SpotChecks } from '../../requests/take-up.ts';
import type { Cards, ChatParts } from '../chat-presenter.ts';
import { STORE_AWAY } from '../wording.ts';
import type { NameOf, SlackClients } from './clients.ts';
import type { SlackIdentity } from './credentials.ts';
import { kindOf, SLACK } from './ids.ts';
import type { Members } from './members.ts';
import type { Messages } from './messages.ts';
import { ActionBody } from './payloads.ts';
import { quietPost, type SlackMessage } from './render/blocks.ts';
import { errorMessage } from './render/notices.ts';

/** What the surface is made of, before anything listens. */
export interface SlackParts extends ChatParts {
  /** How pastes are read. */
  paste: MessageSource['paste'];
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

interface Where {
  /** Null: in person. */
  channel: string | null;
  thread?: string | null | undefined;
  user: string;
}

/** Where a click was made. */
export const whereOf = ({ user, channel, message }: ActionBody): Where => ({
  channel: channel?.id ?? null,
  thread: message?.thread_ts,
  user: user.id,
});

export const STORE_GONE = {
  event:
    'The store cannot be reached at the moment. Slack sends your request again within five minutes; if no answer comes by then, ask again.',
  check:
    'The store cannot be reached at the moment, so your request was not kept and will not be judged. Ask again in a minute.',
  annotation:
    'The store cannot be reached at the moment, so your answers were not kept. Send them again in a minute.',
  vote: 'The store cannot be reached at the moment, so your vote was not kept and does not count. Vote again in a minute.',
} as const;

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

/**
 * Does something for one person and tells them what went wrong. What is no problem of ours is thrown all the same.
 *
 * @param what null where there is nothing to tell
 */
export async function orTell(
  context: SlackContext,
  where: Where,
  work: () => Promise<unknown>,
  what: (thrown: unknown) => string | null = (thrown) =>
    isStoreAway(thrown) ? STORE_AWAY : thrown instanceof JuryError ? thrown.message : null,
): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    const text = what(thrown);
    if (text !== null) await tell(context, where, text);
    if (!(thrown instanceof JuryError)) throw thrown;
  }
}

/** Answers clicks, each after it was acknowledged; who clicked is told what went wrong. */
export function onClick(
  app: App,
  context: SlackContext,
  ids: readonly string[],
  answer: (click: ActionBody) => Promise<unknown>,
): void {
  for (const id of ids)
    app.action(id, async ({ ack, body }) => {
      await ack();
      const click = ActionBody.parse(body);
      await orTell(context, whereOf(click), () => answer(click));
    });
}

/** Opens a view for who clicked; over the one that they clicked in, where there is one. */
export async function openView(
  { clients }: Pick<SlackContext, 'clients'>,
  { view: open, trigger_id }: Pick<ActionBody, 'view' | 'trigger_id'>,
  view: ModalView,
): Promise<void> {
  const { views } = clients.now;
  await (open?.type === 'modal' ? views.push({ trigger_id, view }) : views.open({ trigger_id, view }));
}

/** Puts another view in the place of the one that was clicked in, unless that one has changed meanwhile. */
export async function replaceView(
  { clients }: Pick<SlackContext, 'clients'>,
  { view: open }: Pick<ActionBody, 'view'>,
  view: ModalView,
): Promise<void> {
  if (open) await clients.now.views.update({ view_id: open.id, hash: open.hash, view });
}

/** The pseudonym of who clicked, sent a form or wrote. */
export const voterOf = (
  { pseudonym, identity }: Pick<SlackContext, 'pseudonym' | 'identity'>,
  { user, team }: { user: { id: string }; team?: { id: string } | null | undefined },
): string => pseudonym({ surface: SLACK, team: team?.id ?? identity.team, user: user.id });

/** Who clicked, sent a form or typed a command, as Slack signed it. */
export const actorOf = ({
  user,
  channel,
}: {
  user: { id: string };
  channel?: { id: string } | null | undefined;
}): Actor => ({
  people: [{ surface: SLACK, team: '', user: user.id }],
  at: channel?.id ?? null,
});

/** Who clicked or sent a form, as someone who looks at verdicts. */
export const clickerOf = (
  context: Pick<SlackContext, 'pseudonym' | 'identity' | 'roles'>,
  body: Parameters<typeof voterOf>[1] & Parameters<typeof actorOf>[0],
  action: Parameters<typeof viewerFor>[1] = 'read',
): Viewer => viewerFor(context.roles, action, actorOf(body), voterOf(context, body));
