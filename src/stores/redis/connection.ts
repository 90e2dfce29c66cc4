import { createHash } from 'node:crypto';
import * as z from 'zod';
import { JuryError, messageOf } from '../../common/index.ts';
import { failures, parseStored } from '../store.ts';
import { createClient } from './client.ts';
import { parseRedisUrl, whereIs } from './redis-url.ts';

/** Redis error codes that mean it is unavailable, with advice. */
const unavailable = failures.redis;

/** Turns a failure of Redis into `store-unavailable`, or `internal` if it is a bug in Jury. */
function redisFailure(thrown: unknown, where: string): JuryError {
  if (thrown instanceof JuryError) return thrown;
  const lost = thrown instanceof Error && thrown.name === 'MaxRetriesPerRequestError';
  const message = lost ? 'the connection was lost' : messageOf(thrown);
  const code = /^(?:ERR |.*?-)?([A-Z]{3,})\b/.exec(message)?.[1] ?? '';
  const advised = unavailable[code];
  if (advised !== undefined) {
    const unavailableNow = `Redis at ${where} is unavailable: ${advised.advice} (${code}).`;
    return new JuryError('store-unavailable', unavailableNow, {
      cause: thrown,
      retryable: advised.retryable,
    });
  }
  if (thrown instanceof Error && thrown.name === 'ReplyError')
    return new JuryError('internal', `Redis at ${where} refused a command: ${message}`, { cause: thrown });
  return new JuryError(
    'store-unavailable',
    `Redis at ${where} cannot be reached (${message}): check that it runs and that REDIS_URL is right.`,
    { cause: thrown, retryable: true },
  );
}

/** A Lua script, called by its hash, with the schema of its reply. All its keys share one hash tag. */
export interface Script<T extends z.ZodType> {
  reply: T;
  lua: string;
  sha: string;
}

/**
 * Shared by all scripts: values such as `at|ballot` or `until|owner` are a number and a text, and the higher number
 * wins.
 */
const prelude = `
local function split(value)
  if not value then return nil, nil end
  local number, text = string.match(value, '^([^|]*)|(.*)$')
  return tonumber(number), text
end
local function not_newer(at, stood)
  if stood and tonumber(at) < stood then return 'outdated' end
  if stood and tonumber(at) == stood then return 'unchanged' end
end
`;

/** Defines a script with the schema of its reply; interpolated parts may be Lua functions. */
export const script =
  <T extends z.ZodType>(reply: T) =>
  ({ raw }: TemplateStringsArray, ...parts: string[]): Script<T> => {
    const lua = prelude + String.raw({ raw }, ...parts);
    return { reply, lua, sha: createHash('sha1').update(lua).digest('hex') };
  };

/** A `number|text` value; the text may itself contain bars. */
export const Stamped = z
  .string()
  .regex(/^[^|]+\|/)
  .transform((value) => {
    const bar = value.indexOf('|');
    return { number: Number(value.slice(0, bar)), text: value.slice(bar + 1) };
  });

type Argument = string | number;

const Text = z.string().nullable();

/** A hash or sorted set, which Redis returns as a flat list, as pairs. */
export const Pairs = z.array(z.string()).transform((flat) => {
  const pairs: [field: string, value: string][] = [];
  for (let n = 0; n + 1 < flat.length; n += 2) pairs.push([flat[n] ?? '', flat[n + 1] ?? '']);
  return pairs;
});

const ScannedPage = z.tuple([z.string(), Pairs]);
const SCANNED_AT_ONCE = 500;

/** Sends a command and resolves to its unchecked reply. */
type Send = (name: string, ...args: Argument[]) => Promise<unknown>;

/** A connection whose calls end within the time limit and validate their replies. */
export type Connection = Awaited<ReturnType<typeof connect>>;

export interface RedisStoreOptions {
  /** Prefix of all keys, without braces. */
  prefix: string;
  /** Time limit per call, including the wait for a lost connection, ms. */
  patienceMs: number;
  /** Called when Redis becomes unavailable and when it is back. */
  warn: (message: string) => void;
}

export interface ConnectOptions extends Pick<RedisStoreOptions, 'patienceMs' | 'warn'> {
  /** Runs before the first command, and again before the next one if it fails. */
  check?: ((connection: { where: string; send: Send }) => Promise<void>) | undefined;
}

/**
 * Connects, and reconnects until it is closed. While Redis is unreachable, calls wait up to the time limit; once an
 * outage has lasted longer than that, they reject at once.
 *
 * @throws JuryError `config` if the URL is invalid
 */
export async function connect(url: string, { patienceMs, warn, check }: ConnectOptions) {
  const target = parseRedisUrl(url);
  const where = whereIs(target);
  // Never queue or resend a command: a claim sent twice would find itself already taken, by itself. A connection that
  // does not answer is dropped.
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
  // Every call that waits for a lost connection adds a listener.
  client.setMaxListeners(0);

  client.on('ready', () => {
    if (warned) warn(`store: Redis at ${where} is back`);
    awaySince = null;
    warned = false;
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
    await new Promise<void>((resolve) => client.once('ready', resolve));
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
  const sendUnchecked: Send = (name, ...args) => whenReady(() => client.call(name, ...args));
  let checking: Promise<void> | null = null;
  const checked = (): Promise<void> => {
    checking ??= (async () => check?.({ where, send: sendUnchecked }))().catch((thrown) => {
      checking = null;
      throw thrown;
    });
    return checking;
  };
  const send: Send = async (...command) => {
    await checked();
    return sendUnchecked(...command);
  };
  const answering =
    <T extends z.ZodType>(schema: T) =>
    async (name: string, ...args: Argument[]): Promise<z.output<T>> =>
      parseStored(schema, await send(name, ...args), `an answer to ${name}`);
  const scanPage = answering(ScannedPage);
  const values = answering(z.array(Text));

  return {
    /** The address, without login. */
    where,
    // Commands, by the type of their reply.
    reply: answering,
    text: answering(Text),
    texts: answering(z.array(z.string())),
    number: answering(z.int()),
    pairs: answering(Pairs),
    /** The values of fields of a hash; null for a missing field. */
    values: (key: string, ...fields: Argument[]) => values('HMGET', key, ...fields),
    /** All fields of a hash, each once, read in pages. Concurrent changes may or may not be included. */
    async *scan(key: string): AsyncGenerator<[field: string, value: string]> {
      // HSCAN may return a field twice if the hash grows while it is read.
      const seen = new Set<string>();
      let cursor = '0';
      do {
        const [next, pairs] = await scanPage('HSCAN', key, cursor, 'COUNT', SCANNED_AT_ONCE);
        for (const [field, value] of pairs) {
          if (seen.has(field)) continue;
          seen.add(field);
          yield [field, value];
        }
        cursor = next;
      } while (cursor !== '0');
    },
    run: async <T extends z.ZodType>(
      { reply, lua, sha }: Script<T>,
      keys: readonly string[],
      args: readonly Argument[],
    ): Promise<z.output<T>> => {
      const tail = [keys.length, ...keys, ...args];
      const answer = await send('EVALSHA', sha, ...tail).catch((thrown) => {
        if (!(thrown instanceof JuryError) || !messageOf(thrown.cause).startsWith('NOSCRIPT')) throw thrown;
        return send('EVAL', lua, ...tail);
      });
      return parseStored(reply, answer, 'the reply of a script');
    },
    close: () => {
      closed = true;
      client.disconnect();
    },
  };
}

// The layout in Redis. All keys of one script share a hash tag (`{…}`), so that a cluster keeps them on one node: one
// tag each for verdicts with votes and counts, for requests, for schedules, for studies, and for every run. Other
// values and settings have no tag and are spread over the cluster. The prefix contains no braces.

export type Keys = ReturnType<typeof createKeys>;

export function createKeys(prefix: string) {
  const labels = `{${prefix}:labels}`;
  const checks = `{${prefix}:checks}`;
  const digests = `{${prefix}:digests}`;
  const studies = `{${prefix}:studies}`;
  return {
    /** Hash: the record and what casting a vote needs. */
    verdict: (id: string) => `${labels}:verdict:${id}`,
    /** Hash: voter to `at|stances|ballot`. */
    votes: (verdictId: string) => `${labels}:votes:${verdictId}`,
    /** Sorted set: verdict ids by time, across all channels or of one. */
    recent: (channel: string | null) => `${labels}:recent${channel === null ? '' : `:${channel}`}`,
    /** Sorted sets: ids of verdicts with a word or fact, by time. String: set once all verdicts are indexed. */
    term: (term: string) => `${labels}:term:${term}`,
    termsBuilt: `${labels}:terms-built`,
    /** Set: ids of the verdicts that a voter has a ballot on. */
    voter: (voter: string) => `${labels}:voter:${voter}`,
    /** Hash: verdict id to `at|ruling`. */
    adjudications: `${labels}:adjudications`,
    /** Hash of one day: `group|agree,disagree,unsure` to items. */
    counts: (day: string) => `${labels}:counts:${day}`,
    /** Sorted set: the days that have counts. */
    days: `${labels}:days`,
    checks: {
      /** Hashes by id: the request, and its lease as `until|owner`. */
      data: `${checks}:data`,
      leases: `${checks}:leases`,
      /** Sorted sets: ids by time, and by expiry. */
      pending: `${checks}:pending`,
      finished: `${checks}:finished`,
    },
    /** String: `until|value`. */
    value: (key: string) => `${prefix}:mark:${key}`,
    /** Sorted set: changes by time. */
    changes: `${prefix}:changes`,
    settings: (channel: string) => `${prefix}:settings:${channel}`,
    /** Hashes by schedule id: the schedule, and `version|progress`. */
    digests: { schedules: `${digests}:schedules`, progress: `${digests}:progress` },
    studies: {
      /**
       * Hashes by study id, both without annotators. Hash: `study|annotator` to the annotator's entry. Set: ids of
       * closed studies.
       */
      entries: `${studies}:entries`,
      bodies: `${studies}:bodies`,
      annotators: `${studies}:annotators`,
      closed: `${studies}:closed`,
      /** Hash: case to `at|answers`. */
      annotations: (id: string, annotator: string) => `${studies}:annotations:${id}|${annotator}`,
    },
    schema: `${prefix}:schema`,
  };
}
