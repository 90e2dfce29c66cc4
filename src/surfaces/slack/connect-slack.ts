import { App, type Receiver } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import * as z from 'zod';
import { JuryError, messageOf } from '../../common/errors.ts';
import type { DigestPoster } from '../../digests/digest-poster.ts';
import type { Pseudonym } from '../../labels/person.ts';
import type { Library } from '../../prompting/library.ts';
import type { CheckSurface } from '../../requests/presenter.ts';
import type { SpotChecks } from '../../requests/take-up.ts';
import type { Store } from '../../stores/store.ts';
import type { StudyPoster } from '../../studies/manage-studies.ts';
import { createCoalescer } from '../coalesce.ts';
import { registerAsk } from './ask.ts';
import { createCards } from './cards.ts';
import { clientOptions, createBoltLogger, type SlackClients, slackError } from './clients.ts';
import { type SlackContext, type SlackIdentity, STORE_GONE, tell } from './context.ts';
import { registerJudgeForm, registerSettings } from './forms.ts';
import { actions } from './ids.ts';
import { createHome, createShowLists, registerHome } from './lists.ts';
import { createMembers } from './members.ts';
import { createMessages, createStreams } from './messages.ts';
import { ActionBody } from './payloads.ts';
import { createSlackDigestPoster, createSlackStudyPoster } from './posters.ts';
import { createSlackPresenter } from './presenter.ts';
import { readMessage } from './read-message.ts';
import { createReceiver, type Kept, keepEvent, type SlackTransport } from './receiver.ts';
import { registerStudies } from './studies.ts';
import { registerVotes } from './thumbs.ts';
import { registerBlind, registerDetails } from './votes.ts';

/** Mentions and direct messages: kept already when they come here. The Stop button. */
function registerChecks(app: App, context: SlackContext, keptOf: (body: object) => Kept): void {
  const begin = async ({ body }: { body: object }): Promise<void> => {
    const kept = keptOf(body);
    if (kept.kind === 'lost' && kept.what === 'check') await tell(context, kept, STORE_GONE.check);
    // A known one is under way, done, or taken up when nobody has it any more.
    if (kept.kind === 'check' && kept.status === 'added') void context.checks.take(kept.check.id);
  };
  app.event('app_mention', begin);
  app.event('message', begin);

  app.action(actions.stop, async ({ ack, body }) => {
    await ack();
    const {
      user,
      channel,
      message,
      actions: [{ value }],
    } = ActionBody.parse(body);
    if (!value) return;
    try {
      await context.checks.stop(value);
    } catch {
      const where = { channel: channel?.id ?? null, thread: message?.thread_ts, user: user.id };
      await tell(context, where, 'The store cannot be reached at the moment: try to stop it again.');
    }
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
  const publishHome = createHome(context);
  const showLists = createShowLists(context, publishHome);
  registerChecks(app, context, keptOf);
  registerVotes(app, context, keptOf, showLists);
  registerBlind(app, context, showLists);
  registerAsk(app, context);
  registerJudgeForm(app, context);
  registerDetails(app, context);
  registerSettings(app, context);
  registerStudies(app, context);
  registerHome(app, context, publishHome);
  registerLifecycle(app, context);
}

export interface SlackOptions {
  botToken: string;
  apiUrl: string | undefined;
  transport: SlackTransport;
  store: Store;
  library: Library;
  models: readonly string[];
  requireModel: (id: string) => void;
  maxCaseChars: number;
  budgetUsd: number;
  pseudonym: Pseudonym;
  digestSources: SlackContext['digestSources'];
  onVote: SlackContext['onVote'];
  onError: SlackContext['onError'];
  now: () => number;
  log: Logger;
}

export interface SlackConnection {
  identity: SlackIdentity;
  surface: CheckSurface;
  /** Posts digests to channels. */
  digests: DigestPoster;
  /** Invites the annotators of studies. */
  studies: StudyPoster;
  /** Begins to answer. */
  listen: (checks: SpotChecks) => Promise<void>;
  /** Takes no more requests. */
  stop: () => Promise<void>;
  /** Shows what has yet to be shown. */
  flush: () => Promise<void>;
}

/** A message changes at most so often; Slack allows about one change a second. */
const CHANGE_MS = 1_000;

const AuthTest = z.object({
  user_id: z.string(),
  team_id: z.string(),
  url: z.string(),
  bot_id: z.string().optional(),
});

/**
 * Asks Slack who the bot is.
 * @throws JuryError `config` that says how to mend it
 */
export async function identify(client: WebClient): Promise<SlackIdentity & { botId: string | undefined }> {
  try {
    const { user_id, team_id, url, bot_id } = AuthTest.parse(await client.auth.test());
    return { self: user_id, team: team_id, workspaceUrl: url, botId: bot_id };
  } catch (thrown) {
    const error = slackError(thrown);
    throw new JuryError(
      'config',
      error === null
        ? `Slack cannot be reached (${messageOf(thrown)}): check the network and SLACK_API_URL.`
        : `Slack refuses SLACK_BOT_TOKEN (${error}): copy the bot token from "OAuth & Permissions" of the app.`,
      { cause: thrown, retryable: error === null },
    );
  }
}

export function createSlackClients(botToken: string, apiUrl: string | undefined, log: Logger): SlackClients {
  const options = { ...clientOptions(apiUrl), logger: createBoltLogger(log) };
  return {
    now: new WebClient(botToken, options),
    background: new WebClient(botToken, options),
    once: new WebClient(botToken, { ...options, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true }),
  };
}

/**
 * Puts the Slack surface together and proves the bot token; listens to nothing before {@link SlackConnection.listen}.
 * @throws JuryError `config`
 */
export async function connectSlack(options: SlackOptions): Promise<SlackConnection> {
  const { botToken, apiUrl, store, library, now, log } = options;
  const clients = createSlackClients(botToken, apiUrl, log);
  const { botId, ...identity } = await identify(clients.now);
  const texts = { personaTitle: (id: string) => library.personas.get(id)?.title ?? id };
  const unshown = (thrown: unknown) => {
    options.onError();
    log.warn({ error: slackError(thrown) ?? 'unknown' }, 'slack: a message could not be changed');
  };
  const changes = createCoalescer(CHANGE_MS, unshown);
  const refreshes = createCoalescer(CHANGE_MS, unshown);
  const messages = createMessages(clients.now, clients.once);
  const streams = createStreams(clients.now, clients.once);
  const cards = createCards({
    store,
    messages,
    background: clients.background,
    refreshes,
    texts,
    rubrics: library.rubrics,
    now,
  });
  const { maxCaseChars, budgetUsd } = options;
  const { self, workspaceUrl } = identity;
  const presenter = createSlackPresenter({
    store,
    client: clients.now,
    once: clients.once,
    messages,
    streams,
    cards,
    changes,
    texts,
    format: library.caseFormat,
    workspaceUrl,
    budgetUsd,
    now,
  });
  const reader = {
    clients,
    download: { token: botToken, apiUrl },
    maxCaseChars,
    format: library.caseFormat,
    self,
  };
  const logger = createBoltLogger(log);
  const { pseudonym } = options;
  const receiver = createReceiver(options.transport, apiUrl, logger, (body) =>
    keepEvent(body, { store, identity, pseudonym, now }),
  );

  return {
    identity,
    digests: createSlackDigestPoster(clients),
    studies: createSlackStudyPoster(clients, messages),
    surface: { presenter, read: (check, signal) => readMessage(check, reader, signal) },
    listen: async (checks) => {
      const maySee = createMembers(clients.background, now);
      const context: SlackContext = {
        ...options,
        identity,
        checks,
        cards,
        refreshes,
        clients,
        texts,
        maySee,
      };
      const app = new App({
        receiver,
        logger,
        convoStore: false,
        clientOptions: clientOptions(apiUrl),
        authorize: async () => ({
          botToken,
          botUserId: self,
          teamId: identity.team,
          ...(botId === undefined ? {} : { botId }),
        }),
      });
      registerListeners(app, context, (body) => receiver.keptOf(body));
      app.error(async (thrown) => {
        options.onError();
        log.error(
          { code: thrown.code, error: slackError(thrown.original ?? thrown) },
          'slack: a request failed',
        );
      });
      if (options.transport.kind === 'socket') await openSocket(receiver);
    },
    stop: async () => {
      if (options.transport.kind === 'socket') await receiver.stop();
    },
    flush: async () => {
      await changes.flush();
      await refreshes.flush();
    },
  };
}

/** @throws JuryError `config` */
async function openSocket(receiver: Receiver): Promise<void> {
  try {
    await receiver.start();
  } catch (thrown) {
    throw new JuryError(
      'config',
      `Slack refuses SLACK_APP_TOKEN (${slackError(thrown) ?? messageOf(thrown)}): it must be an app-level token with connections:write, and Socket Mode must be on.`,
      { cause: thrown },
    );
  }
}
