import { defineConfig } from 'vitest/config';
import { counts } from './test/support/counts.ts';

const chaos = ['test/**/*.chaos.test.ts'];

/** Far more than any test needs: on a busy machine a process can take many seconds to begin. */
const patience = (ms: number) => ({ testTimeout: ms, hookTimeout: ms });

export default defineConfig({
  test: {
    globalSetup: ['test/support/temp-folder.ts', 'test/support/build.ts', 'test/support/redis-setup.ts'],
    maxWorkers: 4,
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: chaos,
          // Files share what they import: importing it anew for each takes longer than the tests.
          isolate: false,
          ...patience(60_000),
        },
      },
      {
        extends: true,
        test: { name: 'chaos', include: chaos, provide: { counts: counts.chaos }, ...patience(120_000) },
      },
      {
        extends: true,
        test: { name: 'soak', include: chaos, provide: { counts: counts.soak }, ...patience(1_800_000) },
      },
    ],
  },
});
