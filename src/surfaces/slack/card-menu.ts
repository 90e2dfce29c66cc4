import type { App, RespondFn } from '@slack/bolt';
import { jsonLine } from '../../common/text.ts';
import { RULES } from '../../judges/rules/rules-judge.ts';
import type { VerdictRecord } from '../../labels/verdict-record.ts';
import { visibleVerdict } from '../../labels/visible-verdict.ts';
import { verdictIdOf } from '../../requests/judge-one.ts';
import { recordRequest } from '../../requests/spot-check.ts';
import { draftAgain } from '../ask-desk.ts';
import { judgedLine } from '../summary.ts';
import { voteTexts } from '../vote-desk.ts';
import { onAgain, openForm } from './ask.ts';
import { ownChannel, slackError } from './clients.ts';
import { clickerOf, onClick, openView, orTell, type SlackContext, tell, whereOf } from './context.ts';
import { actions, kindOf, SLACK } from './ids.ts';
import { ActionBody } from './payloads.ts';
import { uploadFile } from './posters.ts';
import { sharedMessage } from './render/card.ts';
import { casesView, readCasesValue } from './render/summary.ts';
import { readMenuValue } from './render/votes.ts';
import { onThumb } from './votes.ts';

/** A verdict that the viewer may read; null, with a word to them, for any other. */
async function readable(context: SlackContext, click: ActionBody, id: string): Promise<VerdictRecord | null> {
  const visible = await visibleVerdict(context.store, id, clickerOf(context, click), context.now());
  if (visible !== null && visible.kind !== 'hidden') return visible.record;
  await tell(
    context,
    whereOf(click),
    visible === null ? voteTexts.gone : 'Answer first: then you see this verdict.',
  );
  return null;
}

/**
 * Judges the same case by the default model, in the same thread; clicked twice, it is judged once. If that is exact checks, the
 * form opens with the first model that is connected.
 */
async function askModel(context: SlackContext, click: ActionBody): Promise<void> {
  const { store, checks, models, now } = context;
  const [usual] = models;
  const record = await readable(context, click, click.actions[0].value ?? '');
  const model = models.find((id) => id !== RULES);
  if (record === null || model === undefined) return;
  const draft = draftAgain(record);
  const { rubric } = record.verdict;
  const wish = { rubric, models: [model] };
  if (model !== usual) return openForm(context, click, { ...draft, wish });
  const { check, status } = await recordRequest(
    store,
    {
      surface: SLACK,
      team: draft.team,
      key: `model:${record.id}:${model}`,
      channel: record.source.channel,
      thread: draft.thread,
      requestedBy: click.user.id,
      input: { kind: 'cases', cases: [{ evalCase: record.evalCase, assumed: record.verdict.assumed }] },
      wish,
      again: record.id,
    },
    now(),
  );
  if (status === 'added') void checks.take(check.id);
}

const SHARED_MS = 30 * 86_400_000;

/** Posts the card to the channel whose thread it stands in, once. */
async function share(context: SlackContext, click: ActionBody, id: string): Promise<void> {
  const { store, messages, cards, nameOf, now } = context;
  const record = await readable(context, click, id);
  if (record === null) return;
  const { channel, thread, permalink } = record.source;
  if (record.blind === true)
    return tell(
      context,
      whereOf(click),
      'Everyone votes before they see this verdict, so it cannot be shared.',
    );
  if (kindOf(channel) === 'direct' || thread === null)
    return tell(context, whereOf(click), 'This card already stands where everyone here can see it.');
  const kept = await store.setIfAbsent(`shared:${id}`, click.user.id, now(), SHARED_MS);
  if (!kept.set) return tell(context, whereOf(click), 'This verdict has been shared to the channel already.');
  const input = await cards.inputOf(record);
  const by = await nameOf(click.user.id);
  const place = { channel, thread: null, at: now() };
  const message = sharedMessage(input, by, permalink ?? null);
  try {
    await messages.postOnce(place, message, { text: `shared ${id}` }, false);
  } catch (thrown) {
    await store.delete(`shared:${id}`);
    throw thrown;
  }
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
    await uploadFile(clients.now, bytes, { name, title: name, channel });
    if (click.channel?.id !== channel)
      await tell(context, whereOf(click), 'The file is in your messages with me.');
  } catch (thrown) {
    const error = slackError(thrown);
    if (error === null) throw thrown;
    const how =
      error === 'missing_scope' ? 'the app needs the scope files:write' : `Slack refuses it (${error})`;
    await tell(context, whereOf(click), `The file could not be sent: ${how}.`);
  }
}

/** Lists all cases of a check whose verdicts are kept. */
async function showCases(context: SlackContext, click: ActionBody): Promise<void> {
  const { store, now } = context;
  const read = readCasesValue(click.actions[0].value ?? '');
  if (read === null) return;
  const viewer = clickerOf(context, click);
  const ids = Array.from({ length: read.count }, (_, index) => verdictIdOf(read.checkId, index));
  const visible = await Promise.all(ids.map((id) => visibleVerdict(store, id, viewer, now())));
  const lines = visible.flatMap((one) =>
    one === null ? [] : [judgedLine(one.record, one.kind === 'hidden')],
  );
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
    }
  });
}

/** What the buttons and the menu of a card do, beside votes and details. */
export function registerCardActions(app: App, context: SlackContext): void {
  const told = (click: ActionBody, work: () => Promise<void>) => orTell(context, whereOf(click), work);
  app.action(actions.cardMenu, ({ ack, body, respond }) => onMenu(context, ack, body, respond));
  onClick(app, [actions.askModel], (click) => told(click, () => askModel(context, click)));
  onClick(app, [actions.showCases], (click) => told(click, () => showCases(context, click)));
  onClick(app, [actions.again], (click) => onAgain(context, click, click.actions[0].value ?? '', 'judging'));
  onClick(app, [actions.fillIn], (click) => onAgain(context, click, click.actions[0].value ?? '', 'case'));
}
