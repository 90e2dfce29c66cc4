/**
 * Where things are. All that one script touches has one hash tag (`{…}`), so that a cluster keeps it on one node: there is
 * one tag for verdicts, votes and counts, one for requests, one for schedules and one for studies. Values under keys and settings stand alone and spread.
 */
export interface Keys {
  /** Hash: the record and what a vote on it needs. */
  verdict(id: string): string;
  /** Hash: voter to `at|stances|ballot`. */
  votes(id: string): string;
  /** Sorted set: verdict ids by time, of all channels or of one. */
  recent(channel: string | null): string;
  /** Set: ids of the verdicts that a voter has a ballot on. */
  voter(voter: string): string;
  /** Hash: verdict id to `at|ruling`. */
  adjudications: string;
  /** Hash: `group|agree,disagree,unsure` to items, of a day. */
  counts(day: string): string;
  /** Sorted set: the days that have counts. */
  days: string;
  checks: { data: string; leases: string; pending: string; finished: string };
  mark(key: string): string;
  settings(channel: string): string;
  /** Hashes by schedule id: the schedule, and `version|progress`. */
  digests: { schedules: string; progress: string };
  /**
   * Hashes: study id to its entry and to the study, each without annotators; `study|annotator` to their place; set: closed
   * ones; and a hash for each annotator of a study, case to `at|answers`.
   */
  studies: {
    entries: string;
    bodies: string;
    annotators: string;
    closed: string;
    annotations(id: string, annotator: string): string;
  };
  schema: string;
}

/** The layout below a prefix, which holds no braces. */
export function createKeys(prefix: string): Keys {
  const labels = `{${prefix}:labels}`;
  const checks = `{${prefix}:checks}`;
  const studies = `{${prefix}:studies}`;
  return {
    verdict: (id) => `${labels}:verdict:${id}`,
    votes: (id) => `${labels}:votes:${id}`,
    recent: (channel) => (channel === null ? `${labels}:recent` : `${labels}:recent:${channel}`),
    voter: (voter) => `${labels}:voter:${voter}`,
    adjudications: `${labels}:adjudications`,
    counts: (day) => `${labels}:counts:${day}`,
    days: `${labels}:days`,
    checks: {
      data: `${checks}:data`,
      leases: `${checks}:leases`,
      pending: `${checks}:pending`,
      finished: `${checks}:finished`,
    },
    mark: (key) => `${prefix}:mark:${key}`,
    settings: (channel) => `${prefix}:settings:${channel}`,
    digests: { schedules: `{${prefix}:digests}:schedules`, progress: `{${prefix}:digests}:progress` },
    studies: {
      entries: `${studies}:entries`,
      bodies: `${studies}:bodies`,
      annotators: `${studies}:annotators`,
      closed: `${studies}:closed`,
      annotations: (id, annotator) => `${studies}:annotations:${id}|${annotator}`,
    },
    schema: `${prefix}:schema`,
  };
}

/** Where a run is in Redis. All keys of a run have one hash tag, so that one script can touch all of them. */
export interface RunKeys {
  manifest: string;
  /** Hash: place in the dataset to case. */
  cases: string;
  /** Hash: key to trial; and to `answers|calls|cost|failed`, for what is asked of many at once. */
  trials: string;
  briefs: string;
  /** Hash: key to the verdict, compressed. */
  verdicts: string;
  /** String: what became of each trial, two bits each (outcome-bits.ts). */
  outcomes: string;
  /** Hash: `trials`, `failed`, `calls`, `unknownCosts`, `spent` (nano dollars), `budget` (nano dollars). */
  totals: string;
  /** Set: keys of trials that have begun and are not saved. */
  underWay: string;
  /** Hash: question to answer, of one trial that is under way. */
  replies: (key: string) => string;
}

export interface RunsKeys {
  run: (name: string) => RunKeys;
  /** Set: names of all runs; and of those that workers should work on. */
  names: string;
  active: string;
  /** Hash: run to why it was closed to workers before its end. */
  halts: string;
  /** Hash: provider to ms between two requests; and the moment up to which each provider's requests are given out. */
  rates: string;
  paces: string;
  /** What the queue's own keys begin with. */
  queue: string;
}

/** @param prefix holds no braces */
export function createRunsKeys(prefix: string): RunsKeys {
  const all = `{${prefix}:runs}`;
  return {
    run: (name) => {
      const tag = `{${prefix}:run:${name}}`;
      return {
        manifest: `${tag}:manifest`,
        cases: `${tag}:cases`,
        trials: `${tag}:trials`,
        briefs: `${tag}:briefs`,
        verdicts: `${tag}:verdicts`,
        outcomes: `${tag}:outcomes`,
        totals: `${tag}:totals`,
        underWay: `${tag}:under-way`,
        replies: (key) => `${tag}:replies:${key}`,
      };
    },
    names: `${all}:names`,
    active: `${all}:active`,
    halts: `${all}:halts`,
    rates: `${all}:rates`,
    paces: `${all}:paces`,
    queue: `{${prefix}:queue}`,
  };
}
