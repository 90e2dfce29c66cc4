import type { IAdaptiveCard } from '@microsoft/teams.cards';
import { type ReviewPoster, reviewInvitation } from '../../reviews/index.ts';
import { languageOf } from '../../words/index.ts';
import {
  isReviewCommand,
  keepReview,
  readReviewPress,
  readReviewRef,
  reviewMessage,
  reviewNow,
  wholeReview,
} from '../desks/index.ts';
import type { ButtonData, Origin } from './activities.ts';
import { type Dialog, personOf, type TeamsContext, viewerOf } from './context.ts';
import type { PosterParts } from './digests.ts';
import { actions, TEAMS } from './ids.ts';
import { inviteOnce, type TeamsMessage } from './messages.ts';
import { paged } from './render/details.ts';
import { lines, message, run } from './render/elements.ts';
import { noticeMessage } from './render/notices.ts';

const PRIVATE = 'Write “review” to me in our own chat: answers to check are for you alone.';

/** `review`: the next answer to check; null if the text is not this command. */
export const reviewCommand = (
  context: TeamsContext,
  origin: Origin,
  text: string,
): (() => Promise<TeamsMessage>) | null => {
  if (!isReviewCommand(text)) return null;
  return async () =>
    origin.kind === 'direct'
      ? noticeMessage(await reviewNow(context, viewerOf(context, origin), null))
      : message(PRIVATE, { body: [lines(run(PRIVATE))] });
};

/**
 * Handles a button with which a person checks answers.
 *
 * @param id of the message with the button
 * @returns a text, or the card that replaces the one with the button; null for any other button
 * @throws JuryError `store-unavailable`: nothing was kept
 */
export async function pressReview(
  context: TeamsContext,
  origin: Origin,
  { do: does, id: value }: ButtonData,
  id: string,
): Promise<string | IAdaptiveCard | null> {
  const press = readReviewPress(does, value);
  if (press === null) return null;
  if (origin.kind !== 'direct') return PRIVATE;
  const said = await keepReview(context, context.pseudonym(personOf(origin)), press);
  const next = async () => noticeMessage(await reviewNow(context, viewerOf(context, origin), said));
  const { channel } = origin;
  const { card } = await next();
  // The card in the answer is only there until the chat is opened again. What is shown is looked up when it is shown: of several
  // presses, the last to be shown is up to date.
  context.refreshes.schedule(`review ${channel} ${id}`, async () =>
    context.messages.update({ channel, thread: null }, id, await next()),
  );
  return card;
}

/** The whole case that a person is checking, and what it is judged by, in pages. @throws JuryError `store-unavailable` */
export async function reviewDialog(
  context: TeamsContext,
  origin: Origin,
  { id, page = 0 }: ButtonData,
): Promise<Dialog> {
  const about = readReviewRef(id);
  if (about === null || origin.kind !== 'direct') return { text: PRIVATE };
  const found = await wholeReview(context, viewerOf(context, origin), about);
  if ('why' in found) return { text: found.why };
  return {
    title: found.title,
    card: paged({ do: actions.reviewCase, id: found.id }, {}, found.sections, page, context.texts.language),
  };
}

const INVITED_MS = 30 * 86_400_000;

/** Asks people to check answers in their personal chats with Jury. */
export const createTeamsReviewPoster = (parts: PosterParts): ReviewPoster => ({
  surface: TEAMS,
  invite: async (person, { count, about }, key) => {
    const profile = await parts.places.profile(person.team, person.user);
    const invitation = reviewInvitation(count, about !== null, languageOf(profile?.language) ?? 'en');
    await inviteOnce(parts, person, noticeMessage(reviewMessage(invitation)), {
      keyIn: (channel) => `${key}:${channel}`,
      keptMs: INVITED_MS,
    });
  },
});
