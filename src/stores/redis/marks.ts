import * as z from 'zod';
import type { KeyValue } from '../../common/key-value.ts';
import { type Connection, script } from './connect.ts';
import type { Keys } from './keys.ts';

/** A mark is kept as \`until|value\`; callers' clocks decide whether it stands. */
const standing = `
local function standing(key, now)
  local mark = redis.call('GET', key)
  if not mark then return nil end
  local till, value = string.match(mark, '^([^|]*)|(.*)$')
  if tonumber(till) <= tonumber(now) then return nil end
  return value
end
`;

/** KEYS: mark. ARGV: now, until, value, ms that Redis keeps it. Answers the value that stands already, or nothing. */
const setScript = script(`${standing}
local value = standing(KEYS[1], ARGV[1])
if value then return value end
redis.call('SET', KEYS[1], ARGV[2] .. '|' .. ARGV[3], 'PX', ARGV[4])
return false
`);

/** The same with ARGV[5]: what it has to hold. */
const replaceScript = script(`${standing}
if standing(KEYS[1], ARGV[1]) ~= ARGV[5] then return 0 end
redis.call('SET', KEYS[1], ARGV[2] .. '|' .. ARGV[3], 'PX', ARGV[4])
return 1
`);

/** KEYS: mark. ARGV: now. */
const readScript = script(`${standing}
return standing(KEYS[1], ARGV[1]) or false
`);

const minuteMs = 60_000;
const centuryMs = 3_155_760_000_000;
/** How long Redis keeps a mark: a minute longer than it stands, for clocks that go slow. */
const keptMs = (ttlMs: number): number => Math.ceil(Math.min(Math.max(ttlMs, 0), centuryMs)) + minuteMs;

export const redisMarks = (connection: Connection, keys: Keys): KeyValue => ({
  setIfAbsent: async (key, value, now, ttlMs) => {
    const found = await connection.run(
      z.string().nullable(),
      setScript,
      [keys.mark(key)],
      [now, now + ttlMs, value, keptMs(ttlMs)],
    );
    return found === null ? { set: true } : { set: false, value: found };
  },
  get: (key, now) => connection.run(z.string().nullable(), readScript, [keys.mark(key)], [now]),
  compareAndSet: async (key, expected, value, now, ttlMs) =>
    (await connection.run(
      z.int(),
      replaceScript,
      [keys.mark(key)],
      [now, now + ttlMs, value, keptMs(ttlMs), expected],
    )) === 1,
  delete: async (key) => {
    await connection.command(z.int(), 'DEL', keys.mark(key));
  },
});
