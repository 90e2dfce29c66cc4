import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createJury } from '../../../src/index.ts';
import { builtIn } from '../../support/built-in.ts';
import { closeAfterEach, closing } from '../../support/resources.ts';

closeAfterEach();

const folder = join(builtIn, 'samples');
const samples = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.txt'),
);

test('words of the request that nothing explains are named as not checked in a pass alone', async () => {
  const jury = createJury({ variables: { JURY_MODEL: 'rules' } });
  closing(() => jury.close());
  const named: string[] = [];
  for (const sample of samples) {
    const verdict = await jury.judge(readFileSync(join(folder, sample), 'utf8'), { models: ['rules'] });
    if (verdict.decision !== 'pass' && /Not checked: "/.test(JSON.stringify(verdict).replaceAll('\\"', '"')))
      named.push(sample);
  }
  expect(samples.length).toBeGreaterThan(30);
  expect(named).toEqual([]);
});
