import type { IAdaptiveCard } from '@microsoft/teams.cards';
import { isOpenToAll, refusal, visibleVerdict } from '../../labels/access/index.ts';
import { readVoteQueue } from '../../labels/queue/index.ts';
import { noRemarks, type VerdictRecord, type VoteValue } from '../../labels/record/index.ts';
import {
  castByReaction,
  castThumbVote,
  firstOffered,
  standingVote,
  takeBackReaction,
  type Voter,
} from '../../labels/voting/index.ts';
import { newerAnswer } from '../../requests/index.ts';
import { wordsIn } from '../../words/index.ts';
import { cardKey } from '../chat/index.ts';
import {
  askModel,
  castAnswer,
  castThumb,
  isUndecided,
  judgeEdited,
  judgeExample,
  judgeThese,
  judgeWithIt,
  modelToAsk,
  noModel,
  offeredAt,
  readableVerdict,
  shareOnce,
  stopRequest,
  thumbText,
  tryAgain,
  type Voting,
  voted,
} from '../desks/index.ts';
import { chooseReading, trustReading } from '../forms/index.ts';
import { agreementOf, listedFor, QUEUE_SHOWN, queuePage } from '../views/index.ts';
import { type Activity, type ButtonData, feedbackOf, type Origin, unsaidKind } from './activities.ts';
import { actorOf, personOf, type TeamsContext, viewerOf } from './context.ts';
import { pressPauseAlert } from './digests.ts';
import { actions, kindOf, TEAMS } from './ids.ts';
import type { TeamsMessage } from './messages.ts';
import { sharedMessage } from './render/card.ts';
import { answeredCard, answeredElements, blindAnswerOf } from './render/details.ts';
import { bold, type Element, lines } from './render/elements.ts';
import { queueMessage } from './render/lists.ts';
import { pressReview } from './reviews.ts';

export const votingOf = (context: TeamsContext, origin: Origin, place: Voting['place'] = 'card'): Voting => ({
  ...viewerOf(context, origin, 'vote'),
  people: actorOf(origin).people,
  surface: TEAMS,
  at: origin.at,
  place,
});

/** The verdict that a message shows, if everyone may see it: everyone sees a reaction, too. */
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

/** The sender of a reaction or of feedback below a card, as a voter. */
async function voterOn(context: TeamsContext, origin: Origin, record: VerdictRecord): Promise<Voter> {
  const offered = await offeredAt(context, record, { people: actorOf(origin).people, place: 'card' });
  const voter = context.pseudonym(personOf(origin));
  return { verdictId: record.id, voter, surface: TEAMS, offered, at: origin.at };
}

const REACTIONS = new Map<string, VoteValue>([
  ['like', 'agree'],
  ['dislike', 'disagree'],
]);

/**
 * Handles reactions to a card's message.
 * @throws JuryError `store-unavailable`
 */
export async function onReaction(context: TeamsContext, activity: Activity, origin: Origin): Promise<void> {
  const record = await openCard(context, origin, activity.replyToId);
  if (record === null || isUndecided(record)) return;
  const { store, now } = context;
  const who = await voterOn(context, origin, record);
  // What people react to may be a line that says that there is a newer answer.
  const isFolded = (await newerAnswer(store, record.id, now())) !== null;
  const added = (isFolded ? [] : (activity.reactionsAdded ?? [])).flatMap(
    ({ type }) => REACTIONS.get(type) ?? [],
  );
  const removed = (activity.reactionsRemoved ?? []).flatMap(({ type }) => REACTIONS.get(type) ?? []);
  // Both have the same time, so count the new reaction before removing the one it replaces.
  for (const reaction of added) {
    const { status } = await castByReaction(store, who, reaction, now());
    voted(context, record, status);
  }
  for (const reaction of removed) {
    const { status } = await takeBackReaction(store, who, reaction, now());
    voted(context, record, status);
  }
}

/**
 * Handles the thumbs that Teams shows below AI messages, including the comment.
 * @throws JuryError `store-unavailable`
 */
export async function onFeedback(context: TeamsContext, activity: Activity, origin: Origin): Promise<void> {
  const feedback = feedbackOf(activity);
  const record = await openCard(context, origin, activity.replyToId);
  if (feedback === null || record === null || isUndecided(record)) return;
  if ((await refusal(context.roles, 'vote', actorOf(origin), record.source)) !== null) return;
  const { value, comment } = feedback;
  const who = await voterOn(context, origin, record);
  const { status } =
    comment === ''
      ? await castThumbVote(context.store, who, { value })
      : await context.store.castVote({
          ...who,
          offered: firstOffered(await standingVote(context.store, record.id, who.voter), who.offered),
          value,
          correction: { ...noRemarks, comment },
        });
  voted(context, record, status);
}

/** Judges the same case with the first connected model; pressing twice judges it once. */
async function pressAskModel(context: TeamsContext, origin: Origin, id: string): Promise<string> {
  const record = await readableVerdict(context, viewerOf(context, origin, 'rerun'), id);
  if ('why' in record) return record.why;
  const model = await modelToAsk(context, record);
  if (model === undefined) return noModel(context);
  const { tenant: team, user: requestedBy } = origin;
  const key = `${record.source.channel}:model:${id}:${model}`;
  await askModel(context, record, model, { surface: TEAMS, team, key, requestedBy });
  return wordsIn(context.texts.language).requests.asking(model);
}

/** Judges the case including what was left out; pressing twice judges it once. */
async function pressWithIt(context: TeamsContext, origin: Origin, id: string): Promise<string> {
  const record = await readableVerdict(context, viewerOf(context, origin, 'rerun'), id);
  if ('why' in record) return record.why;
  const { tenant: team, user: requestedBy } = origin;
  const why = await judgeWithIt(context, record, { surface: TEAMS, team, requestedBy });
  return why ?? wordsIn(context.texts.language).requests.judgingWithIt;
}

/** Judges an edited request as it now reads, and removes the offer to do so. */
async function pressJudgeEdited(
  context: TeamsContext,
  origin: Origin,
  id: string,
  offer: string,
): Promise<string> {
  const { begun, text } = await judgeEdited(context, actorOf(origin), id);
  const { messages, refreshes } = context;
  const target = { channel: origin.channel, thread: origin.thread };
  // Nothing tells whether others see the offer, too. If it cannot be removed, it says that it is used when it is pressed again.
  if (begun)
    refreshes.schedule(`offer ${origin.channel} ${offer}`, async () => {
      await Promise.allSettled([messages.removeTargeted(target, offer), messages.remove(target, offer)]);
    });
  return text;
}

/** Posts the card once to the channel that its thread is in. */
async function pressShare(context: TeamsContext, origin: Origin, id: string): Promise<string> {
  const { messages, cards, nameOf } = context;
  const record = await readableVerdict(context, viewerOf(context, origin), id);
  if ('why' in record) return record.why;
  const { channel, kind = kindOf(channel) } = record.source;
  const why = await shareOnce(context, record, kind === 'channel', async () => {
    const shared = sharedMessage(await cards.inputOf(record), nameOf(origin.user));
    await messages.post({ channel, thread: null }, shared);
  });
  return why ?? wordsIn(context.texts.language).requests.sharedToChannel;
}

/**
 * Handles a button about a verdict, on its card or in a dialog.
 *
 * @returns the text for the person who pressed; null for any other button
 * @throws JuryError `store-unavailable`: nothing was counted
 */
export async function pressed(
  context: TeamsContext,
  origin: Origin,
  button: ButtonData,
): Promise<string | null> {
  const { id, score, queue } = button;
  const { language } = context.texts;
  const voting = votingOf(context, origin, queue === undefined ? 'card' : 'queue');
  const thumb = async (value: VoteValue | null) =>
    thumbText(await castThumb(context, voting, id, value), value, language);
  switch (button.do) {
    case actions.agree:
    case actions.disagree:
    case actions.unsure:
      return thumb(button.do);
    case actions.retract:
      return thumb(null);
    case actions.askModel:
      return pressAskModel(context, origin, id);
    case actions.withIt:
      return pressWithIt(context, origin, id);
    case actions.share:
      return pressShare(context, origin, id);
    default: {
      const answer = blindAnswerOf(button.do, score);
      if (answer === null) return null;
      return (await castAnswer(context, voting, id, answer)) ?? wordsIn(language).votes.own.counts;
    }
  }
}

/**
 * The verdicts that need the requester's vote, from conversations that they are in.
 * @param said the result of a vote just given there
 */
export async function queueFor(
  context: TeamsContext,
  origin: Origin,
  asked: number,
  said: readonly Element[] = [],
): Promise<TeamsMessage> {
  const { store, library, texts, now } = context;
  const { language } = texts;
  const read = await readVoteQueue(store, viewerOf(context, origin), now(), false, language);
  const listed = listedFor(read, library.rubrics, language);
  const items = read.queue.slice(0, asked).map(listed);
  const { lookedAt, queue: all, own } = read;
  const queue = { items, waiting: all.length, asked, lookedAt, page: queuePage(context), language };
  if (origin.kind !== 'direct') return queueMessage(queue, null, said);
  const others = read.recent.filter(({ record }) => !all.some((queued) => queued.record.id === record.id));
  const recent = others.map(listed);
  return queueMessage(queue, { recent, own, agreement: await agreementOf(context) }, said);
}

/**
 * Handles a button.
 * @param message the id of the message with the button
 * @returns a text for the person who pressed, or a card to replace the one with the button
 */
export async function onButton(
  context: TeamsContext,
  origin: Origin,
  button: ButtonData,
  message: string,
): Promise<string | IAdaptiveCard> {
  const { store, now } = context;
  const { id, queue } = button;
  switch (button.do) {
    case actions.stop: {
      const why = await stopRequest(context, actorOf(origin), id);
      return why ?? wordsIn(context.texts.language).requests.stopping;
    }
    case actions.tryAgain:
      return (await tryAgain(context, actorOf(origin), id)).text;
    case actions.judgeEdited: {
      return pressJudgeEdited(context, origin, id, message);
    }
    case actions.judgeThese:
      return (await judgeThese(context, actorOf(origin), id, origin.user)).text;
    case actions.unsureRemark:
    case actions.unsureAnswer: {
      const choice = button.do === actions.unsureAnswer ? 'answer' : 'remark';
      return (await chooseReading(context, actorOf(origin), id, choice)).text;
    }
    case actions.trustReading:
      return (await trustReading(context, actorOf(origin), id)).text;
    case actions.example: {
      const { tenant: team, channel, thread, user: requestedBy } = origin;
      const key = `${channel}:example:${message}:${requestedBy}`;
      const asked = { surface: TEAMS, team, key, channel, ...unsaidKind(origin), thread, requestedBy };
      return (await judgeExample(context, actorOf(origin), asked, message)).text;
    }
    case actions.pauseAlert:
      return pressPauseAlert(context, origin, id);
    case actions.queue:
      return (await queueFor(context, origin, queue ?? QUEUE_SHOWN.most)).card;
    default: {
      const review = await pressReview(context, origin, button, message);
      if (review !== null) return review;
      const outcome = await pressed(context, origin, button);
      if (outcome === null) return wordsIn(context.texts.language).requests.olderButton;
      const visible = button.do.startsWith('blind-')
        ? await visibleVerdict(store, id, viewerOf(context, origin), now())
        : null;
      const answered =
        visible?.kind === 'answered'
          ? {
              input: await context.cards.inputOf(visible.record, context.texts.language),
              vote: visible.vote,
            }
          : null;
      if (queue !== undefined) {
        const about = answered === null ? [] : answeredElements(answered.input, answered.vote);
        return (await queueFor(context, origin, queue, [lines(bold(outcome)), ...about])).card;
      }
      return answered === null ? outcome : answeredCard(answered.input, answered.vote);
    }
  }
}
