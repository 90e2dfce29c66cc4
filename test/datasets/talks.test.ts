import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EvalCase } from '../../src/case/case.ts';
import { jury, scratch } from '../support/run-jury.ts';

const cwd = scratch();
const run = (...args: string[]) => jury(['dataset', ...args], { cwd });
const casesIn = (file: string): EvalCase[] =>
  readFileSync(join(cwd, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('generated users', () => {
  test.each([
    ['en', 2],
    ['en', 3],
    ['de', 1],
    ['de', 2],
    ['de', 3],
  ])('who speak %s and take %i turns have labels that the exact checks confirm', async (language, turns) => {
    const file = `${language}-${turns}.jsonl`;
    const talk = ['--language', language, '--turns', String(turns)];
    const made = await run('generate', 'navigation', '--users', '30', ...talk, '-o', file);
    expect(made.code, made.err).toBe(0);
    const cases = casesIn(file);
    expect(cases).toHaveLength(180);
    for (const one of cases) {
      expect(one.language).toBe(language);
      expect(one.conversation.map(({ role }) => role)).toEqual(
        Array.from({ length: 2 * turns - 1 }, (_, at) => (at % 2 === 0 ? 'user' : 'system')),
      );
    }
    expect((await run('check', file)).out).toContain('180 cases: 180 confirmed');
  });

  test('are refused in a language, or in a number of turns, that there is no wording for', async () => {
    const strange = await run('generate', 'navigation', '--language', 'fr');
    expect([strange.code, strange.err]).toEqual([64, expect.stringContaining('navigation-fr')]);
    const long = await run('generate', 'navigation', '--turns', '4');
    expect([long.code, long.err]).toEqual([64, expect.stringContaining('choose 1 or 2 or 3')]);
    const calling = await run('generate', 'car-function', '--turns', '2');
    expect([calling.code, calling.err]).toEqual([
      64,
      expect.stringContaining('car-function has no conversations of 2 turns.'),
    ]);
  });
});

describe('generated cases of KPIs', () => {
  test.each([
    ['low-latency', []],
    ['implicit-understanding', []],
    ['follow-up', ['--turns', '2']],
  ])('of %s are balanced, and say neither when nor where', async (domain, more) => {
    const made = await run('generate', domain, '--users', '35', ...more, '-o', `${domain}.jsonl`);
    expect(made.code, made.err).toBe(0);
    const cases = casesIn(`${domain}.jsonl`);
    expect(cases.filter(({ label }) => label?.decision === 'pass')).toHaveLength(35);
    expect(cases.filter(({ label }) => label?.errorType === domain)).toHaveLength(35);
    expect(cases.every(({ rubric, context }) => rubric === domain && context === undefined)).toBe(true);
  });

  test('of low latency are confirmed by the exact check', async () => {
    await run('generate', 'low-latency', '--users', '35', '-o', 'late.jsonl');
    expect((await run('check', 'late.jsonl')).out).toContain('70 cases: 70 confirmed');
  });

  test('of follow-ups answer about what the user asked before, or about something else', async () => {
    await run('generate', 'follow-up', '--users', '20', '--turns', '2', '-o', 'after.jsonl');
    for (const { conversation, response, tags, label } of casesIn('after.jsonl')) {
      const name = tags?.function ?? '';
      expect(response).toContain(name);
      expect(conversation[1]?.text.includes(name)).toBe(label?.decision === 'pass');
    }
  });
});
