/** How much the tests of kills, floods and outages do: a little at every change (`chaos`), a lot by hand (`soak`). */
export interface Counts {
  /** Worker processes that judge one run, and how many of them are killed. */
  workers: { cases: number; kills: number; betweenMs: number };
}

export const counts: Readonly<Record<'chaos' | 'soak', Counts>> = {
  chaos: { workers: { cases: 200, kills: 3, betweenMs: 700 } },
  soak: { workers: { cases: 3_000, kills: 20, betweenMs: 2_000 } },
};

declare module 'vitest' {
  export interface ProvidedContext {
    counts: Counts;
  }
}
