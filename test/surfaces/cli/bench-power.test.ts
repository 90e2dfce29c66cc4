import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createFolderTrialStore } from '../../../src/stores/folder/runs.ts';
import { keepMadeRun, manyHabits } from '../../support/made-run.ts';
import { jury, scratch } from '../../support/run-jury.ts';

const cwd = scratch();
const power = (...args: string[]) => jury(['bench', 'power', ...args], { cwd });
const text = async (...args: string[]) => (await power(...args)).out.replaceAll(/\s+/g, ' ').trim();

beforeAll(async () => {
  const store = createFolderTrialStore(join(cwd, 'data', 'runs'));
  await keepMadeRun(store, { name: 'nightly', cases: 120, repeats: 1, habits: manyHabits.slice(0, 3) });
});

describe('jury bench power', () => {
  test('says in plain words how many cases show a difference, and what is assumed', async () => {
    expect(await text('--difference', '0.05', '--discordance', '0.1')).toBe(
      'Both configurations must judge 332 cases to show a difference of 5 points in accuracy 80 % of the time, at p ≤ 0.05. Assumed: they differ on 10 % of the cases (as given). Cases count as independent of each other.',
    );
    expect(await text('--difference', '0.1')).toMatch(
      /differ on \d[\d.]* % of the cases \(accuracies of 80 % and 90 %, correlation 0\.5\)\. Cases count as independent/,
    );
  });

  test('estimates it from a run, as JSON too', async () => {
    const { code, out } = await power('--difference', '0.05', '--from', 'nightly', '--json');
    expect(code).toBe(0);
    const found = JSON.parse(out);
    expect(found).toMatchObject({
      difference: 0.05,
      designEffect: 1,
      power: 0.8,
      alpha: 0.05,
      from: { run: 'nightly', configurations: 3, cases: 120, groups: 120 },
    });
    expect(found.discordance).toBe(Math.max(0.05, found.from.discordance));
    expect(await text('--difference', '0.05', '--from', 'nightly')).toMatch(
      /^Both configurations must judge [\d,]+ cases .* \(as in nightly\)\. .* nightly has 3 configurations and 120 labeled cases, of which [\d.]+ % are judged right\.$/,
    );
    expect(await text('--difference', '0.05', '--from', 'nightly:io rules t0')).toContain('correlation 0.5');
  });

  test('counts the groups of a run: cases of one user that are all judged alike are one case', async () => {
    await jury(['dataset', 'generate', 'navigation', '--users', '4', '--out', 'set.jsonl'], { cwd });
    await jury(['bench', 'run', 'set.jsonl', '--models', 'rules', '--methods', 'io', '--name', 'users'], {
      cwd,
    });
    const { out } = await power('--difference', '0.05', '--from', 'users', '--json');
    expect(JSON.parse(out).from).toMatchObject({ cases: 24, groups: 4, accuracy: 1, designEffect: 1 });
  });

  test('takes more cases where the cases of a group are judged alike', async () => {
    const store = createFolderTrialStore(join(cwd, 'data', 'runs'));
    const shape = (index: number) => ({ tags: { group: `u${index % 10}` } });
    await keepMadeRun(store, {
      name: 'alike',
      cases: 120,
      repeats: 1,
      habits: manyHabits.slice(0, 2),
      shape,
    });
    const { out } = await power('--difference', '0.05', '--from', 'alike', '--json');
    const { designEffect, cases, from } = JSON.parse(out);
    expect(from).toMatchObject({ cases: 120, groups: 10, designEffect });
    expect(designEffect).toBeGreaterThan(1);
    const said = await text('--difference', '0.05', '--from', 'alike');
    expect(said).toMatch(
      new RegExp(`${cases.toLocaleString('en')} cases \\(about \\d+ groups of 12 cases each\\) to show`),
    );
    expect(said).toContain(`that is ${designEffect.toFixed(2)} times as many as of independent ones.`);
  });

  test.each([
    [
      ['--difference', '5'],
      "'--difference <share>' argument '5' is invalid. Must be a number between 0 and 1",
    ],
    [['--difference', '0.2', '--discordance', '0.1'], 'differ on at least 20 % of the cases'],
    [['--difference', '0.1', '--from', 'nothing'], 'nothing'],
    [[], '--difference'],
  ])('refuses %j', async (args, problem) => {
    const { code, err } = await power(...args);
    expect({ code, err }).toEqual({ code: 64, err: expect.stringContaining(problem) });
  });
});
