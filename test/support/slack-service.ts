import type { Surface } from '../../src/surfaces/surface.ts';
import { redisOfRun } from './redis.ts';
import { prepareRedis } from './redis-server.ts';
import { closing, until } from './resources.ts';
import { type RunningService, runService } from './run-service.ts';
import { type SlackDouble, type SlackDoubleOptions, startSlackDouble, tokens } from './slack-double.ts';
import { type Delivery, overHttp, overSocket, SIGNING_SECRET } from './slack-requests.ts';

export type Transport = 'http' | 'socket';

export interface RunningJury extends RunningService {
  deliver: Delivery;
}

export async function withSlack(options: SlackDoubleOptions = {}): Promise<SlackDouble> {
  const slack = await startSlackDouble(options);
  closing(slack.close);
  return slack;
}

/** The environment that a service needs to speak with the double. */
export const slackEnv = (slack: SlackDouble, transport: Transport): Record<string, string> => ({
  SLACK_API_URL: slack.apiUrl,
  SLACK_BOT_TOKEN: tokens.bot,
  ...(transport === 'socket' ? { SLACK_APP_TOKEN: tokens.app } : { SLACK_SIGNING_SECRET: SIGNING_SECRET }),
});

/** The whole service in this process, connected to the double. */
export async function startJury(
  slack: SlackDouble,
  transport: Transport = 'http',
  env: Record<string, string> = {},
  surfaces?: readonly Surface[],
  now?: () => number,
): Promise<RunningJury> {
  const before = new Set(slack.sockets);
  const running = await runService({ ...slackEnv(slack, transport), ...env }, surfaces, now);
  if (transport === 'socket') await until(() => [...slack.sockets].some((socket) => !before.has(socket)));
  const deliver = transport === 'http' ? overHttp(running.service.port, slack.users.jury) : overSocket(slack);
  return { ...running, deliver };
}

/** A Redis of the test's own. */
export async function ownRedis() {
  const { binary } = redisOfRun();
  if (binary === null) throw new Error('there is no redis-server');
  const redis = await prepareRedis(binary);
  closing(() => redis.remove());
  await redis.start();
  return redis;
}
