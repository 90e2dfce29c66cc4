import * as z from 'zod';
import { type RequestStore, SpotCheck } from '../../requests/spot-check.ts';
import { parseReadable, storedJson } from '../stored-values.ts';
import { type Connection, script } from './connection.ts';
import type { Keys } from './keys.ts';

// Leases are stored as `until|owner`.

/** KEYS: data, pending, finished. ARGV: id, at, check. */
const add = script(z.enum(['added', 'known']))`
local known_until = redis.call('ZSCORE', KEYS[3], ARGV[1])
if known_until and tonumber(known_until) > tonumber(ARGV[2]) then return 'known' end
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[3]) == 0 then return 'known' end
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
return 'added'`;

/** KEYS: data, leases. ARGV: id, owner, now, until. Returns the check, or nothing. */
const claim = script(storedJson(SpotCheck, 'a request').nullable())`
local check = redis.call('HGET', KEYS[1], ARGV[1])
if not check then return false end
local till, owner = split(redis.call('HGET', KEYS[2], ARGV[1]))
if owner and owner ~= ARGV[2] and till > tonumber(ARGV[3]) then return false end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[4] .. '|' .. ARGV[2])
return check`;

/** KEYS: data, leases. ARGV: id, owner, until, check. */
const note = script(z.int())`
local till, owner = split(redis.call('HGET', KEYS[2], ARGV[1]))
if owner ~= ARGV[2] or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[4])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3] .. '|' .. ARGV[2])
return 1`;

/** KEYS: data, leases, pending. ARGV: now, limit. */
const abandoned = script(z.array(z.string()))`
local found, offset, step = {}, 0, 100
while #found < tonumber(ARGV[2]) do
  local ids = redis.call('ZRANGE', KEYS[3], offset, offset + step - 1)
  if #ids == 0 then break end
  for _, id in ipairs(ids) do
    local till = split(redis.call('HGET', KEYS[2], id)) or 0
    local check = redis.call('HGET', KEYS[1], id)
    if check and till <= tonumber(ARGV[1]) and #found < tonumber(ARGV[2]) then found[#found + 1] = check end
  end
  offset = offset + step
end
return found`;

/** KEYS: data, leases, pending, finished. ARGV: id, now, expiry. Deletes expired ones. */
const finish = script(z.int())`
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', ARGV[2])
if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('ZADD', KEYS[4], ARGV[3], ARGV[1])
return 1`;

export const redisRequests = (
  redis: Connection,
  { checks: { data, leases, pending, finished } }: Keys,
): RequestStore => ({
  addSpotCheck: (check) =>
    redis.run(add, [data, pending, finished], [check.id, check.at, JSON.stringify(check)]),
  claimSpotCheck: (id, owner, now, leaseMs) =>
    redis.run(claim, [data, leases], [id, owner, now, now + leaseMs]),
  abandonedSpotChecks: async (now, limit) =>
    parseReadable(SpotCheck, await redis.run(abandoned, [data, leases, pending], [now, limit])),
  noteSpotCheck: async (check, owner, now, leaseMs) => {
    const args = [check.id, owner, now + leaseMs, JSON.stringify(check)];
    return (await redis.run(note, [data, leases], args)) === 1;
  },
  finishSpotCheck: async (id, now, keepMs) => {
    await redis.run(finish, [data, leases, pending, finished], [id, now, now + keepMs]);
  },
  pendingSpotChecks: () => redis.number('ZCARD', pending),
});
