import { setTimeout as wait } from 'node:timers/promises';
import { App } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import pLimit from 'p-limit';
import { onceIn } from '../../common/index.ts';
import { forgetEdit, type Mark, type Presenter, readMessage, type SpotCheck } from '../../requests/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
import {
  type Cards,
  type Chat,
  chatParts,
  createCards,
  createChatPresenter,
  editedNotice,
  noticeLooks,
  receivedNotice,
  spentNotice,
  unshowableNotice,
} from '../chat/index.ts';
import type { OpenSurface, SurfaceHost } from '../index.ts';
import { registerCardActions } from './card-menu.ts';
import {
  clientOptions,
  createSlackClients,
  createSlackLogger,
  identify,
  refusedAppToken,
} from './clients.ts';
import { type SlackContext, type SlackParts, showTo, tell } from './context.ts';
import { registerDialogs } from './dialogs.ts';
import { createSlackAnnouncer, createSlackDigestPoster, registerDigests } from './digests.ts';
import { kindOf, SLACK } from './ids.ts';
import { registerManage } from './manage.ts';
import { createLocales, createMembers, createNames } from './members.ts';
import { slackMessages } from './message-source.ts';
import { createMessages, permalinkOf } from './messages.ts';
import {
  type Kept,
  keepEvent,
  keepingReceiver,
  type SlackTransport,
  senderOf,
  transportReceiver,
} from './receiver.ts';
import { quietPost, type SlackMessage } from './render/blocks.ts';
import { cardMessage } from './render/card.ts';
import { blindMessage } from './render/details.ts';
import { summaryMessage } from './render/lists.ts';
import { noticeMessage, welcomeMessage } from './render/notices.ts';
import { createSlackReviewPoster, registerReviews } from './reviews.ts';
import { notDelivered, rateLimitMs, slackError } from './slack-errors.ts';
import { registerSlashCommand } from './slash-command.ts';
import { createSlackStudyPoster, registerStudies } from './studies.ts';
import { registerVotes } from './votes.ts';

/**
 * The shortest time between two card updates caused by votes, across all cards. Slack allows about one a second per workspace in
 * the long run, and more in bursts. A single card updates at once; many cards take turns.
 */
const BETWEEN_REFRESHES_MS = 100;

/** The interface that all chats share, implemented for Slack. */
export function slackChat({
  clients,
  messages,
  nameOf,
}: Pick<SlackParts, 'clients' | 'messages' | 'nameOf'>): Chat<SlackMessage> {
  const turn = pLimit(1);
  /** By message: until when Slack wants no more updates of it, on the process clock. */
  const silentUntil = new Map<string, number>();

  /** Tried only once, because the next update shows the same and more. */
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
    looks: (language) => ({
      card: cardMessage,
      blind: (record, standard) => blindMessage(record, standard, language),
      summary: (check, lines) => summaryMessage(check, lines, language),
      welcome: () => welcomeMessage(language),
      ...noticeLooks(noticeMessage, language),
    }),
  };
}

/** The reactions that mark a message that asked. */
const MARKS = {
  pass: 'white_check_mark',
  fail: 'x',
  undecided: 'white_medium_square',
} as const satisfies Record<Mark, string>;

/** Presents checks in Slack. */
export function createSlackPresenter(
  parts: SlackParts & { cards: Cards },
  chat: Chat<SlackMessage>,
): Presenter {
  const { clients, messages, languages } = parts;
  const client = clients.now;

  /** Shows Slack's busy status in a conversation with the app. Optional, and not supported everywhere. */
  function showBusy({ channel, thread }: SpotCheck, language: Language): void {
    if (kindOf(channel) !== 'direct' || thread === null) return;
    const status = { channel_id: channel, thread_ts: thread, status: wordsIn(language).requests.busy };
    client.assistant.threads.setStatus(status).catch(() => {});
  }

  return createChatPresenter(parts, chat, {
    placeholder: async (check, isRetry) => {
      const language = await languages.inConversation(check.channel);
      showBusy(check, language);
      const marker = { text: `${check.id} card`, stops: check.id };
      return messages.postOnce(check, noticeMessage(receivedNotice(check.id, language)), marker, isRetry);
    },
    unshowable: async ({ id, requestedBy, channel, progress }, record, refusal) => {
      const language = await languages.ofPerson(requestedBy, channel);
      const message = noticeMessage(
        unshowableNotice(progress.placeholder !== null, record, refusal, id, language),
      );
      await client.chat.postMessage({ channel: requestedBy, ...quietPost, ...message });
    },
    limits: async ({ channel, thread, requestedBy }, spent) => {
      const language = await languages.ofPerson(requestedBy, channel);
      await showTo(
        parts,
        { channel, thread, user: requestedBy },
        noticeMessage(spentNotice(spent, language)),
      );
    },
    permalink: async ({ channel, thread }, message) =>
      permalinkOf(parts.identity.workspaceUrl, channel, message, thread),
    withdraw: async ({ channel, messages: shown }) => {
      for (const ts of shown) {
        await client.chat.delete({ channel, ts }).catch((thrown) => {
          if (slackError(thrown) !== 'message_not_found') throw notDelivered(thrown);
        });
      }
    },
    mark: async ({ channel }, message, mark) => {
      const place = { channel, timestamp: message };
      for (const other of Object.values(MARKS))
        if (mark === null || other !== MARKS[mark])
          await client.reactions.remove({ ...place, name: other }).catch((thrown) => {
            if (slackError(thrown) !== 'no_reaction') throw notDelivered(thrown);
          });
      if (mark !== null)
        await client.reactions.add({ ...place, name: MARKS[mark] }).catch((thrown) => {
          if (slackError(thrown) !== 'already_reacted') throw notDelivered(thrown);
        });
    },
    thank: async ({ channel, input }) => {
      if (input.kind !== 'message') return;
      // A missing scope `reactions:write`, or a reaction added before a crash, does no harm.
      await clients.once.reactions
        .add({ channel, timestamp: input.message, name: 'heart' })
        .catch((thrown) => parts.log.debug({ error: slackError(thrown) }, 'slack: no reaction'));
    },
  });
}

/**
 * Registers all of the app's listeners.
 * @param keptOf what was saved for a request's body before it was acknowledged
 */
function registerListeners(app: App, context: SlackContext, keptOf: (body: object) => Kept): void {
  const { store, checks, log, now } = context;
  /** Mentions and direct messages; the receiver has saved them already. */
  const begin = async ({ body }: { body: object }): Promise<void> => {
    const kept = keptOf(body);
    // A known check is in progress, done, or will be picked up once no process holds it.
    if (kept.kind === 'check' && kept.status === 'added') void checks.take(kept.check.id);
    if (kept.kind === 'edited')
      await context.languages
        .ofPerson(kept.user, kept.channel)
        .then((language) =>
          showTo(context, kept, noticeMessage(editedNotice(kept.check, kept.wasJudged, language))),
        )
        .catch(async (thrown) => {
          await forgetEdit(store, kept.check, now());
          throw thrown;
        });
    if (kept.kind === 'deleted') await checks.withdraw(kept.check, SLACK);
  };
  app.event('app_mention', begin);
  app.event('message', begin);
  registerVotes(app, context, keptOf);
  registerSlashCommand(app, context);
  registerDialogs(app, context);
  registerCardActions(app, context);
  registerManage(app, context);
  registerStudies(app, context);
  registerReviews(app, context);
  registerDigests(app, context);
  // After an uninstall or revocation nothing can be shown, but stored data is kept until it is pruned.
  app.event('app_uninstalled', async () => {
    log.error('slack: the app was uninstalled; install it again and set the new SLACK_BOT_TOKEN');
  });
  app.event('tokens_revoked', async () => {
    log.error('slack: the bot token was revoked; set a new SLACK_BOT_TOKEN');
  });
}

/** How often a conversation is notified that the store cannot be reached. */
const TOLD_MS = 600_000;

const STORE_GONE =
  'The store cannot be reached at the moment. Slack sends your request again within five minutes; if no answer comes by then, ask again.';

/** The shortest time between two updates of a message; Slack allows about one a second. */
const CHANGE_MS = 1_000;

const transportOf = ({ env: { settings }, web }: SurfaceHost): SlackTransport =>
  settings.SLACK_APP_TOKEN === undefined
    ? { kind: 'http', signingSecret: settings.SLACK_SIGNING_SECRET ?? '', web }
    : { kind: 'socket', appToken: settings.SLACK_APP_TOKEN };

/**
 * Sets up the Slack surface and verifies the bot token; receives no events before {@link OpenSurface.listen}.
 * @throws JuryError `config`
 */
export async function connectSlack(host: SurfaceHost): Promise<OpenSurface> {
  const { log, now } = host;
  const { SLACK_BOT_TOKEN: botToken = '', SLACK_API_URL: apiUrl } = host.env.settings;
  const { outgoing } = host.env;
  const transport = transportOf(host);
  const clients = createSlackClients(botToken, apiUrl, log, outgoing.fetch);
  const { botId, scopes: _scopes, ...identity } = await identify(clients.once);
  const unshown = (thrown: unknown) => {
    host.onError();
    log.warn({ error: slackError(thrown) ?? 'unknown' }, 'slack: a message could not be changed');
  };
  const { parts: shared, flush } = chatParts(host, CHANGE_MS, unshown, createLocales(clients.once, now));
  const parts = {
    ...shared,
    identity,
    clients,
    download: { token: botToken, apiUrl, fetch: outgoing.fetch },
    messages: createMessages(clients.now, clients.once),
    members: createMembers(clients.background, now),
    nameOf: createNames(clients.once, now),
  };
  const chat = slackChat(parts);
  const cards = createCards(parts, chat);
  const self = { self: identity.self, botId };
  const source = slackMessages({
    ...parts,
    format: parts.library.caseFormat,
    methods: parts.library.methods,
    self,
  });
  const logger = createSlackLogger(log);
  const isDue = onceIn(TOLD_MS, now);
  const { receiver, keptOf } = keepingReceiver(
    await transportReceiver(transport, { apiUrl, outgoing }, logger),
    (body) => keepEvent(body, parts),
    async (body) => {
      host.onError();
      const where = senderOf(body);
      if (where === null || !isDue(where.channel)) return;
      log.warn('slack: the store cannot be reached; Slack delivers the requests again');
      await tell(parts, where, STORE_GONE);
    },
  );

  return {
    address: identity.workspaceUrl,
    digests: createSlackDigestPoster(clients, parts.languages),
    studies: createSlackStudyPoster(clients, parts.messages),
    reviews: createSlackReviewPoster(clients, parts.messages),
    announce: createSlackAnnouncer(clients, parts.languages),
    presenter: createSlackPresenter({ ...parts, cards }, chat),
    read: (check, signal, isJudged) => readMessage(check, source, signal, isJudged),
    membership: ({ user }, channel, at) => parts.members.membership(user, channel, at),
    listen: async (checks) => {
      const app = new App({
        receiver,
        logger,
        convoStore: false,
        clientOptions: clientOptions(apiUrl, outgoing.fetch),
        authorize: async () => ({
          botToken,
          botUserId: identity.self,
          teamId: identity.team,
          ...(botId === undefined ? {} : { botId }),
        }),
      });
      registerListeners(app, { ...parts, cards, checks, source, self }, keptOf);
      app.error(async (thrown) => {
        host.onError();
        log.error(
          { code: thrown.code, error: slackError(thrown.original ?? thrown) },
          'slack: a request failed',
        );
      });
      if (transport.kind === 'socket')
        await receiver.start().catch((thrown) => {
          throw refusedAppToken(thrown);
        });
      await cards.catchUp().catch(unshown);
    },
    refresh: cards.refresh,
    stop: async () => {
      if (transport.kind === 'socket') await receiver.stop();
    },
    flush,
  };
}
