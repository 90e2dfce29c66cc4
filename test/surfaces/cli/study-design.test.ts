import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import { closeAfterEach, closing } from '../../support/resources.ts';
import { jury, scratch } from '../../support/run-jury.ts';

closeAfterEach();

const env = { JURY_SECRET: 'for this test' };
const SYSTEMS = ['BARCOR', 'CHATCRS', 'KBRD', 'UniCRS'];
const PEOPLE = Array.from({ length: 10 }, (_, n) => `a${n}`);

/** 80 logs: ten records of each dataset, each with four systems. */
function logsFile(cwd: string): string[] {
  const cases = ['ReDial', 'OpenDialKG'].flatMap((dataset) =>
    Array.from({ length: 10 }, (_, n) => `${dataset}-${n}`).flatMap((record) =>
      SYSTEMS.map((system) => ({
        id: `${record}-${system}`,
        rubric: 'core',
        conversation: [{ role: 'user', text: `A calm film, as in ${record}.` }],
        response: `${system} says: take Solaris.`,
        recommendations: [['Solaris', 'Heat']],
        groundTruth: 'Stalker',
        tags: { system, dataset, record },
      })),
    ),
  );
  writeFileSync(join(cwd, 'crs.jsonl'), cases.map((one) => JSON.stringify(one)).join('\n'));
  return cases.map(({ id }) => id);
}

const create = [
  ...['study', 'create', 'crs.jsonl', '--annotators', PEOPLE.map((name) => `name:${name}`).join(',')],
  ...['--ask', 'criteria,overall', '--each', '16', '--blocks', 'tags.record', '--spread', 'tags.dataset'],
];

const FACTORS = [
  ...['coherence', 'recoverability', 'proactiveness', 'grammar', 'naturalness', 'appropriateness'],
  ...['effectiveness', 'novelty', 'diversity', 'semantic-relevance', 'explainability', 'groundness'],
];

const Labeled = z.looseObject({
  id: z.string(),
  label: z.object({ score: z.number(), criteria: z.unknown() }),
});

test('ten people rate sixteen of eighty logs each, by factor and as a whole', async () => {
  const cwd = scratch();
  const ids = logsFile(cwd);
  const run = (args: string[], input = '') => jury(args, { cwd, env, input });
  const made = await run(create);
  expect(made.err).toBe('');
  expect(made.out).toContain(
    '80 cases (80 unlabeled) for 10 annotators, 16 cases each, every case to 2 of them',
  );

  // One person looks at the first case: what was wanted stands beside the one question that it is for.
  const annotate = (input: string) => run(['study', 'annotate', 's1', '--as', 'a0'], input);
  const before = (await annotate('4\n4\n4\n4\n4\n')).err;
  expect(before).toContain('Case 1 of 16');
  expect(before).toContain('Appropriateness');
  expect(before).not.toContain('Stalker');
  const there = (await annotate('4\n4\n4\n4\n4\n4\n')).err;
  expect(there).toMatch(/Effectiveness[\s\S]*Stalker/);

  const store = await openSqliteStore(join(cwd, 'data', 'jury.db'));
  closing(() => store.close());
  const { shares = [] } = (await store.study('s1')) ?? {};
  expect(shares.map((share) => share.length)).toEqual(Array(10).fill(16));
  const header = ['annotator', 'case', ...FACTORS.map((id) => `criteria.${id}`), 'criteria.overall'].join(
    ',',
  );
  const row = (person: string, place: number) =>
    [person, ids[place], ...FACTORS.map((_, n) => (n + place) % 5), place].join(',');
  const rows = PEOPLE.flatMap((person, at) => (shares[at] ?? []).map((place) => row(person, place)));
  writeFileSync(join(cwd, 'answers.csv'), [header, ...rows].join('\n'));
  expect(await run(['study', 'import', 's1', 'answers.csv'])).toMatchObject({ code: 0 });
  expect((await run(['study', 'report', 's1'])).out).toContain('160 of 160 annotations');

  const foreign = ids.findIndex((_, place) => shares[0]?.includes(place) === false);
  writeFileSync(join(cwd, 'foreign.csv'), [header, row('a0', foreign)].join('\n'));
  const refused = await run(['study', 'import', 's1', 'foreign.csv']);
  expect(refused.code).toBe(64);
  expect(refused.err).toContain(`case "${ids[foreign]}" was not given to annotator "a0"`);

  // Both people say the same of a log, so its labels are what they said.
  const labels = (await run(['study', 'export', 's1', '--format', 'cases'])).out
    .trimEnd()
    .split('\n')
    .map((line) => Labeled.parse(JSON.parse(line)));
  expect(labels.map(({ label }) => label.score)).toEqual(ids.map((_, place) => place));
  expect(labels[7]?.label.criteria).toMatchObject({ coherence: 7 % 5, recoverability: 8 % 5 });
});

test('the overall question for people has the ends of its scale, and no word of a debate', async () => {
  const cwd = scratch();
  logsFile(cwd);
  await jury(['study', 'create', 'crs.jsonl', '--annotators', 'name:ann', '--ask', 'overall'], { cwd, env });
  const { err } = await jury(['study', 'annotate', 's1', '--as', 'ann'], { cwd, env, input: '' });
  // The guide has it, in words for people.
  expect(err).toContain('Go by your own impression.');
  expect(err).toContain('0 to 100');
  expect(err).toContain('100: Whatever you were looking for');
  expect(err).not.toMatch(/ratings that you were given|win them over/);
});

test('too few people for all cases: a warning says how many it takes', async () => {
  const cwd = scratch();
  logsFile(cwd);
  const four = ['study', 'create', 'crs.jsonl', '--annotators', 'name:a,name:b,name:c,name:d'];
  const made = await jury([...four, '--each', '16', '--blocks', 'tags.record'], { cwd, env });
  expect(made.code).toBe(0);
  expect(made.err).toContain('16 of 80 cases go to no one');
  expect(made.err).toContain('at least 5 annotators or use --each 20');
  const enough = await jury([...four, '--each', '20', '--blocks', 'tags.record'], { cwd, env });
  expect(enough).toMatchObject({ code: 0, err: '' });
});

test('how cases are shared out needs a number', async () => {
  const cwd = scratch();
  logsFile(cwd);
  const bad = ['study', 'create', 'crs.jsonl', '--annotators', 'name:ann'];
  expect(await jury([...bad, '--blocks', 'tags.record'], { cwd, env })).toMatchObject({
    code: 64,
    err: expect.stringContaining('add --each N'),
  });
  expect(await jury([...bad, '--each', '4', '--blocks', 'record'], { cwd, env })).toMatchObject({
    code: 64,
    err: expect.stringContaining('Must be tags.NAME'),
  });
});
