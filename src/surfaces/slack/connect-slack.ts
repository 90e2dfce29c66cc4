import { App } from '@slack/bolt';
import { onceIn } from '../../common/async.ts';
import { readMessage } from '../../requests/read-message.ts';
import { forgetEdit } from '../../requests/shown.ts';
import { judgeEdited, stopRequest } from '../card-desk.ts';
import { chatParts, createCards } from '../chat-presenter.ts';
import type { OpenSurface, SurfaceHost } from '../surface.ts';
import { registerAsk } from './ask.ts';
import { registerCardActions } from './card-menu.ts';
import { onClick } from './clicks.ts';
import { clientOptions, createNames, createSlackClients, createSlackLogger, slackError } from './clients.ts';
import { actorOf, type SlackContext, showTo, tell } from './context.ts';
import { identify, refusedAppToken } from './credentials.ts';
import { registerDigests } from './digests.ts';
import { registerJudgeForm, registerSettings } from './forms.ts';
import { actions, SLACK } from './ids.ts';
import { registerHome } from './lists.ts';
import { createMembers } from './members.ts';
import { slackMessages } from './message-source.ts';
import { createMessages } from './messages.ts';
import { createSlackAnnouncer, createSlackDigestPoster, createSlackStudyPoster } from './posters.ts';
import { createSlackPresenter, slackChat } from './presenter.ts';
import {
  KeepingReceiver,
  type Kept,
  keepEvent,
  type SlackTransport,
  senderOf,
  transportReceiver,
} from './receiver.ts';
import { editedMessage } from './render/notices.ts';
import { registerStudies } from './studies.ts';
import { registerDetails, registerVotes } from './votes.ts';

/** Mentions and direct messages: kept already when they come here. The Stop button. */
function registerChecks(app: App, context: SlackContext, keptOf: (body: object) => Kept): void {
  const begin = async ({ body }: { body: object }): Promise<void> => {
    const kept = keptOf(body);
    // A known one is under way, done, or taken up when nobody has it any more.
    if (kept.kind === 'check' && kept.status === 'added') void context.checks.take(kept.check.id);
    if (kept.kind === 'edited')
      await showTo(context, kept, editedMessage(kept.check, kept.wasJudged)).catch(async (thrown) => {
        await forgetEdit(context.store, kept.check, context.now());
        throw thrown;
      });
    if (kept.kind === 'deleted') await context.checks.withdraw(kept.check, SLACK);
  };
  app.event('app_mention', begin);
  app.event('message', begin);

  onClick(app, context, [actions.stop], async (click) => {
    const why = await stopRequest(context, actorOf(click), click.value);
    if (why !== null) await tell(context, click, why);
  });
  // Judges a request as it reads by now, once for each edit.
  onClick(app, context, [actions.judgeEdited], async (click, respond) => {
    const { begun, text } = await judgeEdited(context, actorOf(click), click.value);
    if (!begun) await tell(context, click, text);
    // The offer is used up; where Slack no longer takes changes of it, it stays.
    await respond({ delete_original: true }).catch(() => {});
  });
}

/** The app was removed from the workspace: nothing more can be shown; what is kept stays until it is pruned. */
function registerLifecycle(app: App, { log }: SlackContext): void {
  app.event('app_uninstalled', async () => {
    log.error('slack: the app was uninstalled; install it again and set the new SLACK_BOT_TOKEN');
  });
  app.event('tokens_revoked', async () => {
    log.error('slack: the bot token was revoked; set a new SLACK_BOT_TOKEN');
  });
}

/** Everything that the app answers to. @param keptOf what was kept of a request's body before it was acknowledged */
function registerListeners(app: App, context: SlackContext, keptOf: (body: object) => Kept): void {
  registerChecks(app, context, keptOf);
  registerVotes(app, context, keptOf);
  registerAsk(app, context);
  registerJudgeForm(app, context);
  registerDetails(app, context);
  registerCardActions(app, context);
  registerSettings(app, context);
  registerStudies(app, context);
  registerDigests(app, context);
  registerHome(app, context);
  registerLifecycle(app, context);
}

/** While the store is away, a conversation is told of it once in so long. */
const TOLD_MS = 600_000;

const STORE_GONE =
  'The store cannot be reached at the moment. Slack sends your request again within five minutes; if no answer comes by then, ask again.';

/** A message changes at most so often; Slack allows about one change a second. */
const CHANGE_MS = 1_000;

const transportOf = ({ env: { settings }, web }: SurfaceHost): SlackTransport =>
  settings.SLACK_APP_TOKEN === undefined
    ? { kind: 'http', signingSecret: settings.SLACK_SIGNING_SECRET ?? '', web }
    : { kind: 'socket', appToken: settings.SLACK_APP_TOKEN };

/**
 * Puts the Slack surface together and proves the bot token; listens to nothing before {@link OpenSurface.listen}.
 * @throws JuryError `config`
 */
export async function connectSlack(host: SurfaceHost): Promise<OpenSurface> {
  const { log, now } = host;
  const { SLACK_BOT_TOKEN: botToken = '', SLACK_API_URL: apiUrl } = host.env.settings;
  const { outgoing } = host.env;
  const transport = transportOf(host);
  const clients = createSlackClients(botToken, apiUrl, log, outgoing.fetch);
  const { botId, scopes: _scopes, ...identity } = await identify(clients.now);
  const unshown = (thrown: unknown) => {
    host.onError();
    log.warn({ error: slackError(thrown) ?? 'unknown' }, 'slack: a message could not be changed');
  };
  const { parts: shared, flush } = chatParts(host, CHANGE_MS, unshown);
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
  const source = slackMessages(parts);
  const logger = createSlackLogger(log);
  const isDue = onceIn(TOLD_MS, now);
  const receiver = new KeepingReceiver(
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
    digests: createSlackDigestPoster(clients),
    studies: createSlackStudyPoster(clients, parts.messages),
    announce: createSlackAnnouncer(clients),
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
      registerListeners(app, { ...parts, cards, checks }, (body) => receiver.keptOf(body));
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
