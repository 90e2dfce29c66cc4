import type { TestProject } from 'vitest/node';
import { type Program, saySkipped } from './debian-program.ts';
import { findRedis } from './find-redis.ts';
import { prepareRedis } from './redis-server.ts';

/** What the setup of the test run tells the tests. */
export interface RedisForTests {
  /** The server of this run, null where there is none. */
  url: string | null;
  /** For tests that stop and start a server of their own. */
  binary: Program | null;
}

declare module 'vitest' {
  export interface ProvidedContext {
    redis: RedisForTests;
  }
}

/** One real Redis for the whole run. Without one its tests are skipped, which is said aloud; under CI=true that fails. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const binary = findRedis();
  const given = process.env.TEST_REDIS_URL;
  if (given === undefined && binary === null)
    saySkipped(
      'No Redis to test with: set TEST_REDIS_URL, or install redis-server (Debian, Ubuntu: apt-get must reach its mirror).',
    );
  if (given !== undefined && binary === null)
    console.warn(
      '\n!!! No redis-server to start and stop: the tests that need one of their own are SKIPPED.\n',
    );
  const server =
    given === undefined && binary !== null ? await prepareRedis(binary, 'single', 'everysec') : null;
  await server?.start();
  project.provide('redis', { url: given ?? server?.url ?? null, binary });
  return async () => server?.remove();
}
