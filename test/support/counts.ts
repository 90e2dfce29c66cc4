/**
 * How much the tests of kills, floods and outages do: enough to notice at every change (`npm run test:chaos`), or enough to
 * trust (`npm run test:soak`, which takes hours). The suites differ in nothing else.
 */
export interface Counts {
  /** How often each test of one kill or one outage is run. */
  rounds: number;
  /** How often a service is killed under votes, requests and digests, on each store. */
  kills: number;
  /** Votes that are acknowledged before a voting process is killed. */
  votes: number;
  /** A run whose only process is killed so often, each time with as many trials kept since the last. */
  runs: { cases: number; kills: number };
  /** Worker processes that judge one run while some are killed, with as many trials between kills. */
  workers: { cases: number; kills: number };
  /** A system whose answers are collected by a process that is killed so often. */
  collected: { cases: number; kills: number };
  /** Replicas that send digests while some are killed so often. */
  digests: { schedules: number; everySeconds: number; kills: number };
  /** Rounds of requests, votes and pages that a service is asked for, one a second, without a pause. */
  steadyRounds: number;
  /** Users whose cases are generated from each domain and confirmed by exact checks. */
  users: number;
  /** Annotations in the file that is imported: of so many cases, each by so many people. */
  annotations: { cases: number; raters: number };
  /** Hostile pastes that are drawn on every page of the console. */
  drawnPastes: number;
  /** The share of the whole length of those baits for readers that have thousands of parts. */
  baits: number;
}

export const counts: Readonly<Record<'chaos' | 'soak', Counts>> = {
  chaos: {
    rounds: 1,
    kills: 4,
    votes: 150,
    runs: { cases: 120, kills: 2 },
    workers: { cases: 120, kills: 3 },
    collected: { cases: 200, kills: 2 },
    digests: { schedules: 3, everySeconds: 5, kills: 2 },
    steadyRounds: 8,
    users: 10,
    annotations: { cases: 110, raters: 73 },
    drawnPastes: 500,
    baits: 0.25,
  },
  soak: {
    rounds: 50,
    kills: 100,
    votes: 1_000,
    runs: { cases: 2_400, kills: 10 },
    workers: { cases: 3_000, kills: 20 },
    collected: { cases: 600, kills: 5 },
    digests: { schedules: 20, everySeconds: 5, kills: 300 },
    steadyRounds: 600,
    users: 100,
    annotations: { cases: 990, raters: 73 },
    drawnPastes: 10_000,
    baits: 1,
  },
};

/** How much of its full number of draws a test makes that draws what it tries. */
export const shares = { test: 0.1, soak: 1 } as const;

declare module 'vitest' {
  export interface ProvidedContext {
    counts: Counts;
    share: number;
  }
}
