import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { krippendorffAlpha, tallyHistogram } from '../../../src/statistics/agreement.ts';
import { createRandom } from '../../../src/statistics/random.ts';
import { redisOfRun } from '../../support/redis.ts';
import { prepareRedis } from '../../support/redis-server.ts';
import { jury, scratch } from '../../support/run-jury.ts';

const CASES = 990;
const RATERS = 73;
const WORDS = ['No', 'No', 'No', 'Yes', 'Yes', 'Unsure'] as const;

/** Ratings as those of a safety study: 990 cases, 73 people each out of 173. */
const units = Array.from({ length: CASES }, (_, item) => {
  const random = createRandom(72, 'ratings', item);
  const most = 2 + Math.floor(random.fraction() * 5);
  return Array.from({ length: RATERS }, () => WORDS[Math.floor(random.fraction() * most)] ?? 'No');
});

function files(cwd: string): void {
  const rows = units.flatMap((own, item) =>
    own.map((said, n) => `c${item},r${(n * 7 + item) % 173},${said}`),
  );
  writeFileSync(join(cwd, 'ratings.csv'), `item_id,rater_id,Q_overall\n${rows.join('\n')}\n`);
  const cases = units.map((_, item) =>
    JSON.stringify({ id: `c${item}`, conversation: [{ role: 'user', text: `Q ${item}` }], response: 'A' }),
  );
  writeFileSync(join(cwd, 'cases.jsonl'), cases.join('\n'));
}

const importing =
  'study import s1 ratings.csv --map item_id=case --map rater_id=annotator --map Q_overall=correct --map-value Yes=fail,No=pass --add-annotators'.split(
    ' ',
  );

async function imported(env: Record<string, string>): Promise<void> {
  const cwd = scratch();
  files(cwd);
  const run = (args: string[]) => jury(args, { cwd, env });
  await run(
    'study create cases.jsonl --annotators name:r0 --cases 990 --ask correct -r question-answering'.split(
      ' ',
    ),
  );
  const started = Date.now();
  const { code, err } = await run(importing);
  const took = Date.now() - started;
  expect({ code, err }).toMatchObject({
    code: 0,
    err: expect.stringContaining('72,270 of 72,270 rows kept'),
  });
  expect(took).toBeLessThan(20_000);
  expect((await run(importing)).err).toContain('0 of 72,270 rows kept, 72,270 already there');
  const report = z
    .looseObject({ correct: z.looseObject({ alpha: z.looseObject({ value: z.number() }) }) })
    .parse(JSON.parse((await run(['study', 'report', 's1', '--json'])).out));
  const alpha = krippendorffAlpha(tallyHistogram(units, ['Yes', 'No', 'Unsure']), { scale: 'nominal' });
  expect(report.correct.alpha.value).toBeCloseTo(alpha.defined ? alpha.value : Number.NaN, 9);
}

describe('72,270 annotations are imported in less than 20 s, with the alpha of the function', () => {
  const { binary } = redisOfRun();

  test('in SQLite', () => imported({}), 120_000);

  test.skipIf(binary === null)(
    'in Redis',
    async () => {
      if (binary === null) return;
      const redis = await prepareRedis(binary, 'tcp');
      await redis.start();
      try {
        await imported({ REDIS_URL: redis.url });
      } finally {
        await redis.kill();
      }
    },
    120_000,
  );
});
