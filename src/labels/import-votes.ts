import pLimit from 'p-limit';
import { JuryError } from '../common/errors.ts';
import type { Verdict } from '../judging/verdict.ts';
import { voteOf } from './blind-vote.ts';
import type { VoteStore } from './cast-vote.ts';
import { type RowSubject, verdictFinder } from './import-labels.ts';
import type { VerdictRecord, VerdictStore } from './verdict-record.ts';
import { isSameRight, readRight, rightOf, type Vote } from './vote.ts';

/** One person's vote in a file. */
export type VoteRow = RowSubject & {
  /** Pseudonym. */
  voter: string;
  /** What is right: `pass`, `fail`, a score, an answer's name, or `unsure`. */
  label: string;
};

type Store = VerdictStore & VoteStore;

/** What became of a row. `other`: the person has voted otherwise here, and that vote stands. */
type Outcome = 'counted' | 'unchanged' | 'other' | { problem: string };

/** Votes whose wait for the disk is shared. */
const AT_ONCE = 100;

const says = (vote: Vote, text: string, verdict: Verdict): boolean => {
  if (text === 'unsure') return vote.value === 'unsure';
  const read = readRight(text, verdict);
  const right = rightOf(vote, verdict);
  return 'right' in read && right !== null && isSameRight(right, read.right);
};

async function importVote(
  store: VoteStore,
  record: VerdictRecord,
  { voter, label }: VoteRow,
  at: number,
): Promise<Outcome> {
  const { id: verdictId } = record;
  const { verdict } = record;
  const text = label.trim().toLowerCase();
  const read = text === 'unsure' ? null : readRight(text, verdict);
  if (read !== null && 'problem' in read) return read;
  const standing = (await store.votes(verdictId)).find((vote) => vote.voter === voter);
  if (standing !== undefined) return says(standing, text, verdict) ? 'unchanged' : 'other';
  try {
    const vote = voteOf(read === null ? { kind: 'unsure' } : read.right, verdict);
    await store.castVote({ verdictId, voter, surface: 'import', at, ...vote });
    return 'counted';
  } catch (thrown) {
    if (thrown instanceof JuryError && thrown.code === 'bad-input') return { problem: thrown.message };
    throw thrown;
  }
}

/**
 * Counts votes that were cast elsewhere, or exported here. A row without a verdict's id is about every verdict on the same exchange. A
 * person has one vote on a verdict: the one that they cast in the meantime stands, so importing a file again changes nothing.
 *
 * @param now ms since the epoch, the time of the votes
 */
export async function importVotes(store: Store, rows: readonly VoteRow[], now: number) {
  const limit = pLimit(AT_ONCE);
  const counts = { counted: 0, unchanged: 0, other: 0 };
  const problems: { where: string; problem: string }[] = [];
  const verdictsFor = await verdictFinder(store, rows);
  const firsts = new Map<string, { row: VoteRow; record: VerdictRecord }>();
  for (const row of rows) {
    const matched = verdictsFor(row);
    if (typeof matched === 'string') problems.push({ where: row.where, problem: matched });
    for (const record of typeof matched === 'string' ? [] : matched) {
      const key = `${record.id}\n${row.voter}`;
      const first = firsts.get(key);
      if (first === undefined) firsts.set(key, { row, record });
      else
        problems.push({
          where: row.where,
          problem: `is a second vote of the same person, after ${first.row.where}`,
        });
    }
  }
  await Promise.all(
    [...firsts.values()].map(({ row, record }) =>
      limit(async () => {
        const outcome = await importVote(store, record, row, now);
        if (typeof outcome === 'string') counts[outcome] += 1;
        else problems.push({ where: row.where, ...outcome });
      }),
    ),
  );
  return { counts, problems };
}
