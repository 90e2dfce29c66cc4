import { describe, expect, test } from 'vitest';
import { leads } from '../../bench/conclusions/leads.ts';

/** Few, so that it takes seconds; `npm run bench:conclusions` does more. */
const REPETITIONS = 60;

/** How far a share of so few repetitions may be off its true value by chance: 2.6 standard errors, 1 % of all. */
const noise = (share: number): number => 2.6 * Math.sqrt((share * (1 - share)) / REPETITIONS);

describe('what is made up of equal or better configurations', () => {
  test.each(leads(REPETITIONS).map((row) => [row.what, row] as const))('%s', (_, { value, from, to }) => {
    expect(value).toBeGreaterThanOrEqual(from - noise(from));
    expect(value).toBeLessThanOrEqual(to + noise(to));
  });
});
