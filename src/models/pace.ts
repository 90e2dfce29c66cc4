/** How long a request to a provider has to wait for its turn, ms. Never rejects. */
export type Pace = (provider: string) => Promise<number>;

/**
 * A pace from turns that are given out one after the other.
 *
 * @param turn how long to wait for the next turn with a provider, ms; where it rejects nobody waits: what a request is
 *   for must not fail with what paces it
 */
export function createPace(turn: (provider: string) => number | Promise<number>): Pace {
  return async (provider) => {
    try {
      return await turn(provider);
    } catch {
      return 0;
    }
  };
}

/**
 * Turns within this process.
 *
 * @param perSecond requests a second, by provider; a provider that is not in it has no limit
 * @param now milliseconds on a clock that never goes back
 */
export function createTurns(
  perSecond: ReadonlyMap<string, number>,
  now: () => number,
): (provider: string) => number {
  const nextAt = new Map<string, number>();
  return (provider) => {
    const rate = perSecond.get(provider);
    if (rate === undefined) return 0;
    const at = Math.max(now(), nextAt.get(provider) ?? 0);
    nextAt.set(provider, at + 1000 / rate);
    return at - now();
  };
}
