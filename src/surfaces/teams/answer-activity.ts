import type { InvokeResponse } from '@microsoft/teams.api';
import type { IAdaptiveCard } from '@microsoft/teams.cards';
import * as z from 'zod';
import {
  forgetEdit,
  type MessageInput,
  messageKey,
  noteEdit,
  noteShown,
  recordRequest,
  requestId,
  shownFor,
} from '../../requests/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
import { editedNotice } from '../chat/index.ts';
import { answerIn } from '../forms/index.ts';
import {
  type Activity,
  buttonOf,
  inputOf,
  isMentioned,
  type Origin,
  textOf,
  textOfHtml,
  unsaidKind,
} from './activities.ts';
import { type Dialog, inLanguageOf, type TeamsContext } from './context.ts';
import { openAskAbout, openDialog, sendDialog } from './dialogs.ts';
import { TEAMS } from './ids.ts';
import { greeting, leaveConversation } from './installation.ts';
import { showTo } from './private-answers.ts';
import { dialogCard, lines, run } from './render/elements.ts';
import { linesMessage, noticeMessage } from './render/notices.ts';
import { onButton, onFeedback, onReaction } from './votes.ts';

/** How long a delivery is remembered: Teams stops redelivering long before. */
const SEEN_MS = 3_600_000;

/**
 * Shows something once, even if the activity is delivered several times, and after Teams got its answer: Teams gives up on a
 * request that waits until a conversation takes another message.
 *
 * @param failed called if it could not be shown
 * @throws JuryError `store-unavailable`: nothing will be shown
 */
async function once(
  { store, refreshes, now }: TeamsContext,
  { channel }: Origin,
  { id = '', timestamp = '', type }: Activity,
  show: () => Promise<unknown>,
  failed: () => Promise<unknown> = async () => {},
): Promise<void> {
  // All edits of a message share its id.
  const key = `teams-answer:${channel}:${id}${type === 'messageUpdate' ? `:${timestamp}` : ''}`;
  if (!(await store.setIfAbsent(key, 'answered', now(), SEEN_MS)).set) return;
  refreshes.schedule(key, async () => {
    try {
      await show();
    } catch (thrown) {
      await store.delete(key).catch(() => {});
      await failed().catch(() => {});
      throw thrown;
    }
  });
}

const judgeRequest = (activity: Activity, { tenant, channel, thread, kind, user }: Origin) => ({
  surface: TEAMS,
  team: tenant,
  key: messageKey(channel, activity.id ?? ''),
  channel,
  ...unsaidKind({ channel, kind }),
  thread,
  requestedBy: user,
  input: inputOf(activity),
});

/** The message's input. A card that it quotes is named by the id under which that card is stored. */
async function quoting(
  { streams }: TeamsContext,
  activity: Activity,
  { channel }: Origin,
): Promise<MessageInput> {
  const input = inputOf(activity);
  const { quotes } = input;
  return quotes === undefined ? input : { ...input, quotes: await streams.keptAs(channel, quotes) };
}

async function onMessage(context: TeamsContext, activity: Activity, origin: Origin): Promise<void> {
  const { store, checks, now } = context;
  const input = await quoting(context, activity, origin);
  const { check, status } = await recordRequest(store, { ...judgeRequest(activity, origin), input }, now());
  if (status === 'added') void checks.take(check.id);
}

/** Offers the person once to judge an edited message again, if it was answered. */
async function onEdit(context: TeamsContext, activity: Activity, origin: Origin): Promise<void> {
  const { store, now } = context;
  const check = requestId(judgeRequest(activity, origin));
  const edited = {
    ...judgeRequest(activity, origin),
    input: await quoting(context, activity, origin),
    key: `${origin.channel}:${activity.id}:${activity.timestamp}`,
  };
  const shown = await noteEdit(store, check, edited, now());
  if (shown === null) return;
  const language = await context.languages.ofPerson(origin.user, origin.channel);
  const offer = noticeMessage(editedNotice(check, shown.cases > 0, language));
  await once(
    context,
    origin,
    activity,
    () => showTo(context, origin, { ...offer, isAboutPlace: true }, textOf(activity)),
    () => forgetEdit(store, check, now()),
  );
}

/** Withdraws a deleted request and its card. */
async function onDelete(
  { store, checks, refreshes, now }: TeamsContext,
  activity: Activity,
  origin: Origin,
): Promise<void> {
  const check = requestId(judgeRequest(activity, origin));
  if (origin.kind !== 'direct' && (await shownFor(store, check, now())) === null) return;
  await noteShown(store, check, () => ({ withdrawn: true }), now());
  refreshes.schedule(`delete ${check}`, () => checks.withdraw(check, TEAMS));
}

/** The response to a button press, shown only to the person who pressed. */
const pressAnswer = (shown: string | IAdaptiveCard) => ({
  statusCode: 200,
  type:
    typeof shown === 'string'
      ? 'application/vnd.microsoft.activity.message'
      : 'application/vnd.microsoft.card.adaptive',
  value: shown,
});

function askedDialog(language: Language): Dialog {
  const { title, text } = wordsIn(language).chat.replies.asked;
  return { title, card: dialogCard([lines(run(text))]) };
}

/** The response that shows a dialog; no response closes it. */
function dialogAnswer(dialog: Dialog): object | undefined {
  if (dialog === null) return undefined;
  if ('text' in dialog) return { task: { type: 'message', value: dialog.text } };
  const card = { contentType: 'application/vnd.microsoft.card.adaptive', content: dialog.card };
  return {
    task: { type: 'continue', value: { title: dialog.title, height: 'large', width: 'large', card } },
  };
}

const Shared = z.object({
  messagePayload: z.object({
    id: z.string().optional(),
    replyToId: z.string().nullish(),
    body: z.object({ content: z.string() }).optional(),
    from: z
      .object({
        user: z.object({ id: z.string() }).nullish(),
        application: z.object({ id: z.string() }).nullish(),
      })
      .nullish()
      .catch(undefined),
  }),
});

/** Opens the form for a message chosen with “Ask the jury”; the card goes into that message's thread. */
async function openShared(context: TeamsContext, { value }: Activity, origin: Origin): Promise<Dialog> {
  const { id = '', replyToId, body, from } = Shared.safeParse(value).data?.messagePayload ?? {};
  const thread = origin.kind === 'channel' ? (origin.thread ?? replyToId ?? (id || null)) : null;
  const words = textOfHtml(body?.content ?? '');
  const { user } = origin;
  const answer = {
    input: { kind: 'message' as const, message: id, text: words, files: [] },
    author: from?.user?.id ?? from?.application?.id ?? '',
    isByApp: from?.application != null,
    isToUs: false,
  };
  const place = { team: origin.tenant, channel: origin.channel };
  const above = thread === null ? null : await context.above(place, thread, id);
  const readPaste = (paste: string) => context.readPaste(paste, user);
  const reading = {
    format: context.library.caseFormat,
    readPaste,
    readOne: (input: MessageInput) => readPaste(input.text),
  };
  const begun = above === null ? null : await answerIn(above, answer, reading, '');
  return openAskAbout(context, { ...origin, thread }, words, begun);
}

/** Handles a click, a dialog or a vote; only the person who acted sees the response. */
async function onInvoke(
  context: TeamsContext,
  activity: Activity,
  origin: Origin,
): Promise<object | undefined> {
  const sent = buttonOf(activity);
  const { language } = context.texts;
  switch (activity.name) {
    case 'adaptiveCard/action':
      return sent === null
        ? pressAnswer(wordsIn(language).chat.replies.notMyButton)
        : pressAnswer(await onButton(context, origin, sent, activity.replyToId ?? ''));
    case 'task/fetch':
      return sent === null ? {} : dialogAnswer(await openDialog(context, origin, sent));
    case 'task/submit':
      return sent === null ? {} : dialogAnswer(await sendDialog(context, origin, sent));
    case 'composeExtension/submitAction':
      // A form opened from a message does not close on an empty response.
      return sent === null
        ? {}
        : dialogAnswer((await sendDialog(context, origin, sent)) ?? askedDialog(language));
    case 'composeExtension/fetchTask':
      return dialogAnswer(await openShared(context, activity, origin));
    case 'message/submitAction':
      await onFeedback(context, activity, origin);
      return {};
    default:
      return {};
  }
}

/** Answers a click or a dialog with a text. */
export const wordsAnswer = ({ name }: Activity, text: string): InvokeResponse => ({
  status: 200,
  body: name === 'adaptiveCard/action' ? pressAnswer(text) : dialogAnswer({ text }),
});

/** Answers people from other tenants if only one tenant is allowed. */
export async function answerForeign(
  any: TeamsContext,
  activity: Activity,
  origin: Origin,
): Promise<InvokeResponse | undefined> {
  const context = await inLanguageOf(any, activity, origin);
  const language = await context.languages.ofPerson(origin.user, origin.channel);
  const { foreign } = wordsIn(language).chat.replies;
  if (activity.type === 'invoke') return wordsAnswer(activity, foreign);
  if (activity.type === 'message' && isMentioned(activity))
    await once(context, origin, activity, () => {
      const refusal = { ...linesMessage(context.nameOf, [[foreign]]), isAboutPlace: true };
      return showTo(context, origin, refusal, textOf(activity));
    });
  return undefined;
}

/**
 * Handles an activity.
 * @throws JuryError `store-unavailable` if a request could not be saved
 */
export async function answerActivity(
  any: TeamsContext,
  activity: Activity,
  origin: Origin,
): Promise<InvokeResponse | undefined> {
  const context = await inLanguageOf(any, activity, origin);
  switch (activity.type) {
    case 'message':
      await onMessage(context, activity, origin);
      return undefined;
    case 'messageUpdate':
      if (activity.channelData?.eventType !== 'undeleteMessage') await onEdit(context, activity, origin);
      return undefined;
    case 'messageDelete':
      await onDelete(context, activity, origin);
      return undefined;
    case 'messageReaction':
      await onReaction(context, activity, origin);
      return undefined;
    case 'installationUpdate':
      if (activity.action === 'add')
        await once(context, origin, activity, async () => {
          const { channel, thread } = origin;
          await context.messages.post({ channel, thread }, await greeting(context, activity, origin));
        });
      else if (activity.action === 'remove') {
        const tell = await leaveConversation(context, activity, origin);
        await once(context, origin, activity, tell);
      }
      return undefined;
    case 'invoke':
      return { status: 200, body: await onInvoke(context, activity, origin) };
    default:
      return undefined;
  }
}
