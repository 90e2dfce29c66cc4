import * as z from 'zod';
import { JuryError } from '../../common/errors.ts';
import type { KeyValue } from '../../common/key-value.ts';
import { DigestSchedule, type ScheduleStore } from '../../digests/digest-schedule.ts';
import { ChannelSettings, type ChannelSettingsStore, noSettings } from '../../labels/channel-settings.ts';
import type { Store } from '../store.ts';
import { parseStoredJson } from '../stored-values.ts';
import { type Connection, connect, script } from './connection.ts';
import { createKeys, type Keys } from './keys.ts';
import { redisRequests } from './requests.ts';
import { forgetAnnotations, redisStudies } from './studies.ts';
import { redisAdjudications, redisVerdicts } from './verdicts.ts';
import { forgetVotes, redisCounts, redisVotes } from './votes.ts';

/** The address of Redis, and settings that could lose data, if the server reports them. */
async function inspectRedis(connection: Connection): Promise<{ where: string; warnings: string[] }> {
  const info = await connection.command(z.string(), 'INFO');
  const field = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
  const warnings: string[] = [];
  if (field('aof_enabled') === '0')
    warnings.push('Redis keeps no append-only file, so a crash loses votes: set "appendonly yes"');
  const policy = field('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction')
    warnings.push(`Redis drops data when its memory is full (${policy}): set "maxmemory-policy noeviction"`);
  return { where: `Redis ${field('redis_version') ?? ''} at ${connection.where}`, warnings };
}

/** Values are stored as `until|value`; callers' clocks decide whether one has expired. */
const standingValue = `
local function standing(key, now)
  local mark = redis.call('GET', key)
  if not mark then return nil end
  local till, value = string.match(mark, '^([^|]*)|(.*)$')
  if tonumber(till) <= tonumber(now) then return nil end
  return value
end
`;

/** KEYS: the key. ARGV: now, until, value, TTL in Redis (ms). Returns the existing value, if any. */
const setValue = script(`${standingValue}
local value = standing(KEYS[1], ARGV[1])
if value then return value end
redis.call('SET', KEYS[1], ARGV[2] .. '|' .. ARGV[3], 'PX', ARGV[4])
return false
`);

/** The same with ARGV[5]: the expected value. */
const replaceValue = script(`${standingValue}
if standing(KEYS[1], ARGV[1]) ~= ARGV[5] then return 0 end
redis.call('SET', KEYS[1], ARGV[2] .. '|' .. ARGV[3], 'PX', ARGV[4])
return 1
`);

/** KEYS: the key. ARGV: now. */
const readValue = script(`${standingValue}
return standing(KEYS[1], ARGV[1]) or false
`);

const minuteMs = 60_000;
const centuryMs = 3_155_760_000_000;
/** TTL in Redis: a minute longer than the value is valid, for slow clocks. */
const keptMs = (ttlMs: number): number => Math.ceil(Math.min(Math.max(ttlMs, 0), centuryMs)) + minuteMs;

const redisKeyValue = (connection: Connection, keys: Keys): KeyValue => ({
  setIfAbsent: async (key, value, now, ttlMs) => {
    const found = await connection.run(
      z.string().nullable(),
      setValue,
      [keys.value(key)],
      [now, now + ttlMs, value, keptMs(ttlMs)],
    );
    return found === null ? { set: true } : { set: false, value: found };
  },
  get: (key, now) => connection.run(z.string().nullable(), readValue, [keys.value(key)], [now]),
  compareAndSet: async (key, expected, value, now, ttlMs) =>
    (await connection.run(
      z.int(),
      replaceValue,
      [keys.value(key)],
      [now, now + ttlMs, value, keptMs(ttlMs), expected],
    )) === 1,
  delete: async (key) => {
    await connection.command(z.int(), 'DEL', keys.value(key));
  },
});

/** Progress is stored as `version|text`. KEYS: schedules, progress. ARGV: id. Returns nothing without a schedule. */
const readProgress = script(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return false end
return redis.call('HGET', KEYS[2], ARGV[1]) or '0|'
`);

/** The same with ARGV[2]: version, ARGV[3]: text. */
const replaceProgress = script(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
local found = redis.call('HGET', KEYS[2], ARGV[1]) or '0|'
if string.match(found, '^(%d+)|') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], string.format('%d', tonumber(ARGV[2]) + 1) .. '|' .. ARGV[3])
return 1
`);

/** KEYS as before. ARGV: id. */
const removeSchedule = script(`
redis.call('HDEL', KEYS[2], ARGV[1])
return redis.call('HDEL', KEYS[1], ARGV[1])
`);

const Progress = z.string().regex(/^\d+\|/);

const redisSchedules = (
  connection: Connection,
  { digests: { schedules, progress } }: Keys,
): ScheduleStore => ({
  saveSchedule: async (schedule) => {
    await connection.command(z.int(), 'HSET', schedules, schedule.id, JSON.stringify(schedule));
  },
  schedules: async () =>
    (await connection.command(z.array(z.string()), 'HVALS', schedules))
      .map((text) => parseStoredJson(DigestSchedule, text, 'a digest schedule'))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  removeSchedule: async (id) =>
    (await connection.run(z.int(), removeSchedule, [schedules, progress], [id])) === 1,
  digestProgress: async (id) => {
    const found = await connection.run(Progress.nullable(), readProgress, [schedules, progress], [id]);
    if (found === null) return null;
    const bar = found.indexOf('|');
    return { version: Number(found.slice(0, bar)), text: found.slice(bar + 1) };
  },
  replaceDigestProgress: async (id, version, text) =>
    (await connection.run(z.int(), replaceProgress, [schedules, progress], [id, version, text])) === 1,
});

const redisSettings = (connection: Connection, keys: Keys): ChannelSettingsStore => ({
  channelSettings: async (channel) => {
    const text = await connection.command(z.string().nullable(), 'GET', keys.settings(channel));
    return text === null ? noSettings : parseStoredJson(ChannelSettings, text, 'channel settings');
  },
  saveChannelSettings: async (channel, settings) => {
    await connection.command(z.literal('OK'), 'SET', keys.settings(channel), JSON.stringify(settings));
  },
});

export interface RedisStoreOptions {
  /** Called when Redis becomes unavailable and when it is back. */
  warn: (message: string) => void;
  /** Prefix of all keys, without braces. */
  prefix: string;
  /** Time limit of a command, ms: less than the three seconds in which a chat expects an answer. */
  patienceMs: number;
}

/** Version of the layout. */
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

/** The same connection, which checks the data's version on first use. */
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
 * A store in Redis 6.2 or later: a single server, one behind Sentinel, or a cluster. It also opens while Redis is down; calls then
 * reject with `store-unavailable` until it is back.
 *
 * @throws JuryError `config` if the URL is invalid or a newer version has written the data
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
    ...redisRequests(connection, keys),
    ...redisKeyValue(connection, keys),
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
