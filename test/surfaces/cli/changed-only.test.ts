import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Trial } from '../../../src/benchmark/trial.ts';
import type { EvalCase } from '../../../src/case/case.ts';
import { aCase } from '../../support/builders.ts';
import { type ModelDouble, type ModelDoubleOptions, startModelDouble } from '../../support/model-double.ts';
import { jury, scratch } from '../../support/run-jury.ts';

let cwd: string;
let double: ModelDouble;
beforeEach(() => {
  cwd = scratch();
});
afterEach(() => double?.close());

async function model(options: ModelDoubleOptions = {}): Promise<void> {
  double = await startModelDouble(options);
}
/** How many questions the model got in the meantime. */
async function asked<T>(act: () => Promise<T>): Promise<{ questions: number; ran: T }> {
  const before = double.counts.received;
  const ran = await act();
  return { questions: double.counts.received - before, ran };
}

const RUBRIC = (rule: string) => `title: Short answers
source: a test
task: An assistant answers a driver.
needs: []
decide: all
panel: [auditor, driver-advocate, investigator]
method: io
criteria:
  - id: short
    title: Short
    rule: ${rule}
`;
const rubric = (rule: string) => {
  mkdirSync(join(cwd, 'prompts', 'rubrics'), { recursive: true });
  writeFileSync(join(cwd, 'prompts', 'rubrics', 'short.yaml'), RUBRIC(rule));
};
const env = () => ({
  OPENAI_BASE_URL: double.baseUrl,
  OPENAI_API_KEY: 'none',
  JURY_PROMPTS_DIR: join(cwd, 'prompts'),
});
const bench = (...args: string[]) => jury(['bench', ...args], { cwd, env: env() });
const judge = (file: string, name: string, ...more: string[]) =>
  bench('run', file, '--methods', 'io', '-m', 'openai/gpt-4o-mini', '--no-cache', '--name', name, ...more);
const changed = (file: string, name: string, ...more: string[]) =>
  judge(file, name, '--series', 'main', '--changed-only', ...more);

const cases = (change: (index: number) => Partial<EvalCase> = () => ({})): EvalCase[] =>
  Array.from({ length: 6 }, (_, index) =>
    aCase({ id: `c${index}`, rubric: 'short', response: `Answer ${index}.`, ...change(index) }),
  );
const write = (name: string, all: readonly EvalCase[]) =>
  writeFileSync(join(cwd, name), all.map((one) => JSON.stringify(one)).join('\n'));
async function trialsOf(name: string): Promise<Trial[]> {
  const { out } = await bench('show', name, '--trials');
  return out
    .trim()
    .split('\n')
    .map((line) => Trial.parse(JSON.parse(line)))
    .sort((a, b) => (a.caseId < b.caseId ? -1 : 1));
}

test('judges what changed, takes over the rest with its provenance, and says how many of each', async () => {
  await model();
  rubric('The answer is short.');
  write('main.jsonl', cases());
  // The judge sees neither tags nor labels, so that these make no difference.
  write(
    'next.jsonl',
    cases((index) => (index < 2 ? { response: 'New.' } : index === 2 ? { tags: { build: '2' } } : {})),
  );
  await judge('main.jsonl', 'main-1', '--series', 'main');
  const before = await trialsOf('main-1');
  const { questions, ran } = await asked(() => changed('next.jsonl', 'main-2', '--json'));
  expect([ran.code, questions]).toEqual([0, 2]);
  expect(ran.err).toContain('4 trials taken over from main-1, 2 to judge.');
  expect(ran.err).toMatch(/\n {2}2 calls, about /);
  const summary = JSON.parse(ran.out);
  expect(summary).toMatchObject({ trials: 6, calls: 2, configurations: [{ takenOver: 4, calls: 2 }] });
  const trials = await trialsOf('main-2');
  expect(trials.map(({ takenFrom }) => takenFrom?.run ?? null)).toEqual([
    null,
    null,
    ...Array(4).fill('main-1'),
  ]);
  // The judgement is the same one, at the time when it was made.
  expect(trials.slice(2).map(({ startedAt, judgements }) => ({ startedAt, judgements }))).toEqual(
    before.slice(2).map(({ startedAt, judgements }) => ({ startedAt, judgements })),
  );
  expect((await bench('report', 'main-2')).out.replaceAll(/\s+/g, ' ')).toContain(
    '2 of 6 trials judged in this run, 4 taken over from main-1: request, answer, rubric, prompts and judges are the same there.',
  );
  expect((await bench('report', 'main-2', '--against', 'main-1')).out.replaceAll(/\s+/g, ' ')).toContain(
    'Build 2 · same 6 requests, same judges · 4 answers unchanged · 4 verdicts taken over',
  );
  // A run that takes over what was taken over names the run that judged it.
  const third = await asked(() => changed('next.jsonl', 'main-3'));
  expect(third.questions).toBe(0);
  expect((await trialsOf('main-3')).map(({ takenFrom }) => takenFrom?.run)).toEqual([
    'main-2',
    'main-2',
    ...Array(4).fill('main-1'),
  ]);
  // The same command again judges nothing.
  expect((await asked(() => changed('next.jsonl', 'main-3'))).questions).toBe(0);
});

test.each([
  ['the rubric', () => rubric('The answer has one sentence.'), []],
  ['the judges', () => {}, ['-m', 'openai/gpt-4o']],
  ['the seed', () => {}, ['--seed', '7']],
  ['the temperature', () => {}, ['--temperatures', '0.5']],
  ['the method', () => {}, ['--methods', 'cot-1']],
  ['the panel', () => {}, ['--panel', 'auditor', '--methods', 'mab']],
])('judges all where %s changed', async (_, change, more) => {
  await model();
  rubric('The answer is short.');
  write('main.jsonl', cases());
  await judge('main.jsonl', 'main-1', '--series', 'main');
  change();
  const { ran } = await asked(() => changed('main.jsonl', 'main-2', ...more));
  expect(ran.err).toContain('0 trials taken over from main-1, 6 to judge.');
  expect((await trialsOf('main-2')).every(({ takenFrom }) => takenFrom === undefined)).toBe(true);
});

test('takes over from the run that is named, or else from the newest finished run of the series', async () => {
  await model();
  rubric('The answer is short.');
  write('main.jsonl', cases());
  const none = await asked(() => changed('main.jsonl', 'main-1'));
  expect(none.ran.err).toContain('There is no finished run of main yet: every case is judged.');
  expect(none.questions).toBe(6);
  await judge('main.jsonl', 'feature-1', '--series', 'main-feature');
  await judge('main.jsonl', 'main-2', '--series', 'main');
  expect((await changed('main.jsonl', 'main-3', '--plan')).err).toContain(
    '6 trials taken over from main-2, 0 to judge.',
  );
  const named = await changed('main.jsonl', 'main-4', '--no-worse-than', 'feature-1', '--plan');
  expect(named.err).toContain('6 trials taken over from feature-1, 0 to judge.');
  expect((await changed('main.jsonl', 'main-5', '--no-worse-than', 'nothing')).code).toBe(64);
});

test('judges again what judges did not answer', async () => {
  let isAway = true;
  await model({
    answer: ({ body }) =>
      isAway && JSON.stringify(body).includes('Answer 3.')
        ? { content: 'no JSON' }
        : { fields: { decision: 'pass' } },
  });
  rubric('The answer is short.');
  write('main.jsonl', cases());
  expect((await judge('main.jsonl', 'main-1', '--series', 'main')).code).toBe(2);
  isAway = false;
  const { ran } = await asked(() => changed('main.jsonl', 'main-2'));
  expect(ran.code).toBe(0);
  expect(ran.err).toContain('5 trials taken over from main-1, 1 to judge.');
});

test('a vote at equal calls is judged again with its debate, which may then ask more or less', async () => {
  let isAway = true;
  await model({
    answer: ({ n, body }) => {
      const text = JSON.stringify(body);
      if (!text.includes('Answer 3.')) return { fields: { decision: 'pass' } };
      // They differ at first, and are away when they are to discuss it.
      if (isAway && text.includes('What the panel has said so far')) return { content: 'no JSON' };
      return { fields: { decision: n % 2 === 0 ? 'pass' : 'fail' } };
    },
  });
  rubric('The answer is short.');
  write('main.jsonl', cases());
  const debate = (name: string, ...more: string[]) =>
    bench(
      ...['run', 'main.jsonl', '--methods', 'mad', '-m', 'openai/gpt-4o-mini', '--equal-calls', '--no-cache'],
      ...['--name', name, '--series', 'main', ...more],
    );
  await debate('main-1');
  isAway = false;
  const { err } = await debate('main-2', '--changed-only');
  expect(err).toContain('10 trials taken over from main-1, 2 to judge.');
  const own = (await trialsOf('main-2')).filter(({ takenFrom }) => takenFrom === undefined);
  expect(own.map(({ caseId }) => caseId)).toEqual(['c3', 'c3']);
});

test('a judgement that was taken over is no change, and adds no chance to what may have changed', async () => {
  await model();
  rubric('The answer is short.');
  const labeled = cases(() => ({ label: { decision: 'pass' } }));
  write('main.jsonl', labeled);
  const gate = ['--no-worse-than', 'main-1', '--when-unclear', 'fail', '--subject', 'judges'];
  await judge('main.jsonl', 'main-1', '--series', 'main', '--subject', 'judges');
  // Judged again, six equal decisions could still hide a change.
  const again = await judge('main.jsonl', 'again', ...gate);
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('too few to tell')]);
  const taken = await changed('main.jsonl', 'main-2', ...gate);
  expect(taken.code).toBe(0);
  expect(taken.err).toContain('not worse by more than 2 points');
  // What a third run took over from the same run is that same judgement, too.
  await changed('main.jsonl', 'main-3', '--no-worse-than', 'main-1');
  const third = await bench('report', 'main-3', '--no-worse-than', 'main-2', '--when-unclear', 'fail');
  expect(third.code).toBe(0);
});
