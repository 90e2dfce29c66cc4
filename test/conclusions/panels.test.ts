import { describe, expect, test } from 'vitest';
import { panels } from '../../bench/conclusions/panels.ts';

/** Few, so that it takes seconds; `npm run bench:conclusions` does more. */
const REPETITIONS = 200;

/** How far a share of so few repetitions may be off its true value by chance: 2.6 standard errors, 1 % of all. */
const noise = (share: number): number => 2.6 * Math.sqrt((share * (1 - share)) / REPETITIONS);

describe('what is made up of judges who err alike, or do not', () => {
  test.each(panels(REPETITIONS).map((row) => [row.what, row] as const))('%s', (_, { value, from, to }) => {
    expect(value).toBeGreaterThanOrEqual(from - noise(from));
    expect(value).toBeLessThanOrEqual(to + noise(to));
  });
});
