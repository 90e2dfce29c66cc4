import * as z from 'zod';
import { JuryError, type KeyValue } from '../../common/index.ts';
import { Schedule, type ScheduleStore } from '../../digests/index.ts';
import {
  type AuditStore,
  Change,
  ChannelSettings,
  type ChannelSettingsStore,
  noSettings,
} from '../../labels/access/index.ts';
import { LONGEST_LEASE_MS, type RequestStore, SpotCheck } from '../../requests/index.ts';
import { PROOF, parseReadable, parseStored, type Store, storedJson } from '../store.ts';
import {
  type Connection,
  type ConnectOptions,
  connect,
  createKeys,
  type Keys,
  type RedisStoreOptions,
  Stamped,
  script,
} from './connection.ts';
import { forgetAnnotations, redisStudies } from './studies.ts';
import { redisAdjudications, redisVerdicts } from './verdicts.ts';
import { forgetVotes, redisCounts, redisVotes } from './votes.ts';

// Requests. Leases are stored as `until|owner`.

/** KEYS: data, pending, finished. ARGV: id, at, check. */
const addCheck = script(z.enum(['added', 'known']))`
local known_until = redis.call('ZSCORE', KEYS[3], ARGV[1])
if known_until and tonumber(known_until) > tonumber(ARGV[2]) then return 'known' end
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[3]) == 0 then return 'known' end
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
return 'added'`;

/** The same, if the check was finished. KEYS: data, pending, finished. ARGV: id, at, check. */
const reopenCheck = script(z.enum(['added', 'known']))`
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[3]) == 0 then return 'known' end
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
return 'added'`;

/** Whether a lease is in force. One that is too long was taken before the clock was set back, and is void. */
const stands = `
local function stands(till, now)
  return till > tonumber(now) and till <= tonumber(now) + ${LONGEST_LEASE_MS}
end
`;

/** KEYS: data, leases. ARGV: id, owner, now, until. Returns the check, or nothing if it cannot be claimed. */
const claimCheck = script(storedJson(SpotCheck, 'a request').nullable())`${stands}
local check = redis.call('HGET', KEYS[1], ARGV[1])
if not check then return false end
local till, owner = split(redis.call('HGET', KEYS[2], ARGV[1]))
if owner and owner ~= ARGV[2] and stands(till, ARGV[3]) then return false end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[4] .. '|' .. ARGV[2])
return check`;

/** KEYS: data, leases. ARGV: id, owner, until, check. */
const noteCheck = script(z.int())`
local till, owner = split(redis.call('HGET', KEYS[2], ARGV[1]))
if owner ~= ARGV[2] or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[4])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3] .. '|' .. ARGV[2])
return 1`;

/** KEYS: data, leases, pending. ARGV: now, limit. */
const abandonedChecks = script(z.array(z.string()))`${stands}
local found, offset, step = {}, 0, 100
while #found < tonumber(ARGV[2]) do
  local ids = redis.call('ZRANGE', KEYS[3], offset, offset + step - 1)
  if #ids == 0 then break end
  for _, id in ipairs(ids) do
    local till = split(redis.call('HGET', KEYS[2], id)) or 0
    local check = redis.call('HGET', KEYS[1], id)
    if check and not stands(till, ARGV[1]) and #found < tonumber(ARGV[2]) then found[#found + 1] = check end
  end
  offset = offset + step
end
return found`;

/** KEYS: data, leases, pending, finished. ARGV: id, now, expiry. Also deletes expired ids. */
const finishCheck = script(z.int())`
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', ARGV[2])
if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('ZADD', KEYS[4], ARGV[3], ARGV[1])
return 1`;

const redisRequests = (
  redis: Connection,
  { checks: { data, leases, pending, finished } }: Keys,
): RequestStore => ({
  addSpotCheck: (check) =>
    redis.run(addCheck, [data, pending, finished], [check.id, check.at, JSON.stringify(check)]),
  reopenSpotCheck: (check) =>
    redis.run(reopenCheck, [data, pending, finished], [check.id, check.at, JSON.stringify(check)]),
  claimSpotCheck: (id, owner, now, leaseMs) =>
    redis.run(claimCheck, [data, leases], [id, owner, now, now + leaseMs]),
  abandonedSpotChecks: async (now, limit) =>
    parseReadable(SpotCheck, await redis.run(abandonedChecks, [data, leases, pending], [now, limit])),
  noteSpotCheck: async (check, owner, now, leaseMs) => {
    const args = [check.id, owner, now + leaseMs, JSON.stringify(check)];
    return (await redis.run(noteCheck, [data, leases], args)) === 1;
  },
  finishSpotCheck: async (id, now, keepMs) => {
    await redis.run(finishCheck, [data, leases, pending, finished], [id, now, now + keepMs]);
  },
  pendingSpotChecks: () => redis.number('ZCARD', pending),
  spotCheck: (id) => redis.reply(storedJson(SpotCheck, 'a request').nullable())('HGET', data, id),
});

/** The address of Redis, and warnings about settings that could lose data, if the server reports them. */
async function inspectRedis(redis: Connection): Promise<{ where: string; warnings: string[] }> {
  const info = (await redis.text('INFO')) ?? '';
  const field = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
  const warnings: string[] = [];
  if (field('aof_enabled') === '0')
    warnings.push('Redis keeps no append-only file, so a crash loses votes: set "appendonly yes"');
  const policy = field('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction')
    warnings.push(`Redis drops data when its memory is full (${policy}): set "maxmemory-policy noeviction"`);
  return { where: `Redis ${field('redis_version') ?? ''} at ${redis.where}`, warnings };
}

/** Values are stored as `until|value`; callers' clocks decide whether one has expired. */
const current = `
local function current(now)
  local till, value = split(redis.call('GET', KEYS[1]))
  if till and till > tonumber(now) then return value end
end
`;

/** KEYS: the key. ARGV: now, until, value, TTL in Redis (ms). Returns the existing value, if any. */
const setValue = script(z.string().nullable())`${current}
local value = current(ARGV[1])
if value then return value end
redis.call('SET', KEYS[1], ARGV[2] .. '|' .. ARGV[3], 'PX', ARGV[4])
return false`;

/** The same, with the expected value in ARGV[5]. */
const replaceValue = script(z.int())`${current}
if current(ARGV[1]) ~= ARGV[5] then return 0 end
redis.call('SET', KEYS[1], ARGV[2] .. '|' .. ARGV[3], 'PX', ARGV[4])
return 1`;

const minuteMs = 60_000;
const centuryMs = 3_155_760_000_000;
/** TTL in Redis: a minute longer than the value is valid, to allow for slow clocks. */
const keptMs = (ttlMs: number): number => Math.ceil(Math.min(Math.max(ttlMs, 0), centuryMs)) + minuteMs;

const redisKeyValue = (redis: Connection, keys: Keys): KeyValue => ({
  setIfAbsent: async (key, value, now, ttlMs) => {
    const args = [now, now + ttlMs, value, keptMs(ttlMs)];
    const current = await redis.run(setValue, [keys.value(key)], args);
    return current === null ? { set: true } : { set: false, value: current };
  },
  get: async (key, now) => {
    const kept = parseStored(Stamped.nullable(), await redis.text('GET', keys.value(key)), 'a value');
    return kept !== null && kept.number > now ? kept.text : null;
  },
  compareAndSet: async (key, expected, value, now, ttlMs) => {
    const args = [now, now + ttlMs, value, keptMs(ttlMs), expected];
    return (await redis.run(replaceValue, [keys.value(key)], args)) === 1;
  },
  delete: async (key) => {
    await redis.number('DEL', keys.value(key));
  },
});

/**
 * Progress is stored as `version|text`. KEYS: schedules, progress. ARGV: id. Returns nothing if there is no schedule.
 */
const readProgress = script(Stamped.nullable())`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return false end
return redis.call('HGET', KEYS[2], ARGV[1]) or '0|'`;

/** KEYS as before. ARGV: id, expected version, text. */
const replaceProgress = script(z.int())`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
local version = split(redis.call('HGET', KEYS[2], ARGV[1]) or '0|')
if version ~= tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], string.format('%d', version + 1) .. '|' .. ARGV[3])
return 1`;

/** KEYS as before. ARGV: id. */
const removeSchedule = script(z.int())`
redis.call('HDEL', KEYS[2], ARGV[1])
return redis.call('HDEL', KEYS[1], ARGV[1])`;

function redisSchedules(redis: Connection, { digests }: Keys): ScheduleStore {
  const both = [digests.schedules, digests.progress];
  const stored = redis.reply(z.array(storedJson(Schedule, 'a digest schedule')));
  return {
    addSchedule: async (schedule) =>
      (await redis.number('HSETNX', digests.schedules, schedule.id, JSON.stringify(schedule))) === 1,
    saveSchedule: async (schedule) => {
      await redis.number('HSET', digests.schedules, schedule.id, JSON.stringify(schedule));
    },
    schedules: async () => (await stored('HVALS', digests.schedules)).sort((a, b) => (a.id < b.id ? -1 : 1)),
    removeSchedule: async (id) => (await redis.run(removeSchedule, both, [id])) === 1,
    digestProgress: async (id) => {
      const progress = await redis.run(readProgress, both, [id]);
      return progress === null ? null : { version: progress.number, text: progress.text };
    },
    replaceDigestProgress: async (id, version, text) =>
      (await redis.run(replaceProgress, both, [id, version, text])) === 1,
  };
}

const redisSettings = (redis: Connection, keys: Keys): ChannelSettingsStore => ({
  channelSettings: async (channel) => {
    const stored = redis.reply(storedJson(ChannelSettings, 'channel settings').nullable());
    return (await stored('GET', keys.settings(channel))) ?? noSettings;
  },
  saveChannelSettings: async (channel, settings) => {
    await redis.text('SET', keys.settings(channel), JSON.stringify(settings));
  },
});

const redisAudit = (redis: Connection, { changes }: Keys): AuditStore => ({
  addChange: async (change) => {
    await redis.number('ZADD', changes, change.at, JSON.stringify(change));
  },
  changes: (since) =>
    redis.reply(z.array(storedJson(Change, 'a change')))('ZRANGEBYSCORE', changes, since, '+inf'),
});

/** Version of the data layout. */
const schema = 1;

const checkSchema =
  (keys: Keys): ConnectOptions['check'] =>
  async ({ where, send }) => {
    await send('SET', keys.schema, schema, 'NX');
    const storedSchema = Number(await send('GET', keys.schema));
    if (storedSchema !== schema)
      throw new JuryError(
        'config',
        `The data in Redis at ${where} was written by a newer version of Jury (data version ${storedSchema}, this one knows ${schema}). Update Jury, or set REDIS_URL to another database.`,
      );
  };

/**
 * Opens a store in Redis 6.2 or later: a single server, one behind Sentinel, or a cluster. It also opens while Redis is
 * down; calls then reject with `store-unavailable` until it is back.
 *
 * @throws JuryError `config` if the URL is invalid or a newer version has written the data
 */
export async function openRedisStore(url: string, options: Partial<RedisStoreOptions> = {}): Promise<Store> {
  // Shorter than the three seconds in which a chat expects an answer.
  const { warn = () => {}, prefix = 'jury', patienceMs = 2000 } = options;
  const keys = createKeys(prefix);
  const redis = await connect(url, { warn, patienceMs, check: checkSchema(keys) });
  const store: Store = {
    kind: 'redis',
    ...redisVerdicts(redis, keys),
    ...redisVotes(redis, keys),
    ...redisAdjudications(redis, keys),
    ...redisAudit(redis, keys),
    ...redisCounts(redis, keys),
    ...redisRequests(redis, keys),
    ...redisKeyValue(redis, keys),
    ...redisSettings(redis, keys),
    ...redisSchedules(redis, keys),
    ...redisStudies(redis, keys),
    forgetVoter: async (voter) => ({
      votes: await forgetVotes(redis, keys, voter),
      annotations: await forgetAnnotations(redis, keys, voter),
    }),
    ping: async () => {
      await redis.number('EXISTS', keys.schema);
    },
    proveWrite: async () => {
      await redis.text('SET', keys.value('proof'), PROOF, 'PX', minuteMs);
    },
    inspect: () => inspectRedis(redis),
    close: async () => redis.close(),
  };
  try {
    await store.ping();
  } catch (thrown) {
    if (!(thrown instanceof JuryError) || thrown.code !== 'config') return store;
    redis.close();
    throw thrown;
  }
  return store;
}
