import { describe, expect, test } from 'vitest';
import { slices } from '../../bench/conclusions/slices.ts';

/** Few, so that it takes seconds; `npm run bench:conclusions` does more. */
const REPETITIONS = 100;

/** How far a share of so few repetitions may be off its true value by chance: 3 standard errors, as there are many rows. */
const noise = (share: number): number => 3 * Math.sqrt(Math.max(0, share * (1 - share)) / REPETITIONS);

describe('values of a tag', () => {
  test.each(slices(REPETITIONS).map((row) => [row.what, row] as const))('%s', (_, { value, from, to }) => {
    expect(value).toBeGreaterThanOrEqual(from - noise(from));
    expect(value).toBeLessThanOrEqual(to + noise(to));
  });
});
