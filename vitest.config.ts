import { defineConfig } from 'vitest/config';

export const base = defineConfig({
  test: {
    globalSetup: ['test/support/temp-folder.ts', 'test/support/build.ts', 'test/support/redis-setup.ts'],
    // Files share what they import: importing it anew for each takes longer than the tests.
    isolate: false,
    // Many tests wait for a server or a process, not for a processor.
    maxWorkers: 4,
  },
});

/** `npm test`: everything but what kills, floods or takes minutes. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.chaos.test.ts'],
    // Far more than any test needs: on a busy machine a process can take many seconds to begin.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
