import { inject } from 'vitest';

/** How often a test draws what it tries: the given number in `npm run test:soak`, less often in `npm test`. */
export const repeated = (times: number): number => Math.ceil(times * inject('share'));

/** The kinds of store that tests of kills try everything on. */
export const storeKinds = ['SQLite', 'Redis'] as const;

/** What is tried on one of them: all of it in `npm run test:soak`, else every other one, so that each is tried on one of them. */
export function triedOn<T>(kind: (typeof storeKinds)[number], all: readonly T[]): T[] {
  const tried = all.filter(
    (_, n) => inject('share') === 1 || n % storeKinds.length === storeKinds.indexOf(kind),
  );
  if (tried.length === 0) throw new Error(`Nothing is left to try on ${kind}.`);
  return tried;
}
