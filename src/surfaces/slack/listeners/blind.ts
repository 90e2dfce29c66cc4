import type { App } from '@slack/bolt';
import { JuryError } from '../../../common/errors.ts';
import { type BlindOutcome, castBlind } from '../../../labels/cast-blind.ts';
import { standingVote } from '../../../labels/cast-vote.ts';
import type { VerdictRecord } from '../../../labels/verdict-record.ts';
import { showView } from '../blind-votes.ts';
import type { SlackContext } from '../context.ts';
import { actions } from '../ids.ts';
import { ActionBody, msOf } from '../payloads.ts';
import { readBlindValue } from '../render/blind.ts';
import { correctionForm } from '../render/correction-form.ts';

import type { ShowLists } from '../show-lists.ts';
import { STORE_GONE, tell, VERDICT_GONE } from '../tell.ts';
import { verdictFor } from '../verdict-for.ts';
import { voterOf } from '../voter-of.ts';

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
  const who = { voter: voterOf(context, body), surface: 'slack', at: msOf(action_ts) };
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
  const { store, library, texts } = context;
  const body = ActionBody.parse(raw);
  const voter = voterOf(context, body);
  const record = await store.verdict(body.actions[0].value ?? '');
  if (record === null) return tell(context, { channel: null, user: body.user.id }, VERDICT_GONE);
  const vote = record.blind === true ? await standingVote(store, record.id, voter) : null;
  if (vote?.blind === undefined) return showView(context, body, await verdictFor(context, record, voter));
  const { answer, later } = vote.blind;
  const rubric = library.rubrics.get(record.verdict.rubric) ?? null;
  const { correction } = vote;
  await showView(
    context,
    body,
    correctionForm({
      record,
      rubric,
      texts,
      answer: later?.answer ?? answer,
      ...(correction === undefined ? {} : { correction }),
    }),
  );
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
