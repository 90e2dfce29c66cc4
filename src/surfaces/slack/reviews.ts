import type { App, RespondFn } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { type ReviewPoster, reviewInvitation } from '../../reviews/index.ts';
import { type Language, languageOf, wordsIn } from '../../words/index.ts';
import {
  isReviewCommand,
  keepReview,
  readReviewPress,
  readReviewRef,
  reviewMessage,
  reviewNow,
  wholeReview,
} from '../desks/index.ts';
import type { DetailsSection } from '../views/index.ts';
import type { SlackClients } from './clients.ts';
import {
  onClick,
  onVoteClick,
  openView,
  orSaved,
  replaceView,
  type SlackContext,
  showTo,
  tell,
  viewerOf,
  voterOf,
} from './context.ts';
import { actions, kindOf, SLACK } from './ids.ts';
import { inviteOnce } from './invite-once.ts';
import { createLocales } from './members.ts';
import type { Messages } from './messages.ts';
import type { Click, Command } from './payloads.ts';
import { limits, pageBlocks, plain } from './render/blocks.ts';
import { sectionBlocks } from './render/details.ts';
import { noticeMessage } from './render/notices.ts';

/** `/jury review`: the next answer to check. Resolves to `false` if the text is not this command. */
export async function onReviewCommand(context: SlackContext, asker: Command): Promise<boolean> {
  if (!isReviewCommand(asker.text)) return false;
  await showTo(context, asker, noticeMessage(await reviewNow(context, viewerOf(context, asker), null)));
  return true;
}

/** Shows the next answer in place of the one that was clicked in. @param said what to say of what was pressed */
async function showNext(
  context: SlackContext,
  click: Click,
  said: string | null,
  respond: RespondFn,
): Promise<void> {
  const { channel, message: ts } = click;
  const next = async () => noticeMessage(await reviewNow(context, viewerOf(context, click), said));
  // Only ephemeral messages, which only a response can replace, are elsewhere.
  if (channel === null || ts === null || kindOf(channel) !== 'direct')
    return orSaved(context, click, async () =>
      respond({ ...(await next()), replace_original: true, response_type: 'ephemeral' }),
    );
  // What is shown is looked up when it is shown: of several presses, the last to be shown is up to date.
  context.refreshes.schedule(`review ${channel} ${ts}`, () =>
    orSaved(context, click, async () => context.messages.update(channel, ts, await next())),
  );
}

/** A case and what it is judged by, in pages. */
export function wholeView(
  { title, id, sections }: { title: string; id: string; sections: readonly DetailsSection[] },
  page: number,
  language: Language,
): ModalView {
  const turns = {
    back: actions.reviewCaseBack,
    next: actions.reviewCasePage,
    value: (to: number) => `${id} ${to}`,
  };
  const { blocks } = pageBlocks([], sections.flatMap(sectionBlocks), page, turns, language);
  return {
    type: 'modal',
    title: plain(title, limits.viewTitle),
    close: plain(wordsIn(language).chat.close, limits.viewButton),
    blocks,
  };
}

const PRESSES = {
  [actions.reviewStart]: 'review-start',
  [actions.reviewRight]: 'review-right',
  [actions.reviewWrong]: 'review-wrong',
  [actions.reviewUnsure]: 'review-unsure',
  [actions.reviewSkip]: 'review-skip',
  [actions.reviewNever]: 'review-never',
} as const;

/** Registers the buttons with which people check answers. The person is always the user in Slack's signed payload. */
export function registerReviews(app: App, context: SlackContext): void {
  for (const [action, does] of Object.entries(PRESSES))
    onVoteClick(
      app,
      context,
      [action],
      async (click, own) => {
        const press = readReviewPress(does, click.value);
        return press === null ? null : { said: await keepReview(own, voterOf(own, click), press) };
      },
      async (kept, click, respond, own) => kept && showNext(own, click, kept.said, respond),
    );
  const whole = (ids: readonly string[], put: typeof openView): void =>
    onClick(app, context, ids, async (click, _respond, own) => {
      const about = readReviewRef(click.value);
      if (about === null) return;
      const found = await wholeReview(own, viewerOf(context, click), about);
      await ('why' in found
        ? tell(context, { ...click, thread: null }, found.why)
        : put(own, click, wholeView(found, about.page, own.texts.language)));
    });
  whole([actions.reviewCase], openView);
  whole([actions.reviewCasePage, actions.reviewCaseBack], replaceView);
}

/** Asks people to check answers by direct message. */
export const createSlackReviewPoster = (
  clients: Pick<SlackClients, 'now' | 'once'>,
  messages?: Messages,
): ReviewPoster => ({
  surface: SLACK,
  invite: async ({ user }, { count, about }, key, since) => {
    const locale = await createLocales(clients.once, Date.now).ofPerson(user, null);
    const invitation = reviewInvitation(count, about !== null, languageOf(locale) ?? 'en');
    await inviteOnce(clients, messages, user, noticeMessage(reviewMessage(invitation)), { key, since });
  },
});
