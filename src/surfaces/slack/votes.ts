import type { App, RespondFn, ViewSubmitAction } from '@slack/bolt';
import { isStoreAway, JuryError } from '../../common/errors.ts';
import { type VisibleVerdict, visibleVerdict } from '../../labels/visible-verdict.ts';
import { shownErrors } from '../form.ts';
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
import {
  clickerOf,
  onClick,
  openView,
  type SlackContext,
  STORE_GONE,
  showTo,
  tell,
  whereOf,
} from './context.ts';
import { showView, viewOf } from './details.ts';
import { actions, callbacks, SLACK } from './ids.ts';
import { showLists } from './lists.ts';
import { ActionBody, msOf, ViewBody } from './payloads.ts';
import type { Kept } from './receiver.ts';
import { readBlindValue } from './render/blind.ts';
import { paragraph, words } from './render/blocks.ts';
import { pagedView } from './render/details.ts';
import { correctionView, readFormState, VerdictMetadata } from './render/form.ts';
import { askMessage, readVoteValue } from './render/votes.ts';

const TRY_AGAIN = 'This answer could not be counted. Open the case again.';

const votingOf = (context: SlackContext, body: Parameters<typeof clickerOf>[1], at: number): Voting => ({
  ...clickerOf(context, body, 'vote'),
  surface: SLACK,
  at,
});

/** What a person may read of a verdict after their vote: that counts also while nobody can say who is in the conversation. */
const readable = (context: SlackContext, body: ActionBody, id: string): Promise<VisibleVerdict | null> =>
  visibleVerdict(context.store, id, clickerOf(context, body), context.now());

/** Shows what came of a thumb to the person who gave it. */
async function showThumb(
  context: SlackContext,
  body: ActionBody,
  verdictId: string,
  outcome: ThumbOutcome,
): Promise<void> {
  switch (outcome.kind) {
    case 'gone':
    case 'not-voted':
      return tell(context, whereOf(body), thumbText(outcome, null));
    case 'hidden': {
      const visible = await readable(context, body, verdictId);
      if (visible === null) return tell(context, whereOf(body), voteTexts.gone);
      return showView(context, body, await viewOf(context, visible));
    }
    case 'taken-back': {
      const text = thumbText(outcome, null);
      return showView(
        context,
        body,
        pagedView({ id: verdictId, title: 'The case' }, [paragraph(words(text))], [], 0),
      );
    }
    case 'counted': {
      const { form } = outcome;
      const visible = body.view?.type === 'modal' ? await readable(context, body, verdictId) : null;
      if (visible !== null) await showView(context, body, await viewOf(context, visible));
      // The click opens a form for three seconds only. The vote counts already; this makes it say more.
      if (form !== null) await openView(context, body, correctionView(verdictId, form));
    }
  }
}

export async function onThumb(
  context: SlackContext,
  ack: () => Promise<void>,
  raw: unknown,
  respond: RespondFn,
): Promise<void> {
  const body = ActionBody.parse(raw);
  const [{ value: text, selected_option: chosen, action_ts }] = body.actions;
  const vote = readVoteValue(chosen?.value ?? text ?? '');
  if (vote === null) return ack();
  const { value, verdictId } = vote;
  let outcome: ThumbOutcome;
  try {
    outcome = await castThumb(context, votingOf(context, body, msOf(action_ts)), verdictId, value);
  } catch (thrown) {
    await ack();
    await tell(context, whereOf(body), STORE_GONE.vote);
    if (!isStoreAway(thrown)) throw thrown;
    return;
  }
  await ack();
  await showThumb(context, body, verdictId, outcome);
  if (outcome.kind === 'counted') await showLists(context, body, respond);
}

async function onCorrection(
  context: SlackContext,
  ack: (answer?: { response_action: 'errors'; errors: Record<string, string> }) => Promise<void>,
  raw: unknown,
): Promise<void> {
  const body = ViewBody.parse(raw);
  const { verdict: verdictId } = VerdictMetadata.parse(JSON.parse(body.view.private_metadata));
  const filledIn = readFormState(body.view.state);
  try {
    const voting = votingOf(context, body, context.now());
    const outcome = await castCorrection(context, voting, verdictId, filledIn);
    if (outcome.kind === 'wrong')
      return ack({ response_action: 'errors', errors: shownErrors(outcome.errors, filledIn, 'comment') });
    await ack();
    if (outcome.kind === 'gone') await tell(context, { channel: null, user: body.user.id }, voteTexts.gone);
  } catch (thrown) {
    if (!isStoreAway(thrown)) throw thrown;
    return ack({ response_action: 'errors', errors: { comment: STORE_GONE.vote } });
  }
}

/** An answer to a case whose verdict is hidden until then. */
async function onAnswer(
  context: SlackContext,
  ack: () => Promise<void>,
  raw: unknown,
  respond: RespondFn,
): Promise<void> {
  const body = ActionBody.parse(raw);
  const [{ value, selected_option, action_ts }] = body.actions;
  const read = readBlindValue(selected_option?.value ?? value ?? '');
  if (read === null) return ack();
  const where = whereOf(body);
  const voting = votingOf(context, body, msOf(action_ts));
  let refused: string | null;
  try {
    refused = await castAnswer(context, voting, read.verdictId, read.answer);
  } catch (thrown) {
    await ack();
    await tell(context, where, isStoreAway(thrown) ? STORE_GONE.vote : TRY_AGAIN);
    if (!(thrown instanceof JuryError)) throw thrown;
    return;
  }
  await ack();
  if (refused !== null) return tell(context, where, refused);
  const visible = await readable(context, body, read.verdictId);
  // The card of an open verdict shows the vote itself.
  const isOnCard = visible?.kind === 'open' && body.view?.type !== 'modal';
  if (visible !== null && !isOnCard) await showView(context, body, await viewOf(context, visible));
  await showLists(context, body, respond);
}

/** What a person adds who has seen the verdict: what is right, who was wrong, or that they changed their mind. */
async function onSayMore(context: SlackContext, body: ActionBody): Promise<void> {
  const visible = await readable(context, body, body.actions[0].value ?? '');
  if (visible === null) return tell(context, { channel: null, user: body.user.id }, voteTexts.gone);
  const form = await correctionFor(context, visible, clickerOf(context, body).voter);
  const view = form === null ? await viewOf(context, visible) : correctionView(visible.record.id, form);
  await showView(context, body, view);
}

/** Thumbs, answers to hidden verdicts, the forms behind both, and reactions (kept already when they come here). */
export function registerVotes(app: App, context: SlackContext, keptOf: (body: object) => Kept): void {
  for (const id of [actions.feedback, actions.agree, actions.disagree, actions.unsure, actions.retract])
    app.action(id, ({ ack, body, respond }) => onThumb(context, ack, body, respond));
  const answers = [actions.blindRight, actions.blindWrong, actions.blindUnsure, actions.blindScore];
  for (const id of [...answers, actions.preferFirst, actions.preferSecond, actions.preferSame])
    app.action(id, ({ ack, body, respond }) => onAnswer(context, ack, body, respond));
  onClick(app, context, [actions.sayMore], (click) => onSayMore(context, click));
  app.view<ViewSubmitAction>(callbacks.correctionForm, ({ ack, body }) => onCorrection(context, ack, body));

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
