// The layout in Redis. All keys of one script share a hash tag (`{…}`), so that a cluster keeps them on one node: one tag for verdicts,
// votes and counts, one for requests, one for schedules, one for studies, and one per run. Other values and settings have no tag and
// spread over the cluster. The prefix contains no braces.

export type Keys = ReturnType<typeof createKeys>;

export function createKeys(prefix: string) {
  const labels = `{${prefix}:labels}`;
  const checks = `{${prefix}:checks}`;
  const digests = `{${prefix}:digests}`;
  const studies = `{${prefix}:studies}`;
  return {
    /** Hash: the record and what a vote on it needs. */
    verdict: (id: string) => `${labels}:verdict:${id}`,
    /** Hash: voter to `at|stances|ballot`. */
    votes: (verdictId: string) => `${labels}:votes:${verdictId}`,
    /** Sorted set: verdict ids by time, of all channels or of one. */
    recent: (channel: string | null) => `${labels}:recent${channel === null ? '' : `:${channel}`}`,
    /** Sorted sets: verdict ids by time, of those with a word or a fact. String: set once all are in these. */
    term: (term: string) => `${labels}:term:${term}`,
    termsBuilt: `${labels}:terms-built`,
    /** Set: ids of the verdicts that a voter has a ballot on. */
    voter: (voter: string) => `${labels}:voter:${voter}`,
    /** Hash: verdict id to `at|ruling`. */
    adjudications: `${labels}:adjudications`,
    /** Hash: `group|agree,disagree,unsure` to items, of a day. */
    counts: (day: string) => `${labels}:counts:${day}`,
    /** Sorted set: the days that have counts. */
    days: `${labels}:days`,
    checks: {
      /** Hashes by id: the request, and `until|owner`. */
      data: `${checks}:data`,
      leases: `${checks}:leases`,
      /** Sorted sets: ids by time, and by expiry. */
      pending: `${checks}:pending`,
      finished: `${checks}:finished`,
    },
    /** String: `until|value`. */
    value: (key: string) => `${prefix}:mark:${key}`,
    /** Sorted set: changes by time. */
    changes: `${prefix}:changes`,
    settings: (channel: string) => `${prefix}:settings:${channel}`,
    /** Hashes by schedule id: the schedule, and `version|progress`. */
    digests: { schedules: `${digests}:schedules`, progress: `${digests}:progress` },
    studies: {
      /** Hashes by study id, both without annotators; hash: `study|annotator` to their place; set: closed ones. */
      entries: `${studies}:entries`,
      bodies: `${studies}:bodies`,
      annotators: `${studies}:annotators`,
      closed: `${studies}:closed`,
      /** Hash: case to `at|answers`. */
      annotations: (id: string, annotator: string) => `${studies}:annotations:${id}|${annotator}`,
    },
    schema: `${prefix}:schema`,
  };
}

export type RunKeys = ReturnType<ReturnType<typeof createRunsKeys>['run']>;

export function createRunsKeys(prefix: string) {
  const all = `{${prefix}:runs}`;
  return {
    run: (name: string) => {
      const run = `{${prefix}:run:${name}}`;
      return {
        manifest: `${run}:manifest`,
        /** Hash: place in the dataset to case. */
        cases: `${run}:cases`,
        /** Hashes: key to trial; and to `answers|calls|cost|failed`, for bulk reads. */
        trials: `${run}:trials`,
        briefs: `${run}:briefs`,
        /** Hash: key to the verdict, compressed. */
        verdicts: `${run}:verdicts`,
        /** String: the outcome of each trial, two bits each. */
        /** Hash: `trials`, `failed`, `calls`, `unknownCosts`, `spent` (nano dollars), `budget` (nano dollars). */
        totals: `${run}:totals`,
        /** Set: keys of trials in progress. */
        underWay: `${run}:under-way`,
        /** Hash: question to answer, for one trial in progress. */
        replies: (key: string) => `${run}:replies:${key}`,
      };
    },
    /** Sets: names of all runs, and of those open to workers. */
    names: `${all}:names`,
    active: `${all}:active`,
    /** Hash: run to the reason why it was halted. */
    halts: `${all}:halts`,
    /** Hashes: provider to ms between requests, and to the time of its next free turn. */
    rates: `${all}:rates`,
    paces: `${all}:paces`,
    /** Prefix of the queue's own keys. */
    queue: `{${prefix}:queue}`,
  };
}
