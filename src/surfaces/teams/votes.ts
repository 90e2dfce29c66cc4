import { castBlind, takeBackBlind } from '../../labels/blind-vote.ts';
import { castByReaction, castVote, takeBackReaction, type VoteOutcome } from '../../labels/cast-vote.ts';
import type { VerdictRecord } from '../../labels/verdict-record.ts';
import { isOpenToAll, visibleVerdict } from '../../labels/visible-verdict.ts';
import type { BlindAnswer, Correction, VoteValue } from '../../labels/vote.ts';
import { cardKey } from '../chat-presenter.ts';
import type { Activity, Origin } from './activities.ts';
import { feedbackOf } from './activities.ts';
import { personOf, type TeamsContext, VERDICT_GONE, viewerOf } from './context.ts';
import { TEAMS } from './ids.ts';

const OPEN = 'This verdict is open to everyone: vote on its card.';
const HIDDEN = 'Answer first whether the response is right; then you see the verdict.';
const SEEN =
  'You took your answer back after you had seen the verdict. Another one would not be blind, so it is not counted.';

const SAID: Record<VoteValue, string> = {
  agree: 'Your vote counts: the panel is right.',
  disagree: 'Your vote counts: the panel is wrong.',
  unsure: 'Your vote counts: not sure.',
};

/** Counts a vote that was kept, and has its card show it. */
export function voted(
  { cards, onVote }: TeamsContext,
  record: VerdictRecord,
  outcome: VoteOutcome,
  value: VoteValue | null,
): void {
  if (outcome.kind !== 'kept') return;
  if (outcome.changed) onVote(value ?? 'retracted');
  cards.refresh(record);
}

/**
 * A thumb on a card, or taking one back.
 *
 * @param value null to take the vote back
 * @returns what the voter is shown
 * @throws JuryError `store-unavailable`: nothing was counted
 */
export async function onThumb(
  context: TeamsContext,
  origin: Origin,
  verdictId: string,
  value: VoteValue | null,
): Promise<string> {
  const { store, now } = context;
  const viewer = viewerOf(context, origin);
  const visible = await visibleVerdict(store, verdictId, viewer, now());
  if (visible === null) return VERDICT_GONE;
  const who = { voter: viewer.voter, surface: TEAMS, at: origin.at };
  if (visible.kind !== 'open') {
    if (value !== null) return HIDDEN;
    const gone = await takeBackBlind(store, visible.record, who);
    if (gone) context.onVote('retracted');
    return gone
      ? 'Your answer is taken back and no longer counts.'
      : 'There is no answer of yours to take back.';
  }
  const outcome = await castVote(store, { ...who, verdictId, value });
  if (outcome.kind === 'gone') return VERDICT_GONE;
  voted(context, visible.record, outcome, value);
  if (value !== null) return SAID[value];
  return outcome.changed ? 'Your vote is taken back.' : 'There is no vote of yours to take back.';
}

/** An answer to a case whose verdict is hidden until then. @returns what is wrong, or null where it counts */
export async function onBlindAnswer(
  context: TeamsContext,
  origin: Origin,
  verdictId: string,
  answer: BlindAnswer,
): Promise<string | null> {
  const { store, now } = context;
  const viewer = viewerOf(context, origin);
  const visible = await visibleVerdict(store, verdictId, viewer, now());
  if (visible === null) return VERDICT_GONE;
  if (visible.kind === 'open') return OPEN;
  const who = { voter: viewer.voter, surface: TEAMS, at: origin.at };
  const outcome = await castBlind(store, visible.record, who, answer);
  if (outcome.kind === 'gone') return VERDICT_GONE;
  if (outcome.kind === 'seen') return SEEN;
  if (outcome.kind === 'kept') context.onVote(outcome.vote.value);
  return null;
}

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
  for (const reaction of removed) {
    const { outcome, value } = await takeBackReaction(store, who, reaction, now());
    voted(context, record, outcome, value);
  }
  for (const reaction of added) {
    const { outcome, value } = await castByReaction(store, who, reaction, now());
    voted(context, record, outcome, value);
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
  voted(context, record, await castVote(context.store, ballot), value);
}
