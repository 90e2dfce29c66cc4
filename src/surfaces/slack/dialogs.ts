import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '@slack/bolt';
import type * as z from 'zod';
import { refusal, visibleVerdict } from '../../labels/access/index.ts';
import { recordRequest, threadReading } from '../../requests/index.ts';
import { wordsIn } from '../../words/index.ts';
import {
  answerIn,
  type Draft,
  draftAgain,
  emptyDraft,
  expandDraft,
  type FilledIn,
  type Form,
  findDraft,
  judging,
  openDraft,
  refilled,
  reshapeDraft,
  saveSettings,
  sendDraft,
  settingsFor,
  understand,
} from '../forms/index.ts';
import {
  actorOf,
  inLanguageOf,
  onClick,
  onForm,
  openView,
  orTell,
  replaceView,
  type SentForm,
  type SlackContext,
  teamOf,
  tell,
  viewerOf,
} from './context.ts';
import { scheduleFormOf } from './digests.ts';
import { actions, callbacks, SLACK } from './ids.ts';
import { ownChannel } from './members.ts';
import { inputOf, messageAbove, saidIn, threadAbove } from './message-source.ts';
import { type Click, GlobalShortcut, MessageShortcut, type Origin } from './payloads.ts';
import { type AboutForm, forms, formView, readAbout, readFormState } from './render/form.ts';

async function onAsk(context: SlackContext, sent: SentForm<AboutForm<'ask'>>) {
  const { user, view, about, filledIn } = sent;
  const recorded = await sendDraft(context, about.draft, filledIn, {
    surface: SLACK,
    team: teamOf(context, sent),
    // A view is submitted once; redelivered, it has the same id.
    key: `view:${view.id}`,
    requestedBy: user,
    actor: actorOf(sent),
    channel: () => ownChannel(context.clients.now, user),
  });
  if ('errors' in recorded) return recorded;
  return {
    after: async () => {
      if (recorded.status === 'added') void context.checks.take(recorded.check.id);
    },
  };
}

/** Replaces the open form with another shape of it, keeping the values entered so far. */
async function reshape(
  context: SlackContext,
  click: Click,
  shape: (desk: SlackContext, draftId: string, filledIn: FilledIn) => Promise<Form | null>,
): Promise<void> {
  const { view } = click;
  if (view === null) return;
  const about = readAbout(forms.ask, view);
  const form = await shape(context, about.draft, readFormState(view.state));
  if (form !== null) await replaceView(context, click, formView(forms.ask, about, form));
}

/** The form with a conversation's settings; null if this person may not change them, who then gets the reason. */
async function settingsOf(context: SlackContext, origin: Origin, channel: string): Promise<Form | null> {
  const settings = await settingsFor(context, actorOf(origin), { surface: SLACK, channel });
  if (!('why' in settings)) return settings.form;
  await tell(context, origin, settings.why);
  return null;
}

/** Shows the open form's advanced fields, keeping the values entered so far. */
async function onAdvanced(context: SlackContext, click: Click): Promise<void> {
  const { view } = click;
  if (view === null) return;
  const expanded = (form: Form): Form => ({
    ...refilled(form, readFormState(view.state)),
    expanded: true,
  });
  switch (view.callback_id) {
    case callbacks.settingsForm: {
      const about = readAbout(forms.settings, view);
      const form = await settingsOf(context, click, about.channel);
      if (form !== null) await replaceView(context, click, formView(forms.settings, about, expanded(form)));
      return;
    }
    case callbacks.scheduleForm: {
      const about = readAbout(forms.schedule, view);
      const form = expanded(scheduleFormOf(context, about));
      return replaceView(context, click, formView(forms.schedule, about, form));
    }
    default:
      return reshape(context, click, expandDraft);
  }
}

/**
 * Opens the form with a conversation's settings, or says why this person may not change them.
 * @throws JuryError `store-unavailable`, or Slack's error
 */
export async function openSettings(
  context: SlackContext,
  asker: Origin & { trigger: string },
  channel: string,
): Promise<void> {
  const form = await settingsOf(context, asker, channel);
  if (form !== null) await openView(context, asker, formView(forms.settings, { channel }, form));
}

/**
 * Opens the form for a draft.
 *
 * @param known the draft's id, if it is stored already
 * @param expanded shows the advanced fields as well
 * @throws JuryError `store-unavailable`, or Slack's error
 */
export async function openForm(
  context: SlackContext,
  click: Pick<Click, 'trigger' | 'user'> & Partial<Pick<Click, 'view'>>,
  draft: Draft,
  known?: string,
  expanded = false,
): Promise<void> {
  const { draftId, form } = await openDraft(
    context,
    { ...draft, by: { surface: SLACK, user: click.user } },
    known,
  );
  const shown = expanded ? { ...form, expanded } : form;
  await openView(context, click, formView(forms.ask, { draft: draftId }, shown));
}

/** A form must open within three seconds of the shortcut. */
const ABOVE_MS = 1_500;
/** Pages of a thread to read in that time. */
const ABOVE_PAGES = 1;

/** An answer with the request above it, to prefill the form; null if the message is judged on its own. */
async function withRequest(
  context: SlackContext,
  { message, channel, thread, user }: z.infer<typeof MessageShortcut>,
): Promise<Pick<Draft, 'understood' | 'paste' | 'problem' | 'notes'> | null> {
  const { source, self, texts } = context;
  const answer = saidIn(message, self);
  if (answer === null) return null;
  const isReply = thread !== message.ts;
  const above = isReply
    ? threadAbove(context, channel, thread, message.ts, ABOVE_PAGES)
    : messageAbove(context, channel, message.ts);
  const late = sleep(ABOVE_MS, null, { ref: false });
  const read = await Promise.race([above.catch(() => null), late]);
  const signal = AbortSignal.timeout(ABOVE_MS);
  return answerIn(
    read,
    answer,
    threadReading(source, user, signal),
    wordsIn(texts.language).requests.unreadAbove,
  );
}

async function onMessageShortcut(
  context: SlackContext,
  asker: z.infer<typeof MessageShortcut>,
): Promise<void> {
  const { identity, store, checks, now } = context;
  const input = inputOf(asker.message, identity.self);
  const { cases, ...own } = await understand(input.text, context.readPaste, asker.user);
  const read = cases > 1 || input.files.length > 0 ? own : ((await withRequest(context, asker)) ?? own);
  const place = { team: teamOf(context, asker), channel: asker.channel, thread: asker.thread };
  const isForFiles = input.files.length > 0 && read.understood.response === undefined;
  if (cases < 2 && !isForFiles) return openForm(context, asker, { ...emptyDraft, ...read, ...place });
  // Files and multiple cases do not fit into a form, so they are judged right away.
  const asked = { ...place, surface: SLACK, key: asker.trigger, requestedBy: asker.user, input };
  const { check, status } = await recordRequest(store, asked, now());
  if (status === 'added') void checks.take(check.id);
}

/** "Fill in the rest" of a paste that was not understood, and "Ask the jury" without a paste. */
async function onOpenForm(context: SlackContext, click: Click): Promise<void> {
  const { channel, thread, value } = click;
  if (value === '' || value === 'new')
    return openForm(context, click, { ...emptyDraft, team: teamOf(context, click), channel, thread });
  const draft = await findDraft(context.store, value, context.now());
  const { pasteGone } = wordsIn(context.texts.language).requests;
  if (draft === null) return tell(context, click, pasteGone);
  const about = { surface: SLACK, channel: draft.channel ?? '' };
  const isForeign =
    draft.channel !== null && (await refusal(context.roles, 'rerun', actorOf(click), about)) !== null;
  await (isForeign ? tell(context, click, pasteGone) : openForm(context, click, draft, value));
}

/**
 * Opens the form for a case that was judged before; everything in it can be changed.
 *
 * @param shows `judging` to show only how to judge, `case` to show the case's fields too
 */
export async function onAgain(
  context: SlackContext,
  click: Click,
  id: string,
  shows: 'judging' | 'case',
): Promise<void> {
  const { store, now } = context;
  const visible = await visibleVerdict(store, id, viewerOf(context, click, 'rerun'), now());
  if (visible === null) return tell(context, click, wordsIn(context.texts.language).votes.gone);
  await openForm(context, click, draftAgain(visible.record), undefined, shows === 'case');
}

/** Registers the shortcuts and buttons that open forms or judge directly, the case form, and the settings form. */
export function registerDialogs(app: App, context: SlackContext): void {
  app.shortcut({ type: 'message_action', callback_id: callbacks.messageShortcut }, async ({ ack, body }) => {
    await ack();
    const asker = MessageShortcut.parse(body);
    await orTell(context, asker, async () => onMessageShortcut(await inLanguageOf(context, asker), asker));
  });
  app.shortcut({ type: 'shortcut', callback_id: callbacks.globalShortcut }, async ({ ack, body }) => {
    await ack();
    const asker = GlobalShortcut.parse(body);
    const draft = { ...emptyDraft, team: teamOf(context, asker) };
    await orTell(context, asker, async () =>
      openForm(await inLanguageOf(context, { ...asker, channel: null }), asker, draft),
    );
  });
  onClick(app, context, [actions.openForm], (click, _respond, own) => onOpenForm(own, click));
  for (const [action, shows] of [
    [actions.again, 'judging'],
    [actions.fillIn, 'case'],
  ] as const)
    onClick(app, context, [action], (click, _respond, own) => onAgain(own, click, click.value, shows));

  onForm(app, context, forms.ask, (sent, own) => onAsk(own, sent));
  onClick(app, context, [actions.formRubric], (click, _respond, own) => reshape(own, click, reshapeDraft));
  onClick(app, context, [actions.formAdvanced], (click, _respond, own) => onAdvanced(own, click));

  onClick(app, context, [actions.openSettings], async (click, _respond, own) => {
    const about = click.conversation ?? click.channel;
    if (about !== null) await openSettings(own, click, about);
  });
  onForm(app, context, forms.settings, async (sent, own) => {
    const { channel } = sent.about;
    const saved = await saveSettings(own, actorOf(sent), { surface: SLACK, channel }, sent.filledIn);
    if ('why' in saved) return { errors: { [judging.rubric]: saved.why } };
    if ('errors' in saved) return saved;
    const { leftOut } = saved;
    return leftOut === null ? null : { after: () => tell(context, { channel, user: sent.user }, leftOut) };
  });
}
