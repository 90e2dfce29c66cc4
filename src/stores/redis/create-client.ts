import type { Cluster, Redis, RedisOptions } from 'ioredis';
import type { RedisTarget } from './redis-url.ts';

/** ms until the next try to connect. */
const retryStrategy = (times: number): number => Math.min(50 * times, 1000);

/**
 * A client that connects at once and again whenever it loses the connection. It keeps no queue of what it could not
 * send, and never sends anything twice: a claim that was resent would find itself taken, by itself.
 */
export async function createClient(
  { login, tls, ...target }: RedisTarget,
  patienceMs: number,
): Promise<Redis | Cluster> {
  const { Cluster, Redis } = await import('ioredis');
  const options = {
    ...login,
    ...(tls ? { tls: {} } : {}),
    db: target.db,
    connectionName: 'jury',
    // RESP2: the scripts need no more, and proxies know it.
    protocol: 2,
    connectTimeout: patienceMs,
    // A connection that swallows commands is given up.
    socketTimeout: patienceMs,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy,
    // After a failover the old master refuses writes: find the new one.
    reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
  } satisfies RedisOptions;
  switch (target.kind) {
    case 'single':
      return new Redis({ ...options, ...target.node, enableOfflineQueue: false });
    case 'socket':
      return new Redis({ ...options, path: target.path, enableOfflineQueue: false });
    case 'sentinel':
      return new Redis({
        ...options,
        sentinels: target.nodes,
        name: target.name,
        enableTLSForSentinelMode: tls,
        sentinelRetryStrategy: retryStrategy,
        enableOfflineQueue: false,
      });
    case 'cluster': {
      const { db: _db, retryStrategy: _retry, ...redisOptions } = options;
      return new Cluster(target.nodes, {
        enableOfflineQueue: false,
        clusterRetryStrategy: retryStrategy,
        slotsRefreshTimeout: patienceMs,
        redisOptions,
      });
    }
  }
}
