import type { App } from '@slack/bolt';
import { jsonLine } from '../../common/text/index.ts';
import { setNames } from '../../datasets/index.ts';
import type { MenuAction } from '../../judging/card/index.ts';
import type { VerdictRecord } from '../../labels/record/index.ts';
import { wordsIn } from '../../words/index.ts';
import {
  addBySetForm,
  askModel as askModelOf,
  casesOf,
  judgeEdited,
  judgeExample,
  judgeThese,
  judgeWithIt,
  modelToAsk,
  noModel,
  readableVerdict,
  SET,
  setForm,
  shareOnce,
  stopRequest,
  tryAgain,
} from '../desks/index.ts';
import { chooseReading, draftAgain, trustReading } from '../forms/index.ts';
import {
  actorOf,
  onClick,
  onForm,
  onVoteClick,
  openView,
  type SlackContext,
  teamOf,
  tell,
  viewerOf,
} from './context.ts';
import { onAgain, openForm } from './dialogs.ts';
import { actions, kindOf, SLACK } from './ids.ts';
import { ownChannel } from './members.ts';
import { uploadFile } from './messages.ts';
import type { Click } from './payloads.ts';
import { readMenuValue, sharedMessage } from './render/card.ts';
import { forms, formView } from './render/form.ts';
import { casesView, readCasesValue } from './render/lists.ts';
import { doneMessage } from './render/notices.ts';
import { slackError } from './slack-errors.ts';
import { castClick, showThumb } from './votes.ts';

/** The verdict, if the viewer may read it; otherwise null, and they get the reason. */
async function readableOrTell(
  context: SlackContext,
  click: Click,
  id: string,
  action: 'read' | 'rerun' = 'read',
): Promise<VerdictRecord | null> {
  const read = await readableVerdict(context, viewerOf(context, click, action), id);
  if (!('why' in read)) return read;
  await tell(context, click, read.why);
  return null;
}

/**
 * Judges the same case with the default model, in the same thread; clicking twice judges it once. If the default is the exact
 * checks, opens the form with the first connected model instead.
 */
async function askModel(context: SlackContext, click: Click): Promise<void> {
  const [usual] = context.models;
  const record = await readableOrTell(context, click, click.value, 'rerun');
  if (record === null) return;
  const model = await modelToAsk(context, record);
  if (model === undefined) return tell(context, click, noModel(context));
  const draft = draftAgain(record);
  if (model !== usual)
    return openForm(context, click, { ...draft, wish: { rubric: record.verdict.rubric, models: [model] } });
  const key = `model:${record.id}:${model}`;
  await askModelOf(context, record, model, {
    surface: SLACK,
    team: draft.team,
    key,
    requestedBy: click.user,
  });
}

/** Posts the card once to the channel that its thread is in. */
async function share(context: SlackContext, click: Click, id: string): Promise<void> {
  const { messages, cards, nameOf, now } = context;
  const record = await readableOrTell(context, click, id);
  if (record === null) return;
  const { channel, permalink } = record.source;
  const why = await shareOnce(context, record, kindOf(channel) !== 'direct', async () => {
    const by = await nameOf(click.user);
    const message = sharedMessage(await cards.inputOf(record), by, permalink ?? null);
    await messages.postOnce({ channel, thread: null, at: now() }, message, { text: `shared ${id}` }, false);
  });
  if (why !== null) await tell(context, click, why);
}

/** Sends a verdict as a file to the requester only. */
async function sendJson(context: SlackContext, click: Click, id: string): Promise<void> {
  const { clients } = context;
  const words = wordsIn(context.texts.language).requests;
  const record = await readableOrTell(context, click, id);
  if (record === null) return;
  const name = `verdict-${id}.json`;
  const bytes = new TextEncoder().encode(`${jsonLine({ id, ...record.verdict })}\n`);
  try {
    const channel = await ownChannel(clients.now, click.user);
    await uploadFile(clients, bytes, { name, title: name, channel });
    if (click.channel !== channel) await tell(context, click, words.fileSent, doneMessage);
  } catch (thrown) {
    const error = slackError(thrown);
    if (error === null) throw thrown;
    const how = error === 'missing_scope' ? words.fileScope : words.refusedBy({ platform: 'Slack', error });
    await tell(context, click, words.fileNotSent(how));
  }
}

/** Opens the form that adds a verdict's case to a set. */
export async function openSetForm(context: SlackContext, click: Click, id: string): Promise<void> {
  const record = await readableOrTell(context, click, id);
  if (record === null) return;
  const form = setForm(await setNames(context.store, context.now()), context.texts.language);
  await openView(context, click, formView(forms.set, { verdict: id }, form));
}

/** Opens a list of a check's cases whose verdicts are still stored. */
async function showCases(context: SlackContext, click: Click): Promise<void> {
  const read = readCasesValue(click.value);
  if (read === null) return;
  const lines = await casesOf(context, viewerOf(context, click), read.checkId, read.count);
  await openView(context, click, casesView(lines, context.texts.language));
}

/** Handlers for the card menu, except for votes. */
const menuAnswers: Readonly<
  Record<
    Exclude<MenuAction, 'unsure' | 'retract'>,
    (context: SlackContext, click: Click, id: string) => Promise<void>
  >
> = {
  again: (context, click, id) => onAgain(context, click, id, 'judging'),
  share,
  json: sendJson,
  'add-to-set': openSetForm,
};

async function onMenu(context: SlackContext, click: Click): Promise<void> {
  const chosen = readMenuValue(click.value);
  if (chosen === null || chosen.action === 'unsure' || chosen.action === 'retract') return;
  await menuAnswers[chosen.action](context, click, chosen.verdictId);
}

/** Registers a card's buttons and menu, except for votes and details, and the buttons of requests in progress. */
export function registerCardActions(app: App, context: SlackContext): void {
  onVoteClick(
    app,
    context,
    [actions.cardMenu],
    (click, own) => castClick(own, click),
    (cast, click, respond, own) =>
      cast === null ? onMenu(own, click) : showThumb(own, click, cast, respond),
  );
  onForm(app, context, forms.set, async (sent, own) => {
    const record = await readableVerdict(own, viewerOf(own, sent), sent.about.verdict);
    if ('why' in record) return { errors: { [SET]: record.why } };
    const added = await addBySetForm(own, actorOf(sent), record, sent.filledIn);
    if ('errors' in added) return added;
    return { after: () => tell(context, { ...record.source, user: sent.user }, added.text, doneMessage) };
  });
  onClick(app, context, [actions.stop], async (click, _respond, own) => {
    const why = await stopRequest(own, actorOf(click), click.value);
    if (why !== null) await tell(context, click, why);
  });
  onClick(app, context, [actions.tryAgain], async (click) => {
    const { begun, text } = await tryAgain(context, actorOf(click), click.value);
    if (!begun) await tell(context, click, text);
  });
  // Judges a request as it now reads, once per edit.
  onClick(app, context, [actions.judgeEdited], async (click, respond, own) => {
    const { begun, text } = await judgeEdited(own, actorOf(click), click.value);
    if (!begun) await tell(context, click, text);
    // Removes the used offer, unless Slack no longer accepts changes to it.
    await respond({ delete_original: true }).catch(() => {});
  });
  onClick(
    app,
    context,
    [actions.judgeThese, actions.judgeTheseSecond, actions.judgeTheseThird],
    async (click, _respond, own) => {
      const { begun, text } = await judgeThese(own, actorOf(click), click.value, click.user);
      if (!begun) await tell(context, click, text);
    },
  );
  onClick(app, context, [actions.judgeExample], async (click, _respond, own) => {
    const { channel, thread, message, user: requestedBy } = click;
    if (channel === null || message === null) return;
    const key = `${channel}:example:${message}:${requestedBy}`;
    const asked = { surface: SLACK, team: teamOf(context, click), key, channel, thread, requestedBy };
    const { begun, text } = await judgeExample(own, actorOf(click), asked, message);
    if (!begun) await tell(context, click, text);
  });
  onClick(app, context, [actions.askModel], (click, _respond, own) => askModel(own, click));
  onClick(app, context, [actions.withIt], async (click, _respond, own) => {
    const record = await readableOrTell(own, click, click.value, 'rerun');
    if (record === null) return;
    const why = await judgeWithIt(own, record, {
      surface: SLACK,
      team: record.source.team,
      requestedBy: click.user,
    });
    if (why !== null) await tell(context, click, why);
  });
  for (const [action, choice] of [
    [actions.unsureRemark, 'remark'],
    [actions.unsureAnswer, 'answer'],
  ] as const)
    onClick(app, context, [action], async (click, _respond, own) => {
      const { begun, text } = await chooseReading(own, actorOf(click), click.value, choice);
      if (!begun) await tell(context, click, text);
    });
  onClick(app, context, [actions.trustReading], async (click, _respond, own) => {
    const { begun, text } = await trustReading(own, actorOf(click), click.value);
    if (!begun) await tell(context, click, text);
  });
  onClick(app, context, [actions.showCases], (click, _respond, own) => showCases(own, click));
}
