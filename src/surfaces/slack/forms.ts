import type { App, ViewSubmitAction } from '@slack/bolt';
import { isStoreAway, JuryError } from '../../common/errors.ts';
import { expandDraft, reshapeDraft, saveSettings, sendDraft, settingsFor } from '../ask-desk.ts';
import { type Form, type FormErrors, refilled } from '../form.ts';
import { judging } from '../forms/judging-fields.ts';
import { STORE_AWAY } from '../wording.ts';
import { openSettings } from './ask.ts';
import { ownChannel } from './clients.ts';
import { actorOf, onClick, orTell, replaceView, type SlackContext, STORE_GONE, tell } from './context.ts';
import { scheduleFormOf } from './digests.ts';
import { actions, callbacks, SLACK } from './ids.ts';
import { type ActionBody, ViewBody } from './payloads.ts';
import {
  AskMetadata,
  askView,
  digestView,
  readFormState,
  ScheduleMetadata,
  SettingsMetadata,
  settingsView,
} from './render/form.ts';

type Answer = (answer?: { response_action: 'errors'; errors: Record<string, string> }) => Promise<void>;

const draftOf = (metadata: string): string => AskMetadata.parse(JSON.parse(metadata)).draft;

async function onSubmit(context: SlackContext, answer: Answer, raw: unknown): Promise<void> {
  const { user, team, view } = ViewBody.parse(raw);
  const refuse = (errors: FormErrors) => answer({ response_action: 'errors', errors: { ...errors } });
  let recorded: Awaited<ReturnType<typeof sendDraft>>;
  try {
    recorded = await sendDraft(context, draftOf(view.private_metadata), readFormState(view.state), {
      surface: SLACK,
      team: team?.id ?? context.identity.team,
      // A view is submitted once; sent again, it has the same id.
      key: `view:${view.id}`,
      requestedBy: user.id,
      actor: actorOf({ user }),
      channel: () => ownChannel(context.clients.now, user.id),
    });
  } catch (thrown) {
    if (!isStoreAway(thrown)) throw thrown;
    return refuse({ [judging.rubric]: STORE_GONE.check });
  }
  if ('errors' in recorded) return refuse(recorded.errors);
  await answer();
  if (recorded.status === 'added') void context.checks.take(recorded.check.id);
}

/** Another rubric asks for other fields. */
async function onRubric(context: SlackContext, { view }: ActionBody): Promise<void> {
  if (!view) return;
  const draftId = draftOf(view.private_metadata);
  const form = await reshapeDraft(context, draftId, readFormState(view.state));
  if (form !== null) await replaceView(context, { view }, askView(draftId, form));
}

/** Shows the advanced fields of the form that is open, with what was filled in so far. */
async function onAdvanced(context: SlackContext, click: ActionBody): Promise<void> {
  const { view } = click;
  if (!view) return;
  const filledIn = readFormState(view.state);
  const expanded = (form: Form): Form => ({ ...refilled(form, filledIn), expanded: true });
  if (view.callback_id === callbacks.settingsForm) {
    const { channel } = SettingsMetadata.parse(JSON.parse(view.private_metadata));
    const found = await settingsFor(context, actorOf(click), { surface: SLACK, channel });
    if ('why' in found) return tell(context, { channel: null, user: click.user.id }, found.why);
    return replaceView(context, { view }, settingsView(channel, expanded(found.form)));
  }
  if (view.callback_id === callbacks.scheduleForm) {
    const about = ScheduleMetadata.parse(JSON.parse(view.private_metadata));
    return replaceView(context, { view }, digestView(about, expanded(scheduleFormOf(context, about))));
  }
  const draftId = draftOf(view.private_metadata);
  const form = await expandDraft(context, draftId, filledIn);
  if (form !== null) await replaceView(context, { view }, askView(draftId, form));
}

export function registerJudgeForm(app: App, context: SlackContext): void {
  app.view<ViewSubmitAction>(callbacks.judgeForm, ({ ack, body }) => onSubmit(context, ack, body));
  onClick(app, context, [actions.formRubric], (click) => onRubric(context, click));
  onClick(app, context, [actions.formAdvanced], (click) => onAdvanced(context, click));
}

/** What a channel takes where a request names nothing else. */
export function registerSettings(app: App, context: SlackContext): void {
  onClick(app, context, [actions.openSettings], async (click) => {
    const {
      user,
      channel,
      trigger_id,
      actions: [{ selected_conversation }],
    } = click;
    const about = selected_conversation ?? channel?.id;
    if (about === undefined) return;
    await orTell(context, { channel: null, user: user.id }, () =>
      openSettings(context, trigger_id, actorOf(click), about),
    );
  });
  app.view<ViewSubmitAction>(callbacks.settingsForm, async ({ ack, body }) => {
    const { view, user } = ViewBody.parse(body);
    const { channel } = SettingsMetadata.parse(JSON.parse(view.private_metadata));
    let saved: Awaited<ReturnType<typeof saveSettings>>;
    try {
      const conversation = { surface: SLACK, channel };
      saved = await saveSettings(context, actorOf({ user }), conversation, readFormState(view.state));
      if ('why' in saved) return ack({ response_action: 'errors', errors: { [judging.rubric]: saved.why } });
      if ('errors' in saved) return ack({ response_action: 'errors', errors: { ...saved.errors } });
    } catch (thrown) {
      if (!(thrown instanceof JuryError)) throw thrown;
      return ack({ response_action: 'errors', errors: { [judging.rubric]: STORE_AWAY } });
    }
    await ack();
    const { leftOut } = saved;
    if (leftOut !== null) await tell(context, { channel, user: user.id }, leftOut);
  });
}
