import type { App, ViewSubmitAction } from '@slack/bolt';
import { JuryError } from '../../common/errors.ts';
import { castVote, standingVote, type VoteOutcome } from '../../labels/cast-vote.ts';
import type { VerdictRecord } from '../../labels/verdict-record.ts';
import type { Correction, VoteValue } from '../../labels/vote.ts';
import { shownErrors } from '../form.ts';
import { readCorrectionForm } from '../forms/correction-form.ts';
import { type SlackContext, STORE_GONE, tell, VERDICT_GONE, voterOf } from './context.ts';
import { actions, callbacks, SLACK } from './ids.ts';
import type { ShowLists } from './lists.ts';
import { ActionBody, msOf, ViewBody } from './payloads.ts';
import type { Kept } from './receiver.ts';
import { CorrectionMetadata, correctionView, readFormState } from './render/form.ts';
import { readVoteValue } from './render/votes.ts';
import { correctionFor, keepAddition, onThumb } from './votes.ts';

/** Shows a vote that was kept, and counts it for whoever watches the service. */
function showVote(
  { cards, onVote }: SlackContext,
  verdictId: string,
  outcome: VoteOutcome,
  value: VoteValue | null,
) {
  if (outcome.kind !== 'kept') return;
  if (outcome.changed) onVote(value ?? 'retracted');
  cards.refresh(verdictId);
}

async function onClick(
  context: SlackContext,
  ack: () => Promise<void>,
  raw: unknown,
  showLists: (body: ActionBody) => Promise<void>,
): Promise<void> {
  const { store } = context;
  const body = ActionBody.parse(raw);
  const { user, channel, message, trigger_id } = body;
  const [{ value: text, action_ts }] = body.actions;
  const vote = readVoteValue(text ?? '');
  if (vote === null) return ack();
  const { value, verdictId } = vote;
  const where = { channel: channel?.id ?? null, thread: message?.thread_ts, user: user.id };
  const voter = voterOf(context, body);
  let outcome: VoteOutcome | { kind: 'hidden'; record: VerdictRecord };
  try {
    const record = await store.verdict(verdictId);
    outcome =
      record?.blind === true
        ? { kind: 'hidden', record }
        : await castVote(store, { verdictId, voter, value, surface: SLACK, at: msOf(action_ts) });
  } catch (thrown) {
    await ack();
    await tell(context, where, STORE_GONE.vote);
    if (!(thrown instanceof JuryError) || thrown.code !== 'store-unavailable') throw thrown;
    return;
  }
  await ack();
  if (outcome.kind === 'hidden') return onThumb(context, body, outcome.record, voter, value);
  if (outcome.kind === 'gone') return tell(context, where, VERDICT_GONE);
  showVote(context, verdictId, outcome, value);
  // First, since the click opens a form for three seconds only.
  if (value === 'disagree') await askWhatIsRight(context, verdictId, voter, trigger_id);
  await showLists(body);
}

/** The vote counts already; what is added here makes it say more. */
async function askWhatIsRight(
  context: SlackContext,
  verdictId: string,
  voter: string,
  trigger_id: string,
): Promise<void> {
  const record = await context.store.verdict(verdictId);
  const form = record === null ? null : await correctionFor(context, record, voter);
  if (form === null) return;
  await context.clients.now.views.open({ trigger_id, view: correctionView(verdictId, form) });
}

async function onCorrection(
  context: SlackContext,
  ack: (answer?: { response_action: 'errors'; errors: Record<string, string> }) => Promise<void>,
  raw: unknown,
): Promise<void> {
  const { store, now } = context;
  const body = ViewBody.parse(raw);
  const { user, view } = body;
  const { verdict: verdictId } = CorrectionMetadata.parse(JSON.parse(view.private_metadata));
  const voter = voterOf(context, body);
  let read: { value: VoteValue; correction: Correction };
  let outcome: VoteOutcome;
  try {
    const record = await store.verdict(verdictId);
    if (record === null) {
      await ack();
      return tell(context, { channel: null, user: user.id }, VERDICT_GONE);
    }
    const form = await correctionFor(context, record, voter);
    if (form === null) return ack();
    const filledIn = readFormState(view.state);
    const said = readCorrectionForm(form, filledIn, record.verdict.decision);
    if ('errors' in said)
      return ack({ response_action: 'errors', errors: shownErrors(said.errors, filledIn, 'comment') });
    read = said;
    if (record.blind === true) {
      await keepAddition(context, record, voter, read);
      return ack();
    }
    const standing = await standingVote(store, verdictId, voter);
    // Slack says when a button was clicked but not when a form was sent; it comes after the click, whatever our clock says.
    const at = Math.max(now(), (standing?.at ?? 0) + 1);
    outcome = await castVote(store, { verdictId, voter, ...read, surface: SLACK, at });
  } catch (thrown) {
    if (!(thrown instanceof JuryError) || thrown.code !== 'store-unavailable') throw thrown;
    return ack({ response_action: 'errors', errors: { comment: STORE_GONE.vote } });
  }
  await ack();
  showVote(context, verdictId, outcome, read.value);
}

/** Thumbs: buttons, the form behind a thumb down, and reactions (kept already when they come here). */
export function registerVotes(
  app: App,
  context: SlackContext,
  keptOf: (body: object) => Kept,
  showLists: ShowLists,
): void {
  for (const id of [actions.feedback, actions.agree, actions.disagree, actions.unsure, actions.retract])
    app.action(id, ({ ack, body, respond }) =>
      onClick(context, ack, body, (click) => showLists(click, respond)),
    );
  app.view<ViewSubmitAction>(callbacks.correctionForm, ({ ack, body }) => onCorrection(context, ack, body));

  const reacted = async ({ body }: { body: object }): Promise<void> => {
    const kept = keptOf(body);
    if (kept.kind === 'lost' && kept.what === 'vote') await tell(context, kept, STORE_GONE.vote);
    if (kept.kind === 'vote') showVote(context, kept.verdictId, kept.outcome, kept.value);
  };
  app.event('reaction_added', reacted);
  app.event('reaction_removed', reacted);
}
