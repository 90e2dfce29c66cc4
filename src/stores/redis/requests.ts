import * as z from 'zod';
import { type RequestStore, SpotCheck } from '../../requests/spot-check.ts';
import { parseReadable, parseStoredJson } from '../stored-values.ts';
import { type Connection, script } from './connection.ts';
import type { Keys } from './keys.ts';

/** KEYS: data, pending, finished. ARGV: id, at, check. */
const addScript = script(`
local known_until = redis.call('ZSCORE', KEYS[3], ARGV[1])
if known_until and tonumber(known_until) > tonumber(ARGV[2]) then return 'known' end
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[3]) == 0 then return 'known' end
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
return 'added'
`);

/** Leases are stored as `until|owner`. */
const held = `
local function held(leases, id)
  local lease = redis.call('HGET', leases, id)
  if not lease then return 0, nil end
  local till, owner = string.match(lease, '^([^|]*)|(.*)$')
  return tonumber(till), owner
end
`;

/** KEYS: data, leases. ARGV: id, owner, now, until. Returns the check, or nothing. */
const claimScript = script(`${held}
local check = redis.call('HGET', KEYS[1], ARGV[1])
if not check then return false end
local till, owner = held(KEYS[2], ARGV[1])
if owner and owner ~= ARGV[2] and till > tonumber(ARGV[3]) then return false end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[4] .. '|' .. ARGV[2])
return check
`);

/** KEYS: data, leases. ARGV: id, owner, until, check. */
const noteScript = script(`${held}
local till, owner = held(KEYS[2], ARGV[1])
if owner ~= ARGV[2] or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[4])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3] .. '|' .. ARGV[2])
return 1
`);

/** KEYS: data, leases, pending. ARGV: now, limit. */
const abandonedScript = script(`${held}
local found, offset, step = {}, 0, 100
while #found < tonumber(ARGV[2]) do
  local ids = redis.call('ZRANGE', KEYS[3], offset, offset + step - 1)
  if #ids == 0 then break end
  for _, id in ipairs(ids) do
    local till = held(KEYS[2], id)
    local check = redis.call('HGET', KEYS[1], id)
    if check and till <= tonumber(ARGV[1]) and #found < tonumber(ARGV[2]) then found[#found + 1] = check end
  end
  offset = offset + step
end
return found
`);

/** KEYS: data, leases, pending, finished. ARGV: id, now, expiry. Deletes expired ones. */
const finishScript = script(`
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', ARGV[2])
if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('ZADD', KEYS[4], ARGV[3], ARGV[1])
return 1
`);

const readCheck = (text: string): SpotCheck => parseStoredJson(SpotCheck, text, 'a request');

export const redisRequests = (
  connection: Connection,
  { checks: { data, leases, pending, finished } }: Keys,
): RequestStore => ({
  addSpotCheck: (check) =>
    connection.run(
      z.enum(['added', 'known']),
      addScript,
      [data, pending, finished],
      [check.id, check.at, JSON.stringify(check)],
    ),
  claimSpotCheck: async (id, owner, now, leaseMs) => {
    const text = await connection.run(
      z.string().nullable(),
      claimScript,
      [data, leases],
      [id, owner, now, now + leaseMs],
    );
    return text === null ? null : readCheck(text);
  },
  abandonedSpotChecks: async (now, limit) =>
    parseReadable(
      SpotCheck,
      await connection.run(z.array(z.string()), abandonedScript, [data, leases, pending], [now, limit]),
    ),
  noteSpotCheck: async (check, owner, now, leaseMs) =>
    (await connection.run(
      z.int(),
      noteScript,
      [data, leases],
      [check.id, owner, now + leaseMs, JSON.stringify(check)],
    )) === 1,
  finishSpotCheck: async (id, now, keepMs) => {
    await connection.run(z.int(), finishScript, [data, leases, pending, finished], [id, now, now + keepMs]);
  },
  pendingSpotChecks: () => connection.command(z.int(), 'ZCARD', pending),
});
