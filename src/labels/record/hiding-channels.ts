import { changeText, DAY_MS, type KeyValue } from '../../common/index.ts';
import { dayOf } from '../../common/text/index.ts';
import type { VerdictRecord, VerdictStore } from './verdict-record.ts';

/** After a week most votes are in, and the numbers cover enough other verdicts. */
export const HIDDEN_DAYS = 7;

const keyOf = (channel: string): string => `hiding:${channel}`;

/**
 * Saves a verdict. If people vote before they see it, this first records that its channel hides verdicts: public numbers then leave
 * out the channel's last days, even if its settings change in the meantime.
 * @throws JuryError `store-unavailable`
 */
export async function saveJudged(
  store: Pick<VerdictStore, 'saveVerdict'> & KeyValue,
  record: VerdictRecord,
): ReturnType<VerdictStore['saveVerdict']> {
  const { at, blind, source } = record;
  if (blind === true)
    await changeText(store, keyOf(source.channel), () => dayOf(at), at, (HIDDEN_DAYS + 2) * DAY_MS);
  return store.saveVerdict(record);
}

/** Whether a channel has a hidden verdict that public numbers leave out. @throws JuryError `store-unavailable` */
export const hidLately = async (
  store: Pick<KeyValue, 'get'>,
  channel: string,
  now: number,
): Promise<boolean> => (await store.get(keyOf(channel), now)) !== null;
