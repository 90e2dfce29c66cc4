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
import type { Connection } from './connection.ts';
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

const Group = z.tuple([
  z.string(),
  z.string(),
  z.string(),
  z.string(),
  CountKey.shape.kind,
  z.string(),
  z.string(),
]);

/** The group of a key within its day, as text without line breaks. */
export const groupText = ({ channel, rubric, method, models, kind, subject, decision }: CountKey): string =>
  JSON.stringify([channel, rubric, method, models, kind, subject, decision] satisfies z.infer<typeof Group>);

function readGroup(day: string, text: string): CountKey {
  const [channel, rubric, method, models, kind, subject, decision] = parseStoredJson(Group, text, 'counts');
  return { day, channel, rubric, method, models, kind, subject, decision };
}

/** A day's counts: a flat list of `group|tally` and items. */
const Flat = z.array(z.string()).refine((flat) => flat.every((text, n) => n % 2 === 0 || /^\d+$/.test(text)));

async function countsOfDay(connection: Connection, keys: Keys, day: string): Promise<CountRow[]> {
  const flat = await connection.command(Flat, 'HGETALL', keys.counts(day));
  const groups = new Map<string, CountKey>();
  const tallyOf = tallyReader();
  const rows: CountRow[] = [];
  for (let n = 0; n + 1 < flat.length; n += 2) {
    const field = flat[n] ?? '';
    const bar = field.lastIndexOf('|');
    const group = field.slice(0, bar);
    const key = groups.get(group) ?? readGroup(day, group);
    groups.set(group, key);
    rows.push({ key, tally: tallyOf(field.slice(bar + 1)), items: Number(flat[n + 1]) });
  }
  return rows;
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
