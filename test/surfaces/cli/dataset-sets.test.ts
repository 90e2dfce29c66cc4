import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { EvalCase } from '../../../src/case/case.ts';
import { jury, scratch } from '../../support/run-jury.ts';

const dataset = (text: string): EvalCase[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => EvalCase.parse(JSON.parse(line)));

describe('a named set', () => {
  let cwd: string;
  let ids: string[];
  const run = (...args: string[]) => jury(args, { cwd });

  beforeAll(async () => {
    cwd = scratch();
    const cases = ['4.6', '3.2'].map((rating, at) => ({
      id: `rated-${at}`,
      rubric: 'navigation',
      conversation: [{ role: 'user', text: 'Find me sushi. Rated at least 4' }],
      response: 'Sakura is near.',
      recommendation: { rating: Number(rating) },
      tags: { build: '7' },
    }));
    writeFileSync(join(cwd, 'cases.jsonl'), cases.map((one) => JSON.stringify(one)).join('\n'));
    const saved = await jury(['judge', 'cases.jsonl', '--save', '--json'], { cwd });
    ids = saved.out
      .trim()
      .split('\n')
      .map((line) => z.looseObject({ id: z.string() }).parse(JSON.parse(line)).id);
  });

  test('begins empty, and unknown names and verdicts are errors', async () => {
    expect((await run('dataset', 'list')).err).toContain('There are no sets yet.');
    expect(await run('dataset', 'export', 'regressions')).toMatchObject({
      code: 64,
      err: 'There is no set "regressions". "jury dataset add" makes one.\n',
    });
    expect((await run('dataset', 'add', 'regressions', 'nothing')).err).toContain(
      'There is no verdict "nothing"',
    );
    expect((await run('dataset', 'add', 'My Set', ids[1] ?? '')).err).toContain(
      'cannot be the name of a set',
    );
  });

  test('takes cases of verdicts once, and the label once it is settled', async () => {
    const [, bad = ''] = ids;
    const add = async () => (await run('dataset', 'add', 'regressions', bad)).out;
    expect(await add()).toContain('Added to the set "regressions", without a label (open, no votes yet');
    await run('labels', 'adjudicate', bad, 'fail', '--by', 'safety lead', '--error-type', 'rating');
    expect(await add()).toContain('is now labeled fail (rating), ruled by safety lead');
    expect(await add()).toContain('It is in the set "regressions" already');
    const { out } = await run('dataset', 'export', 'regressions');
    expect(dataset(out)).toMatchObject([
      {
        id: bad,
        rubric: 'navigation',
        response: 'Sakura is near.',
        recommendation: { rating: 3.2 },
        tags: { build: '7' },
        label: { decision: 'fail', errorType: 'rating' },
      },
    ]);
  });

  test('is listed, judged as a dataset, and gives cases back', async () => {
    const [good = '', bad = ''] = ids;
    await run('dataset', 'add', 'regressions', good);
    expect((await run('dataset', 'list')).out).toBe('regressions: 2 cases, 1 with a label\n');
    expect(JSON.parse((await run('dataset', 'list', '--json')).out)).toEqual({
      set: 'regressions',
      cases: 2,
      labeled: 1,
    });
    await run('dataset', 'export', 'regressions', '--out', 'set.jsonl');
    expect((await run('bench', 'run', 'set.jsonl', '--models', 'rules', '--methods', 'io')).out).toContain(
      '2 of 2',
    );
    expect(await run('dataset', 'remove', 'regressions', bad, bad, 'nothing')).toMatchObject({
      out: expect.stringContaining('1 case removed'),
      err: expect.stringContaining('1 id not found'),
    });
    expect(dataset((await run('dataset', 'export', 'regressions')).out).map(({ id }) => id)).toEqual([good]);
    await run('dataset', 'remove', 'regressions');
    expect((await run('dataset', 'list')).out).toBe('');
  });
});

test('a log may have more cases than a dataset, and a line that is not a case is named by its number', async () => {
  const cwd = scratch();
  const line = (at: number) =>
    JSON.stringify({ id: `c${at}`, conversation: [{ role: 'user', text: 'a b' }], response: 'c' });
  const log = Array.from({ length: 10_001 }, (_, at) => line(at));
  writeFileSync(join(cwd, 'log.jsonl'), log.join('\n'));
  const args = ['dataset', 'sample', 'log.jsonl', '--per-day', '3'];
  expect(dataset((await jury(args, { cwd })).out)).toHaveLength(3);
  writeFileSync(join(cwd, 'log.jsonl'), [...log, '{"id": 5}'].join('\n'));
  expect((await jury(args, { cwd })).err).toMatch(/^log\.jsonl, line 10002: The case is not valid/);
});

test('a sample of a log has so many cases of each day', async () => {
  const cwd = scratch();
  const log = Array.from({ length: 40 }, (_, at) => ({
    id: `c${at}`,
    conversation: [{ role: 'user', text: `question ${at}` }],
    response: 'answer',
    tags: { date: `2026-11-2${at % 2}` },
  }));
  writeFileSync(join(cwd, 'log.jsonl'), log.map((one) => JSON.stringify(one)).join('\n'));
  const args = ['dataset', 'sample', 'log.jsonl', '--per-day', '5', '--seed', '7', '--out', 'some.jsonl'];
  expect((await jury(args, { cwd })).err).toContain('10 of 40 cases.');
  const some = dataset(readFileSync(join(cwd, 'some.jsonl'), 'utf8'));
  expect(some.filter(({ tags }) => tags?.date === '2026-11-20')).toHaveLength(5);
  expect((await jury(['dataset', 'sample', 'log.jsonl', '--per-day', '5', '--seed', '7'], { cwd })).out).toBe(
    readFileSync(join(cwd, 'some.jsonl'), 'utf8'),
  );
});

test('a sample of a log without dates says that all is one day', async () => {
  const cwd = scratch();
  const one = { conversation: [{ role: 'user', text: 'a b' }], response: 'c' };
  const sampled = async (log: readonly object[]) => {
    writeFileSync(join(cwd, 'log.jsonl'), log.map((line) => JSON.stringify(line)).join('\n'));
    return (await jury(['dataset', 'sample', 'log.jsonl', '--per-day', '3'], { cwd })).err;
  };
  expect(await sampled([one, one])).toContain('No case has a date');
  expect(await sampled([one, { ...one, tags: { date: '2026-11-20' } }])).not.toContain('No case has a date');
});

test('a sample by a tag that no case has says that it keeps no shares', async () => {
  const cwd = scratch();
  const one = { conversation: [{ role: 'user', text: 'a b' }], response: 'c', tags: { topic: 'food' } };
  writeFileSync(join(cwd, 'log.jsonl'), JSON.stringify(one));
  const sample = (by: string) =>
    jury(['dataset', 'sample', 'log.jsonl', '--per-day', '3', '--by', by], { cwd });
  expect((await sample('intent')).err).toContain('No case has the tag "intent": the sample keeps no shares');
  expect((await sample('topic')).err).not.toContain('No case has the tag');
});
