import type { App } from '@slack/bolt';
import { JuryError } from '../../common/errors.ts';
import { visibleVerdict } from '../../labels/visible-verdict.ts';
import { recordRequest } from '../../requests/spot-check.ts';
import { answerDigestCommand, type DigestAsker, readDigestCommand } from '../digest-command.ts';
import { type Draft, findDraft, keepDraft, understand, wishOf } from '../drafts.ts';
import { askForm } from '../forms/ask-form.ts';
import { type JudgingChoices, settingsForm } from '../forms/judging-fields.ts';
import { clickerOf, isStoreAway, type SlackContext, STORE_GONE, showTo, tell, whereOf } from './context.ts';
import { actions, callbacks, command, kindOf, SLACK } from './ids.ts';
import { onQueueCommand } from './lists.ts';
import { ActionBody, CommandBody, GlobalShortcutBody, inputOf, MessageShortcutBody } from './payloads.ts';
import { message, paragraph, words } from './render/blocks.ts';
import { digestMessage, textStyle } from './render/digest.ts';
import { askView, settingsView } from './render/form.ts';
import { welcomeMessage } from './render/notices.ts';
import { onStudyCommand } from './studies.ts';

export const choicesOf = ({ library, models }: SlackContext): JudgingChoices => ({
  rubrics: library.rubrics,
  methods: library.methods,
  personas: library.personas,
  models,
});

/**
 * Opens the form; what it is about is kept before.
 *
 * @param draftId where the draft is kept already
 * @throws JuryError `store-unavailable`, or what Slack answered
 */
async function openForm(
  context: SlackContext,
  trigger_id: string,
  draft: Draft,
  draftId?: string,
): Promise<void> {
  const { store, library, clients, now } = context;
  const id = draftId ?? (await keepDraft(store, draft, now()));
  const form = askForm({
    understood: draft.understood,
    wish: await wishOf(store, draft),
    rubrics: library.rubrics,
    choices: choicesOf(context),
    format: library.caseFormat,
    problem: draft.problem,
  });
  await clients.now.views.open({ trigger_id, view: askView(id, form) });
}

/** @throws JuryError `store-unavailable`, or what Slack answered */
export async function openSettings(
  context: SlackContext,
  trigger_id: string,
  channel: string,
): Promise<void> {
  const settings = await context.store.channelSettings(channel);
  const view = settingsView(channel, settingsForm(settings, choicesOf(context)));
  await context.clients.now.views.open({ trigger_id, view });
}

const EXPIRED = 'What was pasted is not kept any more. Paste it again.';
const SEVERAL =
  'A form holds one case. For several at once mention me with them, write them to me, or attach a file.';
const NO_SUCH_VERDICT = 'This verdict is not kept any more. Paste the case again.';

/** What goes wrong while a form is opened is told to whoever wanted it. */
async function orTell(
  context: SlackContext,
  where: { channel: string | null; thread?: string | null | undefined; user: string },
  open: () => Promise<void>,
): Promise<void> {
  try {
    await open();
  } catch (thrown) {
    const gone = isStoreAway(thrown);
    await tell(context, where, gone ? STORE_GONE.check : 'The form could not be opened. Try again.');
    if (!gone) throw thrown;
  }
}

async function onMessageShortcut(context: SlackContext, raw: unknown): Promise<void> {
  const { identity, store, checks, now } = context;
  const { user, team, channel, message, trigger_id } = MessageShortcutBody.parse(raw);
  const thread = message.thread_ts ?? message.ts;
  const input = inputOf(message, identity.self);
  const read = understand(input.text, context.paste);
  const place = { team: team?.id ?? identity.team, channel: channel.id, thread };
  const isForFiles = input.files.length > 0 && (read === null || read.understood.response === undefined);
  await orTell(context, { channel: channel.id, thread, user: user.id }, async () => {
    if (read !== null && !isForFiles)
      return openForm(context, trigger_id, { ...read, ...place, wish: {}, again: null });
    // Files and several cases do not fit into a form: they are judged as they are.
    const asked = {
      ...place,
      surface: SLACK,
      key: trigger_id,
      kind: kindOf(channel.id),
      requestedBy: user.id,
      input,
    };
    const { check, status } = await recordRequest(store, asked, now());
    if (status === 'added') void checks.take(check.id);
  });
}

/** The channel that a word names: `<#C0123|quality>` is `C0123`; `#quality` stays a name. */
export function channelIn(word: string): string | null {
  if (!/^(#\S+|<#[^>]+>|[CG][A-Z0-9]{5,})$/.test(word)) return null;
  return /^<#([A-Z0-9]+)/.exec(word)?.[1] ?? word;
}

/** `/jury digest …`. Only who asked sees the answer. `false` where the text is about something else. */
async function onDigestCommand(
  context: SlackContext,
  asker: Omit<DigestAsker, 'surface'>,
  text: string,
): Promise<boolean> {
  const command = readDigestCommand(text, channelIn);
  if (command === null) return false;
  const { channel, user } = asker;
  try {
    const answer = await answerDigestCommand(context, { ...asker, surface: SLACK }, command);
    const shown =
      typeof answer === 'string'
        ? message(answer, [paragraph(words(answer))])
        : digestMessage(answer, textStyle);
    await showTo(context, { channel, user }, shown);
  } catch (thrown) {
    if (!(thrown instanceof JuryError)) throw thrown;
    await tell(context, { channel, user }, thrown.message);
  }
  return true;
}

async function onCommand(context: SlackContext, raw: unknown): Promise<void> {
  const { channel_id, channel_name, user_id, team_id, trigger_id, text } = CommandBody.parse(raw);
  const asker = { team: team_id, channel: channel_id, channelName: channel_name ?? null, user: user_id };
  if (await onDigestCommand(context, asker, text)) return;
  if (await onQueueCommand(context, asker, text)) return;
  if (await onStudyCommand(context, { ...asker, trigger_id }, text)) return;
  await orTell(context, { channel: channel_id, user: user_id }, async () => {
    if (text.trim() === 'settings') return openSettings(context, trigger_id, channel_id);
    const read = understand(text, context.paste) ?? { understood: {}, problem: SEVERAL };
    const draft = { ...read, team: team_id, channel: channel_id, thread: null, wish: {}, again: null };
    await openForm(context, trigger_id, draft);
  });
}

/** "Fill in the rest" of a paste that was not understood, and "Ask the jury" without one. */
async function onOpenForm(context: SlackContext, raw: unknown): Promise<void> {
  const click = ActionBody.parse(raw);
  const { team, channel, message, trigger_id } = click;
  const [{ value }] = click.actions;
  const where = whereOf(click);
  await orTell(context, where, async () => {
    if (value && value !== 'new') {
      const draft = await findDraft(context.store, value, context.now());
      return draft === null ? tell(context, where, EXPIRED) : openForm(context, trigger_id, draft, value);
    }
    const draft: Draft = {
      understood: {},
      wish: {},
      team: team?.id ?? context.identity.team,
      channel: channel?.id ?? null,
      thread: message?.thread_ts ?? null,
      again: null,
    };
    await openForm(context, trigger_id, draft);
  });
}

/** The same case with what it was judged by; whoever asks changes what they like. */
async function onAgain(context: SlackContext, raw: unknown): Promise<void> {
  const { store, now } = context;
  const click = ActionBody.parse(raw);
  const where = whereOf(click);
  await orTell(context, where, async () => {
    const id = click.actions[0].value ?? '';
    const visible = await visibleVerdict(store, id, clickerOf(context, click), now());
    if (visible === null) return tell(context, where, NO_SUCH_VERDICT);
    // How it was judged, and nothing of what came of it, so that it may be shown before an answer too.
    const { evalCase, verdict, source } = visible.record;
    const { rubric, method, settings } = verdict;
    const models = [...new Set(settings.panel.map(({ model }) => model))];
    await openForm(context, click.trigger_id, {
      understood: evalCase,
      wish: { rubric, method, models },
      team: source.team,
      channel: source.channel,
      thread: source.thread ?? source.message,
      again: id,
    });
  });
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
    await orTell(context, { channel: null, user: user.id }, () =>
      openForm(context, trigger_id, {
        understood: {},
        wish: {},
        team: team?.id ?? context.identity.team,
        channel: null,
        thread: null,
        again: null,
      }),
    );
  });
  app.command(command, async ({ ack, body }) => {
    if (/^help$/i.test(body.text.trim())) return ack({ response_type: 'ephemeral', ...welcomeMessage() });
    await ack();
    await onCommand(context, body);
  });
  app.action(actions.openForm, async ({ ack, body }) => {
    await ack();
    await onOpenForm(context, body);
  });
  app.action(actions.again, async ({ ack, body }) => {
    await ack();
    await onAgain(context, body);
  });
}
