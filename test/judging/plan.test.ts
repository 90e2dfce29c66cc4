import { describe, expect, test } from 'vitest';
import { redactionRemarks } from '../../src/judging/ask.ts';
import { caseIdOf, judgeCase, planCase } from '../../src/judging/judge-case.ts';
import { asksForDecision } from '../../src/judging/reduce.ts';
import { entry } from '../../src/judging/standards/library.ts';
import { Verdict } from '../../src/judging/verdict/verdict.ts';
import { aCase, aMethod, aPersona, aRubric, judgementOf } from '../support/builders.ts';
import { builtInLibrary } from '../support/built-in.ts';

const library = builtInLibrary();

describe('the plan of a case', () => {
  const wanting = (examples: number, there: number) => {
    const rubric = aRubric({ selectedBy: ['response'], method: 'shown' });
    const [exemplar] = library.exemplars('navigation');
    if (exemplar === undefined) throw new Error('no exemplar');
    const own = {
      ...library,
      rubrics: new Map([[rubric.id, rubric]]),
      methods: new Map([['shown', aMethod({ id: 'shown', examples })]]),
      personas: new Map([['ann', aPersona('ann')]]),
      exemplars: () => Array.from({ length: there }, () => exemplar),
    };
    return planCase(own, aCase(), { models: ['test/model'], rubric: rubric.id });
  };

  test.each([
    [2, 0, 0, 'method shown shows 2 worked examples, but this rubric has none'],
    [2, 1, 1, 'method shown shows 2 worked examples, but this rubric has only 1'],
    [2, 2, 2, null],
    [2, 3, 2, null],
    [0, 3, 0, null],
  ])('of a method that shows %d examples, of %d that there are, shows %d', (wanted, there, shown, remark) => {
    const plan = wanting(wanted, there);
    expect(plan.examples).toBe(shown);
    expect(plan.remarks.filter((one) => one.includes('examples'))).toEqual(remark === null ? [] : [remark]);
  });

  test('keeps the settings of its personas in the verdict, if it has any', async () => {
    const context = {
      ask: (question: Parameters<typeof judgementOf>[0]) =>
        Promise.resolve(judgementOf(question, { decision: 'pass', confidence: 0.6 })),
      now: () => 0,
      timeoutMs: 10_000,
      signal: new AbortController().signal,
    };
    const plan = wanting(0, 0);
    expect((await judgeCase(plan, context)).settings).not.toHaveProperty('values');
    const settled = await judgeCase({ ...plan, values: { brand: 'Aurora' } }, context);
    expect(settled.settings.values).toEqual({ brand: 'Aurora' });
  });
});

test('a verdict says what was assumed when its case was read', async () => {
  const assumed = ['the date is today'];
  const options = { models: ['test/model'], rubric: 'navigation', method: 'io' };
  const verdict = await judgeCase(planCase(library, aCase(), options, assumed), {
    ask: (question) => Promise.resolve(judgementOf(question, { decision: 'pass' })),
    now: () => 0,
    timeoutMs: 10_000,
    signal: new AbortController().signal,
  });
  expect(verdict.assumed).toEqual(assumed);
});

test('a case without an id is named by its content, in eight digits', () => {
  const { id: _, ...unnamed } = aCase();
  expect(caseIdOf(aCase())).toBe('c1');
  expect(caseIdOf(unnamed)).toMatch(/^case-[0-9a-f]{8}$/);
  expect(caseIdOf({ ...unnamed })).toBe(caseIdOf(unnamed));
  expect(caseIdOf({ ...unnamed, response: 'None is open.' })).not.toBe(caseIdOf(unnamed));
});

test('judges are asked for a decision where all criteria must hold and each of them applies', () => {
  const [first] = aRubric().criteria;
  if (first === undefined) throw new Error('a rubric has criteria');
  const optional = { ...first, mayNotApply: true };
  expect(asksForDecision([first], 'all')).toBe(true);
  expect(asksForDecision([first, optional], 'all')).toBe(false);
  expect(asksForDecision([first], 'mean')).toBe(false);
});

test.each([0.1, 0.5, 1])('a verdict with the confidence %d can be stored', async (confidence) => {
  const plan = planCase(library, aCase(), { models: ['test/model'], rubric: 'navigation', method: 'io' });
  const verdict = await judgeCase(plan, {
    ask: (question) => Promise.resolve(judgementOf(question, { decision: 'pass' })),
    now: () => 0,
    timeoutMs: 10_000,
    signal: new AbortController().signal,
  });
  expect(Verdict.parse({ ...verdict, confidence })).toMatchObject({ confidence });
  for (const beyond of [-0.1, 1.1]) expect(() => Verdict.parse({ ...verdict, confidence: beyond })).toThrow();
});

describe('an id that is not there', () => {
  const version = (id: string, number: number) => ({ id, version: number });
  const rubrics = new Map([
    ['routes', version('routes', 2)],
    ['routes@1', version('routes', 1)],
    ['films', version('films', 1)],
  ]);

  test('is answered with the ids that are, without their earlier versions', () => {
    expect(() => entry('rubric', rubrics, 'music')).toThrow(
      'There is no rubric "music". There are: films, routes.',
    );
  });

  test('is answered with the versions where only the version is unknown', () => {
    expect(() => entry('rubric', rubrics, 'routes@3')).toThrow(
      'There is no rubric "routes@3". Its versions are routes@1, routes@2.',
    );
    expect(entry('rubric', rubrics, 'routes@2')).toBe(rubrics.get('routes'));
    expect(entry('rubric', rubrics, 'routes@1')).toBe(rubrics.get('routes@1'));
  });
});

describe('the remark on what was redacted', () => {
  const counts = new Map([
    ['phone number', 2],
    ['VIN', 1],
  ]);

  test('counts the details, by kind', () => {
    expect(redactionRemarks(counts, false)).toEqual([
      '3 details were redacted before the judges saw this: 2 phone numbers, 1 VIN',
    ]);
    expect(redactionRemarks(counts, true)).toEqual(['3 details were redacted here: 2 phone numbers, 1 VIN']);
    expect(redactionRemarks(new Map([['VIN', 1]]), true)).toEqual(['1 detail was redacted here: 1 VIN']);
  });

  test('is not made where nothing was', () => {
    expect(redactionRemarks(new Map(), false)).toEqual([]);
  });
});
