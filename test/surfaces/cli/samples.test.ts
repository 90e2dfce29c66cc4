import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { KeptCase } from '../../../src/case/index.ts';
import { fittedTo, type Rubric } from '../../../src/judging/standards/rubric.ts';
import { builtIn, builtInLibrary } from '../../support/built-in.ts';
import { startModelDouble } from '../../support/model-double.ts';
import { jury, verdictsOf } from '../../support/run-jury.ts';

const { rubrics } = builtInLibrary();
const double = await startModelDouble({ answer: () => ({ fields: { decision: 'fail', relevant: true } }) });
afterAll(() => double.close());

const samples = readdirSync(join(builtIn, 'samples'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name: rubric }) =>
    readdirSync(join(builtIn, 'samples', rubric)).map((file) => ({ rubric, file })),
  );

describe.each(samples)('the sample $rubric/$file', ({ rubric, file }) => {
  const args = ['--rubric', rubric, '--model', 'openai/judge', join(builtIn, 'samples', rubric, file)];
  const env = { OPENAI_BASE_URL: double.baseUrl };

  /** The rubric with the criteria that it has for this case. */
  async function standardHere(): Promise<Rubric | undefined> {
    const { out } = await jury(['parse', join(builtIn, 'samples', rubric, file)]);
    const { case: evalCase } = z.object({ case: KeptCase }).parse(JSON.parse(out));
    const standard = rubrics.get(rubric);
    return standard && fittedTo(standard, evalCase);
  }

  test('is judged by a model on every criterion that it carries the data for', async () => {
    const [verdict] = verdictsOf(await jury(['judge', '--json', ...args], { env }));
    const standard = await standardHere();
    expect(verdict?.decision).toBe(standard?.decide === 'mean' ? 'scored' : 'fail');
    expect(verdict?.criteria.map(({ id }) => id).sort()).toEqual(
      standard?.criteria.map(({ id }) => id).sort(),
    );
    for (const { id, decision } of verdict?.criteria ?? []) {
      const needs = standard?.criteria.find((one) => one.id === id)?.needs ?? [];
      if (decision === 'not-judged') expect(needs).not.toEqual([]);
    }
  });

  test('prints a card that shows each of them', async () => {
    const { out } = await jury(['judge', ...args], { env });
    for (const { title } of (await standardHere())?.criteria ?? [])
      expect(out.replaceAll(/\s+/g, ' ')).toContain(title);
  });
});
