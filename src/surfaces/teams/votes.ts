import { castByReaction, takeBackReaction } from '../../labels/cast-vote.ts';
import { refusal } from '../../labels/permissions.ts';
import type { VerdictRecord } from '../../labels/verdict-record.ts';
import { isOpenToAll } from '../../labels/visible-verdict.ts';
import type { Correction, VoteValue } from '../../labels/vote.ts';
import { askModel, modelToAsk, NO_MODEL, readableVerdict, shareOnce } from '../card-desk.ts';
import { cardKey } from '../chat-presenter.ts';
import { castAnswer, castThumb, thumbText, type Voting, voted } from '../vote-desk.ts';
import { type Activity, type ButtonData, feedbackOf, type Origin } from './activities.ts';
import { actorOf, personOf, type TeamsContext, viewerOf } from './context.ts';
import { actions, kindOf, TEAMS } from './ids.ts';
import { blindAnswerOf } from './render/blind.ts';
import { sharedMessage } from './render/card.ts';

export const votingOf = (context: TeamsContext, origin: Origin): Voting => ({
  ...viewerOf(context, origin, 'vote'),
  surface: TEAMS,
  at: origin.at,
});

/** The verdict whose card a message is, if it is open to all: a reaction is seen by all too. */
async function openCard(
  { store, streams, now }: TeamsContext,
  { channel, kind }: Origin,
  message: string | undefined,
): Promise<VerdictRecord | null> {
  if (message === undefined) return null;
  const id = kind === 'direct' ? await streams.keptAs(channel, message) : message;
  const verdictId = await store.get(cardKey(channel, id), now());
  const record = verdictId === null ? null : await store.verdict(verdictId);
  return record !== null && isOpenToAll(record) ? record : null;
}

const REACTIONS = new Map<string, VoteValue>([
  ['like', 'agree'],
  ['dislike', 'disagree'],
]);

/** Reactions on a card's message. @throws JuryError `store-unavailable` */
export async function onReaction(context: TeamsContext, activity: Activity, origin: Origin): Promise<void> {
  const record = await openCard(context, origin, activity.replyToId);
  if (record === null) return;
  const { store, now, pseudonym } = context;
  const who = {
    verdictId: record.id,
    voter: pseudonym(personOf(origin)),
    surface: TEAMS,
    at: origin.at,
  };
  const added = (activity.reactionsAdded ?? []).flatMap(({ type }) => REACTIONS.get(type) ?? []);
  const removed = (activity.reactionsRemoved ?? []).flatMap(({ type }) => REACTIONS.get(type) ?? []);
  // Both carry one time: what was added counts before what it takes the place of goes.
  for (const reaction of added) {
    const { status, value } = await castByReaction(store, who, reaction, now());
    voted(context, record, status, value);
  }
  for (const reaction of removed) {
    const { status, value } = await takeBackReaction(store, who, reaction, now());
    voted(context, record, status, value);
  }
}

/** The thumbs that Teams itself shows below AI messages, with the comment given there. @throws JuryError `store-unavailable` */
export async function onFeedback(context: TeamsContext, activity: Activity, origin: Origin): Promise<void> {
  const feedback = feedbackOf(activity);
  const record = await openCard(context, origin, activity.replyToId);
  if (feedback === null || record === null) return;
  if ((await refusal(context.roles, 'vote', actorOf(origin), record.source)) !== null) return;
  const { value, comment } = feedback;
  const correction: Correction = { criteria: [], judges: [], ...(comment === '' ? {} : { comment }) };
  const ballot = {
    verdictId: record.id,
    voter: context.pseudonym(personOf(origin)),
    surface: TEAMS,
    at: origin.at,
    value,
    ...(comment === '' ? {} : { correction }),
  };
  const { status } = await context.store.castVote(ballot);
  voted(context, record, status, value);
}

/** Judges the same case by the first model that is connected; pressed twice, it is judged once. */
async function pressAskModel(context: TeamsContext, origin: Origin, id: string): Promise<string> {
  const record = await readableVerdict(context, viewerOf(context, origin, 'rerun'), id);
  if ('why' in record) return record.why;
  const model = await modelToAsk(context, record);
  if (model === undefined) return NO_MODEL;
  const { tenant: team, user: requestedBy } = origin;
  const key = `${record.source.channel}:model:${id}:${model}`;
  await askModel(context, record, model, { surface: TEAMS, team, key, requestedBy });
  return `Asking ${model}.`;
}

/** Posts the card to the channel in whose thread it stands, once. */
async function pressShare(context: TeamsContext, origin: Origin, id: string): Promise<string> {
  const { messages, cards, nameOf } = context;
  const record = await readableVerdict(context, viewerOf(context, origin), id);
  if ('why' in record) return record.why;
  const { channel, kind = kindOf(channel) } = record.source;
  const why = await shareOnce(context, record, kind === 'channel', async () => {
    const shared = sharedMessage(await cards.inputOf(record), nameOf(origin.user));
    await messages.post({ channel, thread: null }, shared);
  });
  return why ?? 'Shared to the channel.';
}

/**
 * What a button on a verdict does, on its card or in a dialog.
 *
 * @returns what is said of it to the person who pressed; null for a button of another kind
 * @throws JuryError `store-unavailable`: nothing was counted
 */
export async function pressed(
  context: TeamsContext,
  origin: Origin,
  button: ButtonData,
): Promise<string | null> {
  const { id, score } = button;
  const voting = votingOf(context, origin);
  const thumb = async (value: VoteValue | null) =>
    thumbText(await castThumb(context, voting, id, value), value);
  switch (button.do) {
    case actions.agree:
    case actions.disagree:
    case actions.unsure:
      return thumb(button.do);
    case actions.retract:
      return thumb(null);
    case actions.askModel:
      return pressAskModel(context, origin, id);
    case actions.share:
      return pressShare(context, origin, id);
    default: {
      const answer = blindAnswerOf(button.do, score);
      if (answer === null) return null;
      return (await castAnswer(context, voting, id, answer)) ?? 'Your answer counts.';
    }
  }
}
