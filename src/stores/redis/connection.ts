import { createHash } from 'node:crypto';
import type { Cluster, Redis, RedisOptions } from 'ioredis';
import * as z from 'zod';
import { JuryError, messageOf } from '../../common/errors.ts';
import { parseStored } from '../stored-values.ts';
import { parseRedisUrl, type RedisTarget, whereIs } from './redis-url.ts';

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

/** A client that connects at once and reconnects whenever it loses the connection. */
async function createClient(
  { login, tls, ...target }: RedisTarget,
  given: ClientOptions,
): Promise<Redis | Cluster> {
  const { Cluster, Redis } = await import('ioredis');
  const options = {
    ...login,
    ...(tls ? { tls: {} } : {}),
    db: target.db,
    // RESP2 suffices, and proxies support it.
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
 * A client for the queue, which uses blocking commands: unlike a `Connection` it has no time limit, and it queues unsent commands.
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

/** Redis's error codes for unavailability, with what to do. */
const advice: Readonly<Record<string, string>> = {
  NOAUTH: 'it requires a password: add it to REDIS_URL',
  WRONGPASS: 'it rejects the user or password in REDIS_URL',
  NOPERM:
    'the user of REDIS_URL may not do this: allow it all commands on keys that begin with "jury" or "{jury"',
  READONLY: 'it is a replica: point REDIS_URL to the master, or to Sentinel',
  LOADING: 'it is still reading its data: try again',
  OOM: 'its memory is full: raise maxmemory',
  MISCONF: 'it cannot write to disk: see its log',
  MASTERDOWN: 'its master is down',
  CLUSTERDOWN: 'the cluster is down',
  TRYAGAIN: 'the cluster is moving data: try again',
  MOVED: 'it is part of a cluster: begin REDIS_URL with redis+cluster://',
  CROSSSLOT: 'it is part of a cluster: begin REDIS_URL with redis+cluster://',
  BUSY: "another client's script is running",
  UNKILLABLE: "another client's script is running",
};
const lasting = new Set(['NOAUTH', 'WRONGPASS', 'NOPERM', 'MOVED', 'CROSSSLOT']);

/** A failure of Redis as `store-unavailable`, or `internal` if it is a defect of ours. */
function redisFailure(thrown: unknown, where: string): JuryError {
  if (thrown instanceof JuryError) return thrown;
  const lost = thrown instanceof Error && thrown.name === 'MaxRetriesPerRequestError';
  const message = lost ? 'the connection was lost' : messageOf(thrown);
  const code = /^(?:ERR |.*?-)?([A-Z]{3,})\b/.exec(message)?.[1] ?? '';
  const what = advice[code];
  if (what !== undefined)
    return new JuryError('store-unavailable', `Redis at ${where} is unavailable: ${what} (${code}).`, {
      cause: thrown,
      retryable: !lasting.has(code),
    });
  if (thrown instanceof Error && thrown.name === 'ReplyError')
    return new JuryError('internal', `Redis at ${where} refused a command: ${message}`, { cause: thrown });
  return new JuryError(
    'store-unavailable',
    `Redis at ${where} cannot be reached (${message}): check that it runs and that REDIS_URL is right.`,
    { cause: thrown, retryable: true },
  );
}

/** A Lua script, sent by its hash. All its keys have one hash tag. */
export interface Script {
  lua: string;
  sha: string;
}
export const script = (lua: string): Script => ({
  lua,
  sha: createHash('sha1').update(lua).digest('hex'),
});

type Argument = string | number;

const Bytes = z.instanceof(Buffer).nullable();

/** A hash or sorted set as Redis returns it, as pairs. */
export const Pairs = z.array(z.string()).transform((flat) => {
  const pairs: [field: string, value: string][] = [];
  for (let n = 0; n + 1 < flat.length; n += 2) pairs.push([flat[n] ?? '', flat[n + 1] ?? '']);
  return pairs;
});

const ScannedPage = z.tuple([z.string(), Pairs]);
const SCANNED_AT_ONCE = 500;

/** All fields of a hash, each once, read in pages. Concurrent changes may or may not be included. */
export async function* scanHash(connection: Connection, key: string): AsyncGenerator<[string, string]> {
  // A hash that grows while it is read may yield a field twice.
  const seen = new Set<string>();
  let cursor = '0';
  do {
    const [next, pairs] = await connection.command(
      ScannedPage,
      'HSCAN',
      key,
      cursor,
      'COUNT',
      SCANNED_AT_ONCE,
    );
    for (const [field, value] of pairs) {
      if (seen.has(field)) continue;
      seen.add(field);
      yield [field, value];
    }
    cursor = next;
  } while (cursor !== '0');
}

/** Every call settles within the time limit and validates the reply. */
export interface Connection {
  /** The address without login. */
  where: string;
  command<T extends z.ZodType>(schema: T, name: string, ...args: Argument[]): Promise<z.output<T>>;
  /** The bytes of a string; empty if there is no such key. */
  bytes(key: string): Promise<Buffer>;
  run<T extends z.ZodType>(
    schema: T,
    script: Script,
    keys: readonly string[],
    args: readonly Argument[],
  ): Promise<z.output<T>>;
  close(): void;
}

export interface ConnectOptions {
  /** Time limit of a call, including the wait for a lost connection, ms. */
  patienceMs: number;
  warn: (message: string) => void;
}

/**
 * Connects, and reconnects for as long as it is open. While Redis is unreachable, calls wait up to the time limit; after a longer
 * outage they reject at once.
 *
 * @throws JuryError `config` if the URL is invalid
 */
export async function connect(url: string, { patienceMs, warn }: ConnectOptions): Promise<Connection> {
  const target = parseRedisUrl(url);
  const where = whereIs(target);
  // It keeps no queue of what it could not send, and never sends anything twice: a claim that was resent would find itself taken, by
  // itself. A connection that swallows commands is given up.
  const client = await createClient(target, {
    connectionName: 'jury',
    connectTimeout: patienceMs,
    socketTimeout: patienceMs,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
  });
  let awaySince: number | null = performance.now();
  let lastError: unknown = new Error('no connection');
  let warned = false;
  let closed = false;
  let waiting: { promise: Promise<void>; resolve: () => void } | null = null;

  client.on('ready', () => {
    if (warned) warn(`store: Redis at ${where} is back`);
    awaySince = null;
    warned = false;
    waiting?.resolve();
    waiting = null;
  });
  client.on('close', () => {
    awaySince ??= performance.now();
  });
  client.on('error', (error) => {
    lastError = error;
    if (awaySince === null || warned || closed) return;
    warned = true;
    warn(`store: ${redisFailure(error, where).message} Retrying until it answers.`);
  });

  function unreachable(): JuryError {
    return redisFailure(lastError, where);
  }
  async function ready(): Promise<void> {
    if (closed) throw new JuryError('store-unavailable', 'The store is closed.');
    if (client.status === 'ready') return;
    if (awaySince !== null && performance.now() - awaySince > patienceMs) throw unreachable();
    if (waiting === null) {
      let resolve = () => {};
      const promise = new Promise<void>((done) => {
        resolve = done;
      });
      waiting = { promise, resolve };
    }
    await waiting.promise;
  }
  /** Rejects at the time limit, whatever the client is still doing. */
  async function inTime(work: () => Promise<unknown>): Promise<unknown> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const giveUp = () =>
        reject(client.status === 'ready' ? new Error(`no answer in ${patienceMs} ms`) : unreachable());
      // A reply may have arrived while the event loop was busy: read it before giving up.
      timer = setTimeout(() => setImmediate(giveUp), patienceMs);
    });
    try {
      return await Promise.race([work(), late]);
    } catch (thrown) {
      throw redisFailure(thrown, where);
    } finally {
      clearTimeout(timer);
    }
  }
  const whenReady = (work: () => Promise<unknown>): Promise<unknown> =>
    inTime(async () => {
      await ready();
      return work();
    });
  const send = (name: string, ...args: Argument[]): Promise<unknown> =>
    whenReady(() => client.call(name, ...args));

  return {
    where,
    command: async (schema, name, ...args) =>
      parseStored(schema, await send(name, ...args), `an answer to ${name}`),
    bytes: async (key) => {
      const answer = await whenReady(() => client.callBuffer('GET', key));
      return parseStored(Bytes, answer, 'an answer to GET') ?? Buffer.alloc(0);
    },
    run: async (schema, { lua, sha }, keys, args) => {
      const tail = [keys.length, ...keys, ...args];
      const reply = await send('EVALSHA', sha, ...tail).catch((thrown) => {
        if (!(thrown instanceof JuryError) || !messageOf(thrown.cause).startsWith('NOSCRIPT')) throw thrown;
        return send('EVAL', lua, ...tail);
      });
      return parseStored(schema, reply, 'the reply of a script');
    },
    close: () => {
      closed = true;
      client.disconnect();
    },
  };
}
