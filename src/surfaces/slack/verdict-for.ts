import type { ModalView } from '@slack/types';
import { hasSeen } from '../../labels/cast-blind.ts';
import { standingVote } from '../../labels/cast-vote.ts';
import type { VerdictRecord } from '../../labels/verdict-record.ts';
import { standardOf } from '../wording.ts';
import type { SlackContext } from './context.ts';
import { blindCaseView } from './render/blind.ts';
import { detailsView } from './render/details.ts';

/**
 * What somebody may read of a verdict: all of it, or, where it is hidden until they have answered, the case alone. Everything
 * that opens a verdict goes through here.
 *
 * @throws JuryError `store-unavailable`
 */
export async function verdictFor(
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
