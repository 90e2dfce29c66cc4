import type { App, RespondFn } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { type VisibleVerdict, visibleVerdict } from '../../labels/visible-verdict.ts';
import {
  asksWhatIsRight,
  castAnswer,
  castCorrection,
  castThumb,
  correctionFor,
  type ThumbOutcome,
  thumbText,
  type Voting,
  voted,
  voteTexts,
} from '../vote-desk.ts';
import { standardOf } from '../wording.ts';
import { onClick, onForm, onVoteClick, openView, replaceView } from './clicks.ts';
import { type SlackContext, showTo, tell, viewerOf } from './context.ts';
import { actions, SLACK } from './ids.ts';
import { showLists } from './lists.ts';
import type { Click, Origin } from './payloads.ts';
import type { Kept } from './receiver.ts';
import { blindCaseView, readBlindValue } from './render/blind.ts';
import { paragraph, words } from './render/blocks.ts';
import { detailsView, pagedView, readPageValue } from './render/details.ts';
import { forms, formView } from './render/form.ts';
import { askMessage, readVoteValue } from './render/votes.ts';

/** What a person may read of a verdict. Everything that opens one goes through here. @throws JuryError `store-unavailable` */
async function viewOf(
  { cards, library }: Pick<SlackContext, 'cards' | 'library'>,
  visible: VisibleVerdict,
  page = 0,
): Promise<ModalView> {
  const { record } = visible;
  switch (visible.kind) {
    case 'open':
    case 'seen':
      return detailsView(await cards.inputOf(record), page);
    case 'hidden':
      return blindCaseView(record, standardOf(record.verdict, library.rubrics), page);
    case 'answered':
      return detailsView(await cards.inputOf(record), page, visible.vote);
  }
}

/** All that was said, in pages; for who has yet to answer, the case alone. */
export function registerDetails(app: App, context: SlackContext): void {
  const show = async (click: Click, verdictId: string, page: number, put: typeof openView): Promise<void> => {
    const viewer = viewerOf(context, click);
    const visible = await visibleVerdict(context.store, verdictId, viewer, context.now());
    if (visible === null) return tell(context, click, voteTexts.gone);
    await put(context, click, await viewOf(context, visible, page));
  };
  onClick(app, context, [actions.details], (click) => show(click, click.value, 0, openView));
  onClick(app, context, [actions.detailsPage, actions.detailsBack], async (click) => {
    const at = readPageValue(click.value);
    if (at !== null) await show(click, at.verdictId, at.page, replaceView);
  });
}

const votingOf = (context: SlackContext, origin: Origin, at: number): Voting => ({
  ...viewerOf(context, origin, 'vote'),
  surface: SLACK,
  at,
});

/** What a person may read of a verdict after their vote: that counts also while nobody can say who is in the conversation. */
const readable = (context: SlackContext, click: Click, id: string): Promise<VisibleVerdict | null> =>
  visibleVerdict(context.store, id, viewerOf(context, click), context.now());

interface Cast {
  verdictId: string;
  outcome: ThumbOutcome;
}

/** Counts the thumb that was clicked; null where the button is none. */
export async function castClick(context: SlackContext, click: Click): Promise<Cast | null> {
  const vote = readVoteValue(click.value);
  if (vote === null) return null;
  const { value, verdictId } = vote;
  const outcome = await castThumb(context, votingOf(context, click, click.at), verdictId, value);
  return { verdictId, outcome };
}

/** Shows what came of a thumb to the person who gave it. */
export async function showThumb(
  context: SlackContext,
  click: Click,
  { verdictId, outcome }: Cast,
  respond: RespondFn,
): Promise<void> {
  switch (outcome.kind) {
    case 'gone':
    case 'not-voted':
      return tell(context, click, thumbText(outcome, null));
    case 'hidden': {
      const visible = await readable(context, click, verdictId);
      if (visible === null) return tell(context, click, voteTexts.gone);
      return replaceView(context, click, await viewOf(context, visible));
    }
    case 'taken-back': {
      const text = paragraph(words(thumbText(outcome, null)));
      return replaceView(context, click, pagedView({ id: verdictId, title: 'The case' }, [text], [], 0));
    }
    case 'counted': {
      const { form } = outcome;
      const visible = click.view?.type === 'modal' ? await readable(context, click, verdictId) : null;
      if (visible !== null) await replaceView(context, click, await viewOf(context, visible));
      // The click opens a form for three seconds only. The vote counts already; this makes it say more.
      if (form !== null)
        await openView(context, click, formView(forms.correction, { verdict: verdictId }, form));
      await showLists(context, click, respond);
    }
  }
}

/** Counts an answer to a case whose verdict is hidden until then; null where the button is none. */
async function castAnswerClick(context: SlackContext, click: Click) {
  const read = readBlindValue(click.value);
  if (read === null) return null;
  const { verdictId, answer } = read;
  const voting = votingOf(context, click, click.at);
  return { verdictId, refused: await castAnswer(context, voting, verdictId, answer) };
}

/** Shows what came of an answer to the person who gave it. */
async function showAnswer(
  context: SlackContext,
  click: Click,
  { verdictId, refused }: { verdictId: string; refused: string | null },
  respond: RespondFn,
): Promise<void> {
  if (refused !== null) return tell(context, click, refused);
  const visible = await readable(context, click, verdictId);
  // The card of an open verdict shows the vote itself.
  const isOnCard = visible?.kind === 'open' && click.view?.type !== 'modal';
  if (visible !== null && !isOnCard) await replaceView(context, click, await viewOf(context, visible));
  await showLists(context, click, respond);
}

/** What a person adds who has seen the verdict: what is right, who was wrong, or that they changed their mind. */
async function onSayMore(context: SlackContext, click: Click): Promise<void> {
  const visible = await readable(context, click, click.value);
  if (visible === null) return tell(context, { channel: null, user: click.user }, voteTexts.gone);
  const form = await correctionFor(context, visible, viewerOf(context, click).voter);
  const about = { verdict: visible.record.id };
  const view = form === null ? await viewOf(context, visible) : formView(forms.correction, about, form);
  await replaceView(context, click, view);
}

/** Thumbs, answers to hidden verdicts, the forms behind both, and reactions (kept already when they come here). */
export function registerVotes(app: App, context: SlackContext, keptOf: (body: object) => Kept): void {
  onVoteClick(
    app,
    context,
    [actions.feedback, actions.agree, actions.disagree, actions.unsure, actions.retract],
    (click) => castClick(context, click),
    async (cast, click, respond) => cast && showThumb(context, click, cast, respond),
  );
  const answers = [actions.blindRight, actions.blindWrong, actions.blindUnsure, actions.blindScore];
  onVoteClick(
    app,
    context,
    [...answers, actions.preferFirst, actions.preferSecond, actions.preferSame],
    (click) => castAnswerClick(context, click),
    async (cast, click, respond) => cast && showAnswer(context, click, cast, respond),
  );
  onClick(app, context, [actions.sayMore], (click) => onSayMore(context, click));
  onForm(app, context, forms.correction, async (sent) => {
    const voting = votingOf(context, sent, context.now());
    const outcome = await castCorrection(context, voting, sent.about.verdict, sent.filledIn);
    if (outcome.kind === 'wrong') return { errors: outcome.errors };
    return outcome.kind === 'gone' ? { after: () => tell(context, sent, voteTexts.gone) } : null;
  });

  const reacted = async ({ body }: { body: object }): Promise<void> => {
    const kept = keptOf(body);
    if (kept.kind !== 'vote') return;
    const { record, status, value, user } = kept;
    voted(context, record, status, value);
    // A reaction opens no form.
    if (
      record.verdict.decision === 'undecided' &&
      asksWhatIsRight(record, value) &&
      status !== 'unknown-verdict'
    )
      await showTo(context, { ...record.source, user }, askMessage(record.id)).catch(() => {});
  };
  app.event('reaction_added', reacted);
  app.event('reaction_removed', reacted);
}
