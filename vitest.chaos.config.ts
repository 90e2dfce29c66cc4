import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { counts, shares } from './test/support/counts.ts';
import { base } from './vitest.config.ts';

/** What ends a test of the long suite that waits in vain. */
const soakMs = 4 * 3_600_000;

/**
 * `npm run test:chaos` and `npm run test:soak`: the same tests of kills, floods, outages and in a browser, with short and with long counts;
 * the soak suite has those of `npm test` too.
 */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    // One more than for `npm test`: these tests wait longer, for leases and for processes that were killed.
    maxWorkers: availableParallelism() + 2,
    projects: [
      {
        extends: true,
        test: { name: 'chaos', include: ['test/**/*.chaos.test.ts'], provide: { counts: counts.chaos } },
      },
      {
        extends: true,
        test: {
          name: 'soak',
          // With the tests of `npm test`: those that draw what they try draw all of it here.
          include: ['test/**/*.test.ts'],
          provide: { counts: counts.soak, share: shares.soak },
          testTimeout: soakMs,
          expect: { poll: { timeout: soakMs } },
        },
      },
    ],
  },
});
