import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/temp-folder.ts', 'test/support/build.ts', 'test/support/redis-setup.ts'],
    // Far more than any needs: on a busy machine a process of its own can take many seconds to begin.
    testTimeout: 45_000,
    hookTimeout: 45_000,
    // Most tests wait for another process, a server or a pause, not for a processor.
    maxWorkers: 4,
  },
});
