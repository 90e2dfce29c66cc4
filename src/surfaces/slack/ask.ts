import type { App } from '@slack/bolt';
import { closest, distance } from 'fastest-levenshtein';
import type * as z from 'zod';
import { isStoreAway } from '../../common/errors.ts';
import { type Actor, refusal } from '../../labels/permissions.ts';
import { visibleVerdict } from '../../labels/visible-verdict.ts';
import { recordRequest } from '../../requests/spot-check.ts';
import { draftAgain, emptyDraft, openDraft, settingsFor } from '../ask-desk.ts';
import { type Draft, findDraft, understand } from '../drafts.ts';
import { shortLine } from '../safe-text.ts';
import { voteTexts } from '../vote-desk.ts';
import {
  actorOf,
  clickerOf,
  onClick,
  openView,
  orTell,
  type SlackContext,
  STORE_GONE,
  tell,
  whereOf,
} from './context.ts';
import { onDigestCommand } from './digests.ts';
import { actions, callbacks, command, SLACK } from './ids.ts';
import { onQueueCommand } from './lists.ts';
import {
  type ActionBody,
  CommandBody,
  GlobalShortcutBody,
  inputOf,
  MessageShortcutBody,
} from './payloads.ts';
import { askView, settingsView } from './render/form.ts';
import { welcomeMessage } from './render/notices.ts';
import { onStudyCommand } from './studies.ts';

/** @throws JuryError `store-unavailable`, or what Slack answered */
export async function openForm(
  context: SlackContext,
  click: Pick<ActionBody, 'trigger_id' | 'view' | 'user'>,
  draft: Draft,
  known?: string,
  expanded = false,
): Promise<void> {
  const { draftId, form } = await openDraft(
    context,
    { ...draft, by: { surface: SLACK, user: click.user.id } },
    known,
  );
  await openView(context, click, askView(draftId, expanded ? { ...form, expanded } : form));
}

/** @throws JuryError `store-unavailable`, or what Slack answered */
export async function openSettings(
  context: SlackContext,
  trigger_id: string,
  actor: Actor,
  channel: string,
): Promise<void> {
  const found = await settingsFor(context, actor, { surface: SLACK, channel });
  if ('why' in found) return tell(context, { channel: actor.at, user: actor.people[0].user }, found.why);
  await context.clients.now.views.open({ trigger_id, view: settingsView(channel, found.form) });
}

const EXPIRED = 'What was pasted is no longer kept. Paste it again.';

const noForm = (thrown: unknown): string =>
  isStoreAway(thrown) ? STORE_GONE.check : 'The form could not be opened. Try again.';

async function onMessageShortcut(context: SlackContext, raw: unknown): Promise<void> {
  const { identity, store, checks, now } = context;
  const { user, team, channel, message, trigger_id } = MessageShortcutBody.parse(raw);
  const thread = message.thread_ts ?? message.ts;
  const input = inputOf(message, identity.self);
  const { cases, ...read } = understand(input.text, context.paste);
  const place = { team: team?.id ?? identity.team, channel: channel.id, thread };
  const isForFiles = input.files.length > 0 && read.understood.response === undefined;
  const open = async (): Promise<void> => {
    if (cases < 2 && !isForFiles)
      return openForm(context, { trigger_id, user }, { ...emptyDraft, ...read, ...place });
    // Files and several cases do not fit into a form: they are judged as they are.
    const asked = {
      ...place,
      surface: SLACK,
      key: trigger_id,
      requestedBy: user.id,
      input,
    };
    const { check, status } = await recordRequest(store, asked, now());
    if (status === 'added') void checks.take(check.id);
  };
  await orTell(context, { channel: channel.id, thread, user: user.id }, open, noForm);
}

const COMMANDS = ['help', 'queue', 'study', 'digest', 'alert', 'settings'];
/** A few words on one line, without what a paste has: a colon, quotes, a bracket. */
const IS_COMMAND = /^[^\s:"'“”„«»[{]+(?: [^\s:"'“”„«»[{]+){0,2}$/;

/** What to type instead of words that are no command; null for a paste, or for none. */
export function unknownCommand(text: string): string | null {
  const said = text.trim();
  if (!IS_COMMAND.test(said)) return null;
  const [word = ''] = said.toLowerCase().split(' ');
  const nearest = closest(word, COMMANDS);
  const hint = distance(word, nearest) <= 2 ? `Did you mean ${command} ${nearest}? ` : '';
  return `There is no ${command} ${shortLine(word, 40)}. ${hint}Commands: ${COMMANDS.join(', ')}. Without a word, ${command} opens the form.`;
}

async function onCommand(context: SlackContext, said: z.infer<typeof CommandBody>): Promise<void> {
  const { channel_id: channel, channel_name: channelName, team_id: team, user_id: user } = said;
  const { trigger_id, text } = said;
  const asker = { team, channel, channelName, user };
  if (await onDigestCommand(context, { ...asker, trigger_id }, text)) return;
  if (await onQueueCommand(context, asker, text)) return;
  if (await onStudyCommand(context, { ...asker, trigger_id }, text)) return;
  const open = (): Promise<void> => {
    if (/^settings$/i.test(text.trim()))
      return openSettings(
        context,
        trigger_id,
        actorOf({ user: { id: user }, channel: { id: channel } }),
        channel,
      );
    const unknown = unknownCommand(text);
    if (unknown !== null) return tell(context, asker, unknown);
    const { cases: _cases, ...read } = understand(text, context.paste);
    return openForm(context, { trigger_id, user: { id: user } }, { ...emptyDraft, ...read, team, channel });
  };
  await orTell(context, asker, async () => open(), noForm);
}

/** "Fill in the rest" of a paste that was not understood, and "Ask the jury" without one. */
async function onOpenForm(context: SlackContext, click: ActionBody): Promise<void> {
  const { team, channel, message, trigger_id, user } = click;
  const [{ value }] = click.actions;
  const where = whereOf(click);
  const open = async (): Promise<void> => {
    if (value && value !== 'new') {
      const draft = await findDraft(context.store, value, context.now());
      const about = draft?.channel ?? null;
      const isForeign =
        about !== null &&
        (await refusal(context.roles, 'rerun', actorOf(click), { surface: SLACK, channel: about })) !== null;
      return draft === null || isForeign
        ? tell(context, where, EXPIRED)
        : openForm(context, { trigger_id, user }, draft, value);
    }
    const draft = {
      ...emptyDraft,
      team: team?.id ?? context.identity.team,
      channel: channel?.id ?? null,
      thread: message?.thread_ts ?? null,
    };
    await openForm(context, { trigger_id, user }, draft);
  };
  await orTell(context, where, open, noForm);
}

/**
 * Opens the form for a case that was judged; whoever asks changes what they like.
 *
 * @param shows how to judge it alone, or its fields too
 */
export async function onAgain(
  context: SlackContext,
  click: ActionBody,
  id: string,
  shows: 'judging' | 'case',
): Promise<void> {
  const { store, now } = context;
  const where = whereOf(click);
  const open = async (): Promise<void> => {
    const visible = await visibleVerdict(store, id, clickerOf(context, click, 'rerun'), now());
    if (visible === null) return tell(context, where, voteTexts.gone);
    await openForm(context, click, draftAgain(visible.record), undefined, shows === 'case');
  };
  await orTell(context, where, open, noForm);
}

/** The ways to the form, and to a judgement without one. */
export function registerAsk(app: App, context: SlackContext): void {
  app.shortcut({ type: 'message_action', callback_id: callbacks.messageShortcut }, async ({ ack, body }) => {
    await ack();
    await onMessageShortcut(context, body);
  });
  app.shortcut({ type: 'shortcut', callback_id: callbacks.globalShortcut }, async ({ ack, body }) => {
    await ack();
    const { user, team, trigger_id } = GlobalShortcutBody.parse(body);
    const draft = { ...emptyDraft, team: team?.id ?? context.identity.team };
    await orTell(
      context,
      { channel: null, user: user.id },
      () => openForm(context, { trigger_id, user }, draft),
      noForm,
    );
  });
  app.command(command, async ({ ack, body }) => {
    const said = CommandBody.parse(body);
    if (/^help$/i.test(said.text.trim())) return ack({ response_type: 'ephemeral', ...welcomeMessage() });
    await ack();
    await onCommand(context, said);
  });
  onClick(app, context, [actions.openForm], (click) => onOpenForm(context, click));
}
