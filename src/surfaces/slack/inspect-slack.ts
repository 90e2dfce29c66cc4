import { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { JuryError, messageOf } from '../../common/errors.ts';
import { clientOptions, createBoltLogger, slackError } from './clients.ts';
import { createSlackClients, identify } from './connect-slack.ts';

/**
 * Tries Slack's credentials without starting anything; says as whom they work.
 *
 * @param appToken set: Socket Mode; then Slack is asked for a connection too, which is not opened
 * @throws JuryError `config` that says how to mend it
 */
export async function inspectSlack(
  botToken: string,
  appToken: string | undefined,
  apiUrl: string | undefined,
  log: Logger,
): Promise<string> {
  const { once } = createSlackClients(botToken, apiUrl, log);
  const { workspaceUrl, self } = await identify(once);
  const who = `bot ${self} in ${workspaceUrl}`;
  if (appToken === undefined) return `${who}, over signed HTTP (what is signed shows with the first request)`;
  try {
    const client = new WebClient(appToken, {
      ...clientOptions(apiUrl),
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      logger: createBoltLogger(log),
    });
    await client.apps.connections.open({});
  } catch (thrown) {
    const error = slackError(thrown) ?? messageOf(thrown);
    throw new JuryError(
      'config',
      `Slack refuses SLACK_APP_TOKEN (${error}): make an app-level token with connections:write under "Basic Information", and turn Socket Mode on.`,
      { cause: thrown },
    );
  }
  return `${who}, in Socket Mode`;
}
