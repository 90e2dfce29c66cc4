import type { App, RespondFn } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { RULES } from '../../judges/rules/index.ts';
import { type VisibleVerdict, visibleVerdict } from '../../labels/access/index.ts';
import { readVoteQueue, type VoteQueue } from '../../labels/queue/index.ts';
import type { VerdictRecord } from '../../labels/record/index.ts';
import { wordsIn } from '../../words/index.ts';
import {
  castAnswer,
  castCorrection,
  castThumb,
  correctionFor,
  mayManage,
  type ThumbOutcome,
  thumbText,
  type Voting,
  voted,
} from '../desks/index.ts';
import { agreementOf, listedFor, queuePage, readQueueCommand } from '../views/index.ts';
import { standardOf, suggestedPrompts } from '../wording/index.ts';
import {
  actorOf,
  inLanguageOf,
  onClick,
  onForm,
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
import { ownChannel } from './members.ts';
import { type Click, type Command, HomeEvent, type Origin } from './payloads.ts';
import type { Kept } from './receiver.ts';
import { paragraph, type SlackMessage, words } from './render/blocks.ts';
import { askMessage, readVoteValue } from './render/card.ts';
import {
  blindCaseView,
  type DetailsPlace,
  detailsPlace,
  detailsView,
  pagedView,
  readBlindValue,
  readPageValue,
} from './render/details.ts';
import { forms, formView } from './render/form.ts';
import { homeView, queueMessage, queueOfBlock } from './render/lists.ts';
import { slackError } from './slack-errors.ts';

/**
 * The lists of verdicts from conversations that a person is a member of.
 *
 * @param directChannel their conversation with the app
 */
async function readLists(context: SlackContext, user: string, directChannel: string): Promise<VoteQueue> {
  const { store, members, texts, now } = context;
  const voter = voterOf(context, { user, team: null });
  const sees = async ({ source: { surface, channel } }: VerdictRecord): Promise<boolean> =>
    surface === SLACK && (channel === directChannel || (await members.isIn(user, channel)) === true);
  return readVoteQueue(store, { voter, maySee: sees }, now(), false, texts.language);
}

/** @throws JuryError `store-unavailable` */
async function queueFor(
  context: SlackContext,
  user: string,
  own: string,
  asked: number,
): Promise<SlackMessage> {
  const read = await readLists(context, user, own);
  const { language } = context.texts;
  const items = read.queue.slice(0, asked).map(listedFor(read, context.library.rubrics, language));
  const { lookedAt, queue } = read;
  return queueMessage({ items, waiting: queue.length, asked, lookedAt, page: queuePage(context), language });
}

/** `/jury queue [n]`: shows the requester what needs their vote. Resolves to `false` if the text is not this command. */
export async function onQueueCommand(context: SlackContext, asker: Command): Promise<boolean> {
  const asked = readQueueCommand(asker.text);
  if (asked === null) return false;
  const { channel, user } = asker;
  const directChannel = kindOf(channel) === 'direct' ? channel : await ownOf(context, user);
  const own = await inLanguageOf(context, asker);
  await showTo(context, asker, await queueFor(own, user, directChannel, asked));
  return true;
}

/** The id of a person's conversation with the app; empty without the scope `im:write`. */
const ownOf = ({ clients }: SlackContext, user: string): Promise<string> =>
  ownChannel(clients.now, user).catch((thrown) => {
    if (slackError(thrown) === 'missing_scope') return '';
    throw thrown;
  });

/**
 * Renders a person's App Home.
 *
 * @param known their conversation with the app; looked up if omitted
 */
async function publishHome(any: SlackContext, user: string, known?: string): Promise<void> {
  const directChannel = known ?? (await ownOf(any, user));
  const context = await inLanguageOf(any, { user, channel: directChannel });
  const { clients, store, library, texts } = context;
  const [read, settings] = await Promise.all([
    readLists(context, user, directChannel),
    store.channelSettings(directChannel),
  ]);
  const listed = listedFor(read, library.rubrics, texts.language);
  const home = {
    recent: read.recent.map(listed),
    needVotes: read.queue.map(listed),
    lookedAt: read.lookedAt,
    agreement: await agreementOf(context),
    own: read.own,
    settings,
    language: texts.language,
  };
  const view = homeView(home, library);
  await clients.now.views.publish({ user_id: user, view });
}

/** Updates the list that a person voted in: App Home or their queue. */
async function showLists(
  context: SlackContext,
  { view, user, block }: Click,
  respond: RespondFn,
): Promise<void> {
  if (view !== null) await publishHome(context, user);
  const asked = queueOfBlock(block);
  if (view !== null || asked === null) return;
  const queue = await queueFor(context, user, await ownOf(context, user), asked);
  await respond({ ...queue, replace_original: true, response_type: 'ephemeral' });
}

/** Suggests more prompts than the manifest if a model judges in this conversation. */
async function offerPrompts({ clients, store, models }: SlackContext, channel: string): Promise<void> {
  const { wish } = await store.channelSettings(channel);
  if ((wish.models ?? models.slice(0, 1)).every((model) => model === RULES)) return;
  const offered = { channel_id: channel, prompts: suggestedPrompts(true) };
  // Optional, and not supported everywhere; the manifest's prompts remain.
  await clients.now.assistant.threads.setSuggestedPrompts(offered).catch(() => {});
}

/**
 * The modal for a verdict, limited to what the person may see. Every way to open a verdict goes through here.
 * @throws JuryError `store-unavailable`
 */
async function viewOf(
  context: SlackContext,
  click: Click,
  visible: VisibleVerdict,
  page = 0,
): Promise<ModalView> {
  const { cards, library, texts } = context;
  const { record } = visible;
  const place = placeOf(click);
  const manages = () => mayManage(context, actorOf(click), record);
  switch (visible.kind) {
    case 'open':
    case 'seen':
      return detailsView(await cards.inputOf(record, texts.language), page, null, place, await manages());
    case 'hidden':
      return blindCaseView(
        record,
        standardOf(record.verdict, library.rubrics, texts.language),
        texts.language,
        page,
        place,
      );
    case 'answered':
      return detailsView(
        await cards.inputOf(record, texts.language),
        page,
        visible.vote,
        place,
        await manages(),
      );
  }
}

const votingOf = (
  context: SlackContext,
  origin: Origin,
  at: number,
  place: Voting['place'] = 'card',
): Voting => ({
  ...viewerOf(context, origin, 'vote'),
  people: actorOf(origin).people,
  surface: SLACK,
  at,
  place,
});

/** App Home lists first what needs votes, as the queue does; a modal counts as where it was opened from. */
function placeOf({ view, block }: Click): DetailsPlace {
  if (view?.type === 'modal') return detailsPlace(view);
  return view?.type === 'home' || queueOfBlock(block) !== null ? 'queue' : 'card';
}

/** What a person may see of a verdict after voting on it; null if they may see nothing. */
const readable = (context: SlackContext, click: Click, id: string): Promise<VisibleVerdict | null> =>
  visibleVerdict(context.store, id, viewerOf(context, click), context.now());

interface Cast {
  verdictId: string;
  outcome: ThumbOutcome;
}

/** Counts a click on a thumb; null if the button is not one. */
export async function castClick(context: SlackContext, click: Click): Promise<Cast | null> {
  const vote = readVoteValue(click.value);
  if (vote === null) return null;
  const { value, verdictId } = vote;
  const outcome = await castThumb(
    context,
    votingOf(context, click, click.at, placeOf(click)),
    verdictId,
    value,
  );
  return { verdictId, outcome };
}

/** Shows a person the result of their thumb. */
export async function showThumb(
  context: SlackContext,
  click: Click,
  { verdictId, outcome }: Cast,
  respond: RespondFn,
): Promise<void> {
  const { language } = context.texts;
  const { votes } = wordsIn(language);
  switch (outcome.kind) {
    case 'gone':
    case 'not-voted':
      return tell(context, click, thumbText(outcome, null, language));
    case 'hidden': {
      const visible = await readable(context, click, verdictId);
      if (visible === null) return tell(context, click, votes.gone);
      return replaceView(context, click, await viewOf(context, click, visible));
    }
    case 'asked':
      return openView(context, click, formView(forms.correction, { verdict: verdictId }, outcome.form));
    case 'taken-back': {
      const text = paragraph(words(thumbText(outcome, null, language)));
      const about = { id: verdictId, title: votes.blind.case };
      return replaceView(context, click, pagedView(about, [text], [], 0, language));
    }
    case 'counted':
      return orSaved(context, click, async () => {
        const { form } = outcome;
        const visible = click.view?.type === 'modal' ? await readable(context, click, verdictId) : null;
        if (visible !== null) await replaceView(context, click, await viewOf(context, click, visible));
        // The form comes first: Slack lets a click open one for only three seconds. The vote already counts; the form adds
        // detail.
        if (form !== null)
          await openView(context, click, formView(forms.correction, { verdict: verdictId }, form));
        await showLists(context, click, respond);
      });
  }
}

/** Counts an answer to a case whose verdict is hidden until then; null if the button is not one. */
async function castAnswerClick(context: SlackContext, click: Click) {
  const read = readBlindValue(click.value);
  if (read === null) return null;
  const { verdictId, answer } = read;
  const voting = votingOf(context, click, click.at, placeOf(click));
  return { verdictId, refused: await castAnswer(context, voting, verdictId, answer) };
}

/** Shows a person the result of their answer. */
async function showAnswer(
  context: SlackContext,
  click: Click,
  { verdictId, refused }: { verdictId: string; refused: string | null },
  respond: RespondFn,
): Promise<void> {
  if (refused !== null) return tell(context, click, refused);
  await orSaved(context, click, async () => {
    const visible = await readable(context, click, verdictId);
    // The card of an open verdict shows the vote itself.
    const isOnCard = visible?.kind === 'open' && click.view?.type !== 'modal';
    if (visible !== null && !isOnCard)
      await replaceView(context, click, await viewOf(context, click, visible));
    await showLists(context, click, respond);
  });
}

/** Opens a form for people who have seen the verdict: what is right, who was wrong, or that they changed their mind. */
async function onSayMore(context: SlackContext, click: Click): Promise<void> {
  const visible = await readable(context, click, click.value);
  const { gone } = wordsIn(context.texts.language).votes;
  if (visible === null) return tell(context, { channel: null, user: click.user }, gone);
  const form = await correctionFor(context, visible, viewerOf(context, click).voter);
  const about = { verdict: visible.record.id };
  const view =
    form === null ? await viewOf(context, click, visible) : formView(forms.correction, about, form);
  await replaceView(context, click, view);
}

/**
 * Registers thumbs, answers to hidden verdicts, their forms, reactions, details and App Home.
 * @param keptOf what the receiver saved for a request's body, such as a reaction
 */
export function registerVotes(app: App, context: SlackContext, keptOf: (body: object) => Kept): void {
  onVoteClick(
    app,
    context,
    [actions.feedback, actions.agree, actions.disagree, actions.unsure, actions.retract],
    (click, own) => castClick(own, click),
    async (cast, click, respond, own) => cast && showThumb(own, click, cast, respond),
  );
  const answers = [actions.blindRight, actions.blindWrong, actions.blindUnsure, actions.blindScore];
  onVoteClick(
    app,
    context,
    [...answers, actions.preferFirst, actions.preferSecond, actions.preferSame],
    (click, own) => castAnswerClick(own, click),
    async (cast, click, respond, own) => cast && showAnswer(own, click, cast, respond),
  );
  onClick(app, context, [actions.sayMore], (click, _respond, own) => onSayMore(own, click));
  onForm(app, context, forms.correction, async (sent, own) => {
    const voting = votingOf(own, sent, own.now());
    const outcome = await castCorrection(own, voting, sent.about.verdict, sent.filledIn);
    if (outcome.kind === 'wrong') return { errors: outcome.errors };
    const { gone } = wordsIn(own.texts.language).votes;
    return outcome.kind === 'gone' ? { after: () => tell(own, sent, gone) } : null;
  });

  const reacted = async ({ body }: { body: object }): Promise<void> => {
    const kept = keptOf(body);
    if (kept.kind === 'vote') voted(context, kept.record, kept.status);
    // A reaction cannot open a form, so this message offers a button.
    if (kept.kind === 'no-vote') {
      const { record, user } = kept;
      const language = await context.languages.ofPerson(user, record.source.channel);
      await showTo(context, { ...record.source, user }, askMessage(record.id, language)).catch(() => {});
    }
  };
  app.event('reaction_added', reacted);
  app.event('reaction_removed', reacted);

  // The details, in pages; only the case for people who have yet to answer.
  const show = async (
    own: SlackContext,
    click: Click,
    verdictId: string,
    page: number,
    put: typeof openView,
  ): Promise<void> => {
    const viewer = viewerOf(own, click);
    const visible = await visibleVerdict(own.store, verdictId, viewer, own.now());
    if (visible === null) return tell(own, click, wordsIn(own.texts.language).votes.gone);
    await put(own, click, await viewOf(own, click, visible, page));
  };
  onClick(app, context, [actions.details], (click, _respond, own) =>
    show(own, click, click.value, 0, openView),
  );
  onClick(app, context, [actions.detailsPage, actions.detailsBack], async (click, _respond, own) => {
    const at = readPageValue(click.value);
    if (at !== null) await show(own, click, at.verdictId, at.page, replaceView);
  });

  // App Home is rendered whenever it is opened. The Messages tab next to it gets suggested prompts.
  app.event('app_home_opened', async ({ event }) => {
    const { tab, user, channel } = HomeEvent.parse(event);
    if (tab === 'home') await publishHome(context, user, channel);
    if (tab === 'messages') await offerPrompts(context, channel);
  });
}
