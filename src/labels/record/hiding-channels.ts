import { changeText, DAY_MS, type KeyValue } from '../../common/index.ts';
import { dayOf } from '../../common/text/index.ts';
import type { VerdictRecord, VerdictStore } from './verdict-record.ts';

/** After a week most votes are in, and the numbers cover enough other verdicts. */
export const HIDDEN_DAYS = 7;

const keyOf = (channel: string): string => `hiding:${channel}`;

/**
 * Saves a verdict. If it is hidden until a vote, first notes that its channel hides verdicts: that counts until the verdict is in public
 * numbers, whatever the channel's settings are by then.
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

/** Whether a channel had a hidden verdict that is in no public numbers yet. @throws JuryError `store-unavailable` */
export const hidLately = async (
  store: Pick<KeyValue, 'get'>,
  channel: string,
  now: number,
): Promise<boolean> => (await store.get(keyOf(channel), now)) !== null;
