import type { Cluster, Redis, RedisOptions } from 'ioredis';
import { parseRedisUrl } from '../../../stores/redis/redis-url.ts';

/** The most between two tries to connect, ms. */
const SLOWEST_RETRY_MS = 1000;

/**
 * A client for the queue, which waits in blocking commands: unlike the store's own it has no time limit, and keeps what
 * it could not send.
 *
 * @throws JuryError `config` where the URL is of no known form
 */
export async function createQueueClient(url: string): Promise<Redis | Cluster> {
  const { Cluster, Redis } = await import('ioredis');
  const { login, tls, ...target } = parseRedisUrl(url);
  const retryStrategy = (times: number) => Math.min(50 * times, SLOWEST_RETRY_MS);
  const options = {
    ...login,
    ...(tls ? { tls: {} } : {}),
    db: target.db,
    connectionName: 'jury-queue',
    protocol: 2,
    maxRetriesPerRequest: null,
    retryStrategy,
    reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
  } satisfies RedisOptions;
  const made = ((): Redis | Cluster => {
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
        const { db: _db, retryStrategy: _retry, ...redisOptions } = options;
        return new Cluster(target.nodes, { clusterRetryStrategy: retryStrategy, redisOptions });
      }
    }
  })();
  // Whoever uses it hears of failures; an error that nobody listens to would end the process.
  made.on('error', () => {});
  return made;
}
