import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { JuryError } from '../../common/errors.ts';
import { addToBlind, type BlindOutcome, castBlind, hasSeen, takeBackBlind } from '../../labels/blind-vote.ts';
import { standingVote } from '../../labels/cast-vote.ts';
import type { VerdictRecord } from '../../labels/verdict-record.ts';
import type { BlindAnswer, Correction, VoteValue } from '../../labels/vote.ts';
import type { Form } from '../form.ts';
import { correctionForm } from '../forms/correction-form.ts';
import { standardOf } from '../wording.ts';
import { type SlackContext, STORE_AWAY, STORE_GONE, tell, VERDICT_GONE, voterOf } from './context.ts';
import { actions, SLACK } from './ids.ts';
import type { ShowLists } from './lists.ts';
import { ActionBody, msOf } from './payloads.ts';
import { blindCaseView, readBlindValue } from './render/blind.ts';
import { paragraph, words } from './render/blocks.ts';
import { detailsView, pagedView, readPageValue } from './render/details.ts';
import { correctionView } from './render/form.ts';

/**
 * What somebody may read of a verdict: all of it, or, where it is hidden until they have answered, the case alone. Everything
 * that opens a verdict goes through here.
 *
 * @throws JuryError `store-unavailable`
 */
async function verdictFor(
  { store, texts, library, now }: Pick<SlackContext, 'store' | 'texts' | 'library' | 'now'>,
  record: VerdictRecord,
  voter: string,
  page = 0,
): Promise<ModalView> {
  if (record.blind !== true) return detailsView(record, texts, page);
  const vote = await standingVote(store, record.id, voter);
  // Who took their answer back has seen it all the same, and cannot answer again.
  if (vote === null && (await hasSeen(store, record.id, voter, now())))
    return detailsView(record, texts, page);
  if (vote === null) return blindCaseView(record, standardOf(record.verdict, library.rubrics), page);
  return detailsView(record, texts, page, { vote, tally: await store.tally(record.id) });
}

/** Opens a view for who clicked, in place of the one that they clicked in where there is one. */
async function showView(
  { clients }: Pick<SlackContext, 'clients'>,
  { view: open, trigger_id }: Pick<ActionBody, 'view' | 'trigger_id'>,
  view: ModalView,
): Promise<void> {
  if (open?.type === 'modal') await clients.now.views.update({ view_id: open.id, hash: open.hash, view });
  else await clients.now.views.open({ trigger_id, view });
}

/**
 * A thumb on a hidden verdict, from wherever it came: it is no answer, since it speaks of judges that the person has not seen.
 * A vote that is taken back goes; in all other cases they are shown what they may see.
 *
 * @throws JuryError `store-unavailable`
 */
export async function onThumb(
  context: SlackContext,
  body: ActionBody,
  record: VerdictRecord,
  voter: string,
  value: VoteValue | null,
): Promise<void> {
  if (value !== null) return showView(context, body, await verdictFor(context, record, voter));
  const { store, now, onVote } = context;
  const gone = await takeBackBlind(store, record, { voter, surface: SLACK, at: now() });
  if (gone) onVote('retracted');
  const text = gone
    ? 'Your answer is taken back and counts no more.'
    : 'There is no answer of yours to take back.';
  await showView(
    context,
    body,
    pagedView({ id: record.id, title: 'The case' }, [paragraph(words(text))], [], 0),
  );
}

/** What the form says is right now; where it says nothing of that, the first answer. */
function answerNow(first: BlindAnswer, value: VoteValue, { decision, score }: Correction): BlindAnswer {
  if (decision !== undefined) return { kind: 'decision', decision };
  if (score !== undefined) return { kind: 'score', score };
  return value === 'unsure' ? { kind: 'unsure' } : first;
}

/**
 * Keeps what somebody adds to their blind answer by the form.
 *
 * @throws JuryError `store-unavailable`
 */
export async function keepAddition(
  { store, now }: SlackContext,
  record: VerdictRecord,
  voter: string,
  { value, correction }: { value: VoteValue; correction: Correction },
): Promise<void> {
  const first = (await standingVote(store, record.id, voter))?.blind?.answer;
  if (first === undefined) return;
  const who = { voter, surface: SLACK, at: now() };
  await addToBlind(store, record, who, answerNow(first, value, correction), correction);
}

/**
 * What a voter can add to their vote; null for who has yet to answer before they see the verdict.
 *
 * @throws JuryError `store-unavailable`
 */
export async function correctionFor(
  { store, library, texts }: Pick<SlackContext, 'store' | 'library' | 'texts'>,
  { id, verdict, blind }: VerdictRecord,
  voter: string,
): Promise<Form | null> {
  const vote = await standingVote(store, id, voter);
  const answered = blind === true ? vote?.blind : undefined;
  if (blind === true && answered === undefined) return null;
  return correctionForm({
    verdict,
    rubric: library.rubrics.get(verdict.rubric) ?? null,
    texts,
    correction: vote?.correction,
    answer: answered?.later?.answer ?? answered?.answer,
  });
}

const OPEN = 'This verdict is open to everybody: vote on its card.';
const SEEN =
  'You took your answer back after you had seen the verdict. Another one would not be blind, so it is not counted.';

async function onAnswer(
  context: SlackContext,
  ack: () => Promise<void>,
  raw: unknown,
  showLists: (body: ActionBody) => Promise<void>,
): Promise<void> {
  const { store } = context;
  const body = ActionBody.parse(raw);
  const { user, channel, message } = body;
  const [{ value, selected_option, action_ts }] = body.actions;
  const read = readBlindValue(selected_option?.value ?? value ?? '');
  if (read === null) return ack();
  const where = { channel: channel?.id ?? null, thread: message?.thread_ts, user: user.id };
  const who = { voter: voterOf(context, body), surface: SLACK, at: msOf(action_ts) };
  let record: VerdictRecord | null;
  let outcome: BlindOutcome;
  try {
    record = await store.verdict(read.verdictId);
    if (record !== null && record.blind !== true) {
      await ack();
      return tell(context, where, OPEN);
    }
    outcome = record === null ? { kind: 'gone' } : await castBlind(store, record, who, read.answer);
  } catch (thrown) {
    await ack();
    const gone = thrown instanceof JuryError && thrown.code === 'store-unavailable';
    await tell(
      context,
      where,
      gone ? STORE_GONE.vote : 'This answer could not be counted. Open the case again.',
    );
    if (!(thrown instanceof JuryError)) throw thrown;
    return;
  }
  await ack();
  if (record === null || outcome.kind === 'gone') return tell(context, where, VERDICT_GONE);
  if (outcome.kind === 'seen') return tell(context, where, SEEN);
  if (outcome.kind === 'kept') context.onVote(outcome.vote.value);
  await showView(context, body, await verdictFor(context, record, who.voter));
  await showLists(body);
}

/** What somebody adds who has seen the verdict: who was wrong, or that they changed their mind. */
async function onSayMore(context: SlackContext, raw: unknown): Promise<void> {
  const body = ActionBody.parse(raw);
  const voter = voterOf(context, body);
  const record = await context.store.verdict(body.actions[0].value ?? '');
  if (record === null) return tell(context, { channel: null, user: body.user.id }, VERDICT_GONE);
  const form = record.blind === true ? await correctionFor(context, record, voter) : null;
  const view = form === null ? await verdictFor(context, record, voter) : correctionView(record.id, form);
  await showView(context, body, view);
}

/** Answers to cases whose verdict is hidden until then, and what is added to them. */
export function registerBlind(app: App, context: SlackContext, showLists: ShowLists): void {
  for (const id of [actions.blindRight, actions.blindWrong, actions.blindUnsure, actions.blindScore])
    app.action(id, ({ ack, body, respond }) =>
      onAnswer(context, ack, body, (click) => showLists(click, respond)),
    );
  app.action(actions.sayMore, async ({ ack, body }) => {
    await ack();
    await onSayMore(context, body);
  });
}

const GONE = 'The details of this verdict are not kept any more.';

/** All that was said, in pages; for who has yet to answer, the case alone. */
export function registerDetails(app: App, context: SlackContext): void {
  const { store, clients } = context;

  /** What whoever clicked may read, or what to tell them instead. */
  async function viewFor(body: ActionBody, verdictId: string, page: number): Promise<ModalView | string> {
    try {
      const record = await store.verdict(verdictId);
      return record === null ? GONE : await verdictFor(context, record, voterOf(context, body), page);
    } catch {
      return STORE_AWAY;
    }
  }

  app.action(actions.details, async ({ ack, body }) => {
    await ack();
    const click = ActionBody.parse(body);
    const { user, channel, message, trigger_id } = click;
    const where = { channel: channel?.id ?? null, thread: message?.thread_ts, user: user.id };
    const view = await viewFor(click, click.actions[0].value ?? '', 0);
    if (typeof view === 'string') return tell(context, where, view);
    await clients.now.views.open({ trigger_id, view });
  });
  for (const action of [actions.detailsPage, actions.detailsBack])
    app.action(action, async ({ ack, body }) => {
      await ack();
      const click = ActionBody.parse(body);
      const { view: open, user } = click;
      const at = readPageValue(click.actions[0].value ?? '');
      if (!open || at === null) return;
      const view = await viewFor(click, at.verdictId, at.page);
      if (typeof view === 'string') return tell(context, { channel: null, user: user.id }, view);
      await clients.now.views.update({ view_id: open.id, hash: open.hash, view });
    });
}
