import { cpSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { folderWith } from '../../support/built-in.ts';
import { jury, scratch } from '../../support/run-jury.ts';

const env = { JURY_SECRET: 'for this test' };
let made: string;
let cwd: string;

beforeAll(async () => {
  made = scratch();
  const generated = ['dataset', 'generate', 'navigation', '--users', '10', '--out', 'cases.jsonl'];
  expect((await jury(generated, { cwd: made, env })).code).toBe(0);
  const judged = ['bench', 'run', 'cases.jsonl', '--models', 'rules', '--methods', 'io', '--name', 'nightly'];
  expect((await jury(judged, { cwd: made, env })).code).toBe(0);
});

beforeEach(() => {
  cwd = scratch();
  cpSync(made, cwd, { recursive: true });
});

const run = (...args: readonly string[]) => jury(['review', ...args], { cwd, env });
const answering = (input: string, ...args: readonly string[]) =>
  jury(['review', 'answer', 'nightly', ...args], { cwd, env, input });

async function shown() {
  const { code, out } = await run('show', 'nightly', '--json');
  expect(code).toBe(0);
  return JSON.parse(out);
}

describe('jury review', () => {
  test('draws once, and says what was drawn', async () => {
    expect(await run('list')).toMatchObject({ code: 0, out: '' });
    expect(await run('show', 'nightly')).toMatchObject({ code: 64 });
    const first = await run('begin', 'nightly', '--size', '12');
    expect(first).toMatchObject({ code: 0, out: '12 answers of nightly drawn by chance.\n' });
    expect(await run('begin', 'nightly', '--size', '20')).toMatchObject({
      code: 0,
      out: '12 answers of nightly drawn before.\n',
    });
    expect((await run('list')).out).toContain('0 of 12 answers checked, 12 not; 0 being asked about now');
    const { out } = await run('show', 'nightly');
    expect(out).toMatch(/verdicts +answers +drawn +checked/);
    expect(out).toContain('12 of the 12 answers drawn by chance are not checked.');
  });

  test('shows the case and the rubric without the verdict, takes answers, and resumes', async () => {
    await run('begin', 'nightly', '--size', '12');
    const { code, out, err } = await answering('r\nw\nq\n', '--as', 'ann');
    expect({ code, out }).toEqual({ code: 0, out: '2 answers checked.\n' });
    expect(err).toContain('Answer 1 of at most 10 this week');
    expect(err.match(/^SYSTEM$/gm)).toHaveLength(3);
    expect(err.match(/Venue recommendation in context:/g)).toHaveLength(1);
    expect(err).not.toMatch(/judge|verdict|label/i);
    const more = await answering('u\n', '--as', 'ann');
    expect(more.err).toContain('Answer 3 of at most 10');
    const { answers, ...design } = await shown();
    expect(answers.map(({ right }: { right: string }) => right).sort()).toEqual(['fail', 'pass']);
    expect(design).toMatchObject({ drawn: 12, checked: 2, unchecked: 10, unsure: 1, checkedAlike: 2 });
    expect(JSON.stringify({ answers, design })).not.toMatch(/voter|ann/);
  });

  test('refuses a piped line that is no answer, and keeps the earlier ones', async () => {
    await run('begin', 'nightly', '--size', '12');
    const ran = await answering('r\nmaybe\n', '--as', 'ann');
    expect(ran.code).toBe(64);
    expect(ran.err).toContain('"maybe" is no answer. Earlier answers are kept.');
    expect(await shown()).toMatchObject({ checked: 1 });
  });

  test('skips a week, or is asked never again until the person runs the command themselves', async () => {
    await run('begin', 'nightly', '--size', '12');
    expect((await answering('s\n', '--as', 'ann')).err).toContain('You’re skipping this week.');
    expect((await answering('', '--as', 'ann')).err).toContain('You’re skipping this week.');
    expect((await answering('n\n', '--as', 'bob')).err).toContain('You asked never to be offered');
    const again = await answering('r\n', '--as', 'bob');
    expect(again.err).toContain('You had asked never to be offered answers; now you are again.');
    expect(again.out).toBe('1 answer checked.\n');
  });

  test('asks only the people who are named, where some are', async () => {
    await run('begin', 'nightly', '--size', '12', '--people', 'name:ann');
    expect((await answering('r\n', '--as', 'bob')).err).toContain('This run does not ask you');
    expect((await answering('r\n', '--as', 'ann')).out).toBe('1 answer checked.\n');
    expect(await run('begin', 'nightly', '--people', 'somebody')).toMatchObject({ code: 64 });
  });

  test('refuses a run that is not there', async () => {
    for (const command of ['begin', 'show']) expect(await run(command, 'weekly')).toMatchObject({ code: 64 });
    expect((await answering('r\n', '--as', 'ann')).out).toBe('0 answers checked.\n');
  });

  test('a person who is forgotten takes their answers with them', async () => {
    await run('begin', 'nightly', '--size', '12');
    await answering('r\nw\n', '--as', 'ann');
    expect(await jury(['labels', 'forget', 'name:ann'], { cwd, env })).toEqual({
      code: 0,
      out: 'Erased 2 checked answers of name:ann.\n',
      err: '',
    });
    expect(await shown()).toMatchObject({ checked: 0, asked: 0 });
  });

  test.each([
    ['name:ann', 1, ''],
    ['nobody at all', 0, 'No answers of the run own-'],
  ])('is drawn by itself from a benchmark’s run whose file names %s', async (person, runs, warning) => {
    const prompts = folderWith({
      'benchmarks/own.yaml': [
        'title: Own',
        'dataset: { generate: navigation, users: 2, seed: 1 }',
        'methods: [io]',
        'models: [rules]',
        'budget: none',
        `review: { size: 8, people: ["${person}"] }`,
      ].join('\n'),
    });
    const own = { ...env, JURY_PROMPTS_DIR: prompts };
    const ran = await jury(['digest', 'preview', 'own', '--run'], { cwd, env: own });
    expect(ran.code).toBe(0);
    expect(ran.err).toContain(warning);
    const { out } = await jury(['review', 'list', '--json'], { cwd, env: own });
    const listed = out.split('\n').filter((line) => line !== '');
    expect(listed.map((line) => JSON.parse(line).drawn)).toEqual(Array.from({ length: runs }, () => 8));
    const forgotten = await jury(['labels', 'forget', 'name:ann'], { cwd, env: own });
    expect(forgotten.err).toBe(
      runs === 0
        ? ''
        : 'The file of this benchmark still names name:ann to check answers: own. Remove the id there, or they are asked again.\n',
    );
  });

  test('goes by the file of the benchmark where a schedule asks others', async () => {
    const prompts = folderWith({
      'benchmarks/own.yaml': [
        'title: Own',
        'dataset: { generate: navigation, users: 2, seed: 1 }',
        'methods: [io]',
        'models: [rules]',
        'budget: none',
        'review: { size: 8, people: ["name:ann"] }',
      ].join('\n'),
    });
    const own = { cwd, env: { ...env, JURY_PROMPTS_DIR: prompts } };
    const words = ['0 9 * * 1', 'C0123ABCD', 'own', '--review', '10', '--reviewers', 'name:bob'];
    expect((await jury(['digest', 'schedule', ...words], own)).code).toBe(0);
    expect((await jury(['digest', 'preview', 'd1', '--run'], own)).code).toBe(0);
    const { out } = await jury(['review', 'list', '--json'], own);
    expect(JSON.parse(out).drawn).toBe(8);
  });
});
