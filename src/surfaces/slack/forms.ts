import type { App } from '@slack/bolt';
import { expandDraft, reshapeDraft, saveSettings, sendDraft, settingsFor } from '../ask-desk.ts';
import { type FilledIn, type Form, refilled } from '../form.ts';
import { judging } from '../forms/judging-fields.ts';
import { onClick, onForm, openView, replaceView, type SentForm } from './clicks.ts';
import { ownChannel } from './clients.ts';
import { actorOf, type SlackContext, teamOf, tell } from './context.ts';
import { scheduleFormOf } from './digests.ts';
import { actions, callbacks, SLACK } from './ids.ts';
import type { Click, Origin } from './payloads.ts';
import { type AboutForm, forms, formView, readAbout, readFormState } from './render/form.ts';

async function onAsk(context: SlackContext, sent: SentForm<AboutForm<'ask'>>) {
  const { user, view, about, filledIn } = sent;
  const recorded = await sendDraft(context, about.draft, filledIn, {
    surface: SLACK,
    team: teamOf(context, sent),
    // A view is submitted once; sent again, it has the same id.
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

/** Puts the form of a draft in the place of the one that is open, shaped by what was filled in so far. */
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

/** The form of a conversation's settings for this person; null, with a word to them, if they may not change them. */
async function settingsOf(context: SlackContext, origin: Origin, channel: string): Promise<Form | null> {
  const found = await settingsFor(context, actorOf(origin), { surface: SLACK, channel });
  if (!('why' in found)) return found.form;
  await tell(context, origin, found.why);
  return null;
}

/** Shows the advanced fields of the form that is open, with what was filled in so far. */
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

/** The form for a case: sent, asking for other fields as another rubric does, and showing its advanced ones. */
export function registerJudgeForm(app: App, context: SlackContext): void {
  onForm(app, context, forms.ask, (sent) => onAsk(context, sent));
  onClick(app, context, [actions.formRubric], (click) => reshape(context, click, reshapeDraft));
  onClick(app, context, [actions.formAdvanced], (click) => onAdvanced(context, click));
}

/** @throws JuryError `store-unavailable`, or what Slack answered */
export async function openSettings(
  context: SlackContext,
  asker: Origin & { trigger: string },
  channel: string,
): Promise<void> {
  const form = await settingsOf(context, asker, channel);
  if (form !== null) await openView(context, asker, formView(forms.settings, { channel }, form));
}

/** What a channel takes where a request names nothing else. */
export function registerSettings(app: App, context: SlackContext): void {
  onClick(app, context, [actions.openSettings], async (click) => {
    const about = click.conversation ?? click.channel;
    if (about !== null) await openSettings(context, click, about);
  });
  onForm(app, context, forms.settings, async (sent) => {
    const { channel } = sent.about;
    const saved = await saveSettings(context, actorOf(sent), { surface: SLACK, channel }, sent.filledIn);
    if ('why' in saved) return { errors: { [judging.rubric]: saved.why } };
    if ('errors' in saved) return saved;
    const { leftOut } = saved;
    return leftOut === null ? null : { after: () => tell(context, { channel, user: sent.user }, leftOut) };
  });
}
