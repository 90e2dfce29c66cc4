import type { App, ViewSubmitAction } from '@slack/bolt';
import { JuryError } from '../../common/errors.ts';
import { recordRequest } from '../../requests/spot-check.ts';
import { type Draft, findDraft, keepDraft, wishOf } from '../drafts.ts';
import {
  type Form,
  type FormErrors,
  refilled,
  shownErrors,
  type VanishedChoice,
  withHidden,
} from '../form.ts';
import { opened, planErrors, readAsked } from '../forms/ask-form.ts';
import {
  judging,
  readJudging,
  readSettingsForm,
  settingsChange,
  settingsForm,
  vanishedText,
} from '../forms/judging-fields.ts';
import { choicesOf, formOf, openSettings } from './ask.ts';
import { ownChannel } from './clients.ts';
import { isStoreAway, onClick, orTell, replaceView, type SlackContext, STORE_GONE, tell } from './context.ts';
import { announce, scheduleFormOf } from './digests.ts';
import { actions, callbacks, kindOf, SLACK } from './ids.ts';
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

const draftOf = async (context: SlackContext, metadata: string): Promise<[Draft | null, string]> => {
  const { draft } = AskMetadata.parse(JSON.parse(metadata));
  return [await findDraft(context.store, draft, context.now()), draft];
};

async function onSubmit(context: SlackContext, answer: Answer, raw: unknown): Promise<void> {
  const { store, checks, library, identity, now } = context;
  const { user, team, view } = ViewBody.parse(raw);
  const refuse = (errors: FormErrors) => answer({ response_action: 'errors', errors: { ...errors } });
  let recorded: Awaited<ReturnType<typeof recordRequest>>;
  try {
    const [draft] = await draftOf(context, view.private_metadata);
    if (draft === null)
      return refuse({ [judging.rubric]: 'This form was open for too long: close it and ask again.' });
    const state = readFormState(view.state);
    const filledIn = withHidden(formOf(context, draft, await wishOf(store, draft)), state);
    const read = readAsked(filledIn, draft, library.rubrics, context.paste);
    if ('errors' in read) return refuse(read.errors);
    for (const { evalCase } of read.cases) {
      const problems = planErrors(context, evalCase, read.wish);
      if (problems !== null) return refuse(shownErrors(problems, state, judging.rubric));
    }
    // A form that belongs to no conversation is answered in person.
    const channel = draft.channel ?? (await ownChannel(context.clients.now, user.id));
    const asked = {
      surface: SLACK,
      team: team?.id ?? identity.team,
      // A view is submitted once; sent again, it has the same id.
      key: `view:${view.id}`,
      channel,
      thread: draft.thread,
      requestedBy: user.id,
      input: { kind: 'cases' as const, cases: read.cases },
      wish: read.wish,
      isWishComplete: true,
      again: draft.again,
    };
    recorded = await recordRequest(store, asked, now());
  } catch (thrown) {
    if (!isStoreAway(thrown)) throw thrown;
    return refuse({ [judging.rubric]: STORE_GONE.check });
  }
  await answer();
  if (recorded.status === 'added') void checks.take(recorded.check.id);
}

/** Another rubric asks for other fields. */
async function onRubric(context: SlackContext, { view }: ActionBody): Promise<void> {
  if (!view) return;
  const [draft, draftId] = await draftOf(context, view.private_metadata);
  if (draft === null) return;
  const filledIn = readFormState(view.state);
  const all = withHidden(formOf(context, draft, await wishOf(context.store, draft)), filledIn);
  const form = formOf(context, { ...draft, problem: undefined }, readJudging(all));
  await replaceView(context, { view }, askView(draftId, refilled(form, filledIn)));
}

/** Shows the advanced fields of the form that is open, with what was filled in so far. */
async function onAdvanced(context: SlackContext, { view }: ActionBody): Promise<void> {
  if (!view) return;
  const { store, paste, now } = context;
  const filledIn = readFormState(view.state);
  const expanded = (form: Form): Form => ({ ...refilled(form, filledIn), expanded: true });
  if (view.callback_id === callbacks.settingsForm) {
    const { channel } = SettingsMetadata.parse(JSON.parse(view.private_metadata));
    const form = settingsForm(await store.channelSettings(channel), choicesOf(context));
    return replaceView(context, { view }, settingsView(channel, expanded(form)));
  }
  if (view.callback_id === callbacks.scheduleForm) {
    const about = ScheduleMetadata.parse(JSON.parse(view.private_metadata));
    return replaceView(context, { view }, digestView(about, expanded(scheduleFormOf(context, about))));
  }
  const [kept, id] = await draftOf(context, view.private_metadata);
  if (kept === null) return;
  const draft = opened(kept, filledIn, paste);
  if (draft !== kept) await keepDraft(store, draft, now(), id);
  const wish = readJudging(withHidden(formOf(context, kept, await wishOf(store, kept)), filledIn));
  await replaceView(context, { view }, askView(id, expanded(formOf(context, draft, wish))));
}

export function registerJudgeForm(app: App, context: SlackContext): void {
  app.view<ViewSubmitAction>(callbacks.judgeForm, ({ ack, body }) => onSubmit(context, ack, body));
  onClick(app, [actions.formRubric], (click) => onRubric(context, click));
  onClick(app, [actions.formAdvanced], (click) => onAdvanced(context, click));
}

const AWAY = 'The store cannot be reached at the moment: nothing was changed. Try again in a minute.';

/** What a channel takes where a request names nothing else. */
export function registerSettings(app: App, context: SlackContext): void {
  onClick(
    app,
    [actions.openSettings],
    async ({ user, channel, trigger_id, actions: [{ selected_conversation }] }) => {
      const about = selected_conversation ?? channel?.id;
      if (about === undefined) return;
      await orTell(context, { channel: null, user: user.id }, () => openSettings(context, trigger_id, about));
    },
  );
  app.view<ViewSubmitAction>(callbacks.settingsForm, async ({ ack, body }) => {
    const { view, user } = ViewBody.parse(body);
    const { channel } = SettingsMetadata.parse(JSON.parse(view.private_metadata));
    let vanished: readonly VanishedChoice[];
    let change: string | null = null;
    try {
      const before = await context.store.channelSettings(channel);
      const form = settingsForm(before, choicesOf(context));
      const read = readSettingsForm(form, readFormState(view.state));
      if ('errors' in read) return ack({ response_action: 'errors', errors: { ...read.errors } });
      await context.store.saveChannelSettings(channel, read.settings);
      vanished = read.vanished;
      change = settingsChange(before, read.settings);
    } catch (thrown) {
      if (!(thrown instanceof JuryError)) throw thrown;
      return ack({ response_action: 'errors', errors: { [judging.rubric]: AWAY } });
    }
    await ack();
    if (vanished.length > 0) await tell(context, { channel, user: user.id }, vanishedText(vanished));
    if (change !== null && kindOf(channel) === 'channel')
      await announce(context, channel, [
        { person: user.id },
        ` changed how cases are judged here: ${change}.`,
      ]);
  });
}
