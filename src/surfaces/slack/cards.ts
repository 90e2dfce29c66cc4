import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { WebClient } from '@slack/web-api';
import pLimit from 'p-limit';
import type { VerdictRecord } from '../../labels/verdict-record.ts';
import { isOpenToAll } from '../../labels/visible-verdict.ts';
import type { VoteTally } from '../../labels/vote.ts';
import type { Store } from '../../stores/store.ts';
import { standardOf } from '../wording.ts';
import { slackError } from './clients.ts';
import type { Cards, SlackParts } from './context.ts';
import { SLACK } from './ids.ts';
import { blindMessage } from './render/blind.ts';
import { cardMessage } from './render/card.ts';
import type { BlockStyle } from './render/votes.ts';

/** How long a reaction on a card is known to be about its verdict. */
const CARD_KNOWN_MS = 400 * 86_400_000;
const REFUSED = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'unsupported_block',
  'invalid_arguments',
]);

const cardKey = (channel: string, ts: string): string => `card:${channel}:${ts}`;

/** The verdict whose card a message is; null where it is none. */
export const verdictOfCard = (
  store: Store,
  channel: string,
  ts: string,
  now: number,
): Promise<string | null> => store.get(cardKey(channel, ts), now);

/**
 * Least time between two changes because of votes, over all cards: Slack takes about one a second of a workspace in the long
 * run and more in bursts. One card changes at once; where many are voted on at the same time they take turns.
 */
const BETWEEN_REFRESHES_MS = 100;

export function createCards(parts: SlackParts): Cards {
  const { store, messages, clients, refreshes, texts, library, now } = parts;
  let style: BlockStyle = 'native';
  const turn = pLimit(1);

  async function put(record: VerdictRecord, tally: VoteTally, client?: WebClient): Promise<void> {
    const { channel, message } = record.source;
    if (message === null) return;
    const show = (blocks: BlockStyle) =>
      messages.update(channel, message, cardMessage({ record, tally, texts, blocks }), client);
    const tried = style;
    try {
      await show(tried);
    } catch (thrown) {
      if (tried === 'classic' || !REFUSED.has(slackError(thrown) ?? '')) throw thrown;
      await show('classic');
      // Only now is it known that the blocks were at fault and not what they hold.
      style = 'classic';
    }
  }

  /** Shows the newest count, and looks once more: another replica may have shown a newer one before this older one arrived. */
  async function refresh(record: VerdictRecord): Promise<void> {
    const tally = await store.tally(record.id);
    await put(record, tally, clients.background);
    if (!isDeepStrictEqual(await store.tally(record.id), tally)) schedule(record);
  }

  function schedule(record: VerdictRecord): void {
    // What is hidden looks the same whoever has answered: not even that somebody has is told.
    if (record.source.surface !== SLACK || record.source.message === null || !isOpenToAll(record)) return;
    refreshes.schedule(record.id, async () => {
      await turn(() => Promise.all([refresh(record), wait(BETWEEN_REFRESHES_MS)]));
    });
  }

  return {
    show: async (record) => {
      const { channel, message } = record.source;
      if (!isOpenToAll(record)) {
        // No card to react on: a reaction is an answer that everybody sees.
        if (message !== null)
          await messages.update(
            channel,
            message,
            blindMessage(record, standardOf(record.verdict, library.rubrics)),
          );
        return;
      }
      if (message !== null)
        await store.setIfAbsent(cardKey(channel, message), record.id, now(), CARD_KNOWN_MS);
      await put(record, await store.tally(record.id));
    },
    refresh: schedule,
  };
}
