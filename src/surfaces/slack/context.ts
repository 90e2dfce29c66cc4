import type { App, RespondFn, ViewSubmitAction } from '@slack/bolt';
import type { Block, KnownBlock, ModalView } from '@slack/types';
import { isStoreAway, JuryError } from '../../common/index.ts';
import { type Actor, type Viewer, viewerFor } from '../../labels/access/index.ts';
import type { MessageSource, SpotChecks } from '../../requests/index.ts';
import { type Language, messageIn, wordsIn } from '../../words/index.ts';
import type { Cards, ChatParts } from '../chat/index.ts';
import { type FilledIn, type FormErrors, shownErrors } from '../forms/index.ts';
import type { SlackClients, SlackIdentity } from './clients.ts';
import { kindOf, SLACK } from './ids.ts';
import type { Members, NameOf } from './members.ts';
import type { Download, Self } from './message-source.ts';
import type { Messages } from './messages.ts';
import { Click, type Origin, Submission } from './payloads.ts';
import { quietPost, type SlackMessage } from './render/blocks.ts';
import { type FormKind, openedFrom, openedIn, readAbout, readFormState } from './render/form.ts';
import { errorMessage } from './render/notices.ts';
import { slackError } from './slack-errors.ts';

/** The surface's parts, ready before any listener is registered. */
export interface SlackParts extends ChatParts {
  identity: SlackIdentity;
  clients: SlackClients;
  download: Download;
  messages: Messages;
  members: Members;
  nameOf: NameOf;
}

/** Everything the listeners need. */
export interface SlackContext extends SlackParts {
  checks: SpotChecks;
  cards: Cards;
  /** Reads messages, threads and files from Slack. */
  source: MessageSource;
  self: Self;
}

/** The context of what only one person sees: with texts in their language. */
export const inLanguageOf = async (
  context: SlackContext,
  {
    user,
    channel,
    view,
  }: Pick<Origin, 'user' | 'channel'> & {
    view?: { private_metadata: string } | null;
  },
): Promise<SlackContext> => ({
  ...context,
  texts: context.textsIn(await context.languages.ofPerson(user, channel ?? openedIn(view ?? {}))),
});

/** Where to reach a person: in a conversation or, without a channel, in a direct message. */
type Where = Pick<Origin, 'user' | 'channel'> & Partial<Pick<Origin, 'thread'>>;

/** The message for a person whose action failed. */
const problemText = (thrown: unknown, language: Language): string => {
  const { votes } = wordsIn(language);
  if (isStoreAway(thrown)) return votes.storeAway;
  return thrown instanceof JuryError ? messageIn(language, thrown) : votes.didNotWork;
};

/**
 * Shows a message to one person only: ephemeral in a channel, otherwise a direct message.
 * @throws Slack's error if the message cannot be delivered
 */
export async function showTo(
  { clients }: Pick<SlackContext, 'clients'>,
  { channel, thread, user }: Where,
  shown: { text: string; blocks: (Block | KnownBlock)[] },
): Promise<void> {
  const message = { ...quietPost, ...shown };
  const inThread = thread === null || thread === undefined ? {} : { thread_ts: thread };
  // In a conversation with the app, Slack does not keep ephemeral messages, so this posts an ordinary one.
  if (channel === null || kindOf(channel) === 'direct')
    await clients.now.chat.postMessage({ channel: channel ?? user, ...inThread, ...message });
  else
    await clients.now.chat
      .postEphemeral({ channel, user, ...inThread, ...message })
      // Commands, forms and shortcuts also work in channels that the app has not joined, but it cannot post there.
      .catch(() => clients.now.chat.postMessage({ channel: user, ...message }));
}

/** Sends one person a message about a problem or a completed action. Never rejects; a failure is only logged. */
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

/** Does something for one person and reports any failure to them. Errors other than JuryError are also rethrown. */
export async function orTell(
  context: Pick<SlackContext, 'clients' | 'log' | 'languages'>,
  where: Where,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    const language = await context.languages.ofPerson(where.user, where.channel);
    await tell(context, where, problemText(thrown, language));
    if (!(thrown instanceof JuryError)) throw thrown;
  }
}

/** Shows the result of a choice that is already saved. If that fails, a message confirms that the choice is saved. */
export async function orSaved(
  context: Pick<SlackContext, 'clients' | 'log' | 'languages'>,
  where: Where,
  show: () => Promise<unknown>,
): Promise<void> {
  try {
    await show();
  } catch (thrown) {
    context.log.warn({ error: slackError(thrown) ?? 'unknown' }, 'slack: what came of a vote is not shown');
    const language = await context.languages.ofPerson(where.user, where.channel);
    await tell(context, where, wordsIn(language).votes.savedNotShown);
  }
}

/** The acting user's team; the app's own if Slack does not say. */
export const teamOf = (
  { identity }: Pick<SlackContext, 'identity'>,
  { team }: Pick<Origin, 'team'>,
): string => team ?? identity.team;

/** The pseudonym of the acting user. */
export const voterOf = (
  { pseudonym, identity }: Pick<SlackContext, 'pseudonym' | 'identity'>,
  { user, team }: Pick<Origin, 'user' | 'team'>,
): string => pseudonym({ surface: SLACK, team: team ?? identity.team, user });

/** The acting user, as permission checks need them. */
export const actorOf = ({ user, channel }: Pick<Origin, 'user' | 'channel'>): Actor => ({
  people: [{ surface: SLACK, team: '', user }],
  at: channel,
});

/** The acting user, as a viewer of verdicts. */
export const viewerOf = (
  context: Pick<SlackContext, 'pseudonym' | 'identity' | 'roles'>,
  origin: Origin,
  action: Parameters<typeof viewerFor>[1] = 'read',
): Viewer => viewerFor(context.roles, action, actorOf(origin), voterOf(context, origin));

/**
 * Registers a handler for clicks. Each click is acknowledged first; errors are shown to the person who clicked.
 * @param answer `own`: the context in the person's language
 */
export function onClick(
  app: App,
  context: SlackContext,
  ids: readonly string[],
  answer: (click: Click, respond: RespondFn, own: SlackContext) => Promise<unknown>,
): void {
  for (const id of ids)
    app.action(id, async ({ ack, body, respond }) => {
      await ack();
      const click = Click.parse(body);
      await orTell(context, click, async () => answer(click, respond, await inLanguageOf(context, click)));
    });
}

/**
 * Registers a handler for clicks that must not be lost. Each click is acknowledged only once `keep` has ended, so that Slack
 * shows an error if the process dies before then.
 *
 * @param keep saves the click
 * @param show shows the result to the person who clicked
 */
export function onVoteClick<Kept>(
  app: App,
  context: SlackContext,
  ids: readonly string[],
  keep: (click: Click, own: SlackContext) => Promise<Kept>,
  show: (kept: Kept, click: Click, respond: RespondFn, own: SlackContext) => Promise<unknown>,
): void {
  for (const id of ids)
    app.action(id, async ({ ack, body, respond }) => {
      const click = Click.parse(body);
      await orTell(context, click, async () => {
        const own = await inLanguageOf(context, click);
        const kept = await keep(click, own).finally(() => ack());
        await show(kept, click, respond, own);
      });
    });
}

/** A submitted form. */
export type SentForm<About> = Submission & { about: About; filledIn: FilledIn };

/** The result of a submission: errors by field id, a view to replace the form, or work to do after the form has closed. */
type FormOutcome = { errors: FormErrors } | { view: ModalView } | { after: () => Promise<unknown> } | null;

/** Registers a handler for a form. Errors are shown in the form, so that the user's input is not lost. */
export function onForm<About>(
  app: App,
  context: SlackContext,
  kind: FormKind<About>,
  answer: (sent: SentForm<About>, own: SlackContext) => Promise<FormOutcome>,
): void {
  app.view<ViewSubmitAction>(kind.callback, async ({ ack, body }) => {
    const sent = Submission.parse(body);
    const filledIn = readFormState(sent.view.state);
    const [first = ''] = Object.keys(filledIn);
    const own = await inLanguageOf(context, sent);
    const about = readAbout(kind, sent.view);
    const outcome = await answer({ ...sent, about, filledIn }, own).catch((thrown) => {
      if (!(thrown instanceof JuryError)) throw thrown;
      return { errors: { [first]: problemText(thrown, own.texts.language) } };
    });
    if (outcome === null) return ack();
    if ('errors' in outcome)
      return ack({ response_action: 'errors', errors: shownErrors(outcome.errors, filledIn, first) });
    if ('view' in outcome)
      return ack({ response_action: 'update', view: openedFrom(openedIn(sent.view), outcome.view) });
    await ack();
    await orTell(context, sent, outcome.after);
  });
}

/** What opens a view: the trigger of a click, command or shortcut, and the conversation and the view that it was in, if any. */
type Opener = Pick<Click, 'trigger'> & Partial<Pick<Click, 'view' | 'channel'>>;

const placeOf = ({ channel, view }: Opener): string | null => channel ?? openedIn(view ?? {});

/** Opens a view, on top of the modal that was clicked in, if any. */
export async function openView(
  { clients }: Pick<SlackContext, 'clients'>,
  opener: Opener,
  view: ModalView,
): Promise<void> {
  const { view: open, trigger } = opener;
  const shown = { trigger_id: trigger, view: openedFrom(placeOf(opener), view) };
  await (open?.type === 'modal' ? clients.now.views.push(shown) : clients.now.views.open(shown));
}

/** Replaces the modal that was clicked in, unless it has changed since; opens a new one if there is none. */
export async function replaceView(
  context: Pick<SlackContext, 'clients'>,
  click: Opener,
  view: ModalView,
): Promise<void> {
  const { view: open } = click;
  if (!open || open.type === 'home') return openView(context, click, view);
  await context.clients.now.views.update({
    view_id: open.id,
    hash: open.hash,
    view: openedFrom(placeOf(click), view),
  });
}
