import type { ModalView } from '@slack/types';
import { addToBlind, takeBackBlind } from '../../labels/cast-blind.ts';
import { standingVote } from '../../labels/cast-vote.ts';
import type { VerdictRecord } from '../../labels/verdict-record.ts';
import type { BlindAnswer, Correction, VoteValue } from '../../labels/vote.ts';
import type { SlackContext } from './context.ts';
import type { ActionBody } from './payloads.ts';
import { paragraph, words } from './render/blocks.ts';
import { pagedView } from './render/details.ts';
import { verdictFor } from './verdict-for.ts';

/** Opens a view for who clicked, in place of the one that they clicked in where there is one. */
export async function showView(
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
  const gone = await takeBackBlind(store, record, { voter, surface: 'slack', at: now() });
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
  const who = { voter, surface: 'slack', at: now() };
  await addToBlind(store, record, who, answerNow(first, value, correction), correction);
}
