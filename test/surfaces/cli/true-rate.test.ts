import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EvalCase } from '../../../src/case/case.ts';
import { answerReview, nextReview, volunteer } from '../../../src/reviews/manage-reviews.ts';
import { createFolderTrialStore } from '../../../src/stores/folder/runs.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import { builtInLibrary } from '../../support/built-in.ts';
import { jury, scratch } from '../../support/run-jury.ts';

const env = { JURY_SECRET: 'for this test' };

test('answers that people check say how many truly pass, of their run and of others by the same judges', async () => {
  const cwd = scratch();
  const run = async (...args: readonly string[]) => {
    const { code, out, err } = await jury(args, { cwd, env });
    expect(code, err).toBe(0);
    return out;
  };
  await run('dataset', 'generate', 'navigation', '--users', '40', '--out', 'labeled.jsonl');
  const labeled = readFileSync(join(cwd, 'labeled.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => EvalCase.parse(JSON.parse(line)));
  const unlabeled = labeled.map(({ label, ...evalCase }) => JSON.stringify(evalCase));
  writeFileSync(join(cwd, 'cases.jsonl'), unlabeled.join('\n'));
  for (const name of ['monday', 'tuesday'])
    await run('bench', 'run', 'cases.jsonl', '--models', 'rules', '--methods', 'io', '--name', name);
  expect(await run('bench', 'report', 'tuesday')).toContain(
    'How sure is this: not known yet; have people check 20 answers drawn by chance',
  );

  await run('review', 'begin', 'monday');
  const store = await openSqliteStore(join(cwd, 'data', 'jury.db'));
  const runs = createFolderTrialStore(join(cwd, 'data', 'runs'));
  const parts = { store, runs, library: builtInLibrary(), now: Date.now };
  for (const person of ['ann', 'bob', 'cem', 'dan']) {
    await volunteer(parts, person);
    for (let n = 0; n < 10; n += 1) {
      const next = await nextReview(parts, person, 'monday');
      if (next.kind !== 'offer') throw new Error(next.kind);
      // People think otherwise than the judges about one in five.
      const right = labeled[next.offer.place]?.label?.decision === 'pass' ? 'pass' : 'fail';
      const said = n % 5 === 4 ? (right === 'pass' ? 'fail' : 'pass') : right;
      await answerReview(parts, person, next.offer, said);
    }
  }
  await store.close();

  // Six cases of a user belong together; the tag that says so is not kept.
  const { answers }: { answers: { unit: string; place: number }[] } = JSON.parse(
    await run('review', 'show', 'monday', '--json'),
  );
  const groupOf = ({ place }: { place: number }) => labeled[place]?.tags?.group ?? '';
  expect(new Set(answers.map(({ unit }) => unit)).size).toBe(new Set(answers.map(groupOf)).size);
  expect(answers.filter((one) => one.unit.includes(groupOf(one)))).toEqual([]);

  const linesOf = async (name: string) => (await run('bench', 'report', name)).replace(/\s+/g, ' ');
  expect(await linesOf('monday')).toMatch(
    /Judges pass 17 %\. People checked 40 of these answers, drawn by chance; allowing for judges’ errors, \d+ % \(\d+–\d+\)\./,
  );
  expect(await linesOf('tuesday')).toMatch(
    /Judges pass 17 %\. People checked 40 answers of 1 other run with the same judges, drawn by chance; allowing for judges’ errors, \d+ % \(\d+–\d+\)\./,
  );
  expect((await run('bench', 'compare', 'monday', 'tuesday')).replace(/\s+/g, ' ')).toContain(
    'People checked 40 answers of 1 other run with the same judges, drawn by chance; allowing for',
  );
});
