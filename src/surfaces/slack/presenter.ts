import { setTimeout as wait } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import pLimit from 'p-limit';
import type { Presenter } from '../../requests/presenter.ts';
import type { SpotCheck } from '../../requests/spot-check.ts';
import { type Cards, type Chat, createChatPresenter } from '../chat-presenter.ts';
import { rateLimitMs, slackError } from './clients.ts';
import type { SlackParts } from './context.ts';
import { kindOf, SLACK } from './ids.ts';
import { permalinkOf } from './messages.ts';
import { blindMessage } from './render/blind.ts';
import { quietPost, type SlackMessage } from './render/blocks.ts';
import { cardMessage } from './render/card.ts';
import {
  answerMessage,
  budgetMessage,
  errorMessage,
  problemMessage,
  unreadableMessage,
  unshowableMessage,
  welcomeMessage,
} from './render/notices.ts';
import {
  hiddenProgressMessage,
  progressMessage,
  receivedMessage,
  summaryMessage,
} from './render/progress.ts';

/**
 * Least time between two changes because of votes, over all cards: Slack takes about one a second of a workspace in the long
 * run and more in bursts. One card changes at once; where many are voted on at the same time they take turns.
 */
const BETWEEN_REFRESHES_MS = 100;

/** Slack, as what all chats share sees it. */
export function slackChat({
  clients,
  messages,
  nameOf,
}: Pick<SlackParts, 'clients' | 'messages' | 'nameOf'>): Chat<SlackMessage> {
  const turn = pLimit(1);
  /** Per message, the moment of the process before which Slack wants no changes of it. */
  const silentUntil = new Map<string, number>();

  /** Tried once: the next change shows what this one would have. */
  async function changeProgress(
    channel: string,
    ts: string,
    change: (by: WebClient) => Promise<void>,
  ): Promise<void> {
    const key = `${channel} ${ts}`;
    if (performance.now() < (silentUntil.get(key) ?? 0)) return;
    try {
      await change(clients.once);
      silentUntil.delete(key);
    } catch (thrown) {
      const ms = rateLimitMs(thrown);
      if (ms === null) throw thrown;
      silentUntil.set(key, performance.now() + ms);
    }
  }

  return {
    surface: SLACK,
    nameOf,
    change: async ({ channel }, ts, shown, urgency) => {
      const change = (by?: WebClient) => messages.update(channel, ts, shown, by);
      switch (urgency) {
        case 'now':
          silentUntil.delete(`${channel} ${ts}`);
          return change();
        case 'progress':
          return changeProgress(channel, ts, change);
        case 'later':
          await turn(() => Promise.all([change(clients.background), wait(BETWEEN_REFRESHES_MS)]));
      }
    },
    looks: {
      card: cardMessage,
      blind: blindMessage,
      progress: progressMessage,
      hiddenProgress: hiddenProgressMessage,
      summary: summaryMessage,
      unclear: problemMessage,
      answer: answerMessage,
      error: errorMessage,
      budget: budgetMessage,
      welcome: welcomeMessage,
      unreadable: unreadableMessage,
    },
  };
}

/** Shows checks in Slack. */
export function createSlackPresenter(
  parts: SlackParts & { cards: Cards },
  chat: Chat<SlackMessage>,
): Presenter {
  const { clients, messages } = parts;
  const client = clients.now;

  /** In a conversation with the app Slack shows at once that it is at work; a nicety, and not everywhere. */
  function showBusy({ channel, thread }: SpotCheck): void {
    if (kindOf(channel) !== 'direct' || thread === null) return;
    const status = { channel_id: channel, thread_ts: thread, status: 'is judging …' };
    client.assistant.threads.setStatus(status).catch(() => {});
  }

  return createChatPresenter(parts, chat, {
    placeholder: async (check, isRetry) => {
      showBusy(check);
      const marker = { text: `${check.id} card`, stops: check.id };
      return messages.postOnce(check, receivedMessage(check.id), marker, isRetry);
    },
    unshowable: async ({ requestedBy, progress }, record) => {
      const message = unshowableMessage(progress.placeholder !== null, record);
      await client.chat.postMessage({ channel: requestedBy, ...quietPost, ...message });
    },
    permalink: ({ channel, thread }, message) =>
      permalinkOf(parts.identity.workspaceUrl, channel, message, thread),
    withdraw: async ({ channel, messages: shown }) => {
      for (const ts of shown) {
        await client.chat.delete({ channel, ts }).catch((thrown) => {
          if (slackError(thrown) !== 'message_not_found') throw thrown;
        });
      }
    },
    thank: async ({ channel, input }) => {
      if (input.kind !== 'message') return;
      // Without the scope reactions:write, or if it was done before a crash, nothing is missing.
      await clients.once.reactions
        .add({ channel, timestamp: input.message, name: 'heart' })
        .catch((thrown) => parts.log.debug({ error: slackError(thrown) }, 'slack: no reaction'));
    },
  });
}
