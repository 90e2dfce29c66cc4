import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sampled } from '../../src/benchmark/collect/benchmark-cases.ts';
import type { EvalCase } from '../../src/case/case.ts';
import { namedFiles } from '../../src/datasets/read-cases.ts';
import { aCase } from '../support/builders.ts';
import { scratch } from '../support/run-jury.ts';

describe('files by a pattern', () => {
  const folder = scratch();
  for (const name of [
    'nightly-2.jsonl',
    'nightly-10.jsonl',
    'nightly-9.jsonl',
    'other.jsonl',
    'nightly-1.csv',
  ])
    writeFileSync(join(folder, name), '');
  const named = async (paths: string[], newest: boolean) =>
    (
      await namedFiles(
        paths.map((path) => join(folder, path)),
        newest,
      )
    ).map((path) => basename(path));

  test('are read in the order of their names, numbers by value', async () => {
    expect(await named(['other.jsonl', 'nightly-*.jsonl'], false)).toEqual([
      'other.jsonl',
      'nightly-2.jsonl',
      'nightly-9.jsonl',
      'nightly-10.jsonl',
    ]);
    expect(await named(['nightly-?.*'], false)).toEqual([
      'nightly-1.csv',
      'nightly-2.jsonl',
      'nightly-9.jsonl',
    ]);
  });

  test('the newest is the last by name', async () => {
    expect(await named(['nightly-*.jsonl'], true)).toEqual(['nightly-10.jsonl']);
  });

  test('that name none are an error, and so is a folder that is not there', async () => {
    await expect(named(['weekly-*.jsonl'], true)).rejects.toThrow('No file matches');
    await expect(namedFiles(['/not/there/*.jsonl'], true)).rejects.toThrow('no such file or folder');
  });
});

describe('a sample of a log', () => {
  const log: EvalCase[] = Array.from({ length: 300 }, (_, at) =>
    aCase({
      id: `c${at}`,
      context: { date: at < 100 ? '2026-11-20' : '2026-11-21' },
      tags: { intent: at % 10 === 0 ? 'rare' : 'usual' },
    }),
  );
  const on = (cases: readonly EvalCase[], date: string) =>
    cases.filter(({ context }) => context?.date === date);
  const rare = (cases: readonly EvalCase[]) => cases.filter(({ tags }) => tags?.intent === 'rare').length;

  test('has as many cases of each day, in their order, and all of a day with fewer', () => {
    const some = sampled(log, { perDay: 30, seed: 1 });
    expect([on(some, '2026-11-20').length, on(some, '2026-11-21').length]).toEqual([30, 30]);
    expect(some).toEqual(log.filter((one) => some.includes(one)));
    expect(sampled(log, { perDay: 150, seed: 1 })).toHaveLength(100 + 150);
  });

  test('depends on the seed, not on the order of the log', () => {
    const some = sampled(log, { perDay: 30, seed: 1 });
    const ids = (cases: readonly EvalCase[]) => cases.map(({ id }) => id).sort();
    expect(ids(sampled([...log].reverse(), { perDay: 30, seed: 1 }))).toEqual(ids(some));
    expect(ids(sampled(log, { perDay: 30, seed: 2 }))).not.toEqual(ids(some));
  });

  test('gives each value of a tag its share of each day, by largest remainders', () => {
    const some = sampled(log, { perDay: 30, seed: 3, by: 'intent' });
    expect(rare(on(some, '2026-11-20'))).toBe(3);
    expect(rare(on(some, '2026-11-21'))).toBe(3);
    // 10 of 100 and 90 of 100, five taken: 0.5 and 4.5, of which the first is rounded up.
    expect(rare(on(sampled(log, { perDay: 5, seed: 3, by: 'intent' }), '2026-11-20'))).toBe(1);
  });

  test('a date among the tags counts before that of the situation', () => {
    const logged = log
      .slice(0, 20)
      .map((one, at) => ({ ...one, tags: { date: `2026-11-0${1 + (at % 4)}T10:00` } }));
    expect(sampled(logged, { perDay: 2, seed: 1 })).toHaveLength(8);
  });
});
