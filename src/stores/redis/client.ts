import type { Cluster, Redis, RedisOptions } from 'ioredis';
import { parseRedisUrl, type RedisTarget } from './redis-url.ts';

/** Delay before the next attempt to connect, ms. */
const retryStrategy = (times: number): number => Math.min(50 * times, 1000);

type ClientOptions = Pick<
  RedisOptions,
  | 'connectionName'
  | 'connectTimeout'
  | 'socketTimeout'
  | 'maxRetriesPerRequest'
  | 'autoResendUnfulfilledCommands'
  | 'enableOfflineQueue'
>;

/** Creates a client that connects at once and reconnects whenever the connection is lost. */
export async function createClient(
  { login, tls, ...target }: RedisTarget,
  given: ClientOptions,
): Promise<Redis | Cluster> {
  const { Cluster, Redis } = await import('ioredis');
  const options = {
    ...login,
    ...(tls ? { tls: {} } : {}),
    db: target.db,
    // RESP2 is enough, and proxies support it.
    protocol: 2,
    retryStrategy,
    // After a failover the old master refuses writes: reconnect to the new one.
    reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
    ...given,
  } satisfies RedisOptions;
  switch (target.kind) {
    case 'single':
      return new Redis({ ...options, ...target.node });
    case 'socket':
      return new Redis({ ...options, path: target.path });
    case 'sentinel':
      return new Redis({
        ...options,
        sentinels: target.nodes,
        name: target.name,
        enableTLSForSentinelMode: tls,
        sentinelRetryStrategy: retryStrategy,
      });
    case 'cluster': {
      const { db: _db, retryStrategy: _retry, enableOfflineQueue = true, ...redisOptions } = options;
      return new Cluster(target.nodes, {
        enableOfflineQueue,
        clusterRetryStrategy: retryStrategy,
        ...(given.connectTimeout === undefined ? {} : { slotsRefreshTimeout: given.connectTimeout }),
        redisOptions,
      });
    }
  }
}

/**
 * Creates a client for the queue, which uses blocking commands: unlike a `Connection`, it has no time limit and queues
 * unsent commands.
 *
 * @throws JuryError `config` if the URL is invalid
 */
export async function createQueueClient(url: string): Promise<Redis | Cluster> {
  const client = await createClient(parseRedisUrl(url), {
    connectionName: 'jury-queue',
    maxRetriesPerRequest: null,
  });
  // The queue reports failures; an error without a listener would end the process.
  client.on('error', () => {});
  return client;
}
