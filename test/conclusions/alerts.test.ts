import { describe, expect, test } from 'vitest';
import { alerts } from '../../bench/conclusions/alerts.ts';

/** Few, so that it takes seconds; `npm run bench:conclusions` does more. */
const YEARS = 400;

/** How far a share of so few years may be off its true value by chance: 2.6 standard errors, 1 % of all. */
const noise = (share: number): number => 2.6 * Math.sqrt((share * (1 - share)) / YEARS);

describe('over many years, alerts are posted as often as they may and as soon as they should', () => {
  test.each(alerts(YEARS).map((row) => [row.what, row] as const))('%s', (_, { value, from, to }) => {
    expect(value).toBeGreaterThanOrEqual(from - noise(from));
    expect(value).toBeLessThanOrEqual(to + noise(to));
  });
});
