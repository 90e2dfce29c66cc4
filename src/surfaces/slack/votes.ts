import type { App, RespondFn, ViewSubmitAction } from '@slack/bolt';
import { JuryError } from '../../common/errors.ts';
import { addToBlind, castBlind, takeBackBlind } from '../../labels/blind-vote.ts';
import { castVote, standingVote, type VoteOutcome } from '../../labels/cast-vote.ts';
import type { VerdictRecord } from '../../labels/verdict-record.ts';
import { type VisibleVerdict, visibleVerdict } from '../../labels/visible-verdict.ts';
import type { BlindAnswer, Correction, VoteValue } from '../../labels/vote.ts';
import { type Form, shownErrors } from '../form.ts';
import { correctionForm, readCorrectionForm } from '../forms/correction-form.ts';
import {
  clickerOf,
  isStoreAway,
  onClick,
  openView,
  type SlackContext,
  STORE_GONE,
  showTo,
  tell,
  VERDICT_GONE,
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
import { CorrectionMetadata, correctionView, readFormState } from './render/form.ts';
import { askMessage, readVoteValue } from './render/votes.ts';

const OPEN = 'This verdict is open to everybody: vote on its card.';
const SEEN =
  'You took your answer back after you had seen the verdict. Another one would not be blind, so it is not counted.';
const NOT_VOTED = 'You have not voted on this verdict, so there is no vote to take back.';
const TRY_AGAIN = 'This answer could not be counted. Open the case again.';

/** A verdict that a person finds wrong, or that decides nothing, leaves open what is right. */
const asksWhatIsRight = ({ verdict }: VerdictRecord, value: VoteValue | null): boolean =>
  value === 'disagree' || (value === 'agree' && verdict.decision === 'undecided');

/** Counts a vote that was kept, and has its card show it. */
function voted(
  { cards, onVote }: SlackContext,
  record: VerdictRecord,
  outcome: VoteOutcome,
  value: VoteValue | null,
): void {
  if (outcome.kind !== 'kept') return;
  if (outcome.changed) onVote(value ?? 'retracted');
  cards.refresh(record);
}

/**
 * A thumb on a verdict that not all may see, from wherever it came: it is no answer, since it speaks of judges that the person
 * has not seen. A vote that is taken back goes; in all other cases they are shown what they may see.
 */
async function onHiddenThumb(
  context: SlackContext,
  body: ActionBody,
  visible: VisibleVerdict,
  voter: string,
  value: VoteValue | null,
): Promise<void> {
  if (value !== null) return showView(context, body, await viewOf(context, visible));
  const { store, now, onVote } = context;
  const gone = await takeBackBlind(store, visible.record, { voter, surface: SLACK, at: now() });
  if (gone) onVote('retracted');
  const text = gone
    ? 'Your answer is taken back and counts no more.'
    : 'There is no answer of yours to take back.';
  const view = pagedView({ id: visible.record.id, title: 'The case' }, [paragraph(words(text))], [], 0);
  await showView(context, body, view);
}

export async function onThumb(
  context: SlackContext,
  ack: () => Promise<void>,
  raw: unknown,
  respond: RespondFn,
): Promise<void> {
  const { store, now } = context;
  const body = ActionBody.parse(raw);
  const [{ value: text, selected_option: chosen, action_ts }] = body.actions;
  const vote = readVoteValue(chosen?.value ?? text ?? '');
  if (vote === null) return ack();
  const { value, verdictId } = vote;
  const viewer = clickerOf(context, body);
  const { voter } = viewer;
  let visible: VisibleVerdict | null;
  let outcome: VoteOutcome = { kind: 'gone' };
  let hadVoted = true;
  try {
    visible = await visibleVerdict(store, verdictId, viewer, now());
    if (value === null) hadVoted = (await standingVote(store, verdictId, voter)) !== null;
    if (visible?.kind === 'open')
      outcome = await castVote(store, { verdictId, voter, value, surface: SLACK, at: msOf(action_ts) });
  } catch (thrown) {
    await ack();
    await tell(context, whereOf(body), STORE_GONE.vote);
    if (!isStoreAway(thrown)) throw thrown;
    return;
  }
  await ack();
  if (visible !== null && visible.kind !== 'open') return onHiddenThumb(context, body, visible, voter, value);
  if (visible === null || outcome.kind === 'gone') return tell(context, whereOf(body), VERDICT_GONE);
  if (!hadVoted) return tell(context, whereOf(body), NOT_VOTED);
  voted(context, visible.record, outcome, value);
  if (body.view?.type === 'modal') await showView(context, body, await viewOf(context, visible));
  if (asksWhatIsRight(visible.record, value)) {
    // Before the lists, since the click opens a form for three seconds only. The vote counts already; this makes it say more.
    const form = await correctionFor(context, visible, voter);
    if (form !== null) await openView(context, body, correctionView(verdictId, form));
  }
  await showLists(context, body, respond);
}

/** What a voter can add to their vote; null for who has no answer to add to. @throws JuryError `store-unavailable` */
async function correctionFor(
  { store, library, texts }: SlackContext,
  visible: VisibleVerdict,
  voter: string,
): Promise<Form | null> {
  const { id, verdict } = visible.record;
  if (visible.kind === 'hidden' || visible.kind === 'seen') return null;
  // A vote on a hidden verdict without a blind answer has nothing that a form could add to.
  if (visible.kind === 'answered' && visible.vote.blind === undefined) return null;
  const vote = visible.kind === 'answered' ? visible.vote : await standingVote(store, id, voter);
  const answered = visible.kind === 'answered' ? visible.vote.blind : undefined;
  return correctionForm({
    verdict,
    rubric: library.rubrics.get(verdict.rubric) ?? null,
    texts,
    correction: vote?.correction,
    answer: answered?.later?.answer ?? answered?.answer,
  });
}

/** What the form says is right now; where it says nothing of that, the first answer. */
function answerNow(first: BlindAnswer, value: VoteValue, { decision, score }: Correction): BlindAnswer {
  if (decision !== undefined) return { kind: 'decision', decision };
  if (score !== undefined) return { kind: 'score', score };
  return value === 'unsure' ? { kind: 'unsure' } : first;
}

async function onCorrection(
  context: SlackContext,
  ack: (answer?: { response_action: 'errors'; errors: Record<string, string> }) => Promise<void>,
  raw: unknown,
): Promise<void> {
  const { store, now } = context;
  const body = ViewBody.parse(raw);
  const { verdict: verdictId } = CorrectionMetadata.parse(JSON.parse(body.view.private_metadata));
  const viewer = clickerOf(context, body);
  const { voter } = viewer;
  try {
    const visible = await visibleVerdict(store, verdictId, viewer, now());
    if (visible === null) {
      await ack();
      return tell(context, { channel: null, user: body.user.id }, VERDICT_GONE);
    }
    const { record } = visible;
    const form = await correctionFor(context, visible, voter);
    if (form === null) return ack();
    const filledIn = readFormState(body.view.state);
    const said = readCorrectionForm(form, filledIn, record.verdict.decision);
    if ('errors' in said)
      return ack({ response_action: 'errors', errors: shownErrors(said.errors, filledIn, 'comment') });
    const { value, correction } = said;
    if (visible.kind === 'answered') {
      const first = visible.vote.blind?.answer;
      const who = { voter, surface: SLACK, at: now() };
      if (first !== undefined)
        await addToBlind(store, record, who, answerNow(first, value, correction), correction);
      return ack();
    }
    const standing = await standingVote(store, verdictId, voter);
    // Slack says when a button was clicked but not when a form was sent; it comes after the click, whatever our clock says.
    const at = Math.max(now(), (standing?.at ?? 0) + 1);
    const outcome = await castVote(store, { verdictId, voter, value, correction, surface: SLACK, at });
    await ack();
    voted(context, record, outcome, value);
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
  const { store, now } = context;
  const body = ActionBody.parse(raw);
  const [{ value, selected_option, action_ts }] = body.actions;
  const read = readBlindValue(selected_option?.value ?? value ?? '');
  if (read === null) return ack();
  const where = whereOf(body);
  const viewer = clickerOf(context, body);
  const answer = async (): Promise<string | null> => {
    const visible = await visibleVerdict(store, read.verdictId, viewer, now());
    if (visible === null) return VERDICT_GONE;
    if (visible.kind === 'open') return OPEN;
    const who = { voter: viewer.voter, surface: SLACK, at: msOf(action_ts) };
    const outcome = await castBlind(store, visible.record, who, read.answer);
    if (outcome.kind === 'gone') return VERDICT_GONE;
    if (outcome.kind === 'seen') return SEEN;
    if (outcome.kind === 'kept') context.onVote(outcome.vote.value);
    return null;
  };
  let refused: string | null;
  try {
    refused = await answer();
  } catch (thrown) {
    await ack();
    await tell(context, where, isStoreAway(thrown) ? STORE_GONE.vote : TRY_AGAIN);
    if (!(thrown instanceof JuryError)) throw thrown;
    return;
  }
  await ack();
  if (refused !== null) return tell(context, where, refused);
  const visible = await visibleVerdict(store, read.verdictId, viewer, now());
  if (visible !== null) await showView(context, body, await viewOf(context, visible));
  await showLists(context, body, respond);
}

/** What a person adds who has seen the verdict: what is right, who was wrong, or that they changed their mind. */
async function onSayMore(context: SlackContext, body: ActionBody): Promise<void> {
  const viewer = clickerOf(context, body);
  const visible = await visibleVerdict(context.store, body.actions[0].value ?? '', viewer, context.now());
  if (visible === null) return tell(context, { channel: null, user: body.user.id }, VERDICT_GONE);
  const form = await correctionFor(context, visible, viewer.voter);
  const view = form === null ? await viewOf(context, visible) : correctionView(visible.record.id, form);
  await showView(context, body, view);
}

/** Thumbs, answers to hidden verdicts, the forms behind both, and reactions (kept already when they come here). */
export function registerVotes(app: App, context: SlackContext, keptOf: (body: object) => Kept): void {
  for (const id of [actions.feedback, actions.agree, actions.disagree, actions.unsure, actions.retract])
    app.action(id, ({ ack, body, respond }) => onThumb(context, ack, body, respond));
  for (const id of [actions.blindRight, actions.blindWrong, actions.blindUnsure, actions.blindScore])
    app.action(id, ({ ack, body, respond }) => onAnswer(context, ack, body, respond));
  onClick(app, [actions.sayMore], (click) => onSayMore(context, click));
  app.view<ViewSubmitAction>(callbacks.correctionForm, ({ ack, body }) => onCorrection(context, ack, body));

  const reacted = async ({ body }: { body: object }): Promise<void> => {
    const kept = keptOf(body);
    if (kept.kind === 'lost' && kept.what === 'vote') await tell(context, kept, STORE_GONE.vote);
    if (kept.kind !== 'vote') return;
    const { record, outcome, value, user } = kept;
    voted(context, record, outcome, value);
    // A reaction opens no form.
    if (record.verdict.decision === 'undecided' && asksWhatIsRight(record, value) && outcome.kind === 'kept')
      await showTo(context, { ...record.source, user }, askMessage(record.id)).catch(() => {});
  };
  app.event('reaction_added', reacted);
  app.event('reaction_removed', reacted);
}
