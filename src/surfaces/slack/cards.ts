import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { WebClient } from '@slack/web-api';
import pLimit from 'p-limit';
import type { VerdictRecord } from '../../labels/verdict-record.ts';
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

  async function refresh(verdictId: string): Promise<void> {
    const record = await store.verdict(verdictId);
    // What is hidden looks the same whoever has answered: not even that somebody has is told.
    if (record?.source.surface !== SLACK || record.blind === true) return;
    const shown = await put(record, clients.background);
    // Another replica may have shown a newer count before this older one arrived.
    const now = shown === null ? null : await store.tally(verdictId);
    if (now !== null && !isDeepStrictEqual(now, shown)) again(verdictId);
  }

  /** Resolves to the votes that it shows. */
  async function put(record: VerdictRecord, client?: WebClient): Promise<VoteTally | null> {
    const { channel, message } = record.source;
    if (message === null) return null;
    const tally = await store.tally(record.id);
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
    return tally;
  }

  const again = (verdictId: string): void =>
    refreshes.schedule(verdictId, async () => {
      await turn(() => Promise.all([refresh(verdictId), wait(BETWEEN_REFRESHES_MS)]));
    });

  return {
    show: async (record) => {
      const { channel, message } = record.source;
      if (record.blind === true) {
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
      await put(record);
    },
    refresh: again,
  };
}
