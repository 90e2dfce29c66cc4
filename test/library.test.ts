import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createJury, JuryError, UnsureError } from '../src/index.ts';
import { doubleKey, startModelDouble } from './support/model-double.ts';
import { ALIKE_LINE, UNSURE, UNSURE_ALIKE, UNSURE_LINE } from './support/pastes.ts';
import { closeAfterEach, closing, until } from './support/resources.ts';
import { scratch } from './support/run-jury.ts';

closeAfterEach();

const root = fileURLToPath(new URL('..', import.meta.url));
const joke = { conversation: [{ role: 'user' as const, text: 'Tell me a joke' }], response: 'No.' };

/** A panel of the library's own whose models are a double. */
async function withModel(options: Parameters<typeof startModelDouble>[0] = {}) {
  const double = await startModelDouble(options);
  closing(double.close);
  const variables = {
    OPENAI_API_KEY: doubleKey,
    OPENAI_BASE_URL: double.baseUrl,
    JURY_MODEL: 'openai/gpt-4o-mini',
  };
  const jury = createJury({ variables: { ...variables, JURY_DATA_DIR: scratch() } });
  closing(jury.close);
  return { double, jury };
}

describe('the library', () => {
  test('judges a case, a paste and JSON by the model that is set', async () => {
    const { jury, double } = await withModel({ answer: () => ({ fields: { decision: 'fail' } }) });
    for (const input of [joke, 'User: Tell me a joke\nSystem: No.', JSON.stringify(joke)]) {
      const verdict = await jury.judge(input, { method: 'io' });
      expect(verdict).toMatchObject({ decision: 'fail', method: 'io' });
    }
    expect(double.counts.received).toBe(3);
  });

  test('says what happens, and ends early when it is stopped', async () => {
    const { jury } = await withModel({ answer: ({ n }) => (n === 1 ? {} : { hang: true }) });
    const stop = new AbortController();
    const events: string[] = [];
    const judging = jury.judge(joke, {
      method: 'mad',
      signal: stop.signal,
      onEvent: ({ kind }) => events.push(kind),
    });
    await until(() => events.includes('answered'));
    stop.abort();
    expect(await judging).toMatchObject({ cancelled: true });
    expect(events.filter((kind) => kind === 'asked').length).toBeGreaterThan(1);
  });

  test('rejects a line whose reading the outcome depends on with both readings, until one is chosen', async () => {
    const jury = createJury({ variables: { JURY_MODEL: 'rules', JURY_DATA_DIR: scratch() } });
    closing(jury.close);
    const refused = await jury.judge(UNSURE).catch((thrown: unknown) => thrown);
    expect(refused).toBeInstanceOf(UnsureError);
    expect(refused).toMatchObject({ code: 'bad-input', text: UNSURE_LINE });
    expect(String(refused)).toContain('"remark" or "answer"');
    expect((await jury.judge(UNSURE, { unsure: 'remark' })).leftOut).toBe(UNSURE_LINE);
    expect((await jury.judge(UNSURE, { unsure: 'answer' })).leftOut).toBeUndefined();
    expect((await jury.judge(UNSURE_ALIKE)).leftOut).toBe(ALIKE_LINE);
    await expect(jury.judge(UNSURE_ALIKE, { unsure: 'refuse' })).rejects.toThrow(UnsureError);
  });

  test('rejects what it cannot judge with an error that says what to do', async () => {
    const { jury } = await withModel({ answer: () => ({ status: 401, error: 'Incorrect API key' }) });
    const codeOf = async (work: Promise<unknown>) =>
      work.then(
        () => null,
        (thrown) => (thrown instanceof JuryError ? thrown.code : thrown),
      );
    expect(await codeOf(jury.judge('hello'))).toBe('bad-input');
    expect(await codeOf(jury.judge(`${JSON.stringify(joke)}\n${JSON.stringify(joke)}`))).toBe('bad-input');
    expect(await codeOf(jury.judge(joke, { rubric: 'no-such' }))).toBe('usage');
    expect(await codeOf(jury.judge(joke, { models: ['mistral/mistral-small'] }))).toBe('config');
    expect(await codeOf(jury.judge(joke))).toBe('endpoint-refused');
    expect(() => createJury({ variables: { JURY_MAX_CASE_CHARS: 'many' } })).toThrow('JURY_MAX_CASE_CHARS');
  });

  test('rejects an option that there is none of, as plain JavaScript may give it', async () => {
    const given: object = { model: 'openai/gpt-4o-mini' };
    const jury = createJury();
    await expect(jury.judge('User: a\nSystem: b', given)).rejects.toThrow(
      /no option "model"\. Did you mean "models"\?/,
    );
  });

  test('reads a case without judging it, and lists what there is', async () => {
    const { jury } = await withModel();
    expect(jury.parseCase('User: hi\nSystem: hello')).toMatchObject({
      case: { conversation: [{ role: 'user', text: 'hi' }], response: 'hello' },
      assumed: [],
    });
    expect(jury.parseCase('hello')).toMatchObject({ missing: ['response'], problem: expect.any(String) });
    const { rubrics, methods } = await jury.loadLibrary();
    expect([rubrics.has('navigation'), methods.has('mad')]).toEqual([true, true]);
  });
});

describe('the package', () => {
  /** A folder of a user's that has installed the package. */
  function installed(files: Record<string, string>): string {
    const folder = scratch();
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules', 'jury'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return folder;
  }

  test('does nothing on import, and nothing keeps the process alive after a verdict', () => {
    const cwd = installed({
      'quiet.mjs': "import 'jury';",
      'judge.mjs':
        "import { judge } from 'jury'; console.log((await judge('User: hi\\nSystem: hello', { models: ['rules'] })).decision);",
    });
    const run = (file: string) =>
      spawnSync(process.execPath, [file], { cwd, encoding: 'utf8', env: { JURY_MODEL: '?' } });
    expect(run('quiet.mjs')).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(run('judge.mjs').stderr).toContain('JURY_MODEL');
    const judged = spawnSync(process.execPath, ['judge.mjs'], { cwd, encoding: 'utf8', env: {} });
    expect(judged).toMatchObject({ status: 0, stdout: 'undecided\n', stderr: '' });
  });

  test('has types that a strict project takes', () => {
    const cwd = installed({
      'use.mts': `import { createJury, type EvalCase, judge, JuryError, loadLibrary, parseCase, type Verdict } from 'jury';
const evalCase: EvalCase = { conversation: [{ role: 'user', text: 'Dim the lights' }], response: 'Done.' };
const verdict: Verdict = await judge(evalCase, { models: ['rules'], onEvent: ({ kind }) => kind === 'asked' });
const decision: 'pass' | 'fail' | 'scored' | 'undecided' = verdict.decision;
const parsed = parseCase('User: hi');
export const known = [decision, 'case' in parsed ? parsed.case.response : parsed.problem];
export const size: number = (await loadLibrary()).rubrics.size;
export const code: string = new JuryError('usage', 'x').code;
await createJury({ variables: { JURY_MODEL: 'rules' } }).close();
// @ts-expect-error an option that there is not
await judge(evalCase, { modles: [] });
`,
      'tsconfig.json': JSON.stringify({
        compilerOptions: { module: 'nodenext', strict: true, noEmit: true, exactOptionalPropertyTypes: true },
        files: ['use.mts'],
      }),
    });
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', cwd], { stdio: 'inherit' });
  });

  test('runs the example', () => {
    const [pass = '', fail = ''] = execFileSync(process.execPath, ['examples/library/judge.mjs'], {
      cwd: root,
      encoding: 'utf8',
      env: {},
    }).split('\n');
    expect([pass, fail]).toEqual([
      expect.stringMatching(/^pass: /),
      expect.stringMatching(/^fail: .*Closed since 20:00/),
    ]);
  });
});
