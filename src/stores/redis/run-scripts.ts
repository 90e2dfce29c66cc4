import { script } from './connection.ts';

/**
 * Keeps a trial once, with all counts. KEYS: trials, briefs, verdicts, totals, underWay, replies, outcomes. ARGV: key, trial,
 * verdict, calls, cost in nano dollars (empty: not known), failed (0 or 1), answers of the panel, place of its outcome (empty: none),
 * its outcome. Answers 1, or 0 where it was kept before.
 */
export const saveTrial = script(`
redis.call('SREM', KEYS[5], ARGV[1])
redis.call('DEL', KEYS[6])
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 0 then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[7] .. '|' .. ARGV[4] .. '|' .. ARGV[5] .. '|' .. ARGV[6])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[3])
if ARGV[8] ~= '' then redis.call('BITFIELD', KEYS[7], 'SET', 'u2', '#' .. ARGV[8], ARGV[9]) end
redis.call('HINCRBY', KEYS[4], 'trials', 1)
redis.call('HINCRBY', KEYS[4], 'calls', ARGV[4])
redis.call('HINCRBY', KEYS[4], 'failed', ARGV[6])
if ARGV[5] == '' then redis.call('HINCRBY', KEYS[4], 'unknownCosts', 1)
else redis.call('HINCRBY', KEYS[4], 'spent', ARGV[5]) end
return 1`);

/**
 * Drops a trial; its money stays spent. KEYS: trials, briefs, verdicts, totals, outcomes. ARGV: key, place of its outcome
 * (empty: none). Answers 1, or 0 where it was not kept.
 */
export const forgetTrial = script(`
local brief = redis.call('HGET', KEYS[2], ARGV[1])
if not brief then return 0 end
local calls, cost, failed = brief:match('^%d+|(%d+)|(%d*)|(%d)$')
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('HDEL', KEYS[3], ARGV[1])
if ARGV[2] ~= '' then redis.call('BITFIELD', KEYS[5], 'SET', 'u2', '#' .. ARGV[2], 0) end
redis.call('HINCRBY', KEYS[4], 'trials', -1)
redis.call('HINCRBY', KEYS[4], 'calls', -calls)
redis.call('HINCRBY', KEYS[4], 'failed', -failed)
if cost == '' then redis.call('HINCRBY', KEYS[4], 'unknownCosts', -1) end
return 1`);

/**
 * Asks the budget, by the rule of \`askBudget\` in core/run-totals.ts, and announces the trial where it may begin.
 * KEYS: totals, underWay. ARGV: key.
 */
export const beginTrial = script(`
redis.call('SREM', KEYS[2], ARGV[1])
local budget = redis.call('HGET', KEYS[1], 'budget')
if budget then
  budget = tonumber(budget)
  local spent = tonumber(redis.call('HGET', KEYS[1], 'spent') or '0')
  local trials = tonumber(redis.call('HGET', KEYS[1], 'trials') or '0')
  local others = redis.call('SCARD', KEYS[2])
  if spent >= budget then return 'stop' end
  local expected = budget
  if trials > 0 then expected = spent / trials end
  if others > 0 and spent + others * expected >= budget then return 'wait' end
end
redis.call('SADD', KEYS[2], ARGV[1])
return 'go'`);

/**
 * Gives out the next moment for a request to a provider. KEYS: rates, paces. ARGV: provider. Answers how long to wait, ms.
 * Redis' own clock, so that all machines share one.
 */
export const takeTurn = script(`
local gap = redis.call('HGET', KEYS[1], ARGV[1])
if not gap then return 0 end
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local turn = math.max(now, tonumber(redis.call('HGET', KEYS[2], ARGV[1]) or '0'))
redis.call('HSET', KEYS[2], ARGV[1], string.format('%.3f', turn + tonumber(gap)))
return math.ceil(turn - now)`);
