import { WebClient } from '@slack/web-api';
import type { Inspection } from '../surface.ts';
import {
  clientOptions,
  createSlackClients,
  createSlackLogger,
  identify,
  refusedAppToken,
} from './clients.ts';

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
