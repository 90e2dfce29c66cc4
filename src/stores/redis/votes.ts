import * as z from 'zod';
import { Decision } from '../../judging/verdict/index.ts';
import {
  type Ballot,
  CountKey,
  type CountStore,
  noVotes,
  Subject,
  stancesOf,
  tallyOf,
  type VerdictTally,
  type Vote,
  type VoteTally,
} from '../../labels/record/index.ts';
import type { CastOutcome, VoteStore } from '../../labels/voting/index.ts';
import {
  countRowsOf,
  GroupCounts,
  parseStored,
  parseStoredJson,
  readTally,
  StoredBallot,
  standingVote,
  writeBallot,
} from '../store.ts';
import { type Connection, type Keys, Pairs, script } from './connection.ts';

/**
 * Moves a verdict's tallies and counts, position by position in the stances, like `tallyMoves`. The first position is
 * the vote itself, which no group counts.
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

/** KEYS: verdict, votes, counts, voter. ARGV: verdict id, voter, at, stances, ballot. Returns status, tallies, kept. */
const castVote = script(
  z.tuple([z.enum(['counted', 'unchanged', 'outdated', 'unknown-verdict']), z.string(), z.string()]),
)`${move}
local tallies = redis.call('HGET', KEYS[1], 'tallies')
if not tallies then return { 'unknown-verdict', '', '' } end
local at, stances, ballot = ARGV[3], ARGV[4], ARGV[5]
local taken_back = string.sub(stances, 1, 1) == '-'
local before, stood = string.rep('-', #stances), taken_back
local old = redis.call('HGET', KEYS[2], ARGV[2])
if old then
  local old_at, old_vote = split(old)
  local late = not_newer(at, old_at)
  if late then return { late, tallies, old } end
  local old_stances, old_ballot = string.match(old_vote, '^([^|]*)|(.*)$')
  before = old_stances
  stood = old_ballot == ballot or (taken_back and string.sub(old_stances, 1, 1) == '-')
end
local kept = at .. '|' .. stances .. '|' .. ballot
redis.call('HSET', KEYS[2], ARGV[2], kept)
redis.call('SADD', KEYS[4], ARGV[1])
if before ~= stances then tallies = move(KEYS[1], KEYS[3], before, stances) end
return { stood and 'unchanged' or 'counted', tallies, kept }`;

/** KEYS: verdict, votes, counts, voter. ARGV: verdict id, voter. Returns the number of deleted votes, 0 or 1. */
const forgetVote = script(z.int())`${move}
redis.call('SREM', KEYS[4], ARGV[1])
local old = redis.call('HGET', KEYS[2], ARGV[2])
if not old then return 0 end
redis.call('HDEL', KEYS[2], ARGV[2])
local stances = string.match(old, '^[^|]*|([^|]*)|')
if redis.call('EXISTS', KEYS[1]) == 1 then move(KEYS[1], KEYS[3], stances, string.rep('-', #stances)) end
return string.sub(stances, 1, 1) == '-' and 0 or 1`;

const DECISION = 'the decision of a verdict';
const Kept = z.string().regex(/^[^|]+\|[adur-]+\|/);

/** A verdict's tallies look like `1,0,2;0,0,1`; the first is that of the vote itself. */
const ownTally = (tallies: string): VoteTally => readTally(tallies.split(';')[0] ?? '');

function readVote(verdictId: string, voter: string, kept: string, decided: Decision): Vote | null {
  const [at = '', , ...rest] = parseStored(Kept, kept, 'a vote').split('|');
  const ballot = parseStoredJson(StoredBallot, rest.join('|'), 'a vote');
  return standingVote({ verdictId, voter, at: Number(at) }, ballot, decided);
}

/** The votes in a verdict's hash, oldest first. */
const votesIn = (verdictId: string, decided: Decision, pairs: z.output<typeof Pairs>): Vote[] =>
  pairs
    .map(([voter, kept]) => readVote(verdictId, voter, kept, decided))
    .filter((vote) => vote !== null)
    .sort((a, b) => a.at - b.at || (a.voter < b.voter ? -1 : 1));

/**
 * KEYS: some verdicts, each followed by its votes. Returns the decision and votes of each; empty for a deleted verdict.
 */
const readVotes = script(z.array(z.tuple([z.string(), Pairs])))`
local found = {}
for n = 1, #KEYS, 2 do
  local decided = redis.call('HGET', KEYS[n], 'decided')
  found[#found + 1] = { decided or '', decided and redis.call('HGETALL', KEYS[n + 1]) or {} }
end
return found`;

async function votesOn(redis: Connection, keys: Keys, verdictIds: readonly string[]): Promise<Vote[][]> {
  if (verdictIds.length === 0) return [];
  const touched = verdictIds.flatMap((id) => [keys.verdict(id), keys.votes(id)]);
  const all = await redis.run(readVotes, touched, []);
  return verdictIds.map((id, index) => {
    const [decided = '', pairs = []] = all[index] ?? [];
    return decided === '' ? [] : votesIn(id, parseStored(Decision, decided, DECISION), pairs);
  });
}

/** Current votes on a verdict, oldest first. */
export const votesOf = async (redis: Connection, keys: Keys, verdictId: string): Promise<Vote[]> =>
  (await votesOn(redis, keys, [verdictId]))[0] ?? [];

/**
 * For a verdict without a decision, tallies the answers themselves.
 *
 * @param tallies as stored
 */
const tallyOn = async (
  redis: Connection,
  keys: Keys,
  verdictId: string,
  decided: string,
  tallies: string,
): Promise<VerdictTally> =>
  decided === 'undecided' ? tallyOf(await votesOf(redis, keys, verdictId)) : ownTally(tallies);

const Subjects = z.array(Subject);

async function cast(redis: Connection, keys: Keys, ballot: Ballot): Promise<CastOutcome> {
  const { verdictId, voter, at } = ballot;
  const verdict = keys.verdict(verdictId);
  // These three never change while the verdict exists; the script checks that it does.
  const [subjects, decided, day] = await redis.values(verdict, 'subjects', 'decided', 'day');
  if (!subjects || !decided || !day) return { status: 'unknown-verdict' };
  const decision = parseStored(Decision, decided, DECISION);
  const stances = stancesOf(parseStoredJson(Subjects, subjects, 'subjects of a verdict'), decision, ballot);
  const [status, tallies, kept] = await redis.run(
    castVote,
    [verdict, keys.votes(verdictId), keys.counts(day), keys.voter(voter)],
    [verdictId, voter, at, stances, writeBallot(ballot)],
  );
  if (status === 'unknown-verdict') return { status };
  const tally = await tallyOn(redis, keys, verdictId, decided, tallies);
  return { status, tally, standing: readVote(verdictId, voter, kept, decision) };
}

/**
 * Deletes a voter's votes. Atomic per verdict; if interrupted, the next call continues. Resolves to the number of
 * deleted votes.
 */
export async function forgetVotes(redis: Connection, keys: Keys, voter: string): Promise<number> {
  let gone = 0;
  for (const id of await redis.texts('SMEMBERS', keys.voter(voter))) {
    // A deleted verdict has no counts to move, so any day will do.
    const day = (await redis.text('HGET', keys.verdict(id), 'day')) ?? '';
    const touched = [keys.verdict(id), keys.votes(id), keys.counts(day), keys.voter(voter)];
    gone += await redis.run(forgetVote, touched, [id, voter]);
  }
  return gone;
}

export const redisVotes = (
  redis: Connection,
  keys: Keys,
): Pick<VoteStore, 'castVote' | 'tally' | 'votes' | 'votesOn'> => ({
  castVote: (ballot) => cast(redis, keys, ballot),
  tally: async (verdictId) => {
    const [decided, tallies] = await redis.values(keys.verdict(verdictId), 'decided', 'tallies');
    return !decided || !tallies ? noVotes : tallyOn(redis, keys, verdictId, decided, tallies);
  },
  votes: (verdictId) => votesOf(redis, keys, verdictId),
  votesOn: (verdictIds) => votesOn(redis, keys, verdictIds),
});

/**
 * KEYS: counts of some days. ARGV: wanted kinds as JSON, then the days. Returns each group with its counts, see
 * `GroupCounts`.
 */
const readCounts = script(z.array(z.tuple([z.string(), z.string()])))`
local wanted = {}
for _, kind in ipairs(cjson.decode(ARGV[1])) do wanted[kind] = true end
local names, counts = {}, {}
for n = 1, #KEYS do
  local fields = redis.call('HGETALL', KEYS[n])
  for place = 1, #fields, 2 do
    local group, tally = string.match(fields[place], '^(.*)|([%d,]*)$')
    if counts[group] == nil then
      counts[group] = wanted[cjson.decode(group)[5]] and {} or false
      if counts[group] then names[#names + 1] = group end
    end
    local own = counts[group]
    if own then own[#own + 1] = ARGV[n + 1] .. ' ' .. tally .. ' ' .. fields[place + 1] end
  end
end
local found = {}
for n, group in ipairs(names) do found[n] = { group, table.concat(counts[group], ';') } end
return found`;

/** Days read per call, so that other commands do not wait long for Redis. */
const DAYS_AT_ONCE = 15;

export const redisCounts = (redis: Connection, keys: Keys): CountStore => ({
  counts: async ({ from, to, kinds = CountKey.shape.kind.options }) => {
    const days = await redis.texts('ZRANGEBYLEX', keys.days, `[${from}`, `[${to}`);
    const pages = Array.from({ length: Math.ceil(days.length / DAYS_AT_ONCE) }, (_, page) =>
      days.slice(page * DAYS_AT_ONCE, (page + 1) * DAYS_AT_ONCE),
    );
    const read = await Promise.all(
      pages.map((page) => redis.run(readCounts, page.map(keys.counts), [JSON.stringify(kinds), ...page])),
    );
    return countRowsOf(
      read.flat().map(([name, counts]) => parseStored(GroupCounts, { name, counts }, 'counts')),
    );
  },
});
