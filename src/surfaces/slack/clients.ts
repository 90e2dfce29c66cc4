import { LogLevel, type Logger as SlackLogger, WebClient, type WebClientOptions } from '@slack/web-api';
import type { Logger } from 'pino';
import * as z from 'zod';
import { eachMinute, JuryError, messageOf } from '../../common/index.ts';
import { proxyErrorIn } from '../../judges/llm/index.ts';
import type { Inspection } from '../index.ts';
import { isPassing, passingAsStatus, slackError } from './slack-errors.ts';

const Cursor = z.object({
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

/**
 * The pages of a paginated call.
 *
 * @param most the most pages to request
 */
export async function* pagesOf(
  ask: (cursor: { cursor?: string }) => Promise<unknown>,
  most = Number.POSITIVE_INFINITY,
): AsyncIterable<unknown> {
  let cursor: string | undefined;
  for (let page = 0; page < most && cursor !== ''; page += 1) {
    const answer = await ask(cursor === undefined ? {} : { cursor });
    yield answer;
    cursor = Cursor.parse(answer).response_metadata?.next_cursor ?? '';
  }
}

const Page = z.object({ messages: z.array(z.unknown()).default([]) });

/** The messages on the pages of a paginated call. */
async function* messagesOf(...pages: Parameters<typeof pagesOf>): AsyncIterable<unknown> {
  for await (const page of pagesOf(...pages)) yield* Page.parse(page).messages;
}

/**
 * Messages in a conversation or thread, with their metadata.
 *
 * @param since in milliseconds
 */
export const messagesSince = (
  client: WebClient,
  { channel, thread, since }: { channel: string; thread: string | null; since: number },
  mostPages?: number,
): AsyncIterable<unknown> =>
  messagesOf((cursor) => {
    const options = {
      channel,
      oldest: String(since / 1000),
      limit: 200,
      include_all_metadata: true,
      ...cursor,
    };
    return thread === null
      ? client.conversations.history(options)
      : client.conversations.replies({ ...options, ts: thread });
  }, mostPages);

/** Slack's response to a post. Its `channel` is ignored: for a direct message it differs from the requested one. */
export const Posted = z.object({ ts: z.string() });

/** The timeout of a call. Slack wants answers within three seconds, so a slower call is of little use. */
const CALL_MS = 10_000;

/** A few quick retries, because a person is waiting. The caller handles longer outages. */
const RETRIES = { retries: 4, factor: 2, minTimeout: 250, maxTimeout: 5_000, randomize: true };
/** How often a call is tried before its error is thrown. */
export const CALL_TRIES = 1 + RETRIES.retries;

/** The options of Slack's Web API client; temporary errors are retried. */
export const clientOptions = (apiUrl: string | undefined, fetch = globalThis.fetch): WebClientOptions => ({
  fetch: passingAsStatus(fetch),
  timeout: CALL_MS,
  retryConfig: RETRIES,
  allowAbsoluteUrls: false,
  ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/` }),
});

/** For the socket, which reconnects forever: when retries end, the library lets the process die. */
export const socketClientOptions = (
  apiUrl: string | undefined,
  fetch: typeof globalThis.fetch,
): WebClientOptions => ({
  ...clientOptions(apiUrl, fetch),
  retryConfig: { forever: true, factor: 1.3, minTimeout: 1_000, maxTimeout: 30_000 },
});

/**
 * Three clients, so that a rate limit on one does not stall the others: `now` for calls that a person waits for, `background` for
 * updates that can wait, and `once`, without retries, for calls that can be skipped or must not be repeated.
 */
export interface SlackClients {
  now: WebClient;
  background: WebClient;
  once: WebClient;
  /** Fetches URLs that Slack provides. */
  fetch: typeof globalThis.fetch;
}

/** How the library's message about an invalid signature begins. */
export const REFUSED = 'Request verification failed';

/**
 * A logger for Slack's libraries. Their debug and info messages contain whole payloads, including what people wrote, so only
 * warnings and errors are passed on: warnings shortened, errors as name and code. Logs nothing if `log` is null.
 */
export function createSlackLogger(log: Logger | null): SlackLogger {
  const about = (parts: unknown[]): Record<string, unknown> => {
    const [first] = parts;
    if (first instanceof Error)
      return { error: first.name, ...('code' in first ? { code: first.code } : {}) };
    return { says: String(first).split('\n')[0]?.slice(0, 160) };
  };
  const refused = eachMinute((requests) =>
    log?.warn({ requests }, 'slack: requests without a valid signature were refused'),
  );
  return {
    debug: () => {},
    info: () => {},
    warn: (...parts) => {
      if (String(parts[0]).startsWith(REFUSED)) refused();
      else log?.warn(about(parts), 'slack: a warning of the library');
    },
    error: (...parts) => log?.error(about(parts), 'slack: an error of the library'),
    setLevel: () => {},
    getLevel: () => LogLevel.WARN,
    setName: () => {},
  };
}

export function createSlackClients(
  botToken: string,
  apiUrl: string | undefined,
  log: Logger | null = null,
  fetch = globalThis.fetch,
): SlackClients {
  const options = { ...clientOptions(apiUrl, fetch), logger: createSlackLogger(log) };
  return {
    fetch,
    now: new WebClient(botToken, options),
    background: new WebClient(botToken, options),
    once: new WebClient(botToken, { ...options, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true }),
  };
}

/** The app's identity in its workspace. */
export interface SlackIdentity {
  /** Its own user id. */
  self: string;
  team: string;
  /** The workspace's address, `https://acme.slack.com/`. */
  workspaceUrl: string;
}

const AuthTest = z.object({
  user_id: z.string(),
  team_id: z.string(),
  url: z.string(),
  bot_id: z.string().optional(),
  /** From a response header; not every server that stands in for Slack sends it. */
  response_metadata: z.object({ scopes: z.array(z.string()).optional() }).optional(),
});

/** Whether Slack answered and rejected the credentials. */
const isRefusal = (thrown: unknown): boolean => !isPassing(thrown);

function unreachable(thrown: unknown): JuryError {
  const proxy = proxyErrorIn(thrown);
  const why =
    proxy === null
      ? ` (${slackError(thrown) ?? messageOf(thrown)}): check the network and SLACK_API_URL`
      : `: ${proxy.message}`;
  return new JuryError('config', `Slack cannot be reached${why}`, { cause: thrown, retryable: true });
}

/**
 * Asks Slack who the bot is.
 * @throws JuryError `config` that says how to fix it
 */
export async function identify(
  client: WebClient,
): Promise<SlackIdentity & { botId: string | undefined; scopes: readonly string[] | null }> {
  try {
    const { user_id, team_id, url, bot_id, response_metadata } = AuthTest.parse(await client.auth.test());
    const scopes = response_metadata?.scopes ?? null;
    return { self: user_id, team: team_id, workspaceUrl: url, botId: bot_id, scopes };
  } catch (thrown) {
    if (!isRefusal(thrown)) throw unreachable(thrown);
    throw new JuryError(
      'config',
      `Slack refuses SLACK_BOT_TOKEN (${slackError(thrown)}): copy the bot token from "OAuth & Permissions" of the app`,
      { cause: thrown },
    );
  }
}

/** The error for a rejected app token or an unreachable Slack, with what to do about it. */
export function refusedAppToken(thrown: unknown): JuryError {
  if (!isRefusal(thrown)) return unreachable(thrown);
  return new JuryError(
    'config',
    `Slack refuses SLACK_APP_TOKEN (${slackError(thrown)}): make an app-level token with connections:write under "Basic Information", and turn Socket Mode on.`,
    { cause: thrown },
  );
}

/** What fails without each scope; the manifests request all of them. */
export const withoutScope: Readonly<Record<string, string>> = {
  'app_mentions:read': 'mentions are not received',
  'assistant:write': 'conversations with the app have no status and no suggested prompts',
  'channels:history': 'threads above a mention in public channels are not read',
  'channels:read':
    'App Home and the queue show no verdicts of public channels, and only admins change settings there',
  'chat:write': 'nothing can be answered',
  commands: '/jury and the shortcuts are not there',
  'files:read': 'attached files are not read',
  'files:write': 'digests have no picture of their chart',
  'groups:history': 'threads above a mention in private channels are not read',
  'groups:read':
    'App Home and the queue show no verdicts of private channels, and only admins change settings there',
  'im:history': 'direct messages are not received',
  'im:write': 'forms opened outside a conversation get no answer, and annotators are not invited',
  'mpim:read':
    'App Home and the queue show no verdicts of group messages, and only admins change settings there',
  'reactions:read': 'reactions on a card are not counted as votes',
  'reactions:write':
    'thank-you messages get no reaction, and messages that asked are not marked with the outcome',
  'users:read': 'cards do not name who asked, and digests are scheduled in UTC unless a time zone is given',
};

/**
 * Checks Slack's credentials without starting anything.
 *
 * @param appToken if set, Socket Mode: also requests a connection, without opening it
 * @throws JuryError `config` that says how to fix it
 */
export async function inspectSlack(
  botToken: string,
  appToken: string | undefined,
  apiUrl: string | undefined,
  fetch: typeof globalThis.fetch,
): Promise<Inspection> {
  const { once } = createSlackClients(botToken, apiUrl, null, fetch);
  const { workspaceUrl, self, scopes } = await identify(once);
  const who = `bot ${self} in ${workspaceUrl}`;
  const lacks = Object.entries(withoutScope)
    .filter(([scope]) => scopes !== null && !scopes.includes(scope))
    .map(([scope, lost]) => `the scope ${scope} is missing: ${lost}; add it and install the app again`);
  if (appToken === undefined)
    return { works: `${who}, over signed HTTP (what is signed shows with the first request)`, lacks };
  try {
    await createSlackClients(appToken, apiUrl, null, fetch).once.apps.connections.open({});
  } catch (thrown) {
    throw refusedAppToken(thrown);
  }
  return { works: `${who}, in Socket Mode`, lacks };
}
