import * as z from 'zod';
import { Decision } from '../../judging/verdict.ts';
import type { CastOutcome, VoteStore } from '../../labels/cast-vote.ts';
import { CountKey, type CountRow, type CountStore } from '../../labels/verdict-record.ts';
import { type Ballot, noVotes, Subject, stancesOf, type Vote, type VoteTally } from '../../labels/vote.ts';
import {
  parseStored,
  parseStoredJson,
  readTally,
  StoredBallot,
  standingVote,
  tallyReader,
  writeBallot,
} from '../stored-values.ts';
import { type Connection, Pairs, script } from './connection.ts';
import type { Keys } from './keys.ts';

/**
 * Moves a verdict's tallies and the counts, place by place of the stances, like `tallyMoves`. The first place is the vote itself, which
 * no group counts.
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
const castScript = script(`${move}
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

/** KEYS: verdict, votes, counts, voter. ARGV: verdict id, voter. Returns the number of deleted votes: 0 or 1. */
const forgetScript = script(`${move}
redis.call('SREM', KEYS[4], ARGV[1])
local old = redis.call('HGET', KEYS[2], ARGV[2])
if not old then return 0 end
redis.call('HDEL', KEYS[2], ARGV[2])
local stances = string.match(old, '^[^|]*|([^|]*)|')
if redis.call('EXISTS', KEYS[1]) == 1 then move(KEYS[1], KEYS[3], stances, string.rep('-', #stances)) end
return string.sub(stances, 1, 1) == '-' and 0 or 1
`);

const Kept = z.string().regex(/^[^|]+\|[adu-]+\|/);
const CastReply = z.tuple([
  z.enum(['counted', 'unchanged', 'outdated', 'unknown-verdict']),
  z.string(),
  z.string(),
]);
const Basis = z.union([
  z.tuple([z.string(), z.string(), z.string()]).transform(([subjects, decided, day]) => ({
    subjects: parseStoredJson(z.array(Subject), subjects, 'subjects of a verdict'),
    decided: parseStored(Decision, decided, 'the decision of a verdict'),
    day,
  })),
  z.tuple([z.null(), z.null(), z.null()]).transform(() => null),
]);

/** The first tally of a verdict, as in `1,0,2;0,0,1`, is that of the vote itself. */
const ownTally = (tallies: string): VoteTally => readTally(tallies.split(';')[0] ?? '');

function readVote(verdictId: string, voter: string, kept: string): Vote | null {
  const [at = '', , ...rest] = parseStored(Kept, kept, 'a vote').split('|');
  const ballot = parseStoredJson(StoredBallot, rest.join('|'), 'a vote');
  return standingVote({ verdictId, voter, at: Number(at) }, ballot);
}

/** Current votes on a verdict, oldest first. */
export async function votesOf(connection: Connection, keys: Keys, verdictId: string): Promise<Vote[]> {
  const kept = await connection.command(Pairs, 'HGETALL', keys.votes(verdictId));
  return kept
    .map(([voter, text]) => readVote(verdictId, voter, text))
    .filter((vote) => vote !== null)
    .sort((a, b) => a.at - b.at || (a.voter < b.voter ? -1 : 1));
}

async function cast(connection: Connection, keys: Keys, ballot: Ballot): Promise<CastOutcome> {
  const { verdictId, voter } = ballot;
  // These three never change while the verdict exists; the script checks that it does.
  const basis = await connection.command(
    Basis,
    'HMGET',
    keys.verdict(verdictId),
    'subjects',
    'decided',
    'day',
  );
  if (basis === null) return { status: 'unknown-verdict' };
  const [status, tallies, kept] = await connection.run(
    CastReply,
    castScript,
    [keys.verdict(verdictId), keys.votes(verdictId), keys.counts(basis.day), keys.voter(voter)],
    [verdictId, voter, ballot.at, stancesOf(basis.subjects, basis.decided, ballot), writeBallot(ballot)],
  );
  if (status === 'unknown-verdict') return { status };
  return { status, tally: ownTally(tallies), standing: readVote(verdictId, voter, kept) };
}

/** Atomic per verdict; if interrupted, the next call continues. Resolves to the number of deleted votes. */
export async function forgetVotes(connection: Connection, keys: Keys, voter: string): Promise<number> {
  let gone = 0;
  for (const id of await connection.command(z.array(z.string()), 'SMEMBERS', keys.voter(voter))) {
    // A deleted verdict has no counts to move, so any day will do.
    const day = await connection.command(z.string().nullable(), 'HGET', keys.verdict(id), 'day');
    gone += await connection.run(
      z.int(),
      forgetScript,
      [keys.verdict(id), keys.votes(id), keys.counts(day ?? ''), keys.voter(voter)],
      [id, voter],
    );
  }
  return gone;
}

export const redisVotes = (
  connection: Connection,
  keys: Keys,
): Pick<VoteStore, 'castVote' | 'tally' | 'votes'> => ({
  castVote: (ballot) => cast(connection, keys, ballot),
  tally: async (verdictId) => {
    const tallies = await connection.command(
      z.string().nullable(),
      'HGET',
      keys.verdict(verdictId),
      'tallies',
    );
    return tallies === null ? noVotes : ownTally(tallies);
  },
  votes: (verdictId) => votesOf(connection, keys, verdictId),
});

const Group = z.tuple([
  z.string(),
  z.string(),
  z.string(),
  z.string(),
  CountKey.shape.kind,
  z.string(),
  z.string(),
]);

/** The group of a key within its day, without line breaks. */
export const groupText = ({ channel, rubric, method, models, kind, subject, decision }: CountKey): string =>
  JSON.stringify([channel, rubric, method, models, kind, subject, decision] satisfies z.infer<typeof Group>);

function readGroup(day: string, text: string): CountKey {
  const [channel, rubric, method, models, kind, subject, decision] = parseStoredJson(Group, text, 'counts');
  return { day, channel, rubric, method, models, kind, subject, decision };
}

const Items = z.int().min(0);

/** A day's counts: `group|tally` and items. */
async function countsOfDay(connection: Connection, keys: Keys, day: string): Promise<CountRow[]> {
  const pairs = await connection.command(Pairs, 'HGETALL', keys.counts(day));
  const groups = new Map<string, CountKey>();
  const tallyOf = tallyReader();
  return pairs.map(([field, items]) => {
    const bar = field.lastIndexOf('|');
    const group = field.slice(0, bar);
    const key = groups.get(group) ?? readGroup(day, group);
    groups.set(group, key);
    return { key, tally: tallyOf(field.slice(bar + 1)), items: parseStored(Items, Number(items), 'counts') };
  });
}

export const redisCounts = (connection: Connection, keys: Keys): CountStore => ({
  counts: async ({ from, to }) => {
    const days = await connection.command(
      z.array(z.string()),
      'ZRANGEBYLEX',
      keys.days,
      `[${from}`,
      `[${to}`,
    );
    return (await Promise.all(days.map((day) => countsOfDay(connection, keys, day)))).flat();
  },
});
