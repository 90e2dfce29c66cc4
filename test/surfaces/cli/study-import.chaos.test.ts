import { Redis } from 'ioredis';
import { describe, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { krippendorffAlpha, tallyHistogram } from '../../../src/statistics/raters/agreement.ts';
import { importOfRatings, PEOPLE, ratingsOf, studyOfRatings, writeRatings } from '../../support/ratings.ts';
import { redisOfRun } from '../../support/redis.ts';
import { prepareRedis } from '../../support/redis-server.ts';
import { jury, scratch } from '../../support/run-jury.ts';

const { cases: CASES, raters: RATERS } = inject('counts').annotations;
const ROWS = (CASES * RATERS).toLocaleString('en-US');
const units = ratingsOf(CASES, RATERS);

async function imported(env: Record<string, string>): Promise<void> {
  const cwd = scratch();
  writeRatings(cwd, units);
  const run = (args: readonly string[]) => jury(args, { cwd, env });
  await run(studyOfRatings(CASES));
  const { code, err } = await run(importOfRatings);
  expect({ code, err }).toMatchObject({
    code: 0,
    err: expect.stringContaining(`${ROWS} of ${ROWS} rows kept`),
  });
  expect((await run(importOfRatings)).err).toContain(`0 of ${ROWS} rows kept, ${ROWS} already there`);
  const report = z
    .looseObject({ correct: z.looseObject({ alpha: z.looseObject({ value: z.number() }) }) })
    .parse(JSON.parse((await run(['study', 'report', 's1', '--json'])).out));
  const alpha = krippendorffAlpha(tallyHistogram(units, ['Yes', 'No', 'Unsure']), { scale: 'nominal' });
  expect(report.correct.alpha.value).toBeCloseTo(alpha.defined ? alpha.value : Number.NaN, 9);
}

describe(`${ROWS} annotations are imported, with the alpha of the function`, () => {
  const { binary } = redisOfRun();

  test('in SQLite', () => imported({}));

  test.skipIf(binary === null)('in Redis, many of a person in one request', async () => {
    if (binary === null) return;
    const redis = await prepareRedis(binary, 'tcp');
    await redis.start();
    const admin = new Redis(redis.url);
    try {
      await imported({ REDIS_URL: redis.url });
      const stats = await admin.info('commandstats');
      const scripts = [...stats.matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g)].map(([, calls]) =>
        Number(calls),
      );
      // Of each thousand rows, one request for each person; twice.
      const requests = 2 * Math.ceil((CASES * RATERS) / 1_000) * PEOPLE;
      expect(scripts.reduce((sum, calls) => sum + calls, 0)).toBeLessThan(requests + PEOPLE);
    } finally {
      admin.disconnect();
      await redis.remove();
    }
  });
});
