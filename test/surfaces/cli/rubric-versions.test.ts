import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ModelDouble, startModelDouble } from '../../support/model-double.ts';
import { casesOf } from '../../support/run-builders.ts';
import { jury, scratch } from '../../support/run-jury.ts';

let cwd: string;
let double: ModelDouble;
beforeEach(async () => {
  cwd = scratch();
  double = await startModelDouble();
  const context = { date: '2024-03-04', time: '20:35' };
  const cases = casesOf(1, { rubric: 'navigation', label: { decision: 'pass' }, context });
  writeFileSync(join(cwd, 'cases.jsonl'), cases.map((one) => JSON.stringify(one)).join('\n'));
});
afterEach(() => double.close());

const run = (line: string) =>
  jury(line.split(' '), { cwd, env: { OPENAI_BASE_URL: double.baseUrl, OPENAI_API_KEY: 'none' } });
const bench = (rubric: string, name: string) =>
  run(`bench run cases.jsonl --methods cot-1 --models openai/gpt-4o --rubric ${rubric} --name ${name}`);
const manifestOf = async (name: string) => JSON.parse((await run(`bench report ${name} --json`)).out).run;

test('judges read the weekday beside the date, in the case and in worked examples', async () => {
  await bench('navigation', 'now');
  const [{ system, user } = { system: '', user: '' }] = double.requests;
  expect(user).toContain('The date of the request, 2024-03-04, is a Monday.');
  expect(system).toContain('The date of the request, 2024-05-14, is a Tuesday.');
});

test('an earlier version of a rubric is judged by, and runs and verdicts say which version', async () => {
  const ran = await bench('navigation@1', 'before');
  expect(ran.code, ran.err).toBe(0);
  expect(ran.err).toContain('Rubric: navigation (version 1)');
  const [{ system, user } = { system: '', user: '' }] = double.requests;
  expect(`${system}${user}`).not.toContain('The date of the request');
  expect(system).toContain('that weekday');
  expect(await manifestOf('before')).toMatchObject({
    rubrics: ['navigation@1'],
    versions: { 'navigation@1': 1 },
  });
  expect((await run('bench report before')).out).toContain('rubric navigation (version 1)');

  await bench('navigation@3', 'now');
  expect(await manifestOf('now')).toMatchObject({ rubrics: ['navigation'], versions: { navigation: 3 } });
  const judge = 'judge cases.jsonl --method io --model openai/gpt-4o --json --rubric';
  const verdict = async (rubric: string) => JSON.parse((await run(`${judge} ${rubric}`)).out);
  expect(await verdict('navigation@1')).toMatchObject({
    rubric: 'navigation@1',
    settings: { rubricVersion: 1 },
  });
  expect(await verdict('navigation')).toMatchObject({ rubric: 'navigation', settings: { rubricVersion: 3 } });
});

test('its file can be printed, the list shows current rubrics alone', async () => {
  const before = await run('rubrics navigation@1');
  expect(before.out).toContain('Take the opening hours of that');
  expect((await run('rubrics navigation@2')).out).toContain('weekday of that date');
  expect((await run('rubrics core@1')).out).toContain('title:');
  expect((await run('rubrics')).out).not.toContain('@');
  const none = await run('rubrics navigation@7');
  expect([none.code, none.err]).toEqual([64, expect.stringContaining('There is no rubric "navigation@7"')]);
});

test('the rubric of the contextual paper states its rules and none of our hints', async () => {
  const ran = await bench('navigation-paper', 'paper');
  expect(ran.code, ran.err).toBe(0);
  const [{ system, user, schema } = { system: '', user: '', schema: null }] = double.requests;
  for (const rule of ['more than 15 minutes', 'closed when the driver', '0.2 below or above'])
    expect(system).toContain(rule);
  expect(system).not.toMatch(/luxur|top-tier|dirt cheap|premium/i);
  expect(system).not.toContain('unscored');
  expect(user).not.toContain('The date of the request');
  expect(JSON.stringify(schema)).not.toContain('unscored');
});
