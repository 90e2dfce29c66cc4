import { defineConfig } from 'vitest/config';
import { counts, shares } from './test/support/counts.ts';
import { base } from './vitest.config.ts';

const include = ['test/**/*.chaos.test.ts'];

/**
 * `npm run test:chaos` and `npm run test:soak`: the same tests of kills, floods, outages and in a browser, with short and with long counts;
 * the soak suite has those of `npm test` too.
 */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    // Most of them wait, for processes that are killed and leases that end.
    maxWorkers: 6,
    projects: [
      {
        extends: true,
        test: {
          name: 'chaos',
          include,
          provide: { counts: counts.chaos },
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'soak',
          // With the tests of `npm test`: those that draw what they try draw all of it here.
          include: ['test/**/*.test.ts'],
          provide: { counts: counts.soak, share: shares.soak },
          testTimeout: 3_600_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
