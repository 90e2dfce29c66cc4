import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts', 'test/support/redis-setup.ts'],
    testTimeout: 20_000,
    // Most tests wait for another process, a server or a pause, not for a processor.
    maxWorkers: 4,
  },
});
