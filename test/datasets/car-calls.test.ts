import { expect, test } from 'vitest';
import type { EvalCase } from '../../src/case/case.ts';
import { checkCase } from '../../src/datasets/dataset-quality.ts';
import { openGenerator } from '../../src/datasets/open-generator.ts';
import { createRulesJudge } from '../../src/judges/rules/rules-judge.ts';
import { planCase } from '../../src/judging/judge-case.ts';
import { entry } from '../../src/judging/standards/library.ts';
import { builtIn, builtInLibrary } from '../support/built-in.ts';

const library = builtInLibrary();
const rubric = entry('rubric', library.rubrics, 'car-function');
const rules = createRulesJudge(library.lexicons(), library.caseFormat, () => 'sha256:test', library.cars);
const signal = new AbortController().signal;

const noRouter = () => {
  throw new Error('there are no drives');
};

const made = async (seed: number, users: number): Promise<EvalCase[]> => {
  const generator = openGenerator([builtIn], 'car-function');
  const { schema } = library.caseFormat;
  return (await generator.generate({ rubric, schema, router: noRouter }, seed, users)).flat();
};

const KINDS = [
  'missing',
  'not-made',
  'other-way',
  'right',
  'unasked',
  'without-consent',
  'wrong-argument',
  'wrong-order',
];

test('every generated case of the car has exactly the errors of its label, in English and in German', async () => {
  const cases = await made(3, 60);
  expect([...new Set(cases.map(({ tags }) => tags?.kind))].sort()).toEqual(KINDS);
  expect([...new Set(cases.map(({ language }) => language))].sort()).toEqual(['de', 'en']);
  for (const evalCase of cases)
    expect([evalCase.id, await checkCase(evalCase, () => rubric, rules, signal)]).toEqual([
      evalCase.id,
      { kind: 'confirmed' },
    ]);
});

test('a label that the calls do not have is found out', async () => {
  const [right] = await made(1, 1);
  if (right === undefined) throw new Error('no case');
  const wrong: EvalCase = { ...right, toolCalls: [] };
  expect((await checkCase(wrong, () => rubric, rules, signal)).kind).toBe('contradicted');
});

test('more users keep the earlier ones', async () => {
  const few = await made(1, 3);
  expect((await made(1, 5)).slice(0, few.length)).toEqual(few);
});

/** Results by criterion as the exact checks find them. */
async function findings(evalCase: EvalCase): Promise<Record<string, string>> {
  const { criteria, ...plan } = planCase(library, evalCase, { models: ['rules'] });
  const judge = { persona: null, model: 'rules', sample: 0 };
  const { criteria: found } = await rules({
    ...{ judge, persona: null, cast: [], criteria, round: 0, seen: [], temperature: 0, seed: null, signal },
    ...{ rubric: plan.rubric, method: plan.method, evalCase, deadlineAt: Number.POSITIVE_INFINITY },
  });
  return Object.fromEntries(found.map(({ id, decision }) => [id, decision]));
}

test('a right way that nobody thought of is never failed', async () => {
  const cases = (await made(5, 60)).filter(({ tags }) => tags?.kind === 'other-way');
  for (const evalCase of cases) {
    // The expectation names only the first way; the calls took the second.
    const [first = []] = evalCase.expectedCalls?.anyOf ?? [];
    const one: EvalCase = { ...evalCase, expectedCalls: { anyOf: [first] } };
    const found = await findings(one);
    expect([one.id, Object.values(found).includes('fail'), found.state]).toEqual([one.id, false, 'pass']);
  }
  expect(cases.length).toBeGreaterThan(20);
});
