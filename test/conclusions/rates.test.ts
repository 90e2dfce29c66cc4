import { describe, expect, test } from 'vitest';
import { rates } from '../../bench/conclusions/rates.ts';

/** Few, so that it takes seconds; `npm run bench:conclusions` does more. */
const REPETITIONS = 100;

/** How far a share of so few repetitions may be off its true value by chance: 2.6 standard errors, 1 % of all. */
const noise = (share: number): number => 2.6 * Math.sqrt(Math.max(0, share * (1 - share)) / REPETITIONS);

describe('the rate of truly passing answers', async () => {
  test.each((await rates(REPETITIONS, false)).map((row) => [row.what, row] as const))(
    '%s',
    (_, { value, from, to }) => {
      expect(value).toBeGreaterThanOrEqual(from - noise(from));
      expect(value).toBeLessThanOrEqual(to + noise(to));
    },
  );
});
