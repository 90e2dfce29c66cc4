import { expect, test } from 'vitest';
import { readEnv } from '../../src/env.ts';
import { createPseudonyms } from '../../src/stores/pseudonyms.ts';
import { benchmarksNaming, namedReviewers } from '../../src/surfaces/review-samples.ts';
import { slack } from '../../src/surfaces/slack/surface.ts';
import { page } from '../../src/surfaces/web/page-surface.ts';
import { folderWith } from '../support/built-in.ts';
import { aSchedule } from '../support/store-builders.ts';

test('people are named by benchmarks and by schedules, each once, on their own surface', async () => {
  const own = folderWith({
    'benchmarks/own.yaml': [
      'title: Own',
      'dataset: { generate: navigation, users: 2, seed: 1 }',
      'budget: none',
      'review: { people: [U0123ABCD, name:ann] }',
    ].join('\n'),
  });
  const pseudonym = createPseudonyms('for this test', ['slack']);
  const parts = {
    env: readEnv({ JURY_PROMPTS_DIR: own }, ''),
    pseudonym: async () => pseudonym,
    surfaces: [slack, page],
  };
  const schedule = aSchedule({ review: { size: 40, people: ['U0456EFGH', 'U0123ABCD', 'page:local'] } });
  const named = async (surface: string) =>
    (await namedReviewers(parts, { schedules: async () => [schedule, aSchedule()] }, surface)).map(
      ({ person }) => person.user,
    );
  expect(await named('slack')).toEqual(['U0123ABCD', 'U0456EFGH']);
  expect(await named('page')).toEqual(['page:local']);
  const naming = (user: string) => benchmarksNaming(parts, { surface: 'slack', team: '', user });
  expect(await naming('U0123ABCD')).toEqual(['own']);
  expect(await naming('U0456EFGH')).toEqual([]);
});
