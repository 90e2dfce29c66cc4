import { script } from './connection.ts';

/**
 * Moves the tallies of a verdict and the counts with them: place by place of the stances, as `tallyMoves` of the core
 * does. The first place is the vote itself, which no group counts.
 */
const move = `
local place_of = { a = 1, d = 2, u = 3 }
local function move(verdict, counts, before, after)
  local fields = redis.call('HMGET', verdict, 'tallies', 'groups')
  local next_group = string.gmatch(fields[2], '[^\\n]+')
  local tallies = {}
  for text in string.gmatch(fields[1], '[^;]+') do
    local place = #tallies + 1
    local group = place > 1 and next_group() or nil
    local old, now = string.sub(before, place, place), string.sub(after, place, place)
    if old ~= now then
      local tally = {}
      for n in string.gmatch(text, '%d+') do tally[#tally + 1] = tonumber(n) end
      if place_of[old] then tally[place_of[old]] = tally[place_of[old]] - 1 end
      if place_of[now] then tally[place_of[now]] = tally[place_of[now]] + 1 end
      local moved = table.concat(tally, ',')
      if group then
        if redis.call('HINCRBY', counts, group .. '|' .. text, -1) == 0 then
          redis.call('HDEL', counts, group .. '|' .. text)
        end
        redis.call('HINCRBY', counts, group .. '|' .. moved, 1)
      end
      text = moved
    end
    tallies[place] = text
  end
  local joined = table.concat(tallies, ';')
  redis.call('HSET', verdict, 'tallies', joined)
  return joined
end
`;

/** KEYS: verdict, recent, recent of the channel, counts, days. ARGV: id, at, day, groups, then the verdict's fields. */
export const saveScript = script(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 'known' end
redis.call('HSET', KEYS[1], unpack(ARGV, 5))
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
redis.call('ZADD', KEYS[3], ARGV[2], ARGV[1])
redis.call('ZADD', KEYS[5], 0, ARGV[3])
for group in string.gmatch(ARGV[4], '[^\\n]+') do redis.call('HINCRBY', KEYS[4], group .. '|0,0,0', 1) end
return 'saved'
`);

/** KEYS: verdict, votes, counts, voter. ARGV: verdict id, voter, at, stances, ballot. Answers status, tallies, kept. */
export const castScript = script(`${move}
local tallies = redis.call('HGET', KEYS[1], 'tallies')
if not tallies then return { 'unknown-verdict', '', '' } end
local at, stances, ballot = ARGV[3], ARGV[4], ARGV[5]
local taken_back = string.sub(stances, 1, 1) == '-'
local before, stood = string.rep('-', #stances), taken_back
local old = redis.call('HGET', KEYS[2], ARGV[2])
if old then
  local old_at, old_stances, old_ballot = string.match(old, '^([^|]*)|([^|]*)|(.*)$')
  if tonumber(at) < tonumber(old_at) then return { 'outdated', tallies, old } end
  if tonumber(at) == tonumber(old_at) then return { 'unchanged', tallies, old } end
  before = old_stances
  stood = old_ballot == ballot or (taken_back and string.sub(old_stances, 1, 1) == '-')
end
local kept = at .. '|' .. stances .. '|' .. ballot
redis.call('HSET', KEYS[2], ARGV[2], kept)
redis.call('SADD', KEYS[4], ARGV[1])
if before ~= stances then tallies = move(KEYS[1], KEYS[3], before, stances) end
return { stood and 'unchanged' or 'counted', tallies, kept }
`);

/** KEYS: verdict, votes, counts, voter. ARGV: verdict id, voter. Answers how many standing votes went: 0 or 1. */
export const forgetScript = script(`${move}
redis.call('SREM', KEYS[4], ARGV[1])
local old = redis.call('HGET', KEYS[2], ARGV[2])
if not old then return 0 end
redis.call('HDEL', KEYS[2], ARGV[2])
local stances = string.match(old, '^[^|]*|([^|]*)|')
if redis.call('EXISTS', KEYS[1]) == 1 then move(KEYS[1], KEYS[3], stances, string.rep('-', #stances)) end
return string.sub(stances, 1, 1) == '-' and 0 or 1
`);

/** KEYS: verdict, votes, recent, recent of the channel, adjudications, then each voter. ARGV: id. -1: somebody voted meanwhile. */
export const pruneScript = script(`
if redis.call('HLEN', KEYS[2]) ~= #KEYS - 5 then return -1 end
for n = 6, #KEYS do redis.call('SREM', KEYS[n], ARGV[1]) end
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('HDEL', KEYS[5], ARGV[1])
redis.call('DEL', KEYS[2])
return redis.call('DEL', KEYS[1])
`);
