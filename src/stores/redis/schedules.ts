import * as z from 'zod';
import type { ScheduleStore } from '../../digests/digest-schedule.ts';
import { DigestSchedule } from '../../digests/digest-schedule.ts';
import { parseStoredJson } from '../parse-stored.ts';
import { type Connection, script } from './connect.ts';
import type { Keys } from './keys.ts';

/** Progress is kept as \`version|text\`. KEYS: schedules, progress. ARGV: id. Answers it, or nothing without a schedule. */
const readScript = script(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return false end
return redis.call('HGET', KEYS[2], ARGV[1]) or '0|'
`);

/** The same with ARGV[2]: version, ARGV[3]: text. */
const replaceScript = script(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
local found = redis.call('HGET', KEYS[2], ARGV[1]) or '0|'
if string.match(found, '^(%d+)|') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], string.format('%d', tonumber(ARGV[2]) + 1) .. '|' .. ARGV[3])
return 1
`);

/** KEYS as before. ARGV: id. */
const removeScript = script(`
redis.call('HDEL', KEYS[2], ARGV[1])
return redis.call('HDEL', KEYS[1], ARGV[1])
`);

const Progress = z.string().regex(/^\d+\|/);

export const redisSchedules = (
  connection: Connection,
  { digests: { schedules, progress } }: Keys,
): ScheduleStore => ({
  saveSchedule: async (schedule) => {
    await connection.command(z.int(), 'HSET', schedules, schedule.id, JSON.stringify(schedule));
  },
  schedules: async () =>
    (await connection.command(z.array(z.string()), 'HVALS', schedules))
      .map((text) => parseStoredJson(DigestSchedule, text, 'a schedule of digests'))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  removeSchedule: async (id) =>
    (await connection.run(z.int(), removeScript, [schedules, progress], [id])) === 1,
  digestProgress: async (id) => {
    const found = await connection.run(Progress.nullable(), readScript, [schedules, progress], [id]);
    if (found === null) return null;
    const bar = found.indexOf('|');
    return { version: Number(found.slice(0, bar)), text: found.slice(bar + 1) };
  },
  replaceDigestProgress: async (id, version, text) =>
    (await connection.run(z.int(), replaceScript, [schedules, progress], [id, version, text])) === 1,
});
