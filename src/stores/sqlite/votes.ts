import * as z from 'zod';
import { Decision } from '../../judging/verdict/index.ts';
import {
  type Ballot,
  CountKey,
  type CountStore,
  noStances,
  noVotes,
  Subject,
  stancesOf,
  tallyMoves,
  tallyOf,
  type VerdictTally,
  type Vote,
  VoteTally,
} from '../../labels/record/index.ts';
import type { CastOutcome, VoteStore } from '../../labels/voting/index.ts';
import {
  countRowsOf,
  GroupCounts,
  parseStoredJson,
  StoredBallot,
  standingVote,
  storedJson,
  writeBallot,
} from '../store.ts';
import type { Database } from './database.ts';

const IdRow = z.object({ id: z.int() });

const everyKind = CountKey.shape.kind.options;

/** The id of a group, created if necessary. Call it within `write`. */
export function countGroup(database: Database, key: CountKey): number {
  const { day, channel, rubric, method, models, kind, subject, decision } = key;
  database.run`INSERT OR IGNORE INTO count_groups (day, channel, rubric, method, models, kind, subject, decision)
    VALUES (${day}, ${channel}, ${rubric}, ${method}, ${models}, ${kind}, ${subject}, ${decision})`;
  const groupRow = database.row(IdRow)`SELECT id FROM count_groups
    WHERE (day, channel, rubric, method, models, kind, subject, decision)
    = (${day}, ${channel}, ${rubric}, ${method}, ${models}, ${kind}, ${subject}, ${decision})`;
  return IdRow.parse(groupRow).id;
}

/** Adds `by` items to a tally of a group. Call it within `write`. */
export function moveCount(
  database: Database,
  group: number,
  { agree, disagree, unsure }: VoteTally,
  by: 1 | -1,
): void {
  database.run`INSERT INTO counts VALUES (${group}, ${agree}, ${disagree}, ${unsure}, ${by})
    ON CONFLICT DO UPDATE SET items = items + excluded.items`;
  database.run`DELETE FROM counts
    WHERE group_id = ${group} AND agree = ${agree} AND disagree = ${disagree} AND unsure = ${unsure} AND items = 0`;
}

export const sqliteCounts = (database: Database): CountStore => ({
  counts: async ({ from, to, kinds = everyKind }) => {
    const groups = await database.all(GroupCounts)`SELECT
      json_array(channel, rubric, method, models, kind, subject, decision) AS name,
      group_concat(day || ' ' || agree || ',' || disagree || ',' || unsure || ' ' || items, ';') AS counts
      FROM count_groups JOIN counts ON group_id = id
      WHERE day BETWEEN ${from} AND ${to} AND kind IN (SELECT value FROM json_each(${JSON.stringify(kinds)}))
      GROUP BY channel, rubric, method, models, kind, subject, decision`;
    return countRowsOf(groups);
  },
});

const StandingRow = z.object({
  decided: Decision,
  subjects: storedJson(z.array(Subject), 'subjects of a verdict'),
  groups: storedJson(z.array(z.int()), 'groups of a verdict'),
  tallies: storedJson(z.array(VoteTally), 'tallies of a verdict'),
});
type Standing = z.infer<typeof StandingRow>;
const VoteRow = z.object({ voter: z.string(), at: z.number(), stances: z.string(), ballot: z.string() });

const standing = (database: Database, verdictId: string): Standing | null =>
  database.row(StandingRow)`SELECT decided, subjects, groups, tallies FROM standings
    WHERE verdict_id = ${verdictId}`;

/** Moves a verdict's tallies and the counts when a voter's stances change. */
function moveTallies(
  database: Database,
  verdictId: string,
  at: Standing,
  before: string,
  after: string,
): VoteTally {
  const tallies = [...at.tallies];
  for (const { place, from, to } of tallyMoves(at.tallies, before, after)) {
    tallies[place] = to;
    const group = at.groups[place - 1];
    if (group === undefined) continue;
    moveCount(database, group, from, -1);
    moveCount(database, group, to, +1);
  }
  database.run`UPDATE standings SET tallies = ${JSON.stringify(tallies)} WHERE verdict_id = ${verdictId}`;
  return tallies[0] ?? noVotes;
}

function toVote(
  verdictId: string,
  { voter, at, ballot }: z.infer<typeof VoteRow>,
  decided: Decision,
): Vote | null {
  return standingVote({ verdictId, voter, at }, parseStoredJson(StoredBallot, ballot, 'a vote'), decided);
}

/** For a verdict without a decision, tallies the answers themselves. */
const tallyOn = (
  database: Database,
  verdictId: string,
  { decided }: Standing,
  own: VoteTally,
): VerdictTally => (decided === 'undecided' ? tallyOf(votesOf(database, verdictId)) : own);

function cast(database: Database, ballot: Ballot): CastOutcome {
  const { verdictId, voter, at } = ballot;
  const now = standing(database, verdictId);
  if (now === null) return { status: 'unknown-verdict' };
  const tallyNow = (own = now.tallies[0]) => tallyOn(database, verdictId, now, own ?? noVotes);
  const old = database.row(VoteRow)`SELECT voter, at, stances, ballot FROM votes
    WHERE verdict_id = ${verdictId} AND voter = ${voter}`;
  if (old !== null && at <= old.at) {
    const status = at < old.at ? 'outdated' : 'unchanged';
    return { status, tally: tallyNow(), standing: toVote(verdictId, old, now.decided) };
  }
  const text = writeBallot(ballot);
  const stances = stancesOf(now.subjects, now.decided, ballot);
  database.run`INSERT INTO votes VALUES (${verdictId}, ${voter}, ${at}, ${stances}, ${text})
    ON CONFLICT DO UPDATE SET at = excluded.at, stances = excluded.stances, ballot = excluded.ballot`;
  const before = old?.stances ?? noStances(now.subjects);
  const moved = before === stances ? undefined : moveTallies(database, verdictId, now, before, stances);
  // All ballots that count nowhere are equivalent.
  const stood = old?.ballot === text || (stances.startsWith('-') && before.startsWith('-'));
  return {
    status: stood ? 'unchanged' : 'counted',
    tally: tallyNow(moved),
    standing: toVote(verdictId, { voter, at, stances, ballot: text }, now.decided),
  };
}

/** Deletes a voter's votes; call it within a transaction. Returns the number of deleted votes. */
export function forgetVotes(database: Database, voter: string): number {
  const rows = database.rows(
    VoteRow.extend({ verdict_id: z.string() }),
  )`SELECT verdict_id, voter, at, stances, ballot FROM votes WHERE voter = ${voter}`;
  for (const { verdict_id: verdictId, stances } of rows) {
    const now = standing(database, verdictId);
    if (now !== null) moveTallies(database, verdictId, now, stances, noStances(now.subjects));
  }
  database.run`DELETE FROM votes WHERE voter = ${voter}`;
  return rows.filter(({ stances }) => !stances.startsWith('-')).length;
}

export function votesOf(database: Database, verdictId: string): Vote[] {
  return database.rows(VoteRow.extend({ decided: Decision }))`SELECT voter, at, stances, ballot, decided
    FROM votes JOIN standings USING (verdict_id) WHERE verdict_id = ${verdictId} ORDER BY at, voter`
    .map((row) => toVote(verdictId, row, row.decided))
    .filter((vote) => vote !== null);
}

export const sqliteVotes = (
  database: Database,
): Pick<VoteStore, 'castVote' | 'tally' | 'votes' | 'votesOn'> => ({
  castVote: (ballot) => database.write(() => cast(database, ballot)),
  tally: (verdictId) =>
    database.read(() => {
      const now = standing(database, verdictId);
      return now === null ? noVotes : tallyOn(database, verdictId, now, now.tallies[0] ?? noVotes);
    }),
  votes: (verdictId) => database.read(() => votesOf(database, verdictId)),
  votesOn: (verdictIds) => database.read(() => verdictIds.map((id) => votesOf(database, id))),
});
