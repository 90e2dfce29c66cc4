import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { spawnedJury, verdictsOf } from '../../support/run-jury.ts';

const paste = readFileSync(
  fileURLToPath(new URL('../../../prompts/samples/navigation/closed.txt', import.meta.url)),
  'utf8',
);

test('the built program judges what it is given on standard input, plainly where it has no terminal', async () => {
  const { code, out, err } = await spawnedJury(['judge'], { input: paste });
  expect({ code, err }).toEqual({ code: 1, err: '' });
  expect(out).toMatch(/^✗ FAIL/);
  expect(out).not.toContain('\u001b');
  for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
});

test('the built program prints colors where it is told to, and one verdict a line with --json', async () => {
  const colored = await spawnedJury(['judge'], { input: paste, env: { FORCE_COLOR: '1' } });
  expect(colored.out).toContain('\u001b[');
  const ran = await spawnedJury(['judge', '--json'], { input: paste, env: { FORCE_COLOR: '1' } });
  expect(verdictsOf(ran)).toMatchObject([{ decision: 'fail' }]);
  expect(ran.out).not.toContain('\u001b');
});

test('the demo of the built program ends by itself, and well', async () => {
  const { code, out, err } = await spawnedJury(['demo']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  for (const decision of ['✓ PASS', '✗ FAIL']) expect(out).toContain(decision);
});
