import type { App, RespondFn, ViewSubmitAction } from '@slack/bolt';
import { setNames } from '../../benchmark/datasets/case-sets.ts';
import { isStoreAway } from '../../common/errors.ts';
import { jsonLine } from '../../common/text.ts';
import type { VerdictRecord } from '../../labels/verdict-record.ts';
import { draftAgain } from '../ask-desk.ts';
import {
  addBySetForm,
  askModel as askModelOf,
  casesOf,
  modelToAsk,
  NO_MODEL,
  readableVerdict,
  SET,
  setForm,
  shareOnce,
} from '../card-desk.ts';
import type { FormErrors } from '../form.ts';
import { STORE_AWAY } from '../wording.ts';
import { onAgain, openForm } from './ask.ts';
import { ownChannel, slackError } from './clients.ts';
import { clickerOf, onClick, openView, orTell, type SlackContext, tell, whereOf } from './context.ts';
import { actions, callbacks, kindOf, SLACK } from './ids.ts';
import { ActionBody, ViewBody } from './payloads.ts';
import { uploadFile } from './posters.ts';
import { sharedMessage } from './render/card.ts';
import { readFormState, setView, VerdictMetadata } from './render/form.ts';
import { doneMessage } from './render/notices.ts';
import { casesView, readCasesValue } from './render/progress.ts';
import { readMenuValue } from './render/votes.ts';
import { onThumb } from './votes.ts';

/** A verdict that the viewer may read; null, with a word to them, for any other. */
async function readable(
  context: SlackContext,
  click: ActionBody,
  id: string,
  action: 'read' | 'rerun' = 'read',
): Promise<VerdictRecord | null> {
  const read = await readableVerdict(context, clickerOf(context, click, action), id);
  if (!('why' in read)) return read;
  await tell(context, whereOf(click), read.why);
  return null;
}

/**
 * Judges the same case by the default model, in the same thread; clicked twice, it is judged once. If that is exact checks, the
 * form opens with the first model that is connected.
 */
async function askModel(context: SlackContext, click: ActionBody): Promise<void> {
  const [usual] = context.models;
  const record = await readable(context, click, click.actions[0].value ?? '', 'rerun');
  if (record === null) return;
  const model = await modelToAsk(context, record);
  if (model === undefined) return tell(context, whereOf(click), NO_MODEL);
  const draft = draftAgain(record);
  if (model !== usual)
    return openForm(context, click, { ...draft, wish: { rubric: record.verdict.rubric, models: [model] } });
  const key = `model:${record.id}:${model}`;
  await askModelOf(context, record, model, {
    surface: SLACK,
    team: draft.team,
    key,
    requestedBy: click.user.id,
  });
}

/** Posts the card to the channel whose thread it stands in, once. */
async function share(context: SlackContext, click: ActionBody, id: string): Promise<void> {
  const { messages, cards, nameOf, now } = context;
  const record = await readable(context, click, id);
  if (record === null) return;
  const { channel, permalink } = record.source;
  const why = await shareOnce(context, record, kindOf(channel) !== 'direct', async () => {
    const by = await nameOf(click.user.id);
    const message = sharedMessage(await cards.inputOf(record), by, permalink ?? null);
    await messages.postOnce({ channel, thread: null, at: now() }, message, { text: `shared ${id}` }, false);
  });
  if (why !== null) await tell(context, whereOf(click), why);
}

/** Sends a verdict as a file, to who asked for it alone. */
async function sendJson(context: SlackContext, click: ActionBody, id: string): Promise<void> {
  const { clients } = context;
  const record = await readable(context, click, id);
  if (record === null) return;
  const name = `verdict-${id}.json`;
  const bytes = new TextEncoder().encode(`${jsonLine({ id, ...record.verdict })}\n`);
  try {
    const channel = await ownChannel(clients.now, click.user.id);
    await uploadFile(clients, bytes, { name, title: name, channel });
    if (click.channel?.id !== channel)
      await tell(context, whereOf(click), 'The file is in your messages with me.', doneMessage);
  } catch (thrown) {
    const error = slackError(thrown);
    if (error === null) throw thrown;
    const how =
      error === 'missing_scope' ? 'the app needs the scope files:write' : `Slack refuses it (${error})`;
    await tell(context, whereOf(click), `The file could not be sent: ${how}.`);
  }
}

async function openSetForm(context: SlackContext, click: ActionBody, id: string): Promise<void> {
  const record = await readable(context, click, id);
  if (record === null) return;
  const names = await setNames(context.store, context.now());
  await openView(context, click, setView(id, setForm(names)));
}

async function onSetForm(
  context: SlackContext,
  ack: (answer?: { response_action: 'errors'; errors: Record<string, string> }) => Promise<void>,
  raw: unknown,
): Promise<void> {
  const body = ViewBody.parse(raw);
  const { verdict: id } = VerdictMetadata.parse(JSON.parse(body.view.private_metadata));
  const refuse = (errors: FormErrors) => ack({ response_action: 'errors', errors: { ...errors } });
  try {
    const record = await readableVerdict(context, clickerOf(context, body), id);
    if ('why' in record) return refuse({ [SET]: record.why });
    const added = await addBySetForm(context, record, readFormState(body.view.state));
    if ('errors' in added) return refuse(added.errors);
    await ack();
    await tell(context, { ...record.source, user: body.user.id }, added.text, doneMessage);
  } catch (thrown) {
    if (!isStoreAway(thrown)) throw thrown;
    return refuse({ [SET]: STORE_AWAY });
  }
}

/** Lists all cases of a check whose verdicts are kept. */
async function showCases(context: SlackContext, click: ActionBody): Promise<void> {
  const read = readCasesValue(click.actions[0].value ?? '');
  if (read === null) return;
  const lines = await casesOf(context, clickerOf(context, click), read.checkId, read.count);
  await openView(context, click, casesView(lines));
}

async function onMenu(
  context: SlackContext,
  ack: () => Promise<void>,
  raw: unknown,
  respond: RespondFn,
): Promise<void> {
  const click = ActionBody.parse(raw);
  const chosen = readMenuValue(click.actions[0].selected_option?.value ?? '');
  if (chosen === null) return ack();
  const { action, verdictId } = chosen;
  if (action === 'unsure' || action === 'retract') return onThumb(context, ack, raw, respond);
  await ack();
  await orTell(context, whereOf(click), () => {
    switch (action) {
      case 'again':
        return onAgain(context, click, verdictId, 'judging');
      case 'share':
        return share(context, click, verdictId);
      case 'json':
        return sendJson(context, click, verdictId);
      case 'add-to-set':
        return openSetForm(context, click, verdictId);
    }
  });
}

/** What the buttons and the menu of a card do, beside votes and details. */
export function registerCardActions(app: App, context: SlackContext): void {
  app.action(actions.cardMenu, ({ ack, body, respond }) => onMenu(context, ack, body, respond));
  app.view<ViewSubmitAction>(callbacks.setForm, ({ ack, body }) => onSetForm(context, ack, body));
  onClick(app, context, [actions.askModel], (click) => askModel(context, click));
  onClick(app, context, [actions.showCases], (click) => showCases(context, click));
  onClick(app, context, [actions.again], (click) =>
    onAgain(context, click, click.actions[0].value ?? '', 'judging'),
  );
  onClick(app, context, [actions.fillIn], (click) =>
    onAgain(context, click, click.actions[0].value ?? '', 'case'),
  );
}
