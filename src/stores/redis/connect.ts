import { createHash } from 'node:crypto';
import * as z from 'zod';
import { JuryError, messageOf } from '../../common/errors.ts';
import { parseStored } from '../parse-stored.ts';
import { createClient } from './create-client.ts';
import { redisFailure } from './redis-failure.ts';
import { parseRedisUrl, whereIs } from './redis-url.ts';

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

/** A Redis as the other modules use it. Every call settles within the time limit, and checks what comes back. */
export interface Connection {
  /** Where it is, without login. */
  where: string;
  command<T extends z.ZodType>(schema: T, name: string, ...args: Argument[]): Promise<z.output<T>>;
  /** The bytes of a string; none where there is no such key. */
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
  /** The longest that a call may take, and that one waits for a connection that was lost, ms. */
  patienceMs: number;
  warn: (message: string) => void;
}

/**
 * Connects, and stays connected: it tries again for as long as it is open. While Redis cannot be reached calls wait for
 * it up to the time limit; once it has been away for longer they reject at once.
 *
 * @throws JuryError `config` where the URL is of no known form
 */
export async function connect(url: string, { patienceMs, warn }: ConnectOptions): Promise<Connection> {
  const target = parseRedisUrl(url);
  const where = whereIs(target);
  const client = await createClient(target, patienceMs);
  let awaySince: number | null = performance.now();
  let lastError: unknown = new Error('no connection');
  let told = false;
  let closed = false;
  let waiting: { promise: Promise<void>; resolve: () => void } | null = null;

  client.on('ready', () => {
    if (told) warn(`store: Redis at ${where} is back`);
    awaySince = null;
    told = false;
    waiting?.resolve();
    waiting = null;
  });
  client.on('close', () => {
    awaySince ??= performance.now();
  });
  client.on('error', (error) => {
    lastError = error;
    if (awaySince === null || told || closed) return;
    told = true;
    warn(`store: ${redisFailure(error, where).message} It is tried again until it answers.`);
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
  /** Gives up at the time limit, whatever the client still does. */
  async function inTime(work: () => Promise<unknown>): Promise<unknown> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const giveUp = () =>
        reject(client.status === 'ready' ? new Error(`no answer in ${patienceMs} ms`) : unreachable());
      // An answer may have come while the event loop was busy: it is read before giving up.
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
      return parseStored(schema, reply, 'an answer of a script');
    },
    close: () => {
      closed = true;
      client.disconnect();
    },
  };
}
