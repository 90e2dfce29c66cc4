import { createHash } from 'node:crypto';

/** How many parts the verdicts are spread over, so that a cluster can share the load. Never changes. */
const shards = 16;

/**
 * Where things are. What one script touches has one hash tag (`{…}`), so that a cluster keeps it on one node: a verdict,
 * its votes, and the share of the indexes and counts that its part of the verdicts has.
 */
export interface Keys {
  /** All parts, for what is read or erased everywhere. */
  shards: readonly ShardKeys[];
  shardOf(verdictId: string): ShardKeys;
  /** Requests are few: they share one tag. */
  checks: { data: string; leases: string; pending: string; finished: string };
  mark(key: string): string;
  settings(channel: string): string;
  schema: string;
}

export interface ShardKeys {
  /** Hash: the record and what a vote on it needs. */
  verdict(id: string): string;
  /** Hash: voter to `at|stances|ballot`. */
  votes(id: string): string;
  /** Sorted set: verdict ids by time, of all channels or of one. */
  recent(channel: string | null): string;
  /** Set: ids of the verdicts that somebody has a ballot on. */
  voter(voter: string): string;
  /** Hash: `group|agree,disagree,unsure` to items, of a day. */
  counts(day: string): string;
  /** Sorted set: the days that have counts. */
  days: string;
}

function shardKeys(tag: string): ShardKeys {
  return {
    verdict: (id) => `${tag}:verdict:${id}`,
    votes: (id) => `${tag}:votes:${id}`,
    recent: (channel) => (channel === null ? `${tag}:recent` : `${tag}:recent:${channel}`),
    voter: (voter) => `${tag}:voter:${voter}`,
    counts: (day) => `${tag}:counts:${day}`,
    days: `${tag}:days`,
  };
}

/** The layout below a prefix, which holds no braces. */
export function createKeys(prefix: string): Keys {
  const all = Array.from({ length: shards }, (_, n) => shardKeys(`{${prefix}:${n}}`));
  const checks = `{${prefix}:checks}`;
  return {
    shards: all,
    shardOf: (verdictId) => {
      const n = createHash('sha1').update(verdictId).digest().readUInt8(0) % shards;
      return all[n] ?? shardKeys(`{${prefix}:${n}}`);
    },
    checks: {
      data: `${checks}:data`,
      leases: `${checks}:leases`,
      pending: `${checks}:pending`,
      finished: `${checks}:finished`,
    },
    mark: (key) => `${prefix}:mark:${key}`,
    settings: (channel) => `${prefix}:settings:${channel}`,
    schema: `${prefix}:schema`,
  };
}
