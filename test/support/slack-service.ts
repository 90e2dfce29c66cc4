import pino from 'pino';
import { assemble } from '../../src/compose.ts';
import { readEnv } from '../../src/env.ts';
import type { Parts } from '../../src/surfaces/parts.ts';
import { type Service, startService } from '../../src/surfaces/service/start-service.ts';
import { startModelDouble } from './model-double.ts';
import { redisOfRun } from './redis.ts';
import { prepareRedis } from './redis-server.ts';
import { closing, newFolder, until } from './resources.ts';
import { type SlackDouble, type SlackDoubleOptions, startSlackDouble, tokens } from './slack-double.ts';
import { type Delivery, overHttp, overSocket, SIGNING_SECRET } from './slack-requests.ts';

export type Transport = 'http' | 'socket';

export interface RunningJury {
  service: Service;
  parts: Parts;
  deliver: Delivery;
  /** Everything that was logged. */
  logged: string[];
  close: () => Promise<void>;
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

/** The whole service in this process, with a real store, as `jury serve` puts it together. */
export async function startJury(
  slack: SlackDouble,
  transport: Transport = 'http',
  env: Record<string, string> = {},
): Promise<RunningJury> {
  const logged: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
  const parts = await assemble(
    readEnv({ JURY_DATA_DIR: newFolder(), PORT: '0', ...slackEnv(slack, transport), ...env }, ''),
    { cache: false, warn: (message) => logged.push(message) },
  );
  const service = await startService(parts, log);
  if (transport === 'socket') await until(() => slack.sockets.size > 0);
  let closed = false;
  const close = async (): Promise<void> => {
    if (closed) return;
    closed = true;
    await service.close(0);
    await parts.close();
  };
  closing(close);
  const deliver = transport === 'http' ? overHttp(service.port, slack.users.jury) : overSocket(slack);
  return { service, parts, deliver, logged, close };
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

/** The environment of a model that passes everything, at once, later or never. */
export async function withModel({
  until: moment,
  hang = false,
  atOnce = 0,
}: {
  until?: Promise<void>;
  hang?: boolean;
  /** So many are answered at once all the same. */
  atOnce?: number;
}) {
  const double = await startModelDouble({
    answer: async ({ n }) => {
      if (n > atOnce) await moment;
      return { hang, fields: { decision: 'pass' } };
    },
  });
  closing(() => double.close());
  return { JURY_MODEL: 'openai/gpt-4o-mini', OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: double.baseUrl };
}
