import type { App, RespondFn, ViewSubmitAction } from '@slack/bolt';
import type { Block, KnownBlock, ModalView } from '@slack/types';
import { isStoreAway, JuryError } from '../../common/errors.ts';
import { type Actor, type Viewer, viewerFor } from '../../labels/permissions.ts';
import type { MessageSource } from '../../requests/read-message.ts';
import type { SpotChecks } from '../../requests/take-up.ts';
import type { Cards, ChatParts } from '../chat-presenter.ts';
import { type FilledIn, type FormErrors, shownErrors } from '../form.ts';
import { STORE_AWAY } from '../wording.ts';
import type { SlackClients, SlackIdentity } from './clients.ts';
import { slackError } from './failures.ts';
import { kindOf, SLACK } from './ids.ts';
import type { Members, NameOf } from './members.ts';
import type { Download, Self } from './message-source.ts';
import type { Messages } from './messages.ts';
import { Click, type Origin, Submission } from './payloads.ts';
import { quietPost, type SlackMessage } from './render/blocks.ts';
import { type FormKind, readAbout, readFormState } from './render/form.ts';
import { errorMessage } from './render/notices.ts';

/** What the surface is made of, before anything listens. */
export interface SlackParts extends ChatParts {
  identity: SlackIdentity;
  clients: SlackClients;
  download: Download;
  messages: Messages;
  members: Members;
  nameOf: NameOf;
}

/** What the listeners work with. */
export interface SlackContext extends SlackParts {
  checks: SpotChecks;
  cards: Cards;
  /** What people wrote, to be read. */
  source: MessageSource;
  self: Self;
}

/** Where a person is reached: in a conversation, else in person. */
type Where = Pick<Origin, 'user' | 'channel'> & Partial<Pick<Origin, 'thread'>>;

/** What a person reads when something went wrong. */
const problemText = (thrown: unknown): string => {
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

/** Shows a person what comes of a choice that is saved; where that fails, a message says that it is saved. */
export async function orSaved(
  context: Pick<SlackContext, 'clients' | 'log'>,
  where: Where,
  show: () => Promise<unknown>,
): Promise<void> {
  try {
    await show();
  } catch (thrown) {
    context.log.warn({ error: slackError(thrown) ?? 'unknown' }, 'slack: what came of a vote is not shown');
    await tell(
      context,
      where,
      'Your choice is saved, but what follows could not be shown. Press again to see it.',
    );
  }
}

/** The team of the acting user. */
export const teamOf = (
  { identity }: Pick<SlackContext, 'identity'>,
  { team }: Pick<Origin, 'team'>,
): string => team ?? identity.team;

/** The pseudonym of the acting user. */
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

/** Answers clicks, each after it was acknowledged; the person who clicked reads what went wrong. */
export function onClick(
  app: App,
  context: SlackContext,
  ids: readonly string[],
  answer: (click: Click, respond: RespondFn) => Promise<unknown>,
): void {
  for (const id of ids)
    app.action(id, async ({ ack, body, respond }) => {
      await ack();
      const click = Click.parse(body);
      await orTell(context, click, () => answer(click, respond));
    });
}

/**
 * Answers clicks that count: each is acknowledged once it is kept, so that Slack shows it where a process dies before.
 *
 * @param keep keeps what a click says
 * @param show shows what came of it to the person who clicked
 */
export function onVoteClick<Kept>(
  app: App,
  context: SlackContext,
  ids: readonly string[],
  keep: (click: Click) => Promise<Kept>,
  show: (kept: Kept, click: Click, respond: RespondFn) => Promise<unknown>,
): void {
  for (const id of ids)
    app.action(id, async ({ ack, body, respond }) => {
      const click = Click.parse(body);
      await orTell(context, click, async () => {
        const kept = await keep(click).finally(() => ack());
        await show(kept, click, respond);
      });
    });
}

/** A form as it was sent. */
export type SentForm<About> = Submission & { about: About; filledIn: FilledIn };

/** What comes of it: errors by the id of the field, another view in its place, or what is done after it has closed. */
type FormOutcome = { errors: FormErrors } | { view: ModalView } | { after: () => Promise<unknown> } | null;

/** Answers forms that are sent; what went wrong is shown in the form, so that nothing that was filled in is lost. */
export function onForm<About>(
  app: App,
  context: SlackContext,
  kind: FormKind<About>,
  answer: (sent: SentForm<About>) => Promise<FormOutcome>,
): void {
  app.view<ViewSubmitAction>(kind.callback, async ({ ack, body }) => {
    const sent = Submission.parse(body);
    const filledIn = readFormState(sent.view.state);
    const [first = ''] = Object.keys(filledIn);
    const outcome = await answer({ ...sent, about: readAbout(kind, sent.view), filledIn }).catch((thrown) => {
      if (!(thrown instanceof JuryError)) throw thrown;
      return { errors: { [first]: problemText(thrown) } };
    });
    if (outcome === null) return ack();
    if ('errors' in outcome)
      return ack({ response_action: 'errors', errors: shownErrors(outcome.errors, filledIn, first) });
    if ('view' in outcome) return ack({ response_action: 'update', view: outcome.view });
    await ack();
    await orTell(context, sent, outcome.after);
  });
}

/** What a view is opened with: the click, command or shortcut, and the view that it was made in. */
type Opener = Pick<Click, 'trigger'> & Partial<Pick<Click, 'view'>>;

/** Opens a view for who clicked; over the one that they clicked in, where there is one. */
export async function openView(
  { clients }: Pick<SlackContext, 'clients'>,
  { view: open, trigger }: Opener,
  view: ModalView,
): Promise<void> {
  const shown = { trigger_id: trigger, view };
  await (open?.type === 'modal' ? clients.now.views.push(shown) : clients.now.views.open(shown));
}

/** Puts another view in the place of the one that was clicked in, unless that one has changed meanwhile; opens it where there is none. */
export async function replaceView(
  context: Pick<SlackContext, 'clients'>,
  click: Opener,
  view: ModalView,
): Promise<void> {
  const { view: open } = click;
  if (!open || open.type === 'home') return openView(context, click, view);
  await context.clients.now.views.update({ view_id: open.id, hash: open.hash, view });
}
