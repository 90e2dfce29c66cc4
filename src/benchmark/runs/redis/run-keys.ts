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
