import { defineConfig } from 'vitest/config';
import { counts } from './test/support/counts.ts';
import { base } from './vitest.config.ts';

const include = ['test/**/*.chaos.test.ts'];

/** `npm run test:chaos` and `npm run test:soak`: the same tests of kills, floods, outages and in a browser, with short and with long counts. */
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
          include,
          provide: { counts: counts.soak },
          testTimeout: 3_600_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
