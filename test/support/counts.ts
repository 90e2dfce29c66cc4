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
  /** Worker processes that judge one run while some are killed. */
  workers: { cases: number; kills: number; betweenMs: number };
  /** Replicas that send digests while some are killed, for so many seconds. */
  digests: { schedules: number; everySeconds: number; seconds: number };
  /** How long a service is asked, voted on and looked at without a pause. */
  steadySeconds: number;
}

export const counts: Readonly<Record<'chaos' | 'soak', Counts>> = {
  chaos: {
    rounds: 1,
    kills: 20,
    votes: 150,
    runs: { cases: 120, kills: 2 },
    workers: { cases: 200, kills: 3, betweenMs: 700 },
    digests: { schedules: 3, everySeconds: 2, seconds: 8 },
    steadySeconds: 8,
  },
  soak: {
    rounds: 50,
    kills: 100,
    votes: 1_000,
    runs: { cases: 2_400, kills: 10 },
    workers: { cases: 3_000, kills: 20, betweenMs: 1_000 },
    digests: { schedules: 20, everySeconds: 5, seconds: 600 },
    steadySeconds: 600,
  },
};

/** How much of its full number of draws a test makes that draws what it tries. */
export const shares = { test: 0.2, soak: 1 } as const;

declare module 'vitest' {
  export interface ProvidedContext {
    counts: Counts;
    share: number;
  }
}
