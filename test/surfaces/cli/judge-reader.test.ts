import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Verdict } from '../../../src/judging/verdict/index.ts';
import type { DoubleAnswer, ModelDouble } from '../../support/model-double.ts';
import {
  isReading,
  part,
  startReaderDouble,
  unlabeled,
  unlabeledParts,
} from '../../support/reader-double.ts';
import { jury } from '../../support/run-jury.ts';

let double: ModelDouble | null = null;
afterEach(() => double?.close());

const reading = async (parts: unknown) => {
  double = await startReaderDouble(() => ({ json: { parts } }));
  return double;
};

const envOf = ({ baseUrl }: ModelDouble, more: Record<string, string> = {}) => ({
  OPENAI_BASE_URL: baseUrl,
  OPENAI_API_KEY: 'sk-test',
  JURY_READER: 'openai/gpt-4o-mini',
  ...more,
});

/** What the exact checks found about the rating. */
const ratingIn = ({ criteria }: Verdict) => criteria.find(({ id }) => id === 'rating')?.decision;

const readings = ({ requests }: ModelDouble) => requests.filter(isReading);

test('a paste without labels is shown as a model read it, and not judged', async () => {
  const model = await reading(unlabeledParts);
  const { code, out, err } = await jury(['judge'], { input: unlabeled, env: envOf(model) });
  expect({ code, out }).toEqual({ code: 64, out: '' });
  expect(err).toContain('openai/gpt-4o-mini read this:');
  expect(err).toMatch(/User +find me a sushi place, rated at least 4/);
  expect(err).toMatch(/Answer +Sakura is five minutes away, Klaus\. It is rated 4\.3\./);
  expect(err).toMatch(/Rating +4\.3/i);
  expect(err).toMatch(/Left out +.*wanted to know/);
  expect(err).toContain('--trust-reader');
  expect(model.requests).toHaveLength(1);
});

test('with --trust-reader it is judged, and the verdict says who read it and what that cost', async () => {
  const model = await reading(unlabeledParts);
  const { code, out } = await jury(['judge', '--trust-reader', '--json'], {
    input: unlabeled,
    env: envOf(model),
  });
  const verdict = Verdict.parse(JSON.parse(out));
  expect([0, 2]).toContain(code);
  expect(ratingIn(verdict)).toBe('pass');
  expect(verdict.reader).toMatchObject({
    model: 'openai/gpt-4o-mini',
    usage: { promptTokens: 100, completionTokens: 20, attempts: 1 },
  });
  expect(verdict.reader?.promptHash).toMatch(/^sha256:/);
  // Exact checks cost nothing, so all of the usage is the reader's.
  expect(verdict.usage).toMatchObject({ promptTokens: 100, completionTokens: 20 });
  expect(verdict.usage.costUsd).toBe(verdict.reader?.usage.costUsd);
  expect(verdict.usage.costUsd).toBeGreaterThan(0);
  // Beside the questions about the three criteria that exact checks answer.
  expect(verdict.calls).toBe(verdict.judgements.reduce((sum, { calls = 1 }) => sum + calls, 0) + 1);
  expect(verdict.assumed[0]).toContain('openai/gpt-4o-mini');
});

test('the model sees no name of an author and no redacted detail, and what is judged is the paste itself', async () => {
  const text = `${unlabeled}\nKlaus: call me at 0171 2345678`;
  const model = await reading([...unlabeledParts, part(6, 6, 'left out')]);
  const { out } = await jury(['judge', '--trust-reader', '--json'], {
    input: text,
    env: envOf(model, { JURY_REDACT: 'phone' }),
  });
  const [asked] = readings(model);
  expect(asked?.user).not.toMatch(/Klaus|0171/);
  expect(asked?.user).toContain('[phone number]');
  expect(asked?.user).toMatch(/2\| find me a sushi place/);
  expect(asked?.system).not.toMatch(/Klaus|0171/);
  expect(ratingIn(Verdict.parse(JSON.parse(out)))).toBe('pass');
});

test('a reader that is wrong twice leaves the plain problem, and says that it was asked', async () => {
  const model = await reading([part(2, 2, 'user', 'an invented request'), part(4, 4, 'system')]);
  const { code, err } = await jury(['judge', '--trust-reader'], { input: unlabeled, env: envOf(model) });
  expect(code).toBe(64);
  expect(err).toContain('No label says who speaks');
  expect(err).toMatch(/openai\/gpt-4o-mini was asked to read it and gave no usable reading\.\n/);
  expect(err).not.toMatch(/invented|character by character/);
  expect(model.requests).toHaveLength(2);
  expect(model.requests[1]?.user).toContain('does not stand there, character by character');
});

test.each<[string, DoubleAnswer, RegExp]>([
  ['with nonsense', { content: 'I cannot do that' }, /asked to read it and gave no usable reading/],
  ['with HTML', { raw: '<html><body>Welcome</body></html>' }, /asked to read it and gave no usable reading/],
  ['with no part', { json: { parts: [] } }, /asked to read it and found no conversation in it/],
  ['with an error', { status: 500 }, /asked to read it, but takes no more questions at the moment/],
  ['with a refused key', { status: 401 }, /asked to read it, but its endpoint refuses the key/],
  [
    'with a part of a sentence',
    { json: { parts: [part(2, 2, 'user', 'find me a sushi place'), part(4, 4, 'system')] } },
    /only a part of a sentence: put what each of them says on a line of its own/,
  ],
])('a reader that answers %s is named, and the plain problem follows', async (_, answer, says) => {
  double = await startReaderDouble(() => answer);
  const { code, err } = await jury(['judge', '--trust-reader'], { input: unlabeled, env: envOf(double) });
  expect(code).toBe(64);
  expect(err).toMatch(says);
  expect(err.search(says)).toBeLessThan(err.indexOf('No label says who speaks'));
});

test('a reader that is right at its second try is heard', async () => {
  let n = 0;
  double = await startReaderDouble(() => {
    n += 1;
    return { json: { parts: n === 1 ? [part(2, 9, 'user')] : unlabeledParts } };
  });
  const { out } = await jury(['judge', '--trust-reader', '--json'], {
    input: unlabeled,
    env: envOf(double),
  });
  expect(Verdict.parse(JSON.parse(out)).reader?.usage.attempts).toBe(2);
});

test.each([
  ['JURY_READER=off', { JURY_READER: 'off', JURY_MODEL: 'openai/gpt-4o-mini' }],
  ['JURY_MODEL=rules alone', { JURY_READER: '', JURY_MODEL: 'rules' }],
])('no model reads with %s', async (_, env) => {
  const model = await reading(unlabeledParts);
  const { code, err } = await jury(['judge'], { input: unlabeled, env: envOf(model, env) });
  expect(code).toBe(64);
  expect(err).toContain('No label says who speaks');
  expect(model.requests).toHaveLength(0);
});

test('the judging model reads unless another is named', async () => {
  const model = await reading(unlabeledParts);
  const env = envOf(model, { JURY_READER: '', JURY_MODEL: 'openai/gpt-4o' });
  const { err } = await jury(['judge'], { input: unlabeled, env });
  expect(err).toContain('openai/gpt-4o read this');
});

test('no model reads what plain reading can, what is JSON, and what only looks at cases', async () => {
  const model = await reading(unlabeledParts);
  const folder = mkdtempSync(join(tmpdir(), 'jury-reader-'));
  const file = join(folder, 'chat.txt');
  writeFileSync(file, unlabeled);
  const env = envOf(model);
  await jury(['judge'], { input: 'User: Turn it up\nSystem: It is louder now.', env });
  await jury(['judge'], { input: '{"response": "Sakura"}', env });
  await jury(['parse', file], { env });
  await jury(['bench', 'run', file, '--methods', 'io', '--models', 'rules'], { env });
  await jury(['dataset', 'stats', file], { env });
  expect(model.requests).toHaveLength(0);
  expect(readFileSync(file, 'utf8')).toBe(unlabeled);
});

test('beside other cases, --skip-invalid judges the rest; a trusted reading gets the name of its file', async () => {
  const model = await reading(unlabeledParts);
  const folder = mkdtempSync(join(tmpdir(), 'jury-reader-'));
  writeFileSync(join(folder, 'chat.txt'), unlabeled);
  writeFileSync(join(folder, 'plain.txt'), 'User: Turn it up\nSystem: It is louder now.');
  const skipped = await jury(['judge', folder, '--skip-invalid', '--json'], { env: envOf(model) });
  expect(skipped.out.trim().split('\n')).toHaveLength(1);
  expect(skipped.err).toContain('--trust-reader');
  const trusted = await jury(['judge', folder, '--trust-reader', '--json'], { env: envOf(model) });
  const ids = trusted.out
    .trim()
    .split('\n')
    .map((line) => Verdict.parse(JSON.parse(line)).caseId);
  expect(ids).toEqual(['chat', 'plain']);
});
