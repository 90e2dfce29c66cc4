import * as z from 'zod';
import { JuryError } from '../../common/errors.ts';
import type { Store } from '../store.ts';
import { redisAdjudications } from './adjudications.ts';
import { redisChecks } from './checks.ts';
import { type Connection, connect } from './connect.ts';
import { redisCounts } from './counts.ts';
import { inspectRedis } from './inspect-redis.ts';
import { createKeys, type Keys } from './keys.ts';
import { redisMarks } from './marks.ts';
import { redisSchedules } from './schedules.ts';
import { redisSettings } from './settings.ts';
import { forgetAnnotations, redisStudies } from './studies.ts';
import { redisVerdicts } from './verdicts.ts';
import { forgetVotes, redisVotes } from './votes.ts';

export interface RedisStoreOptions {
  /** Told once when Redis goes away and when it comes back. */
  warn: (message: string) => void;
  /** What all keys begin with; no braces. */
  prefix: string;
  /** The longest that one command may take, ms: less than the three seconds in which a chat wants its answer. */
  patienceMs: number;
}

/** The version of the layout. */
const schema = 1;

async function checkSchema(connection: Connection, keys: Keys): Promise<void> {
  await connection.command(z.literal('OK').nullable(), 'SET', keys.schema, schema, 'NX');
  const found = await connection.command(z.coerce.number(), 'GET', keys.schema);
  if (found !== schema)
    throw new JuryError(
      'config',
      `The data in Redis at ${connection.where} was written by a newer version of Jury (data version ${found}, this one knows ${schema}). Update Jury, or set REDIS_URL to another database.`,
    );
}

/** The same connection, whose first use sees to it that this version may use the data. */
function onlyKnownSchema(connection: Connection, keys: Keys): Connection {
  let checking: Promise<void> | undefined;
  const checked = () => {
    checking ??= checkSchema(connection, keys).catch((thrown) => {
      checking = undefined;
      throw thrown;
    });
    return checking;
  };
  return {
    ...connection,
    command: async (...args) => {
      await checked();
      return connection.command(...args);
    },
    run: async (...args) => {
      await checked();
      return connection.run(...args);
    },
  };
}

/**
 * A store in Redis 6.2 or later: a single server, one behind Sentinel, or a cluster. Opens also while Redis is away; calls then
 * reject with `store-unavailable` until it is back.
 *
 * @throws JuryError `config` where the URL is wrong or a newer version has written the data
 */
export async function openRedisStore(url: string, options: Partial<RedisStoreOptions> = {}): Promise<Store> {
  const { warn = () => {}, prefix = 'jury', patienceMs = 2000 } = options;
  const keys = createKeys(prefix);
  const plain = await connect(url, { warn, patienceMs });
  const connection = onlyKnownSchema(plain, keys);
  const store: Store = {
    kind: 'redis',
    ...redisVerdicts(connection, keys),
    ...redisVotes(connection, keys),
    ...redisAdjudications(connection, keys),
    ...redisCounts(connection, keys),
    ...redisChecks(connection, keys),
    ...redisMarks(connection, keys),
    ...redisSettings(connection, keys),
    ...redisSchedules(connection, keys),
    ...redisStudies(connection, keys),
    forgetVoter: async (voter) => ({
      votes: await forgetVotes(connection, keys, voter),
      annotations: await forgetAnnotations(connection, keys, voter),
    }),
    ping: async () => {
      await connection.command(z.unknown(), 'EXISTS', keys.schema);
    },
    inspect: () => inspectRedis(connection),
    close: async () => plain.close(),
  };
  try {
    await store.ping();
  } catch (thrown) {
    if (!(thrown instanceof JuryError) || thrown.code !== 'config') return store;
    plain.close();
    throw thrown;
  }
  return store;
}
