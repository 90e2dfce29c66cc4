import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startModelDouble } from '../../support/model-double.ts';
import { jury, scratch, verdictsOf } from '../../support/run-jury.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The first code block after a text. */
function blockAfter(text: string): string {
  const from = readme.indexOf(text);
  const start = readme.indexOf('\n', readme.indexOf('```', from)) + 1;
  return readme.slice(start, readme.indexOf('```', start));
}

const timeless = (text: string): string =>
  text
    .replaceAll('\u00a0', ' ')
    .replaceAll(/took [\d.]+ m?s/g, 'took …')
    .trimEnd();

test('the card in the README is what its paste prints', async () => {
  const file = /<!-- card: (\S+) -->/.exec(readme)?.[1] ?? '';
  const { out } = await jury(['judge', join(root, file)]);
  expect(timeless(blockAfter('<!-- card:'))).toBe(timeless(out));
});

test('the paste in the README is judged as it stands', async () => {
  const { code, out } = await jury(['judge'], { input: blockAfter('What you paste into a chat is enough') });
  expect(code).toBe(1);
  expect(out).toMatch(/✗ Time +0–3/);
});

test('the JSON case in the README is judged as it stands', async () => {
  const [verdict] = verdictsOf(
    await jury(['judge', '--json'], { input: blockAfter('For files and scripts') }),
  );
  expect(verdict).toMatchObject({ caseId: 'u1-time', decision: 'fail' });
});

test('the rubric of the README’s minute judges from end to end', async () => {
  const cwd = scratch();
  const file = /Save this as `([^`]+)`/.exec(readme)?.[1] ?? '';
  mkdirSync(join(cwd, dirname(file)), { recursive: true });
  writeFileSync(join(cwd, file), blockAfter('Save this as'));
  const double = await startModelDouble({ answer: () => ({ fields: { decision: 'fail' } }) });
  const command = /JURY_PROMPTS_DIR=(\S+) npx jury (judge .*) my-paste\.txt/.exec(readme);
  const ran = await jury([...(command?.[2] ?? '').split(' '), '--json'], {
    cwd,
    input: 'User: Where can I eat?\nSystem: Figure it out yourself.',
    env: { JURY_PROMPTS_DIR: command?.[1] ?? '', OPENAI_BASE_URL: double.baseUrl },
  });
  await double.close();
  expect(verdictsOf(ran)[0]).toMatchObject({
    rubric: 'polite',
    decision: 'fail',
    criteria: [{ id: 'tone' }, { id: 'brevity' }],
  });
  expect(double.counts.received).toBe(2);
});
