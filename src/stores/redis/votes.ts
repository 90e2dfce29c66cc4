import * as z from 'zod';
import { Decision } from '../../judging/verdict.ts';
import type { CastOutcome, VoteStore } from '../../labels/cast-vote.ts';
import { Subject, stancesOf } from '../../labels/subject.ts';
import { type Ballot, noVotes, type Vote, type VoteTally } from '../../labels/vote.ts';
import { parseStored, parseStoredJson } from '../parse-stored.ts';
import { StoredBallot, standingVote, writeBallot } from '../stored-ballot.ts';
import { readTally } from '../tally-text.ts';
import type { Connection } from './connect.ts';
import type { Keys } from './keys.ts';
import { castScript, forgetScript } from './scripts.ts';

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

/** The first of the tallies of a verdict, `1,0,2;0,0,1`, is the one of the vote itself. */
const ownTally = (tallies: string): VoteTally => readTally(tallies.split(';')[0] ?? '');

function readVote(verdictId: string, voter: string, kept: string): Vote | null {
  const [at = '', , ...rest] = parseStored(Kept, kept, 'a vote').split('|');
  const ballot = parseStoredJson(StoredBallot, rest.join('|'), 'a vote');
  return standingVote({ verdictId, voter, at: Number(at) }, ballot);
}

/** Standing votes on a verdict, oldest first. */
export async function votesOf(connection: Connection, keys: Keys, verdictId: string): Promise<Vote[]> {
  const flat = await connection.command(z.array(z.string()), 'HGETALL', keys.votes(verdictId));
  const votes: Vote[] = [];
  for (let n = 0; n + 1 < flat.length; n += 2) {
    const vote = readVote(verdictId, flat[n] ?? '', flat[n + 1] ?? '');
    if (vote !== null) votes.push(vote);
  }
  return votes.sort((a, b) => a.at - b.at || (a.voter < b.voter ? -1 : 1));
}

async function cast(connection: Connection, keys: Keys, ballot: Ballot): Promise<CastOutcome> {
  const { verdictId, voter } = ballot;
  // These three never change while the verdict is kept; that it is kept, the script sees for itself.
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

/** Atomic verdict by verdict; where it is cut short, the next call goes on. Resolves to how many votes stood. */
export async function forgetVotes(connection: Connection, keys: Keys, voter: string): Promise<number> {
  let gone = 0;
  for (const id of await connection.command(z.array(z.string()), 'SMEMBERS', keys.voter(voter))) {
    // A verdict that is not kept has no counts to move; any day will do.
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
