import { castByReaction, takeBackReaction } from '../../labels/cast-vote.ts';
import type { VerdictRecord } from '../../labels/verdict-record.ts';
import { isOpenToAll } from '../../labels/visible-verdict.ts';
import type { Correction, VoteValue } from '../../labels/vote.ts';
import { cardKey } from '../chat-presenter.ts';
import { type Voting, voted } from '../vote-desk.ts';
import { type Activity, feedbackOf, type Origin } from './activities.ts';
import { personOf, type TeamsContext, viewerOf } from './context.ts';
import { TEAMS } from './ids.ts';

export const votingOf = (context: TeamsContext, origin: Origin): Voting => ({
  ...viewerOf(context, origin),
  surface: TEAMS,
  at: origin.at,
});

/** The verdict whose card a message is, if it is open to all: a reaction is seen by all too. */
async function openCard(
  { store, now }: TeamsContext,
  origin: Origin,
  message: string | undefined,
): Promise<VerdictRecord | null> {
  if (message === undefined) return null;
  const verdictId = await store.get(cardKey(origin.channel, message), now());
  const record = verdictId === null ? null : await store.verdict(verdictId);
  return record !== null && isOpenToAll(record) ? record : null;
}

const REACTIONS: Readonly<Record<string, VoteValue>> = { like: 'agree', dislike: 'disagree' };

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
  const added = (activity.reactionsAdded ?? []).flatMap(({ type }) => REACTIONS[type] ?? []);
  const removed = (activity.reactionsRemoved ?? []).flatMap(({ type }) => REACTIONS[type] ?? []);
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
