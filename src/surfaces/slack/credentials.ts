import { WebClient } from '@slack/web-api';
import * as z from 'zod';
import { JuryError, messageOf } from '../../common/errors.ts';
import { proxyErrorIn } from '../../judges/llm/proxies.ts';
import type { Inspection } from '../surface.ts';
import { clientOptions, createSlackClients, createSlackLogger, isPassing, slackError } from './clients.ts';

/** Who the app is in the workspace that it is installed in. */
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
  /** Of a header; not every server in Slack's place sends it. */
  response_metadata: z.object({ scopes: z.array(z.string()).optional() }).optional(),
});

/**
 * Asks Slack who the bot is.
 * @throws JuryError `config` that says how to mend it
 */
export async function identify(
  client: WebClient,
): Promise<SlackIdentity & { botId: string | undefined; scopes: readonly string[] | null }> {
  try {
    const { user_id, team_id, url, bot_id, response_metadata } = AuthTest.parse(await client.auth.test());
    const scopes = response_metadata?.scopes ?? null;
    return { self: user_id, team: team_id, workspaceUrl: url, botId: bot_id, scopes };
  } catch (thrown) {
    const error = slackError(thrown);
    const refused = error !== null && !isPassing(thrown);
    const proxy = proxyErrorIn(thrown);
    if (proxy !== null)
      throw new JuryError('config', `Slack cannot be reached: ${proxy.message}`, {
        cause: thrown,
        retryable: true,
      });
    throw new JuryError(
      'config',
      refused
        ? `Slack refuses SLACK_BOT_TOKEN (${error}): copy the bot token from "OAuth & Permissions" of the app`
        : `Slack cannot be reached (${error ?? messageOf(thrown)}): check the network and SLACK_API_URL`,
      { cause: thrown, retryable: !refused },
    );
  }
}

/** What to do about an app token that Slack does not take. */
export const refusedAppToken = (thrown: unknown): JuryError =>
  new JuryError(
    'config',
    `Slack refuses SLACK_APP_TOKEN (${slackError(thrown) ?? messageOf(thrown)}): make an app-level token with connections:write under "Basic Information", and turn Socket Mode on.`,
    { cause: thrown },
  );

/** What does not work without each scope; everything else does. The manifests ask for all of them. */
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
  'reactions:write': 'thank-you messages get no reaction',
  'users:read': 'cards do not name who asked, and digests are scheduled in UTC unless a time zone is given',
};

/**
 * Tries Slack's credentials without starting anything.
 *
 * @param appToken set: Socket Mode; then Slack is asked for a connection too, which is not opened
 * @throws JuryError `config` that says how to mend it
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
    const client = new WebClient(appToken, {
      ...clientOptions(apiUrl, fetch),
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      logger: createSlackLogger(null),
    });
    await client.apps.connections.open({});
  } catch (thrown) {
    throw refusedAppToken(thrown);
  }
  return { works: `${who}, in Socket Mode`, lacks };
}
